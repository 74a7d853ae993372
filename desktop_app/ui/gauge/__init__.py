"""The gauge: how deep the next request is loaded. Reads plans, makes none. Never imports another pane."""

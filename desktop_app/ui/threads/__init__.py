"""The thread list: grouped, searchable, painted by a delegate. Never imports another pane or a controller."""

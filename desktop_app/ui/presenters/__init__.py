"""The flow between the panes and the controller: what happens on a wish, what is shown of a fact."""

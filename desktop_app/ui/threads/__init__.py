"""The thread list: grouped, searchable, painted by a delegate. Knows no other pane and no controller."""

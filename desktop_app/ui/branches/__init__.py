"""The tree of a thread's branches: its rows, the popover that shows them, what fills it."""

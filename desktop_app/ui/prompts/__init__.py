"""The prompt library in the window: its page, its editor, the list above the composer, the form for variables."""

"""The presenters of a thread: sending, branches, choices, navigation, error cards, the transcript's content."""

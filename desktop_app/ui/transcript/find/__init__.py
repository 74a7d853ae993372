"""Finding text in the open thread and going to a message."""

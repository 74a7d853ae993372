"""The only SQL: the history file behind awaitables, and a quick look into it for the first paint."""

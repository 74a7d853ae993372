"""The subcommands: the same controller as the window's, without Qt. Owns words, JSON lines and exit statuses."""

"""The context inspector: what would be sent and why, and what was sent. Reads plans and requests, makes none."""

"""What the operating system gives: what differs by system, and threads."""

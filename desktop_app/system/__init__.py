"""The services of the operating system: those that differ by system, and threads."""

"""Every fault of a provider against every backend, through the real controller over a real history file."""

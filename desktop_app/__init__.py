"""Plimsoll: a desktop chat client that shows what the model will see before you send."""

__version__ = "0.1.0"

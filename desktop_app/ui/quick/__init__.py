"""The line to ask from anywhere."""

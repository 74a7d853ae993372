"""A small real model on this computer: llama.cpp's own server in a child process, spoken to over loopback."""

from desktop_app.backends.local.local_backend import LocalBackend as LocalBackend

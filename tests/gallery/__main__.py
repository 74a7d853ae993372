"""Opens the gallery: `python -m tests.gallery`."""

import sys

from tests.gallery.window import show_gallery

sys.exit(show_gallery())

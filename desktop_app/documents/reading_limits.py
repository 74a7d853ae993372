"""Owns how much of anything is read from one file. Knows no format."""

from __future__ import annotations

from typing import Final

MOST_BYTES: Final = 50 * 2**20
"""The largest file that is opened."""

MOST_CHARACTERS: Final = 4_000_000
"""The longest text of one document: about a million tokens of English, which is the largest window there is."""

MOST_PAGES: Final = 5_000
"""Pages of a PDF that are looked at."""

MOST_UNPACKED: Final = 100 * 2**20
"""Bytes that are unpacked of one entry of an archive, such as the text of a Word document."""

MOST_PIXELS: Final = 120_000_000
"""The largest image that is unpacked: the best telephones take 108 million pixels."""

MOST_SCANNED_BYTES: Final = 20 * 2**20
MOST_SCANNED_PAGES: Final = 100
"""A PDF that is sent as it is: requests to the API of the `claude` models have at most 32 MB, base64 included, and 100
pages for a window of 200,000 tokens (its documentation on PDF support)."""

LONGEST_EDGE: Final = 2_000
"""In pixels. Models scale larger images down before they look; with many images in a request, 2,000 is the limit."""

MOST_IMAGE_BASE64: Final = 5_000_000
"""Characters of an image in base64: what the strictest API takes is 5 MB."""

TIME_LIMIT_S: Final = 60.0
"""What one file may take, in seconds, before its reading is ended."""

PAGES_TIME_S: Final = 45.0
"""After so many seconds no further page of a PDF is begun: what was read is better than nothing."""

MEMORY_LIMIT: Final = 1_536 * 2**20
"""Address space of the process that reads, in bytes; 120 million pixels in four colours need a third of it."""

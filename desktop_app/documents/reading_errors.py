"""How much is read from one file, and the reasons why a file is not attached."""

from __future__ import annotations

from typing import Final

from desktop_app.core.phrases import Phrase, template

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


NOT_FOUND: Final = template("There is no file “{name}”. Check the name, or whether it was moved.")
FORBIDDEN: Final = template("You have no permission to read “{name}”. Change its permissions, or attach a copy of it.")
LOCKED: Final = template("“{name}” can't be opened: {why}. Close it in other programs, or attach a copy of it.")
A_FOLDER: Final = template("“{name}” is a folder. Choose the files in it.")
NO_FILE: Final = template("“{name}” is a device or a pipe, not a file. Save what it holds to a file, then attach that.")
EMPTY: Final = template("“{name}” is empty. There is nothing to attach.")
TOO_LARGE: Final = template("“{name}” has {size} MB; files of up to {most} MB can be attached. Attach a part of it.")
BINARY: Final = template(
    "“{name}” holds no text, document or image that can be read. Attach it as text, PDF, Word or PNG."
)
NO_TEXT: Final = template("There is no text in “{name}”. Save it as PDF, or attach pictures of its pages.")
EXCEL: Final = template("“{name}” is an Excel workbook. Save the sheet as CSV, or print it to PDF, then attach that.")
POWERPOINT: Final = template("“{name}” is a PowerPoint file. Save it as PDF, then attach that.")
OPEN_DOCUMENT: Final = template("“{name}” is an OpenDocument file. Save it as Word (.docx) or PDF, then attach that.")
BOOK: Final = template("“{name}” is an e-book. Save it as PDF or text, then attach that.")
RICH_TEXT: Final = template("“{name}” is Rich Text. Save it as Word (.docx) or PDF, then attach that.")
OLD_OFFICE: Final = template(
    "“{name}” is an Office file of the old kind, or has a password. Save it as Word (.docx) or PDF without one."
)
ARCHIVE: Final = template("“{name}” is an archive. Unpack it, then attach the files you need.")
HEIC: Final = template("“{name}” is a HEIC photo, which can't be read here. Save it as JPEG or PNG, then attach that.")
DAMAGED: Final = template("“{name}” is damaged or not what its name says. Open it in its own program and save it anew.")
DAMAGED_IMAGE: Final = template(
    "The image “{name}” is damaged. Open it in an image viewer and save it anew as PNG or JPEG."
)
TOO_MANY_PIXELS: Final = template(
    "The image “{name}” has {size} million pixels; {most} can be opened. Attach a smaller copy."
)
IMAGE_TOO_HEAVY: Final = template(
    "The image “{name}” can't be made small enough to be sent. Attach a smaller copy or a part of it."
)
PASSWORD: Final = template("“{name}” is protected by a password. Save a copy without one, then attach that.")
ENCRYPTED: Final = template(
    "“{name}” is encrypted in a way that can't be read here. Print it to a new PDF, then attach that."
)
TOO_MANY_PAGES: Final = template("“{name}” has {size} pages; {most} can be read. Attach a part of it.")
SCAN_TOO_LARGE: Final = template(
    "“{name}” is a scan without text, of {pages} pages and {size} MB. Scans of up to {most_pages} pages and {most} "
    "MB can be sent. Attach a part of it, or a copy with recognised text."
)
BOMB: Final = template("“{name}” unpacks to far more than it should hold, so it is not read. Attach it as text or PDF.")
TOO_DEMANDING: Final = template(
    "“{name}” takes too much time or memory to read, or is damaged. Save it anew or as text, or attach a part of it."
)


class UnreadableError(Exception):
    """A file that is not attached; `words` is one of the reasons above with its figures filled in but for the name."""

    def __init__(self, words: str, **figures: str | int) -> None:
        super().__init__(words)
        self._words, self._figures = words, figures

    def sentence(self, name: str) -> str:
        """What happened and what to do, naming the file."""
        return Phrase(self._words, {"name": name, **self._figures})


def megabytes(size: int) -> str:
    """A size in bytes as `1,200` or `0.4`."""
    return f"{size / 2**20:,.0f}" if size >= 10 * 2**20 else f"{size / 2**20:.1f}"

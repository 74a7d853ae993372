"""Owns what the `extra` of an attachment says: pages, bytes, a note. Knows nothing of how files are read or sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop_app.core.messages import DocumentPart, ImagePart, Part, TextPart

PAGES: Final = "pages"
"""How many pages a PDF has."""

BYTES: Final = "bytes"
"""A PDF in base64: kept where it has no text, so that a model that reads pages can be shown them."""

NOTE: Final = "note"
"""One sentence on what could not be read for sure or not as a whole: a guessed encoding, the first of many frames."""


def message_of(text: str, attached: Sequence[Part]) -> tuple[Part, ...]:
    """A draft as it is sent: what is attached, then the text without the empty lines around it, if there is any."""
    text = text.strip("\n").rstrip()
    return (*attached, TextPart(text)) if text else tuple(attached)


def attachments_of(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The images and documents among some parts, in order."""
    return tuple(part for part in parts if isinstance(part, ImagePart | DocumentPart))


def scanned_pdf(part: Part) -> str | None:
    """The base64 bytes of a PDF whose pages are pictures; None for anything else. Its `text` is a stand-in then."""
    data = part.extra.get(BYTES) if isinstance(part, DocumentPart) else None
    return data if isinstance(data, str) and data else None


def scanned_pages(part: Part) -> int:
    """How many pages of a PDF are sent as pictures; 0 where the document goes as text."""
    if not isinstance(part, DocumentPart) or scanned_pdf(part) is None:
        return 0
    pages = part.extra.get(PAGES)
    return pages if isinstance(pages, int) and not isinstance(pages, bool) and pages > 0 else 1


def name_of(part: Part) -> str:
    """The name of an attachment, without a path; empty for anything else."""
    return part.name if isinstance(part, ImagePart | DocumentPart) else ""


def note_of(part: Part) -> str:
    """What the reader of an attachment should know of how it was read; empty where there is nothing to say."""
    note = part.extra.get(NOTE) if isinstance(part, ImagePart | DocumentPart) else None
    return note if isinstance(note, str) else ""

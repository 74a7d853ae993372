"""Facts in the `extra` of an attachment: pages, bytes, a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from desktop_app.core.messages import AttachedPart, DocumentPart, Part, TextPart
from desktop_app.core.phrases import from_json

PAGES: Final = "pages"
"""The key of the number of pages of a PDF."""

BYTES: Final = "bytes"
"""A PDF in base64: kept where it has no text, so that a model that reads pages can be shown them."""

NOTE: Final = "note"
NOTE_PHRASE: Final = "note_phrase"
"""The note with its template and values: in English it is also told where these are not known."""
"""One sentence on what could not be read for sure or not as a whole: a guessed encoding, the first of many frames."""


FIRST: Final = "first"
"""Of a document of which only the beginning is sent: `at`, where its text is cut, and the tokens `left_out`.

Kept with the attachment, so that what is sent never changes; its text stays whole, for the reader and for searches.
"""

SENT_IN_PART: Final = "in_part"
"""Of what is sent in the place of such a document."""


def message_of(text: str, attached: Sequence[Part]) -> tuple[Part, ...]:
    """A draft as it is sent: what is attached, then the text without the empty lines around it, if there is any."""
    text = text.strip("\n").rstrip()
    return (*attached, TextPart(text)) if text else tuple(attached)


def attachments_of(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The images and documents among some parts, in order."""
    return tuple(part for part in parts if isinstance(part, AttachedPart))


def without(parts: Sequence[Part], gone: Sequence[Part]) -> tuple[Part, ...]:
    """The parts but for those that are gone, each of which takes one away."""
    rest = list(parts)
    for part in gone:
        place = next((n for n, other in enumerate(rest) if other is part), None)
        place = next((n for n, other in enumerate(rest) if other == part), None) if place is None else place
        if place is not None:
            del rest[place]
    return tuple(rest)


def scanned_pdf(part: Part) -> str | None:
    """The base64 bytes of a PDF whose pages are pictures; None for anything else. Its `text` is a stand-in then."""
    data = part.extra.get(BYTES) if isinstance(part, DocumentPart) else None
    return data if isinstance(data, str) and data else None


def scanned_pages(part: Part) -> int:
    """Return the number of pages of a PDF that are sent as pictures; 0 where the document goes as text."""
    if not isinstance(part, DocumentPart) or scanned_pdf(part) is None:
        return 0
    pages = part.extra.get(PAGES)
    return pages if isinstance(pages, int) and not isinstance(pages, bool) and pages > 0 else 1


def name_of(part: Part) -> str:
    """The name of an attachment, without a path; empty for anything else."""
    return part.name if isinstance(part, AttachedPart) else ""


def note_of(part: Part) -> str:
    """Return what the reader of an attachment should learn of how it was read; empty where there is nothing to say."""
    extra = part.extra if isinstance(part, AttachedPart) else {}
    note = extra.get(NOTE)
    return from_json(extra.get(NOTE_PHRASE), note) if isinstance(note, str) else ""


def whole_document(part: DocumentPart) -> DocumentPart:
    """The document without a cut."""
    if FIRST not in part.extra:
        return part
    return replace(part, extra={key: value for key, value in part.extra.items() if key != FIRST})


def is_in_part(part: Part) -> bool:
    """Return True if only the beginning of a document is sent; also true of the part that is sent."""
    return isinstance(part, DocumentPart) and (cut_of(part) is not None or SENT_IN_PART in part.extra)


def left_out_of(part: Part) -> int:
    """Tokens of a document that are not sent; 0 where it is sent whole."""
    cut = cut_of(part) if isinstance(part, DocumentPart) else None
    return 0 if cut is None else cut[1]


def cut_of(part: DocumentPart) -> tuple[int, int] | None:
    """Return the place where the text of a document is cut, and the tokens left out; None where it is sent whole."""
    if not isinstance(cut := part.extra.get(FIRST), dict):
        return None
    at, left_out = cut.get("at"), cut.get("left_out")
    return (at, left_out) if isinstance(at, int) and isinstance(left_out, int) and 0 <= at < len(part.text) else None

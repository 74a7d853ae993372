"""Reads the bytes of a file into the plain facts of an image or a document.

This is done in the process that reads; the other side makes parts of the facts.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path

from desktop_app.core.context.sent_content import clean_text
from desktop_app.core.context.token_estimator import TokenEstimator, cut_characters
from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.file_kinds import MEDIA_TYPES, decoded, kind_of, text_type
from desktop_app.documents.file_opening import (
    ATTACHED,
    EMPTY,
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_SCANNED_BYTES,
    MOST_SCANNED_PAGES,
    SCAN_TOO_LARGE,
    SCANNED_PAGE_TOO_LARGE,
    TOO_LARGE,
    UnreadableError,
    megabytes,
    read_bytes,
)
from desktop_app.documents.images import read_image
from desktop_app.documents.pdf import notes_of, read_pages, text_with_marks
from desktop_app.documents.text_extraction import office_text


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts read. An image has `data` (base64) and its size in pixels; a document `text`, `sha256` and, if it is
    a scanned PDF, `data` (base64) and `pages`. `note`: one sentence where it is not whole or not sure.
    """

    media_type: str
    text: str = ""
    sha256: str = ""
    data: str = ""
    width: int = 0
    height: int = 0
    pages: int = 0
    note: str = ""


def facts_of_file(path: Path) -> FileFacts:
    """Return the contents of a file. Raises `UnreadableError`."""
    return facts_of(read_bytes(path), path.name)


def facts_of(data: bytes, name: str) -> FileFacts:
    """Return the facts of a file's bytes; the name tells only one kind of text from another. Raises
    `UnreadableError`.
    """
    if not data:
        raise UnreadableError(EMPTY)
    if len(data) > MOST_BYTES:
        raise UnreadableError(TOO_LARGE, size=megabytes(len(data)), most=MOST_BYTES // 2**20)
    kind = kind_of(data)
    if kind == "image":
        return facts_of_image(data)
    sha256 = hashlib.sha256(data).hexdigest()
    if kind == "pdf":
        return _pdf(data, sha256)
    office = office_text(data, kind, ATTACHED)
    if office is not None:
        return _document(MEDIA_TYPES[kind], office.text, sha256, pages=office.pages, note=office.note)
    text, note = decoded(data)
    return _document(text_type(name), text, sha256, note=note)


def facts_of_image(data: bytes) -> FileFacts:
    """The picture in some bytes. Raises `UnreadableError`."""
    image = read_image(data)
    return FileFacts(image.media_type, data=image.data, width=image.width, height=image.height, note=image.note)


def facts_of_text(text: str, name: str) -> FileFacts:
    """A text as a document. Raises `UnreadableError`."""
    return _document(text_type(name), text, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest())


def _pdf(data: bytes, sha256: str) -> FileFacts:
    """The text of the pages, or the file itself where they are pictures; the text then says so, for whoever can't be
    shown them.
    """
    media_type, pages = MEDIA_TYPES["pdf"], read_pages(data, ATTACHED)
    if not pages.scanned:
        return _document(media_type, text_with_marks(pages), sha256, pages=pages.count, note=notes_of(pages))
    if len(data) > MOST_SCANNED_BYTES or pages.count > MOST_SCANNED_PAGES:
        one = pages.count == 1
        raise UnreadableError(
            SCANNED_PAGE_TOO_LARGE if one else SCAN_TOO_LARGE,
            **({} if one else {"pages": pages.count}),
            size=megabytes(len(data)),
            most_pages=MOST_SCANNED_PAGES,
            most=MOST_SCANNED_BYTES // 2**20,
        )
    stand_in = f"[A scan of {pages.count} page{'' if pages.count == 1 else 's'} without text]"
    note = phrase("It is a scan without text; a model that can look at pages is shown them.")
    encoded = base64.b64encode(data).decode()
    return _document(media_type, stand_in, sha256, data=encoded, pages=pages.count, note=note)


def _document(media_type: str, text: str, sha256: str, *, data: str = "", pages: int = 0, note: str = "") -> FileFacts:
    text = clean_text(text)
    if not text.strip():
        raise UnreadableError(EMPTY)
    if len(text) > MOST_CHARACTERS:
        text = cut_characters(text, MOST_CHARACTERS, TokenEstimator.seeded("unknown"))
        too_long = phrase("It is too long for any model, so its end is left out.")
        note = joined([note, too_long]) if note else too_long
    return FileFacts(media_type, text=text, sha256=sha256, data=data, pages=pages, note=note)

"""Reads the bytes of a file into the plain facts of an image or a document.

This is done in the process that reads; the other side makes parts of the facts.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.core.context.roles import clean_text
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.context.truncation import cut_characters
from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.docx import docx_text
from desktop_app.documents.file_kinds import DOCX_TYPE, kind_of, text_type
from desktop_app.documents.file_opening import read_bytes
from desktop_app.documents.images import read_image
from desktop_app.documents.pdf import read_pdf
from desktop_app.documents.reading_errors import (
    EMPTY,
    MOST_BYTES,
    MOST_CHARACTERS,
    TOO_LARGE,
    UnreadableError,
    megabytes,
)
from desktop_app.documents.text_encoding import decoded

PDF_TYPE: Final = "application/pdf"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What was read. An image has `data` (base64) and its size in pixels; a document `text`, `sha256` and, if it is a
    scanned PDF, `data` (base64) and `pages`. `note`: one sentence where it is not whole or not sure.
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
    """What is in a file. Raises `UnreadableError`."""
    return facts_of(read_bytes(path), path.name)


def facts_of(data: bytes, name: str) -> FileFacts:
    """What the bytes of a file are; the name tells only one kind of text from another. Raises `UnreadableError`."""
    if not data:
        raise UnreadableError(EMPTY)
    if len(data) > MOST_BYTES:
        raise UnreadableError(TOO_LARGE, size=megabytes(len(data)), most=MOST_BYTES // 2**20)
    kind = kind_of(data)
    if kind == "image":
        return facts_of_image(data)
    sha256 = hashlib.sha256(data).hexdigest()
    if kind == "pdf":
        pdf = read_pdf(data)
        return _document(PDF_TYPE, pdf.text, sha256, data=pdf.data, pages=pdf.pages, note=pdf.note)
    if kind == "docx":
        return _document(DOCX_TYPE, docx_text(data), sha256)
    text, note = decoded(data)
    return _document(text_type(name), text, sha256, note=note)


def facts_of_image(data: bytes) -> FileFacts:
    """The picture in some bytes. Raises `UnreadableError`."""
    image = read_image(data)
    return FileFacts(image.media_type, data=image.data, width=image.width, height=image.height, note=image.note)


def facts_of_text(text: str, name: str) -> FileFacts:
    """A text as a document. Raises `UnreadableError`."""
    return _document(text_type(name), text, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest())


def _document(media_type: str, text: str, sha256: str, *, data: str = "", pages: int = 0, note: str = "") -> FileFacts:
    text = clean_text(text)
    if not text.strip():
        raise UnreadableError(EMPTY)
    if len(text) > MOST_CHARACTERS:
        text = cut_characters(text, MOST_CHARACTERS, TokenEstimator.seeded("unknown"))
        too_long = phrase("It is too long for any model, so its end is left out.")
        note = joined([note, too_long]) if note else too_long
    return FileFacts(media_type, text=text, sha256=sha256, data=data, pages=pages, note=note)

"""Tells the kind of a file from its content, not its name."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from desktop_app.documents.reading_errors import (
    ARCHIVE,
    BINARY,
    BOOK,
    DAMAGED,
    EXCEL,
    HEIC,
    OLD_OFFICE,
    OPEN_DOCUMENT,
    POWERPOINT,
    RICH_TEXT,
    UnreadableError,
)

Kind: TypeAlias = Literal["pdf", "docx", "image", "text"]

WORD_TEXT: Final = "word/document.xml"
DOCX_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_PDF_WITHIN: Final = 1024
"""Readers of PDF find its first bytes within so many."""

_IMAGES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*")
_ARCHIVES: Final = (b"\x1f\x8b", b"BZh", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd")
_BINARY: Final = (b"\x7fELF", b"MZ\x90", b"SQLite format 3\x00", b"\xca\xfe\xba\xbe", b"OggS", b"fLaC", b"ID3")
_HEIC: Final = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_TYPES: Final[Mapping[str, str]] = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".html": "text/html",
    ".htm": "text/html",
    ".xml": "application/xml",
}


def kind_of(data: bytes) -> Kind:
    """What the bytes of a file are; `UnreadableError` with what to do for kinds that are known but not read."""
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(_IMAGES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP") or _is_bitmap(data):
        return "image"
    if data[4:8] == b"ftyp":
        if data[8:12] in (b"avif", b"avis"):
            return "image"
        raise UnreadableError(HEIC if data[8:12] in _HEIC else BINARY)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _in_zip(data)
    if data.startswith(_OLE):
        raise UnreadableError(OLD_OFFICE)
    if data.startswith(b"{\\rtf"):
        raise UnreadableError(RICH_TEXT)
    if data.startswith(_ARCHIVES) or data[257:262] == b"ustar":
        raise UnreadableError(ARCHIVE)
    if data.startswith(_BINARY):
        raise UnreadableError(BINARY)
    return "text"


def text_type(name: str) -> str:
    """The media type of a text by its file's name; `text/plain` for code and all else."""
    return _TYPES.get(name[name.rfind(".") :].lower() if "." in name else "", "text/plain")


def _is_bitmap(data: bytes) -> bool:
    # two letters may begin any text; the size of the header that follows, and zeros before it, don't
    return (
        data[:2] == b"BM"
        and data[6:10] == bytes(4)
        and data[14:18] in (b"\x0c\0\0\0", b"\x28\0\0\0", b"\x6c\0\0\0", b"\x7c\0\0\0")
    )


def _in_zip(data: bytes) -> Kind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError):
        raise UnreadableError(DAMAGED) from None
    if WORD_TEXT in names:
        return "docx"
    if any(name.startswith("xl/") for name in names):
        raise UnreadableError(EXCEL)
    if any(name.startswith("ppt/") for name in names):
        raise UnreadableError(POWERPOINT)
    if "mimetype" in names:
        raise UnreadableError(BOOK if "META-INF/container.xml" in names else OPEN_DOCUMENT)
    raise UnreadableError(ARCHIVE)

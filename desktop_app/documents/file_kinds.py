"""Tells the kind of a file from its content, not its name."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from desktop_app.documents.mail import is_mail
from desktop_app.documents.reading_errors import (
    ARCHIVE,
    BINARY,
    DAMAGED,
    HEIC,
    OLD_OFFICE,
    OPEN_DOCUMENT,
    PASSWORD,
    UnreadableError,
)

Kind: TypeAlias = Literal[
    "pdf", "docx", "slides", "sheet", "open_document", "book", "rich_text", "mail", "image", "text"
]

WORD_TEXT: Final = "word/document.xml"
SLIDES: Final = "ppt/presentation.xml"
BOOK_CONTAINER: Final = "META-INF/container.xml"

MEDIA_TYPES: Final[Mapping[Kind, str]] = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "slides": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "sheet": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "open_document": "application/vnd.oasis.opendocument.text",
    "book": "application/epub+zip",
    "rich_text": "application/rtf",
    "mail": "message/rfc822",
    "image": "image/png",
}
"""Of what is no text by itself; formats that say the same bear the name of the most usual."""

_SHEETS: Final = ("xl/workbook.xml", "xl/workbook.bin")
_OPEN_DOCUMENTS: Final[Mapping[bytes, Kind]] = {
    b"application/vnd.oasis.opendocument.text": "open_document",
    b"application/vnd.oasis.opendocument.presentation": "open_document",
    b"application/vnd.oasis.opendocument.spreadsheet": "sheet",
}
_OLD_SHEETS: Final = ("Workbook".encode("utf-16-le"), "Book\0".encode("utf-16-le"))
_LONGEST_TYPE: Final = 200
_LOCKED: Final = "EncryptedPackage".encode("utf-16-le")
"""The name of the contents in the table of contents of an Office file of the old kind that is locked."""

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

_PROSE: Final = ("", ".txt", ".text", ".log", ".rst", ".adoc", ".asciidoc", ".org", ".tex", ".srt", ".vtt", ".nfo")


def kind_of(data: bytes) -> Kind:
    """Return the kind of a file's bytes; `UnreadableError` with what to do for kinds that are known but not read."""
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(_IMAGES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP") or _is_bitmap(data):
        return "image"
    if data[4:8] == b"ftyp":
        if data[8:12] in (b"avif", b"avis"):
            return "image"
        raise UnreadableError(HEIC if data[8:12] in _HEIC else BINARY)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", _OLE)):
        return _in_compound_file(data) if data.startswith(_OLE) else _in_zip(data)
    if data.startswith(b"{\\rtf"):
        return "rich_text"
    if data.startswith(_ARCHIVES) or data[257:262] == b"ustar":
        raise UnreadableError(ARCHIVE)
    if data.startswith(_BINARY):
        raise UnreadableError(BINARY)
    return "mail" if is_mail(data) else "text"


def text_type(name: str) -> str:
    """The media type of a text by its file's name; `text/plain` for code and all else."""
    return _TYPES.get(name[name.rfind(".") :].lower() if "." in name else "", "text/plain")


def is_code(name: str) -> bool:
    """Return True if a text is a program or settings by its file's name, and not written for people to read."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    return text_type(name) == "text/plain" and ending not in _PROSE


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
            names = frozenset(archive.namelist())
            stated = _stated(archive) if "mimetype" in names else b""
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, OSError, EOFError):
        raise UnreadableError(DAMAGED) from None
    if WORD_TEXT in names:
        return "docx"
    if any(name in names for name in _SHEETS):
        return "sheet"
    if SLIDES in names:
        return "slides"
    if BOOK_CONTAINER in names:
        return "book"
    if not stated:
        raise UnreadableError(ARCHIVE)
    kind = _OPEN_DOCUMENTS.get(stated.strip().removesuffix(b"-template"))
    if kind is None:
        raise UnreadableError(OPEN_DOCUMENT)
    return kind


def _stated(archive: zipfile.ZipFile) -> bytes:
    with archive.open("mimetype") as entry:
        return entry.read(_LONGEST_TYPE)


def _in_compound_file(data: bytes) -> Kind:
    if _LOCKED in data:
        raise UnreadableError(PASSWORD)
    if any(name in data for name in _OLD_SHEETS):
        return "sheet"
    raise UnreadableError(OLD_OFFICE)

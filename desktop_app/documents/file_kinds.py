"""Tells the kind of a file from its content, not its name, and decodes bytes as text."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from desktop_app.core.phrases import phrase
from desktop_app.documents.file_opening import (
    ARCHIVE,
    BINARY,
    DAMAGED,
    HEIC,
    OLD_OFFICE,
    OPEN_DOCUMENT,
    PASSWORD,
    UnreadableError,
)
from desktop_app.documents.mail_and_pages import is_mail

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


_NEVER_TEXT: Final = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".pdf")


def kind_of(data: bytes, name: str) -> Kind:
    """Return the kind of a file's bytes; `UnreadableError` with what to do for kinds that are known but not read.

    `name`: the file's. Words in a file that is named as no text is are what is left of it.
    """
    kind = _kind_of(data)
    if kind == "text" and name.lower().endswith(_NEVER_TEXT) and data.strip() and b"\0" not in data:
        raise UnreadableError(DAMAGED)
    return kind


def _kind_of(data: bytes) -> Kind:
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
    if (kind := _OPEN_DOCUMENTS.get(stated.strip().removesuffix(b"-template"))) is None:
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


SAMPLE: Final = 100_000
"""Bytes that a guess looks at; a character of another encoding may stand further down."""

UNSURE: Final = 0.1
"""Below this the guesses are no better than the encoding that most such files have."""

MOST_CONTROLS: Final = 0.01
"""Share of control characters above which something is no text."""

USUAL: Final = "windows-1252"

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(
    rb"""<\?xml[^>]{0,80}?encoding\s*=\s*["']([\w.:-]{2,40})"""
    rb"""|<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{2,40})"""
    rb"""|^[ \t]*#.{0,80}?coding[:=][ \t]*([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
_DECLARED_WITHIN: Final = 1_024
_CONTROLS: Final = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_JAPANESE: Final = re.compile(rb"\x1b\$[@B]")
"""The beginning of Japanese in ISO-2022-JP, which has no byte above 127; the colours of a terminal look otherwise."""


def decoded(data: bytes) -> tuple[str, str]:
    """The text, with lines ending in a line feed, and a sentence where its encoding is a guess, else "".

    A mark at the beginning, valid UTF-8 and what the text declares of itself are no guesses. `UnreadableError` for what
    is no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            # a damaged character shows as the sign that stands for such
            return _plain(data[len(mark) :].decode(encoding, errors="replace")), ""
    if (wide := _wide(data)) is not None:
        return _plain(wide[0]), _guessed(wide[1])
    if not (data.isascii() and _JAPANESE.search(data)):
        try:
            return _plain(data.decode("utf-8")), ""
        except UnicodeDecodeError:
            pass
    if (found := _declared(data)) is not None:
        return _plain(found), ""
    if _mostly_utf8(data):
        damaged = phrase("Some bytes are not valid UTF-8 and were replaced.")
        return _plain(data.decode("utf-8", errors="replace")), damaged
    return _by_guess(data)


def _by_guess(data: bytes) -> tuple[str, str]:
    import chardet

    best = chardet.detect(data[:SAMPLE])
    name, sure = best["encoding"], best["confidence"]
    order = (USUAL, name) if name and sure < UNSURE else (name, USUAL)
    for encoding in filter(None, order):
        if (text := _as(data, encoding)) is not None and not _noisy(text):
            return _plain(text), "" if _is_utf8(encoding) else _guessed(encoding)
    raise UnreadableError(BINARY)


def _guessed(encoding: str) -> str:
    name = encoding.upper().replace("WINDOWS", "Windows").replace("MAC", "Mac", 1)
    return phrase("Its encoding is not stated; it was read as {name}, which is a guess.", name=name)


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") in ("utf-8", "ascii", "us-ascii")


def _mostly_utf8(data: bytes) -> bool:
    """Return True if a few damaged bytes are the only fault: a text cut within a character, a stray byte in a log."""
    text = data.decode("utf-8", errors="replace")
    strange = text.count("\ufffd")
    beyond = sum(1 for one in text[:SAMPLE] if one > "\x7f")
    return not _noisy(text) and strange <= max(1, len(text) // 1_000) and beyond > 4 * text[:SAMPLE].count("\ufffd")


def _declared(data: bytes) -> str | None:
    if (found := _DECLARED.search(data[:_DECLARED_WITHIN])) is None:
        return None
    name = next(one for one in found.groups() if one is not None).decode("ascii", errors="ignore")
    # pages say Latin-1 and mean the encoding that Windows has made of it
    return _as(data, USUAL if name.lower() in ("iso-8859-1", "latin-1", "latin1") else name)


def _wide(data: bytes) -> tuple[str, str] | None:
    """UTF-16 without a mark: every other byte of its digits, spaces and Latin letters is zero."""
    sample = data[:SAMPLE]
    if not (zeros := sample.count(0)) or zeros < len(sample) // 50 or len(data) % 2:
        return None
    if sample.isascii() and zeros < len(sample) // 4:
        return None  # zeros between fields: Latin letters have one each, others have bytes beyond ASCII
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if min(even, odd) * 20 > max(even, odd):
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    text = _as(data, encoding)
    return (text, encoding) if text is not None and not _noisy(text) else None


def _as(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (LookupError, ValueError):  # there is no such encoding, or it is another one
        return None


def _noisy(text: str) -> bool:
    return len(_CONTROLS.findall(text)) > len(text) * MOST_CONTROLS


def _plain(text: str) -> str:
    if _noisy(text):
        raise UnreadableError(BINARY)
    return text.replace("\r\n", "\n").replace("\r", "\n")

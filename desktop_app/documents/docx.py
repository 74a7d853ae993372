"""Reads the text of a Word document: plain XML of a zip archive, within limits."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, Final
from xml.parsers import expat

from desktop_app.documents.file_kinds import WORD_TEXT
from desktop_app.documents.reading_errors import (
    BOMB,
    DAMAGED,
    MOST_CHARACTERS,
    MOST_UNPACKED,
    NO_TEXT,
    PASSWORD,
    UnreadableError,
)

NOTES: Final = (("word/footnotes.xml", "Footnote"), ("word/endnotes.xml", "Endnote"))
DEEPEST: Final = 1_000
CHUNK: Final = 65_536

_BREAKS: Final[Mapping[str, str]] = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",  # of the strict form
)
_COMPATIBILITY: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 "


def docx_text(data: bytes) -> str:
    """Paragraphs, headings as `#`, list items as `-`, table rows between bars, notes at the end.

    Raises `UnreadableError` for what is damaged, locked, without text or larger than it should be.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            body = _text_of(archive, WORD_TEXT)
            present = set(archive.namelist())
            notes = [_text_of(archive, entry, label) for entry, label in NOTES if entry in present]
    except UnreadableError:
        raise
    except RuntimeError:  # zipfile's word for an entry that needs a password
        raise UnreadableError(PASSWORD) from None
    except (zipfile.BadZipFile, zlib.error, expat.ExpatError, NotImplementedError, KeyError, EOFError, ValueError):
        raise UnreadableError(DAMAGED) from None
    text = "\n\n".join(filter(None, [body, *notes]))
    if not text:
        raise UnreadableError(NO_TEXT)
    return text


def _text_of(archive: zipfile.ZipFile, entry: str, note: str = "") -> str:
    reading = _DocxReader(note)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reading.opened
    parser.EndElementHandler = reading.closed
    parser.CharacterDataHandler = reading.said
    parser.StartDoctypeDeclHandler = _refuse  # it has no business here, and is what XML bombs are made of
    unpacked = 0
    with archive.open(entry) as stream:
        while piece := stream.read(CHUNK):
            unpacked += len(piece)
            if unpacked > MOST_UNPACKED:
                raise UnreadableError(BOMB)
            parser.Parse(piece, False)
            if reading.size > MOST_CHARACTERS:
                break  # what is longer than any text may be is left out by whoever joins the parts
        else:
            parser.Parse(b"", True)
    return reading.text()


def _refuse(*_: object) -> None:
    raise UnreadableError(DAMAGED)


class _DocxReader:
    """The text so far, and where in the document the parser is."""

    def __init__(self, note: str) -> None:
        self._note = note
        self._blocks: list[str] = []
        self._words: list[str] = []
        self._prefix = ""
        self._cells: list[list[str]] = []
        self._tables = self._skipped = self._depth = 0
        self._in_text = self._in_properties = False
        self.size = 0

    def text(self) -> str:
        return "\n".join(self._blocks).strip()

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnreadableError(DAMAGED)
        if self._skipped or name == f"{_COMPATIBILITY}Fallback":  # says again what its choice has said
            self._skipped += 1
            return
        match _plain(name):
            case "t":
                self._in_text = True
            case "p" if not self._tables:
                self._end_paragraph()  # one that stands in a text box of another comes before the rest of it
            case "pPr":
                self._in_properties = True
            case "pStyle":
                self._prefix = _heading(_value(attributes)) or self._prefix
            case "numPr":
                self._prefix = self._prefix or "- "
            case "tbl":
                self._tables += 1
            case "tr" if self._tables == 1:
                self._cells.append([])
            case "tc" if self._tables == 1:
                self._words = []
            case "footnote" | "endnote":
                number = next((value for key, value in attributes.items() if key.endswith(" id")), "")
                self._prefix = ""
                self._blocks.append(f"[{self._note} {number}]")
            case other if other in _BREAKS and not self._in_properties:  # where it is a stop of the ruler
                self._words.append(_BREAKS[other])

    def closed(self, name: str) -> None:
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
            return
        match _plain(name):
            case "t":
                self._in_text = False
            case "p" if self._tables:
                self._words.append(" ")
            case "p":
                self._end_paragraph(blank=True)
            case "pPr":
                self._in_properties = False
            case "tc" if self._tables == 1 and self._cells:
                self._cells[-1].append(" ".join("".join(self._words).split()))
            case "tbl":
                self._tables = max(0, self._tables - 1)
                if not self._tables:
                    self._add_table()

    def said(self, text: str) -> None:
        if self._in_text and not self._skipped:
            self._words.append(text)
            self.size += len(text)

    def _end_paragraph(self, *, blank: bool = False) -> None:
        words = "".join(self._words).strip(" ")
        if words or blank:
            self._add(self._prefix + words if words else "")
        self._words, self._prefix = [], ""

    def _add_table(self) -> None:
        for number, row in enumerate(self._cells):
            self._add("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
            if number == 0:
                self._add("|" + " --- |" * len(row))
        self._add("")
        self._cells, self._words, self._prefix = [], [], ""

    def _add(self, block: str) -> None:
        if block or (self._blocks and self._blocks[-1]):
            self._blocks.append(block)


def _plain(name: str) -> str:
    """The element's name if it is one of Word's text, else nothing that is known."""
    return next((name.removeprefix(space) for space in _SPACES if name.startswith(space)), "")


def _value(attributes: Mapping[str, Any]) -> str:
    return next((str(value) for key, value in attributes.items() if key.endswith(" val")), "")


def _heading(style: str) -> str:
    """`## ` for the style of a second heading, whatever the language of the program that wrote it."""
    level = style.lower().removeprefix("heading").removeprefix("berschrift").removeprefix("titre")
    if style.lower() == "title":
        return "# "
    return (
        "#" * int(level) + " "
        if level.isascii() and level.isdigit() and level != style and 1 <= int(level) <= 6
        else ""
    )

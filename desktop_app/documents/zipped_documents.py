"""Opens zip archives and reads their XML within limits of size and depth; reads documents that are such archives (Word,
slides, OpenDocument, tables, EPUB), and tables in CSV."""

from __future__ import annotations

import csv
import datetime
import io
import posixpath
import re
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, Final, Protocol
from urllib.parse import unquote
from xml.parsers import expat

from desktop_app.core.document_structure import DocumentSection, heading_line, markdown_sections, table_row, table_rule
from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.file_kinds import BOOK_CONTAINER, SLIDES, WORD_TEXT, decoded
from desktop_app.documents.file_opening import (
    BOMB,
    COPY_PROTECTED,
    DAMAGED,
    NO_TEXT,
    PASSWORD,
    ExtractedText,
    MarkdownWriter,
    ReadingLimits,
    UnreadableError,
    of_markdown,
    with_formulas,
)
from desktop_app.documents.mail_and_pages import html_text

DEEPEST: Final = 1_000
"""Elements within each other."""

CHUNK: Final = 65_536

MOST_ENTRIES: Final = 100_000
"""Files in one archive: a book of ten thousand pictures has ten thousand."""

_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, NotImplementedError, KeyError, EOFError, ValueError,
    OSError,  # bz2's, of bytes in memory
)  # fmt: skip


class XmlHandler(Protocol):
    """The receiver of the elements of an XML text. Names are `namespace local` where they have a namespace."""

    @property
    def size(self) -> int:
        """Characters taken so far; parsing ends where they are more than may be."""

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None: ...

    def closed(self, name: str) -> None: ...

    def said(self, text: str) -> None: ...


class Archive:
    """An open zip archive; what is read of it counts towards the limit."""

    def __init__(self, archive: zipfile.ZipFile, limits: ReadingLimits) -> None:
        self._archive, self._limits, self._unpacked = archive, limits, 0
        self.names = frozenset(archive.namelist())

    def bytes_of(self, entry: str) -> bytes:
        """A whole entry."""
        return b"".join(self._pieces(entry))

    def parse(self, entry: str, handler: XmlHandler) -> None:
        """Tells the handler what is in an entry. A text longer than any may be is not read to its end."""
        depth = 0

        def opened(name: str, attributes: Mapping[str, Any]) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise UnreadableError(DAMAGED)
            handler.opened(name, attributes)

        def closed(name: str) -> None:
            nonlocal depth
            depth -= 1
            handler.closed(name)

        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = opened
        parser.EndElementHandler = closed
        parser.CharacterDataHandler = handler.said
        parser.StartDoctypeDeclHandler = _refuse  # it has no business here, and is what XML bombs are made of
        for piece in self._pieces(entry):
            parser.Parse(piece, False)
            if handler.size > self._limits.characters:
                return  # what is left over is cut by whoever joins the parts
        parser.Parse(b"", True)

    def related(self, entry: str) -> dict[str, str]:
        """The entries that an entry of an Office file refers to, by the id of the reference."""
        folder, name = posixpath.split(entry)
        listed = f"{folder}/_rels/{name}.rels"
        if listed not in self.names:
            return {}
        found = _References()
        self.parse(listed, found)
        return {
            key: target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            for key, target in found.targets.items()
        }

    def _pieces(self, entry: str) -> Iterator[bytes]:
        if self._archive.getinfo(entry).file_size > self._limits.unpacked:
            raise UnreadableError(BOMB)  # it says so itself; one that lies is counted
        with self._archive.open(entry) as stream:
            while piece := stream.read(CHUNK):
                self._unpacked += len(piece)
                if self._unpacked > self._limits.unpacked:
                    raise UnreadableError(BOMB)
                yield piece


@contextmanager
def opened_archive(data: bytes, limits: ReadingLimits) -> Iterator[Archive]:
    """The archive in some bytes; whatever is wrong with it while it is read becomes an `UnreadableError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > MOST_ENTRIES:
                raise UnreadableError(BOMB)
            yield Archive(archive, limits)
    except UnreadableError:
        raise
    except RuntimeError as error:
        if isinstance(error, NotImplementedError | RecursionError):
            raise UnreadableError(DAMAGED) from None
        raise UnreadableError(PASSWORD) from None  # zipfile's word for an entry that needs a password
    except _DAMAGE:
        raise UnreadableError(DAMAGED) from None


def attribute(attributes: Mapping[str, Any], name: str) -> str:
    """The value of an attribute whatever its namespace; empty where there is none."""
    if (found := attributes.get(name)) is None:
        found = next((value for key, value in attributes.items() if key.endswith(f" {name}")), "")
    return str(found)


def _refuse(*_: object) -> None:
    raise UnreadableError(DAMAGED)


class _References:
    """Reads a list of references between the entries of an Office file."""

    size = 0

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if name.endswith(" Relationship") and attribute(attributes, "TargetMode") != "External":
            self.targets[attribute(attributes, "Id")] = attribute(attributes, "Target")

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass


NOTES: Final = (
    ("word/footnotes.xml", "Footnote"),
    ("word/endnotes.xml", "Endnote"),
    ("word/comments.xml", "Comment"),
)
_MARGIN: Final = re.compile(r"word/(header|footer)\d*\.xml")

_BREAKS: Final[Mapping[str, str]] = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",  # of the strict form
    "http://schemas.openxmlformats.org/officeDocument/2006/math ",
    "http://purl.oclc.org/ooxml/officeDocument/math ",
)
_COMPATIBILITY: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 "


def docx_text(data: bytes, limits: ReadingLimits) -> str:
    """Paragraphs, headings as `#`, list items as `-`, tables between bars, at the end notes, comments, headers.

    Raises `UnreadableError` for what is damaged, locked, without text or larger than it should be.
    """
    with opened_archive(data, limits) as archive:
        body = _text_of(archive, WORD_TEXT)
        notes = [_text_of(archive, entry, label) for entry, label in NOTES if entry in archive.names]
        margins = [
            (found[1].title(), _text_of(archive, one))
            for one in sorted(archive.names)
            if (found := _MARGIN.fullmatch(one))
        ]
    # each kind of page has its own, which often say the same
    said = [f"[{kind}]\n{text}" for kind, text in dict.fromkeys(margins) if text]
    if not (text := "\n\n".join(filter(None, [body, *notes, *said]))):
        raise UnreadableError(NO_TEXT)
    return text


def _text_of(archive: Archive, entry: str, note: str = "") -> str:
    reading = _DocxReader(note)
    archive.parse(entry, reading)
    return reading.writer.text()


class _DocxReader:
    """The parser's place in the document."""

    def __init__(self, note: str) -> None:
        self.writer = MarkdownWriter()
        self._note = note
        self._skipped = 0
        self._in_text = self._in_properties = False

    @property
    def size(self) -> int:
        return self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if self._skipped or name == f"{_COMPATIBILITY}Fallback":  # says again what its choice has said
            self._skipped += 1
            return
        writer = self.writer
        match _plain(name):
            case "t":
                self._in_text = True
            case "p" if not writer.in_table:
                writer.end_paragraph()  # one that stands in a text box of another comes before the rest of it
            case "pPr":
                self._in_properties = True
            case "pStyle":
                writer.prefix = _heading(attribute(attributes, "val")) or writer.prefix
            case "numPr":
                writer.prefix = writer.prefix or "- "
            case "tbl":
                writer.open_table()
            case "tr":
                writer.open_row()
            case "tc":
                writer.open_cell()
            case "footnote" | "endnote" | "comment":
                writer.prefix = ""
                by = ", ".join(filter(None, (attribute(attributes, "id"), attribute(attributes, "author"))))
                writer.add_line(f"[{self._note} {by}]")
            case other if other in _BREAKS and not self._in_properties:  # where it is a stop of the ruler
                writer.say(_BREAKS[other])

    def closed(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        match _plain(name):
            case "t":
                self._in_text = False
            case "p":
                self.writer.end_paragraph(blank=True)
            case "pPr":
                self._in_properties = False
            case "tc":
                self.writer.close_cell()
            case "tbl":
                self.writer.close_table()

    def said(self, text: str) -> None:
        if self._in_text and not self._skipped:
            self.writer.say(text)


def _plain(name: str) -> str:
    """The element's name if it is one of Word's text, else nothing that is known."""
    return next((name.removeprefix(space) for space in _SPACES if name.startswith(space)), "")


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


_TITLES: Final = ("title", "ctrTitle")
_APART: Final = ("sldNum", "dt", "ftr", "hdr", "sldImg")
"""Placeholders that every slide repeats."""


def slides_of(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The slides in their order, with their notes. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        order = _SlideOrder()
        archive.parse(SLIDES, order)
        related = archive.related(SLIDES)
        entries = [related[key] for key in order.ids if related.get(key) in archive.names][: limits.pages]
        slides = [_slide(archive, entry) for entry in entries]
    if not any(body or title for title, body in slides):
        raise UnreadableError(NO_TEXT)
    return joined_slides(slides)


def joined_slides(slides: list[tuple[str, str]]) -> ExtractedText:
    """A text of slides, each with its title and what it says."""
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    size = 0
    for number, (title, body) in enumerate(slides, 1):
        heading = heading_line(1, f"Slide {number}: {title}" if title else f"Slide {number}")
        piece = f"{heading}\n{body}\n\n" if body else f"{heading}\n\n"
        pieces.append(piece)
        places.append((size, size + len(piece)))
        size += len(piece)
    text = "".join(pieces)
    sections = [
        section
        for number, (start, end) in enumerate(places, 1)
        for section in markdown_sections(text, DocumentSection(start, end, "slide", page=number))
    ]
    return ExtractedText(text, tuple(sections), pages=len(slides))


def _slide(archive: Archive, entry: str) -> tuple[str, str]:
    slide = SlideReader()
    archive.parse(entry, slide)
    body = slide.writer.text()
    for other in archive.related(entry).values():
        drawn = "diagrams/data" in other  # the words of SmartArt
        if (drawn or "notesSlides/" in other) and other in archive.names:
            more = SlideReader()
            archive.parse(other, more)
            if said := more.writer.text():
                body = f"{body}\n\n{'' if drawn else 'Notes: '}{said}".strip()
    return slide.title, body


class _SlideOrder:
    """The ids of the slides in the order they are shown in."""

    size = 0

    def __init__(self) -> None:
        self.ids: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if name.endswith(" sldId"):
            # one attribute is `id` without a namespace, the reference is `id` with one
            self.ids += [str(value) for key, value in attributes.items() if key.endswith(" id")]

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass


class SlideReader:
    """The reader of one slide: its title, and the paragraphs and tables of its other shapes."""

    def __init__(self) -> None:
        self.writer = MarkdownWriter()
        self.title = ""
        self._place = ""
        self._titles: list[str] = []
        self._in_text = False

    @property
    def size(self) -> int:
        return self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        match name.rpartition(" ")[2]:
            case "sp" | "graphicFrame":
                self._place = ""
            case "ph":
                self._place = attribute(attributes, "type") or "body"
            case "t":
                self._in_text = True
            case "br":
                self._say("\n")
            case "tbl":
                self.writer.open_table()
            case "tr":
                self.writer.open_row()
            case "tc":
                self.writer.open_cell()

    def closed(self, name: str) -> None:
        match name.rpartition(" ")[2]:
            case "t":
                self._in_text = False
            case "p":
                self.writer.end_paragraph()
            case "tc":
                self.writer.close_cell()
            case "tbl":
                self.writer.close_table()
            case "sp":
                if self._titles:
                    self.title = " ".join([self.title, *"".join(self._titles).split()]).strip()
                self._titles, self._place = [], ""
                self.writer.add_line("")

    def said(self, text: str) -> None:
        if self._in_text:
            self._say(text)

    def _say(self, text: str) -> None:
        if self._place in _TITLES:
            self._titles.append(text)
        elif self._place not in _APART:
            self.writer.say(text)


CONTENT: Final = "content.xml"
MANIFEST: Final = "META-INF/manifest.xml"

_SKIPPED: Final = ("tracked-changes", "annotation", "automatic-styles", "font-face-decls", "scripts", "forms", "title")
_MOST_SPACES: Final = 100
"""An element may claim any number of them."""


def open_document_text(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The text of an .odt, or the slides of an .odp. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        if MANIFEST in archive.names and b"encryption-data" in archive.bytes_of(MANIFEST):
            raise UnreadableError(PASSWORD)
        reading = _OpenDocumentReader()
        archive.parse(CONTENT, reading)
    slides, text = reading.slides, reading.writer.text()
    if not (text or any(map(any, slides))):
        raise UnreadableError(NO_TEXT)
    return joined_slides(slides[: limits.pages]) if slides else of_markdown(text)


class _OpenDocumentReader:
    def __init__(self) -> None:
        self.writer = MarkdownWriter()
        self.slides: list[tuple[str, str]] = []
        self._taken = 0
        self._skipped = 0
        self._open: list[str] = []
        """Paragraphs that are open; text elsewhere is none."""
        self._title, self._in_title, self._in_notes = "", False, False
        self._times = 1

    @property
    def size(self) -> int:
        return self._taken + self.writer.size

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        space, _, plain = name.rpartition(" ")
        if self._skipped or (plain in _SKIPPED and not (plain == "title" and "svg" not in space)):
            self._skipped += 1
            return
        writer = self.writer
        match plain:
            case "p" | "h":
                self._open_paragraph(plain, attributes)
            case "list-item" if not writer.in_table:
                writer.prefix = "- "
            case "s":
                count = attribute(attributes, "c")
                writer.say(" " * min(int(count) if count.isascii() and count.isdigit() else 1, _MOST_SPACES))
            case "tab":
                writer.say("\t")
            case "line-break":
                writer.say("\n")
            case "note-body":
                writer.say(" [")
            case "note-citation":
                self._skipped = 1
            case "page":
                self._title, self.writer = "", MarkdownWriter()
            case "frame":
                self._in_title = attribute(attributes, "class") == "title"
            case "notes":
                self._in_notes = True
                writer.add_line("")
                writer.prefix = "Notes: "
            case _:
                self._open_table_part(plain, attributes)

    def _open_table_part(self, plain: str, attributes: Mapping[str, Any]) -> None:
        writer = self.writer
        match plain:
            case "table":
                writer.open_table()
            case "table-row":
                writer.open_row()
            case "table-cell" | "covered-table-cell":
                times = attribute(attributes, "number-columns-repeated")
                self._times = int(times) if times.isascii() and times.isdigit() else 1
                writer.open_cell()

    def closed(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        match name.rpartition(" ")[2]:
            case "p" | "h":
                if self._open:
                    self._open.pop()
                if self._open:
                    self.writer.say(" ")  # a note within a paragraph
                else:
                    self.writer.end_paragraph(blank=True)
            case "note-body":
                self.writer.say("]")
            case "table-cell" | "covered-table-cell":
                self.writer.close_cell(self._times)
                self._times = 1
            case "table":
                self.writer.close_table()
            case "frame":
                self._in_title = False
            case "notes":
                self._in_notes = False
            case "page":
                self.slides.append((" ".join(self._title.split()), self.writer.text()))
                self._taken += self.writer.size

    def said(self, text: str) -> None:
        if self._skipped or not self._open:
            return
        if self._in_title and not self._in_notes:
            self._title += f" {text}"
        else:
            self.writer.say(text)

    def _open_paragraph(self, plain: str, attributes: Mapping[str, Any]) -> None:
        self._open.append(plain)
        if plain == "h" and not self.writer.in_table and len(self._open) == 1:
            level = attribute(attributes, "outline-level")
            mark = heading_line(int(level) if level.isascii() and level.isdigit() else 1, "x")
            self.writer.prefix = mark.removesuffix("x")


MOST_CELL: Final = 32_767
"""Characters of a cell: what Excel allows; csv gives up at the same order."""

SAMPLE: Final = 64_000
"""Characters of the first line in which the separator of a CSV file is looked for."""

MOST_SPARSE: Final = 20_000_000
"""Cells of the rectangle around all that a sheet holds: two filled corners of the largest sheet make 17 billion."""

_SEPARATORS: Final = (",", ";", "\t", "|")
_WHOLE: Final = 2**53


def workbook(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """Every sheet as a table under its name; its first row counts as its header. Raises `UnreadableError`."""
    import python_calamine

    cells, far_cells = _readable_cells(data, limits) if data.startswith(b"PK") else (data, False)
    try:
        with python_calamine.CalamineWorkbook.from_object(io.BytesIO(cells)) as book:
            pieces: list[str] = []
            names: list[str] = []
            left = limits.characters
            for number, name in enumerate(book.sheet_names):
                sheet = book.get_sheet_by_index(number)
                if sheet.width * sheet.height > MOST_SPARSE:
                    raise UnreadableError(DAMAGED)
                lines = _lines(map(_cells, sheet.iter_rows()), left)
                pieces.append("\n".join(["", *lines, ""]) if lines else "")
                names.append(name)
                left -= len(pieces[-1])
                if left <= 0:
                    break
    except python_calamine.PasswordError:
        raise UnreadableError(PASSWORD) from None
    except (python_calamine.CalamineError, ValueError, KeyError, IndexError, OSError):
        raise UnreadableError(DAMAGED) from None
    if not any(pieces):
        raise UnreadableError(NO_TEXT)
    cut = [_cut_note()] if left <= 0 else []
    far = [phrase("Cells very far from the others are left out.")] if far_cells else []
    return _joined(names, pieces, joined([*cut, *far]))


_CELL: Final = re.compile(
    rb"<((?:\w{1,20}:)?c)\s[^<>]{0,300}?\br=[\"']([a-z]{1,3})(\d{1,7})[\"'][^<>]{0,300}(?<!/)>", re.IGNORECASE
)
"""The beginning of a cell that holds something. What slips through is stopped by the limits of the process."""


def _readable_cells(data: bytes, limits: ReadingLimits) -> tuple[bytes, bool]:
    """The workbook with formulas for values that it has not, and without cells far from all others; True if it had
    some: the library makes the whole rectangle around all.

    Refuses an archive whose entries say themselves that they are too much: the library unpacks by itself.
    """
    with opened_archive(data, limits) as archive, zipfile.ZipFile(io.BytesIO(data)) as whole:
        if sum(entry.file_size for entry in whole.filelist) > limits.unpacked:
            raise UnreadableError(BOMB)
        sheets = [name for name in archive.names if name.lower().startswith("xl/worksheets/")]
        near = {name: kept for name in sheets if (kept := _near_cells(archive.bytes_of(name))) is not None}
        told = {name: with_formulas(near.get(name) or archive.bytes_of(name)) for name in sheets}
        changed = near | {name: cells for name, cells in told.items() if cells is not None}
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as written:
            for name in archive.names if changed else ():
                written.writestr(name, changed[name] if name in changed else whole.read(name))
    return made.getvalue() if changed else data, bool(near)


def _near_cells(sheet: bytes) -> bytes | None:
    """A sheet's XML without the cells that would make the rectangle around those before them too large."""
    kept: list[bytes] = []
    start, top, bottom, left, right = 0, sys.maxsize, 0, sys.maxsize, 0
    for cell in _CELL.finditer(sheet):
        row, column = int(cell[3]), reduce(lambda value, letter: value * 26 + letter - 64, cell[2].upper(), 0)
        around = min(top, row), max(bottom, row), min(left, column), max(right, column)
        if (around[1] - around[0] + 1) * (around[3] - around[2] + 1) <= MOST_SPARSE:
            top, bottom, left, right = around
        elif cell.start() >= start and (end := sheet.find(b"</%b>" % cell[1], cell.end())) >= 0:
            kept.append(sheet[start : cell.start()])
            start = end + len(cell[1]) + 3
    return b"".join((*kept, sheet[start:])) if kept else None


def csv_table(text: str, limits: ReadingLimits) -> ExtractedText | None:
    """The rows of a CSV file as a table whose header is the first; None where it is no table."""
    if not (separator := _separator(text)):
        return None
    csv.field_size_limit(10 * MOST_CELL)
    try:
        lines = _lines(csv.reader(io.StringIO(text), delimiter=separator), limits.characters)
    except csv.Error:  # a quotation mark that is never closed
        return None
    if not lines:
        return None
    joined = "\n".join([*lines, ""])
    cut = _cut_note() if len(joined) >= limits.characters else ""
    return ExtractedText(joined, markdown_sections(joined), note=cut)


def _cut_note() -> str:
    return phrase("It is too long; its end is left out.")


def _joined(names: Sequence[str], pieces: Sequence[str], note: str) -> ExtractedText:
    parts: list[str] = []
    sections: list[DocumentSection] = []
    size = 0
    for name, piece in zip(names, pieces, strict=True):
        if not piece:
            continue
        part = heading_line(1, name) + piece + "\n"
        parts.append(part)
        sections.append(DocumentSection(size, size + len(part), "sheet"))
        size += len(part)
    text = "".join(parts)
    found = [one for section in sections for one in markdown_sections(text, section)]
    return ExtractedText(text, tuple(found), note=note)


def _lines(rows: Iterable[Sequence[str]], most: int) -> list[str]:
    """The rows that are not empty as lines of a table, as long as they are together."""
    lines: list[str] = []
    size = 0
    for row in rows:
        width = len(row)
        while width and not row[width - 1].strip():
            width -= 1
        if not width:
            continue
        lines.append(table_row(row[:width]))
        if len(lines) == 1:
            lines.append(table_rule(width))
        size += len(lines[-1]) + 1
        if size > most:
            break
    return lines


def _cells(row: Iterable[Any]) -> list[str]:
    return [_cell(value) for value in row]


def _cell(value: Any) -> str:
    match value:
        case str():
            return value[:MOST_CELL]
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else repr(value)
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
        case datetime.datetime():
            return value.isoformat(" ", "seconds")
        case _:
            return str(value)


def _separator(text: str) -> str:
    """The sign that stands most often in the first line, outside of quotation marks; empty where none does."""
    first = re.sub(r'"[^"]*"', "", text.lstrip()[:SAMPLE].partition("\n")[0])
    best = max(_SEPARATORS, key=first.count)
    return best if best in first else ""


ENCRYPTION: Final = "META-INF/encryption.xml"
_FONTS: Final = (".otf", ".ttf", ".woff", ".woff2")
_PAGES: Final = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")


def book_text(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """The chapters of a book, one after the other. Raises `UnreadableError`."""
    with opened_archive(data, limits) as archive:
        found = _Contents()
        archive.parse(BOOK_CONTAINER, found)
        if found.package not in archive.names:
            raise UnreadableError(DAMAGED)
        package = found.package
        contents = _Contents()
        archive.parse(package, contents)
        folder = posixpath.dirname(package)
        chapters = [
            posixpath.normpath(posixpath.join(folder, unquote(contents.pages[key])))
            for key in dict.fromkeys(contents.order)
            if key in contents.pages
        ]
        if _protected(archive, chapters):
            raise UnreadableError(COPY_PROTECTED)
        texts: list[str] = []
        size = 0
        for chapter in chapters:
            if chapter in archive.names and size <= limits.characters:
                texts.append(html_text(decoded(archive.bytes_of(chapter))[0], limits))
                size += len(texts[-1])
    if not (text := "\n\n".join(filter(None, texts))):
        raise UnreadableError(NO_TEXT)
    return of_markdown(text)


def _protected(archive: Archive, chapters: list[str]) -> bool:
    """Return True if chapters are encrypted; fonts often are, which does no harm."""
    if ENCRYPTION not in archive.names:
        return False
    found = _Contents()
    archive.parse(ENCRYPTION, found)
    return any(unquote(name) in chapters for name in found.encrypted if not name.lower().endswith(_FONTS))


class _Contents:
    """The place of a book's list of contents, the pages it names, their order, and the encrypted ones."""

    size = 0

    def __init__(self) -> None:
        self.package = ""
        self.pages: dict[str, str] = {}
        self.order: list[str] = []
        self.encrypted: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        match name.rpartition(" ")[2]:
            case "rootfile":
                self.package = self.package or attribute(attributes, "full-path")
            case "item" if attribute(attributes, "media-type") in _PAGES:
                self.pages[attribute(attributes, "id")] = attribute(attributes, "href")
            case "itemref":
                self.order.append(attribute(attributes, "idref"))
            case "CipherReference":
                self.encrypted.append(attribute(attributes, "URI"))

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass

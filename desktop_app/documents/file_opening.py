"""Opens files that may be anything (a pipe, endless, forbidden) within limits; why one is not read."""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from desktop_app.core.document_structure import DocumentSection, markdown_sections, table_row, table_rule
from desktop_app.core.phrases import Phrase, phrase, template
from desktop_app.system.files_below import DEEPEST, opened

MOST_BYTES: Final = 50 * 2**20
"""The largest file that is attached."""

MOST_CHARACTERS: Final = 4_000_000
"""The longest text of one document: about a million tokens of English, which is the largest window there is."""


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
"""Seconds that one file may take before its reading is ended."""

MEMORY_LIMIT: Final = 1_536 * 2**20
"""Address space of the process that reads, in bytes; 120 million pixels in four colours need a third of it."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Limits on the amount of one file that is read. `file_bytes` and more is refused, a text longer than
    `characters` or going on after `time_s` loses its end: the part read is better than nothing. `unpacked`: bytes of
    an archive's entries together.
    """

    file_bytes: int
    characters: int
    pages: int
    unpacked: int
    time_s: float


ATTACHED: Final = ReadingLimits(MOST_BYTES, MOST_CHARACTERS, 5_000, 100 * 2**20, 45.0)
"""Of an attached file, whose text goes to the model as a whole."""

PROJECT: Final = ReadingLimits(200 * 2**20, 100_000_000, 10_000, 2**30, 480.0)
"""Of a project's document, of which passages are searched: a table of a million rows of a hundred characters fits. The
sheet of such a table takes half a gigabyte in its archive.
"""

PROJECT_TIME_LIMIT_S: Final = 600.0
"""Seconds that one document of a project may take: 10,000 pages of dense print, or an hour's worth of scans in part."""

PROJECT_MEMORY_LIMIT: Final = 5 * 2**29
"""Address space of the process that reads projects: 2.5 GB. A table of a million rows takes 0.5 GB, 100 million
characters with an emoji among them 0.4 GB, three times over while they are put right.
"""

RECOGNITION_LANGUAGE: Final = "eng"
"""Of text in scans, where none is set; the program that recognizes it comes with English."""

NOT_FOUND: Final = template("There is no file “{name}”. Check the name, or whether it was moved.")
TOO_DEEP: Final = template(
    "“{name}” is more than {most} folders deep, or its path is too long. Move it up, then add it."
)
FORBIDDEN: Final = template("You have no permission to read “{name}”. Change its permissions, or add a copy of it.")
LOCKED: Final = template("“{name}” can't be opened: {why}. Close it in other programs, or add a copy of it.")
A_FOLDER: Final = template("“{name}” is a folder. Choose the files in it.")
NO_FILE: Final = template("“{name}” is a device or a pipe, not a file. Save what it holds to a file, then add that.")
EMPTY: Final = template("“{name}” is empty. There is nothing to read.")
TOO_LARGE_HERE: Final = template(
    "“{name}” is {size} MB; the limit is {most} MB. Projects take documents of up to {larger} MB."
)
TOO_LARGE: Final = template("“{name}” is {size} MB; the limit is {most} MB. Add a part of it.")
BINARY: Final = template("“{name}” can't be read as text, document or image. Add it as text, PDF, Word or PNG.")
NO_TEXT: Final = template("There is no text in “{name}”. Save it as PDF, or add pictures of its pages.")
OPEN_DOCUMENT: Final = template("“{name}” is an OpenDocument file. Save it as Word (.docx) or PDF, then add that.")
OLD_OFFICE: Final = template(
    "“{name}” is an old Office file or has a password. Save it as Word (.docx) or PDF without one."
)
COPY_PROTECTED: Final = template(
    "“{name}” is protected against copying, so it can't be read here. Add a copy without protection."
)
ARCHIVE: Final = template("“{name}” is an archive. Unpack it, then add the files you need.")
HEIC: Final = template("“{name}” is a HEIC photo, which can't be read here. Save it as JPEG or PNG, then add that.")
DAMAGED: Final = template(
    "“{name}” is damaged or not what its name says. Open it in its own program and save it again."
)
DAMAGED_IMAGE: Final = template(
    "The image “{name}” is damaged. Open it in an image viewer and save it again as PNG or JPEG."
)
TOO_MANY_PIXELS: Final = template(
    "The image “{name}” has {size} million pixels; the limit is {most} million. Add a smaller copy."
)
IMAGE_TOO_HEAVY: Final = template(
    "The image “{name}” can't be made small enough to be sent. Add a smaller copy or a part of it."
)
PASSWORD: Final = template("“{name}” is protected by a password. Save a copy without one, then add that.")
ENCRYPTED: Final = template(
    "“{name}” is encrypted in a way that can't be read here. Print it to a new PDF, then add that."
)
TOO_MANY_PAGES: Final = template("“{name}” has {size} pages; the limit is {most}. Add a part of it.")
SCAN_TOO_LARGE: Final = template(
    "“{name}” is a scan without text, of {pages} pages and {size} MB. Scans of up to {most_pages} pages and {most} "
    "MB can be sent. Add a part of it, or a copy with recognized text."
)
SCANNED_PAGE_TOO_LARGE: Final = template(
    "“{name}” is a scan without text, of 1 page and {size} MB. Scans of up to {most_pages} pages and {most} MB can be "
    "sent. Add a copy with recognized text."
)
SCAN_WITHOUT_TEXT: Final = template(
    "“{name}” is a scan without text. Install Tesseract, which recognizes text, then read it again."
)
PICTURE_WITHOUT_TEXT: Final = template(
    "“{name}” is an image without text that can be searched. Attach it to a message instead."
)
NO_SUCH_PAGE: Final = template("“{name}” has {pages} pages, so page {page} can't be shown. Choose another page.")
ONE_PAGE_ONLY: Final = template("“{name}” has 1 page, so page {page} can't be shown.")
BOMB: Final = template("“{name}” unpacks to far more than it should hold, so it is not read. Add it as text or PDF.")
TOO_DEMANDING: Final = template(
    "“{name}” takes too much time or memory to read, or is damaged. Save it again or as text, or add a part of it."
)


class UnreadableError(Exception):
    """A file that is not read; `words` is one of the reasons above with its figures filled in but for the name."""

    def __init__(self, words: str, **figures: str | int) -> None:
        super().__init__(words)
        self._words, self._figures = words, figures

    def sentence(self, name: str) -> str:
        """Return the sentence on what happened and what to do, naming the file."""
        return Phrase(self._words, {"name": name, **self._figures})


class LockedPdfError(UnreadableError):
    """A PDF that is read with the right password."""

    def __init__(self) -> None:
        super().__init__(PASSWORD)


LOCKED_PDF: Final = "locked pdf"
"""The detail of the error that a `LockedPdfError` becomes."""


def megabytes(size: int) -> str:
    """A size in bytes as `1,200` or `0.4`."""
    return f"{size / 2**20:,.0f}" if size >= 10 * 2**20 else f"{size / 2**20:.1f}"


LONGEST: Final = 120
"""Characters of a name; longer ones lose their middle."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control characters, those that turn the direction of writing, half surrogates and the like."""


def display_name(name: str, otherwise: str = "attachment") -> str:
    """A path's last part on one line, without unseen characters but joiners; `otherwise` if nothing is left."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join(one if one in "\u200c\u200d" or unicodedata.category(one) not in _HIDDEN else " " for one in last)
    if len(kept := " ".join(kept.split()).strip("\u200c\u200d ")) > LONGEST:
        end = LONGEST // 4
        kept = f"{kept[: LONGEST - end - 1]}…{kept[-end:]}"
    return kept or otherwise


CHUNK: Final = 2**20


@contextmanager
def opened_file(path: Path, most: int, below: Path | None = None) -> Iterator[BinaryIO]:
    """A regular file of so many bytes, open; else `UnreadableError`. `below` this folder no link is followed."""
    try:
        descriptor = opened(path, below)
    except OSError as error:
        raise _not_opened(path, error) from None
    except ValueError:  # a NUL in the name
        raise UnreadableError(NOT_FOUND) from None
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise UnreadableError(A_FOLDER)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(NO_FILE)
        if status.st_size > most:
            raise _too_large(status.st_size, most)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    except OSError as error:
        raise _not_opened(path, error) from None
    finally:
        os.close(descriptor)


def read_bytes(path: Path, most: int = MOST_BYTES, below: Path | None = None) -> bytes:
    """Everything in a regular file of at most so many bytes; `UnreadableError` for anything else."""
    with opened_file(path, most, below) as file:
        data = _read(file, most)
    if not data:
        raise UnreadableError(EMPTY)
    return data


def _read(file: BinaryIO, most: int) -> bytes:
    """To the end, but no further than the limit: some files have no size, and some grow while they are read."""
    pieces, size = [], 0
    while piece := file.read(CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise _too_large(size, most)
    return b"".join(pieces)


def _too_large(size: int, most: int) -> UnreadableError:
    if most < size <= (larger := PROJECT.file_bytes):
        return UnreadableError(TOO_LARGE_HERE, size=megabytes(size), most=most // 2**20, larger=larger // 2**20)
    return UnreadableError(TOO_LARGE, size=megabytes(size), most=most // 2**20)


def _not_opened(path: Path, error: OSError) -> UnreadableError:
    if error.errno == errno.ENAMETOOLONG:
        return UnreadableError(TOO_DEEP, most=DEEPEST)
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
        return UnreadableError(NOT_FOUND)
    if error.errno in (errno.EISDIR,) or (os.name == "nt" and path.is_dir()):
        return UnreadableError(A_FOLDER)
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnreadableError(FORBIDDEN)
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return UnreadableError(NO_FILE)
    return UnreadableError(LOCKED, why=error.strerror.lower() if error.strerror else phrase("it is in use"))


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """`sections` in order; `pages` 0 for none. `note`: why it is not whole or sure. `scan`: its pages are pictures."""

    text: str
    sections: tuple[DocumentSection, ...]
    pages: int = 0
    note: str = ""
    scan: bool = False


def of_markdown(text: str, note: str = "") -> ExtractedText:
    """A text whose structure is told by the marks of Markdown."""
    return ExtractedText(text, markdown_sections(text), note=note)


MOST_COLUMNS: Final = 1_000
"""Cells of a row; more is a file that says one cell is there a million times."""


class MarkdownWriter:
    """The text so far, and whether it is in a table. Tables within a table become a part of its cell.

    Nothing that was said is dropped: HTML need not end cells, rows or tables. Words of a table that stand in no cell,
    such as its caption, come before it, as browsers show them.
    """

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._words: list[str] = []
        self._cells: list[list[str]] = []
        self._tables = 0
        self._in_cell = False
        self.prefix = ""
        """The beginning of the open paragraph: `## `, `- `."""
        self.size = 0

    def text(self) -> str:
        """All that was written; what is open ends here."""
        while self._tables:
            self.close_table()
        self.end_paragraph()
        return "\n".join(self._blocks).strip()

    @property
    def in_table(self) -> bool:
        """True if a table is open."""
        return self._tables > 0

    @property
    def words(self) -> str:
        """The text of the open paragraph or cell so far."""
        return "".join(self._words)

    def say(self, text: str) -> None:
        """Adds to the open paragraph or cell."""
        self._words.append(text)
        self.size += len(text)

    def take(self) -> str:
        """Return the words of the open paragraph, which ends without being written."""
        words, self._words, self.prefix = self.words, [], ""
        return words

    def end_paragraph(self, *, blank: bool = False) -> None:
        """Ends a paragraph; one without words leaves an empty line where it is `blank`. In a cell it leaves a space."""
        if self._tables:
            self._words.append(" ")
            return
        if (words := "".join(self._words).strip(" ")) or blank:
            self.add_line(self.prefix + words if words else "")
        self._words, self.prefix = [], ""

    def add_line(self, line: str) -> None:
        """A line of its own; empty ones do not come twice."""
        if line or (self._blocks and self._blocks[-1]):
            self._blocks.append(line)

    def open_table(self) -> None:
        """A table, or one within a cell."""
        if not self._tables:
            self.end_paragraph()
        self._tables += 1

    def open_row(self) -> None:
        """A row of the outermost table."""
        if self._tables == 1:
            self.close_cell()
            self._cells.append([])

    def open_cell(self) -> None:
        """A cell of the outermost table."""
        if self._tables == 1:
            self.close_cell()
            self._in_cell = True
            if not self._cells:
                self._cells.append([])

    def close_cell(self, times: int = 1) -> None:
        """Ends a cell, which stands there so many times."""
        if self._tables == 1:
            said = " ".join("".join(self._words).split())
            if self._in_cell:
                row = self._cells[-1]
                row += [said] * max(min(times, MOST_COLUMNS - len(row)), bool(said))
                self.size += len(said) * (times - 1) if said else 0
            elif said:
                self.add_line(said)
            self._words, self._in_cell = [], False

    def close_table(self) -> None:
        """Ends a table; the outermost is written."""
        self.close_cell()
        if self._tables != 1:
            self._tables = max(0, self._tables - 1)
            return
        for line in (*table_lines(self._cells), ""):
            self.add_line(line)
        self._tables, self._cells, self.prefix = 0, [], ""


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first row is its header, without empty columns at its right edge."""
    width = max((column for row in rows for column, cell in enumerate(row, 1) if cell), default=0)
    filled = [list(row[:width]) for row in rows if any(row)]
    if not filled:
        return []
    head, *others = filled
    return [table_row(head), table_rule(len(head)), *map(table_row, others)]


_FORMULA: Final = re.compile(
    rb"<((?:\w{1,20}:)?)c\s([^<>]{0,300})>\s*<\1f(?:\s[^<>]{0,300})?>([^<>]{1,8000})</\1f>"
    rb"\s*(?:<\1v\s*/>|<\1v>\s*</\1v>)?\s*</\1c>"
)
"""A cell with a formula and no value: a program wrote it that does not calculate."""
_TYPE: Final = re.compile(rb"\bt=[\"'][^\"'<>]*[\"']")


def with_formulas(sheet: bytes) -> bytes | None:
    """A sheet of a workbook with the formula as a text in each cell that has no value; None where it has no such."""

    def told(cell: re.Match[bytes]) -> bytes:
        prefix, facts, formula = cell.groups()
        return b'<%bc %b t="str"><%bv>=%b</%bv></%bc>' % (
            prefix,
            _TYPE.sub(b"", facts),
            prefix,
            formula,
            prefix,
            prefix,
        )

    cells, count = _FORMULA.subn(told, sheet)
    return cells if count else None

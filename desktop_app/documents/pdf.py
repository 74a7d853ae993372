"""Reads the text of a PDF page by page, and renders its pages as pictures."""

from __future__ import annotations

import ctypes
import io
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from desktop_app.core.document_structure import LONGEST_HEADING, SEPARATOR, DocumentSection
from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.file_opening import (
    DAMAGED,
    ENCRYPTED,
    MOST_PIXELS,
    NO_SUCH_PAGE,
    ONE_PAGE_ONLY,
    TOO_MANY_PAGES,
    ExtractedText,
    LockedPdfError,
    ReadingLimits,
    UnreadableError,
    opened_file,
)
from desktop_app.system.files_below import status

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage


LEAST_OF_A_PAGE: Final = 20
"""Characters from which a page has text: a scan may bear a stamp or a page number."""

MOST_BOOKMARKS: Final = 20_000
DEEPEST_BOOKMARK: Final = 8
MOST_ANNOTATIONS: Final = 10_000
"""Of one page: fields of a form, links, comments."""

_WRONG_PASSWORD: Final = 4
_UNKNOWN_SECURITY: Final = 5
"""Codes of pdfium."""

_BROKEN_WORD: Final = re.compile("-?[\x02\ufffe]\r?\n?")
"""The characters that pdfium puts where a word goes on in the next line."""


@dataclass(frozen=True, slots=True)
class PdfPages:
    """The text of each page that was looked at, None where it can't be read; `count` of all there are.

    `headings`: the bookmarks that lead to a page (from 1) with the title of the last, in order. `typed`: for each page
    the words that somebody put on it.
    """

    texts: Sequence[str | None]
    count: int
    headings: Sequence[tuple[int, str, str]] = ()
    typed: Sequence[str] = ()

    @property
    def whole(self) -> Sequence[str | None]:
        """The text of each page with the words put on it behind."""
        return [
            f"{text}\n{typed}".strip() if typed else text
            for text, typed in zip_longest(self.texts, self.typed, fillvalue="")
        ]

    @property
    def bare(self) -> int:
        """Pages that were read and have no text to speak of."""
        return sum(text is not None and len(text) < LEAST_OF_A_PAGE for text in self.texts)

    @property
    def scanned(self) -> bool:
        """True if no page has text, but some could be read."""
        return self.bare > 0 and not any(text and len(text) >= LEAST_OF_A_PAGE for text in self.texts)


@contextmanager
def opened_pdf(source: bytes | BinaryIO, password: str = "") -> Iterator[PdfDocument]:
    """The PDF in some bytes or an open file. Raises `UnreadableError`, a `LockedPdfError` for a wrong password."""
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(source, password=password or None)
    except PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == _WRONG_PASSWORD:
            raise LockedPdfError from None
        raise UnreadableError(ENCRYPTED if code == _UNKNOWN_SECURITY else DAMAGED) from None
    try:
        yield document
    finally:
        document.close()


def read_pages(data: bytes, limits: ReadingLimits, password: str = "") -> PdfPages:
    """The text of a PDF's readable pages. Raises `UnreadableError` for what is locked, damaged or has too many."""
    from pypdfium2 import PdfiumError

    with opened_pdf(data, password) as document:
        with suppress(PdfiumError):  # a damaged form: the text is worth more
            document.init_forms()
        if not (count := len(document)):
            raise UnreadableError(DAMAGED)
        if count > limits.pages:
            raise UnreadableError(TOO_MANY_PAGES, size=f"{count:,}", most=f"{limits.pages:,}")
        texts, typed = _texts(document, count, limits)
        pages = PdfPages(texts, count, _bookmarks(document), typed)
    if all(text is None for text in pages.texts):
        raise UnreadableError(DAMAGED)
    return pages


def text_with_marks(pages: PdfPages) -> str:
    """The text of the pages, each after a line that tells its number, for a model that reads it as a whole."""
    marked = [_marked(number, text) for number, text in enumerate(pages.whole, 1)]
    if len(marked) < pages.count:
        marked.append(f"[Pages {len(marked) + 1:,} to {pages.count:,} left out]")
    return "\n\n".join(marked)


def extracted(pages: PdfPages, note: str = "") -> ExtractedText:
    """The text of the pages, cut where they end and where a bookmark's title stands."""
    pieces: list[str] = []
    sections: list[DocumentSection] = []
    size, heading = 0, ""
    marks: dict[int, list[tuple[str, str]]] = {}
    for page, path, title in pages.headings:
        marks.setdefault(page, []).append((path, title))
    for number, text in enumerate(pages.whole, 1):
        start = size
        for path, title in marks.get(number, ()):
            if (at := (text or "").find(title, start - size)) > start - size:
                sections.append(DocumentSection(start, size + at, heading=heading, page=number))
                start = size + at
            heading = path
        if not text:
            continue
        pieces.append(f"{text}\n\n")
        size += len(pieces[-1])
        sections.append(DocumentSection(start, size, heading=heading, page=number))
    return ExtractedText("".join(pieces), tuple(sections), pages.count, joined(filter(None, [notes_of(pages), note])))


def notes_of(pages: PdfPages) -> str:
    """Return the notes on parts left out of the pages; empty where there are none."""
    said = []
    bare, damaged, read = pages.bare, sum(text is None for text in pages.texts), len(pages.texts)
    if read < pages.count:
        words = phrase(
            "The first {read:,} of {pages:,} pages were read; the others are left out.", read=read, pages=pages.count
        )
        said.append(words)
    if bare:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages hold no text; pictures are left out.",
                "1 of {pages:,} page holds no text; pictures are left out.",
                count=bare,
                pages=pages.count,
            )
        )
    if damaged:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages can't be read and are left out.",
                "1 of {pages:,} pages can't be read and is left out.",
                count=damaged,
                pages=pages.count,
            )
        )
    return joined(said)


def tidy(text: str) -> str:
    """Without the spaces that layout leaves at the ends of lines, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in _BROKEN_WORD.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").split("\n"):
        if (kept := line.rstrip()) or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")


def _texts(document: PdfDocument, count: int, limits: ReadingLimits) -> tuple[list[str | None], list[str]]:
    from pypdfium2 import PdfiumError

    texts: list[str | None] = []
    typed: list[str] = []
    size, started = 0, time.monotonic()
    for number in range(count):
        if texts and (size > limits.characters or time.monotonic() - started > limits.time_s):
            break
        try:
            page = document[number]
            text = tidy(page.get_textpage().get_text_range(errors="replace"))
            typed.append(_typed(document, page))
            page.close()
        except PdfiumError:
            texts.append(None)
            typed.append("")
            continue
        texts.append(text)
        size += len(text) + len(typed[-1])
    return texts, typed


def _typed(document: PdfDocument, page: PdfPage) -> str:
    """The words in a page's filled fields and text boxes, which are no part of its text; comments are not read."""
    from pypdfium2 import raw

    lines: dict[str, None] = {}
    for number in range(min(raw.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        if not (found := raw.FPDFPage_GetAnnot(page, number)):
            continue
        if (kind := raw.FPDFAnnot_GetSubtype(found)) == raw.FPDF_ANNOT_WIDGET and document.formenv:
            asked = (raw.FPDFAnnot_GetFormFieldAlternateName, raw.FPDFAnnot_GetFormFieldName)
            label, name, said = (
                _wide(partial(one, document.formenv, found)) for one in (*asked, raw.FPDFAnnot_GetFormFieldValue)
            )
            if said and said != "Off":
                lines[f"{label or name}: {said}"] = None
        elif kind == raw.FPDF_ANNOT_FREETEXT:
            lines[_wide(partial(raw.FPDFAnnot_GetStringValue, found, b"Contents"))] = None
        raw.FPDFPage_CloseAnnot(found)
    return tidy("\n".join(lines))


def _wide(read: Callable[[object, int], int]) -> str:
    """A text that pdfium writes into a buffer, in UTF-16 with a zero at its end, and whose length in bytes it says."""
    size = read(None, 0)
    buffer = (ctypes.c_ushort * (size // 2))()
    read(buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0").strip()


def _bookmarks(document: PdfDocument) -> list[tuple[int, str, str]]:
    from pypdfium2 import PdfiumError

    found: list[tuple[int, str, str]] = []
    path: list[str] = []
    try:
        for mark in islice(document.get_toc(max_depth=DEEPEST_BOOKMARK), MOST_BOOKMARKS):
            title = " ".join(mark.get_title().split())
            path = [*path[: mark.level], title]
            place = mark.get_dest()
            page = place.get_index() if place is not None else None
            if title and page is not None and page >= (found[-1][0] - 1 if found else 0):
                found.append((page + 1, SEPARATOR.join(filter(None, path))[:LONGEST_HEADING], title))
    except (PdfiumError, ValueError):  # a damaged outline: the text is worth more
        return found
    return found


def _marked(number: int, text: str | None) -> str:
    if text is None:
        return f"[Page {number}: can't be read]"
    return f"[Page {number}]\n{text}" if text else f"[Page {number}: no text]"


LEAST_WIDTH: Final = 16
MOST_WIDTH: Final = 5_000
"""Pixels: a page across two large screens."""

MOST_BOXES: Final = 400
"""Rectangles that mark a text: a page of small print has some 150 lines."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of the page's width and height, from its upper left corner."""


class PageImages:
    """Shows pages of one PDF after the other, the last staying open; `below` a folder no link is followed."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._open = ExitStack()
        self._shown: tuple[Path, int, int] | None = None
        self._document: PdfDocument | None = None

    def sizes(self, path: Path, below: Path | None = None) -> list[tuple[float, float]]:
        """Width and height of each page in points. Raises `UnreadableError`."""
        document = self._opened(path, below)
        return [document.get_page_size(number) for number in range(min(len(document), self._limits.pages))]

    def image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page (from 1) as PNG, so many pixels wide. Raises `UnreadableError`."""
        return rendered(self._opened(path, below), page, width=width)

    def boxes(self, path: Path, page: int, first: int, last: int, below: Path | None = None) -> list[Box]:
        """The places of the characters `first` to `last` of a page, counted without spaces. `UnreadableError`."""
        return text_boxes(self._opened(path, below), page, first, last)

    def close(self) -> None:
        self._open.close()
        self._shown = self._document = None

    def _opened(self, path: Path, below: Path | None) -> PdfDocument:
        try:
            found = status(path, below)
            now = (path, found.st_mtime_ns, found.st_size)
        except (OSError, ValueError):
            now = None  # opening it says why
        if self._document is None or now is None or now != self._shown:
            self.close()
            with ExitStack() as opening:
                file = opening.enter_context(opened_file(path, self._limits.file_bytes, below))
                self._document = opening.enter_context(opened_pdf(file))
                self._open = opening.pop_all()
            self._shown = now
        return self._document


def rendered(document: PdfDocument, page: int, *, width: int = 0, dpi: int = 0, longest: int = MOST_WIDTH) -> bytes:
    """A page as PNG, either so wide or in so many dots per inch, no edge longer than `longest` pixels if by `dpi`."""
    from pypdfium2 import PdfiumError

    if not 1 <= page <= len(document):
        raise _no_such_page(page, len(document))
    try:
        opened = document[page - 1]
        wide, high = opened.get_size()
        if min(wide, high) <= 0:
            raise UnreadableError(DAMAGED)
        asked = min(max(width, LEAST_WIDTH), MOST_WIDTH) / wide if width else min(dpi / 72, longest / max(wide, high))
        scale = min(asked, (MOST_PIXELS / (wide * high)) ** 0.5)
        picture = opened.render(scale=scale, draw_annots=True).to_pil()
        opened.close()
    except PdfiumError as error:
        raise UnreadableError(DAMAGED) from error
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def text_boxes(document: PdfDocument, page: int, first: int, last: int) -> list[Box]:
    """The places of the characters `first` to `last` of a page, counted without spaces. Raises `UnreadableError`."""
    from pypdfium2 import PdfiumError

    if not 1 <= page <= len(document):
        raise _no_such_page(page, len(document))
    try:
        opened = document[page - 1]
        wide, high = opened.get_size()
        words = opened.get_textpage()
        places = _places(words.get_text_range(errors="replace"))[first:last]
        if not places or min(wide, high) <= 0:
            return []
        start, end = places[0], places[-1] + 1
        count = min(words.count_rects(start, end - start), MOST_BOXES)
        found = [words.get_rect(number) for number in range(count)]
    except PdfiumError:
        return []
    return _lines(
        [(left / wide, 1 - top / high, right / wide, 1 - bottom / high) for left, bottom, right, top in found]
    )


def _places(text: str) -> list[int]:
    """Return the places in a page's raw text of the characters that its tidy text has."""
    return [at for at, one in enumerate(text) if not one.isspace() and one not in "\x02\ufffe\0"]


def _lines(boxes: Sequence[Box]) -> list[Box]:
    """One rectangle for those that stand side by side in a line."""
    joined: list[Box] = []
    for box in boxes:
        if joined and abs(joined[-1][1] - box[1]) < 0.006 and abs(joined[-1][3] - box[3]) < 0.006:
            left, top, right, bottom = joined[-1]
            joined[-1] = (min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3]))
        else:
            joined.append(box)
    return joined


def _no_such_page(page: int, pages: int) -> UnreadableError:
    if pages == 1:
        return UnreadableError(ONE_PAGE_ONLY, page=page)
    return UnreadableError(NO_SUCH_PAGE, page=page, pages=pages)

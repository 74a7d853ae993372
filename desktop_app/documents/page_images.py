"""Renders pages of a PDF as pictures, and finds where on them a text stands."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop_app.documents.file_opening import opened_file
from desktop_app.documents.pdf import opened_pdf
from desktop_app.documents.reading_errors import (
    DAMAGED,
    MOST_PIXELS,
    NO_SUCH_PAGE,
    ONE_PAGE_ONLY,
    ReadingLimits,
    UnreadableError,
)
from desktop_app.system.files_below import status

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

LEAST_WIDTH: Final = 16
MOST_WIDTH: Final = 5_000
"""Pixels: a page across two large screens."""

MOST_BOXES: Final = 400
"""Rectangles that mark a text: a page of small print has some 150 lines."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of the page's width and height, from its upper left corner."""


class PageImages:
    """Shows pages of one PDF after the other; the last stays open, for its pages are asked for one by one.

    `below` the folder that is named with a path no link is followed.
    """

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
        """Return the places of the characters `first` to `last` of a page, counted without spaces. Raises
        `UnreadableError`.
        """
        return text_boxes(self._opened(path, below), page, first, last)

    def close(self) -> None:
        """Closes what is open."""
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
    """Return the places of the characters `first` to `last` of a page, counted without spaces. Raises
    `UnreadableError`.
    """
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

"""Prints pieces of HTML on pages, one below the other, with page numbers, links and an outline.

It does so in a process of its own that needs no screen: hundreds of pages take seconds. Only a few pieces are laid out
at a time, so that the memory it takes does not grow with the document. Nothing is ever loaded: a piece brings its
pictures and formulas along.
"""

from __future__ import annotations

import base64
import json
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QMarginsF, QPointF, QRect, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
)

from desktop_app.resources import resource
from desktop_app.system.own_processes import PRINT_PDF, own_command
from desktop_app.system.worker_loop import serve
from desktop_app.ui.transcript.formulas import EM
from desktop_app.ui.transcript.formulas.inline_formulas import X_HEIGHT, FormulaDrawing

MARGIN_MM: Final = 20.0
POINTS: Final = 10
DPI: Final = 96
"""Positions are in pixels of this size; glyphs and outlines are exact."""

BATCH: Final = 60_000
"""Characters of HTML that are laid out together, at least."""

KEPT_TOGETHER: Final = 48.0
"""So much of what follows a heading stands on its page (pixels)."""

SHARPEST: Final = 200
"""Dots per inch of a picture; what has more is printed with as many."""

PAD: Final = 2.0
"""Above and below a formula (pixels): strokes are thicker than the library counts."""

FRAME: Final = 8.0
"""From a line to the edge of the frame around it (pixels)."""

_BROUGHT: Final = re.compile(r'<img src="(formula|picture):(\d{1,9})">')
_ADDRESS: Final = re.compile(r'href="[^"]*"')
_SIGNS: Final = re.compile(rb"\[[^\]]*\]|(?<=> )<[0-9A-F]{4}>$", re.MULTILINE)
"""The pattern of signs in a font's table, beside the lists of their numbers."""

_SIGN: Final = re.compile(rb"<([0-9A-F]{4})>")
_FORMS: Final = ((0x2E80, 0x2FDF), (0xF900, 0xFAFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))
"""Forms of Chinese and Arabic letters that stand for others."""

_OUTLINE_LEVELS: Final = 3
_FORMULA: Final = int(QTextFormat.ObjectTypes.UserObject) + 1
_NUMBER: Final = int(QTextFormat.Property.UserProperty) + 1


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline: the page from 0 on, and how far from its top, in points."""

    words: str
    level: int
    page: int
    top: float


def print_pages(pieces: Iterable[Mapping[str, Any]], output: Path, *, title: str, style: str) -> int:
    """Writes the PDF and returns how many pages it has. Of a piece only `html` must be there."""
    _application = QGuiApplication.instance() or QGuiApplication([])
    for font in sorted(resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(font))
    pages = _Pages(output, title, style)
    batch: list[Mapping[str, Any]] = []
    size = 0
    for piece in pieces:
        if batch and (size >= BATCH or piece.get("new_page")):
            pages.add(batch)
            batch, size = [], 0
        batch.append(piece)
        size += len(piece["html"])
    if batch:
        pages.add(batch)
    pages.end()
    _complete(output, pages.bookmarks, pages.height_pt)
    return pages.page + 1


class _Pages:
    """The pages of one file; `add` goes on where the last one ended."""

    def __init__(self, output: Path, title: str, style: str) -> None:
        self._style, self._title = style, " ".join(title.split())
        self._font = QFont("Inter", POINTS)
        self._font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        for feature in ("calt", "liga", "clig", "dlig"):
            # signs that a font draws as one, such as the hyphen of a date, could not be copied out of the file
            self._font.setFeature(QFont.Tag(feature), 0)
        self._writer = QPdfWriter(str(output))
        self._writer.setResolution(DPI)
        self._writer.setTitle(title)
        self._writer.setCreator("Plimsoll")
        self._writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        self._writer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
        self._width, self._height = float(self._writer.width()), float(self._writer.height())
        self._painter = QPainter(self._writer)
        self._used = 0.0
        self.page = 0
        self.bookmarks: list[Bookmark] = []

    @property
    def height_pt(self) -> float:
        return self._writer.pageLayout().fullRectPoints().height()

    def add(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        """Lays these pieces out together and paints them."""
        batch = list(pieces)
        if batch[0].get("new_page") and self._used:
            self._turn()
        document = _PrintedDocument(batch, self._font, self._style, self._writer, (self._width, self._height))
        whole = document.size().height()
        headings = document.headings([str(piece.get("outline") or "") for piece in batch])
        top, at = 0.0, 0
        while top < whole - 1:
            end = document.page_end(top, self._height - self._used, fresh=self._used == 0)
            if end <= top:  # nothing more fits below what is there
                self._turn()
                continue
            while at < len(headings) and headings[at][2] < end:
                words, level, place = headings[at]
                down = (self._used + place - top) * 72 / DPI + self._margin_pt
                self.bookmarks.append(Bookmark(words, level, self.page, down))
                at += 1
            self._paint(document, top, end)
            self._used += end - top
            top = end
            if top < whole - 1:
                self._turn()

    def end(self) -> None:
        """Closes the file."""
        self._number()
        self._painter.end()

    @property
    def _margin_pt(self) -> float:
        return self._writer.pageLayout().marginsPoints().top()

    def _paint(self, document: QTextDocument, top: float, end: float) -> None:
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(0, top, self._width, end - top)
        self._painter.save()
        self._painter.translate(0, self._used - top)
        self._painter.setClipRect(context.clip)
        document.documentLayout().draw(self._painter, context)
        self._painter.restore()

    def _turn(self) -> None:
        self._number()
        self._writer.newPage()
        self.page += 1
        self._used = 0.0

    def _number(self) -> None:
        font = QFont(self._font)
        font.setPointSizeF(8)
        self._painter.setFont(font)
        self._painter.setPen(QColor("#5b6470"))
        line = QRectF(0, self._height + 24, self._width, 20)
        self._painter.drawText(line, Qt.AlignmentFlag.AlignRight, str(self.page + 1))
        words = QFontMetricsF(font).elidedText(self._title, Qt.TextElideMode.ElideRight, self._width * 0.85)
        self._painter.drawText(line, Qt.AlignmentFlag.AlignLeft, words)


class _PrintedDocument(QTextDocument):
    """Pieces below each other on one endless page. Loads nothing but what the pieces brought."""

    def __init__(
        self,
        pieces: list[Mapping[str, Any]],
        font: QFont,
        style: str,
        writer: QPdfWriter,
        page: tuple[float, float],
    ) -> None:
        super().__init__()
        self._pictures: dict[str, QImage] = {}
        self._page = page
        formulas: list[FormulaDrawing] = []
        html = "".join(self._numbered(piece, formulas) for piece in pieces)
        self.setUndoRedoEnabled(False)
        self.setDefaultFont(font)
        self.setDocumentMargin(0)
        self.documentLayout().setPaintDevice(writer)
        self.setDefaultStyleSheet(style)
        self._formulas = _FormulaObject(formulas, font, page[0])
        self.documentLayout().registerHandler(_FORMULA, self._formulas)
        self.setHtml(html)
        self._size_headings()
        self._place_formulas()
        self.setTextWidth(page[0])
        self._lines = self._bands()

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:  # Qt's name
        return self._pictures.get(name if isinstance(name, str) else name.toString(), QImage())

    def headings(self, outline: list[str]) -> list[tuple[str, int, float]]:
        """Words, level from 1 on and place of each heading that the outline shows.

        `outline`: the words for the headings of the first two levels, in order; "" for those that are not there.
        """
        named = iter([words for words in outline if words])
        found = []
        block = self.begin()
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                words = next(named, "") if level <= 2 else ""
                top = self.documentLayout().blockBoundingRect(block).top()
                found.append((words or " ".join(block.text().split()), level, top))
            block = block.next()
        return [one for one in found if one[0] and one[1] <= _OUTLINE_LEVELS + 1]

    def page_end(self, top: float, room: float, *, fresh: bool) -> float:
        """Return the end of a page that begins at `top`: between lines; at `top` itself where not even one fits.

        `fresh`: nothing stands on the page yet, so that a line that is too high for any is cut.
        """
        limit = top + room
        if self.size().height() <= limit:
            return self.size().height()
        end = last = top
        for begin, close, keep in self._lines:
            if close <= top:
                last = max(last, close) if begin < top else last
                continue
            if close > limit or (keep and close + KEPT_TOGETHER > limit):
                # below a frame's own edge, and above that of one which begins on the next page
                end = max(top, min(begin, last + FRAME)) if last > top else top
                break
            last = close
        if end <= top and fresh:
            end = next((close for begin, close, _ in self._lines if begin <= top < close <= limit), limit)
        return end

    def _numbered(self, piece: Mapping[str, Any], formulas: list[FormulaDrawing]) -> str:
        """The HTML of a piece, in which what it brings has a number of its own in this document."""
        there = {"formula": len(formulas), "picture": len(self._pictures)}
        html = _BROUGHT.sub(
            lambda found: f'<img src="{found[1]}:{there[found[1]] + int(found[2])}">', str(piece["html"])
        )
        # Qt writes an address as it is, where a bracket would end the text that it stands in
        html = _ADDRESS.sub(lambda found: found[0].replace("(", "%28").replace(")", "%29"), html)
        formulas += [FormulaDrawing.of(facts) for facts in piece.get("formulas") or ()]
        for data in piece.get("pictures") or ():
            self._pictures[f"picture:{len(self._pictures)}"] = self._fitting(base64.b64decode(data))
        return html

    def _fitting(self, data: bytes) -> QImage:
        """A picture that fits the page, with no more dots than are printed."""
        image = QImage.fromData(data)
        if image.isNull():
            return image
        across, down = self._page[0] - 24, self._page[1] * 0.7
        dots = SHARPEST / DPI
        if image.width() > across * dots or image.height() > down * dots:
            size = QSizeF(across * dots, down * dots).toSize()
            image = image.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(max(1.0, image.width() / across, image.height() / down))
        return image

    def _size_headings(self) -> None:
        """Gives headings the size of the style sheet, in place of which Qt keeps that of their level."""
        sized: list[tuple[int, int, QTextCharFormat]] = []
        block = self.begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                for fragment in _fragments(block):
                    form = fragment.charFormat()
                    form.clearProperty(int(QTextFormat.Property.FontSizeAdjustment))
                    sized.append((fragment.position(), fragment.length(), form))
            block = block.next()
        cursor = QTextCursor(self)
        for position, length, form in sized:
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(form)

    def _place_formulas(self) -> None:
        """Puts formulas in place of the pictures that stand for them."""
        found: list[tuple[int, int]] = []
        block = self.begin()
        while block.isValid():
            for fragment in _fragments(block):
                name = fragment.charFormat().toImageFormat().name() if fragment.charFormat().isImageFormat() else ""
                if name.startswith("formula:"):
                    found.append((fragment.position(), int(name.removeprefix("formula:"))))
            block = block.next()
        cursor = QTextCursor(self)
        for position, number in found:
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            form = QTextCharFormat()
            form.setObjectType(_FORMULA)
            form.setProperty(_NUMBER, number)
            form.setVerticalAlignment(self._formulas.alignment(number))
            cursor.setCharFormat(form)

    def _bands(self) -> list[tuple[float, float, bool]]:
        """Top and bottom of what no page may cut, from above; True for headings, which do not end a page."""
        lines: list[tuple[float, float, bool]] = []
        block = self.begin()
        while block.isValid():
            place = self.documentLayout().blockBoundingRect(block)
            heading = block.blockFormat().headingLevel() > 0
            layout = block.layout()
            for number in range(layout.lineCount()):
                rect = layout.lineAt(number).rect()
                lines.append((place.top() + rect.top(), place.top() + rect.bottom(), heading))
            block = block.next()
        lines.sort()
        bands: list[tuple[float, float, bool]] = []
        for begin, end, heading in lines:
            if bands and begin < bands[-1][1] - 0.5:
                last = bands[-1]
                bands[-1] = (last[0], max(last[1], end), last[2] or heading)
            else:
                bands.append((begin, end, heading))
        return bands


def _fragments(block: Any) -> Iterable[QTextFragment]:
    at = block.begin()
    while not at.atEnd():
        yield at.fragment()
        at += 1


class _FormulaObject(QPyTextObject):
    """Draws formulas in lines of text as outlines."""

    def __init__(self, formulas: list[FormulaDrawing], font: QFont, widest: float) -> None:
        super().__init__()
        self._formulas, self._font, self._widest = formulas, font, widest - 24
        metrics = QFontMetricsF(font)
        self._em = metrics.xHeight() / X_HEIGHT
        self._descent, self._half_x = metrics.descent(), metrics.xHeight() / 2

    def alignment(self, number: int) -> QTextCharFormat.VerticalAlignment:
        """On the line where it reaches no deeper than letters do; else by its middle."""
        drawing = self._formulas[number]
        deep = drawing.down * self._size(drawing) / EM > self._descent
        return (
            QTextCharFormat.VerticalAlignment.AlignMiddle if deep else QTextCharFormat.VerticalAlignment.AlignBaseline
        )

    def intrinsicSize(self, _document: QTextDocument, _position: int, form: QTextFormat) -> QSizeF:  # Qt's name
        drawing = self._formulas[int(form.property(_NUMBER))]
        scale = self._size(drawing) / EM
        up, down = drawing.up * scale, drawing.down * scale
        if down <= self._descent:
            return QSizeF(drawing.width * scale + 2, up + PAD + self._descent)
        # as much above the middle of the letters as beneath, or the line would be too low for one of both
        return QSizeF(drawing.width * scale + 2, max(2 * up - self._half_x, 2 * down + self._half_x) + 2 * PAD)

    def drawObject(  # Qt's name
        self, painter: QPainter, rect: QRectF | QRect, _document: QTextDocument, _position: int, form: QTextFormat
    ) -> None:
        drawing = self._formulas[int(form.property(_NUMBER))]
        size = self._size(drawing)
        top, bottom = float(rect.top()), float(rect.top() + rect.height())
        if drawing.down * size / EM <= self._descent:
            baseline = bottom - self._descent
        else:
            baseline = (top + bottom + self._half_x) / 2
        drawing.paint(painter, QPointF(rect.left() + 1, baseline), size, QColor("#1b1f24"), self._font)

    def _size(self, drawing: FormulaDrawing) -> float:
        """Its font size in pixels: that of the text around, or what makes it fit the page."""
        return min(self._em, self._widest * EM / drawing.width)


def _complete(path: Path, bookmarks: Iterable[Bookmark], height_pt: float) -> None:
    """Adds the outline, which Qt does not write, and has signs copied as they were written."""
    from pypdf import PdfWriter
    from pypdf.generic import Fit

    writer = PdfWriter(clone_from=path)
    above: list[tuple[int, Any]] = []
    for mark in bookmarks:
        while above and above[-1][0] >= mark.level:
            above.pop()
        entry = writer.add_outline_item(
            title=mark.words,
            page_number=mark.page,
            parent=above[-1][1] if above else None,
            fit=Fit.xyz(top=height_pt - mark.top),
        )
        above.append((mark.level, entry))
    if above:
        writer.page_mode = "/UseOutlines"
    _mend_signs(writer)
    writer.write(path)


def _mend_signs(writer: Any) -> None:
    """Correct signs that a font draws alike, as Qt writes down the first: a tab for a space, a radical for a word.

    That would be what is copied and found.
    """
    mended: set[int] = set()
    for page in writer.pages:
        for reference in page["/Resources"].get("/Font", {}).values():
            if reference.idnum not in mended:
                mended.add(reference.idnum)
                stream = reference.get_object()["/ToUnicode"].get_object()
                stream.set_data(_SIGNS.sub(lambda signs: _SIGN.sub(_usual_sign, signs[0]), stream.get_data()))


def _usual_sign(found: re.Match[bytes]) -> bytes:
    if (number := int(found[1], 16)) == ord("\t"):
        usual = " "
    elif any(first <= number <= last for first, last in _FORMS):
        usual = unicodedata.normalize("NFKC", chr(number))
    else:
        return found[0]
    return b"<%s>" % usual.encode("utf-16-be").hex().upper().encode()


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(PRINT_PDF, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return serve(_answer, nice=5)  # the window comes first


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    """Prints the pieces in the file `source`, a line of JSON each, into `output`; `pages`: how many it has.

    `title` is that of the document, `style` its style sheet.
    """

    pieces = _pieces(Path(order["source"]))
    return {"pages": print_pages(pieces, Path(order["output"]), title=str(order["title"]), style=str(order["style"]))}


def _pieces(source: Path) -> Iterator[dict[str, Any]]:
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)

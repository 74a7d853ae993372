"""The base of every drawn thing on the canvas: its row, its focus ring, sideways movement, fonts and colors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final, Literal

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QTextCharFormat, QTextFormat, QTextLayout, QTextLine

from desktop_app.core.markdown.blocks import Containers, Leaf
from desktop_app.core.markdown.inline_text import SpanKind
from desktop_app.ui.theme.theme import CODE_FAMILY, MeasuredFont, Scale, Theme, radius, scale, stroke

#: Left inset of each level of a list, and of a quote.
INDENT = 24
HEADINGS: Final[Mapping[int, Scale]] = {
    1: "heading-1",
    2: "heading-2",
    3: "heading-3",
    4: "heading-4",
    5: "heading-5",
    6: "heading-6",
}


class TextStyle:
    """One theme, measured once. Items compare looks by identity: a new look means a new layout."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        body = theme.body_font()
        self.body = MeasuredFont.of(body, scale("line"))
        self.small = MeasuredFont.of(theme.small_font(), scale("line"))
        self.code = MeasuredFont.of(theme.code_font(), scale("code-line"))
        self.headings = {level: MeasuredFont.of(_heading(body, level), scale("heading-line")) for level in HEADINGS}
        strong = QFont(body)
        strong.setWeight(QFont.Weight.DemiBold)
        self.strong = MeasuredFont.of(strong, scale("line"))
        medium = QFont(theme.small_font())
        medium.setWeight(QFont.Weight.Medium)
        self.label = MeasuredFont.of(medium, scale("line"))
        kinds = ("strong", "em", "strike", "code", "math", "formula", "link", "note", "cite", "unsent")
        self._formats = {kind: self._format(kind) for kind in kinds}
        self.selection = QTextCharFormat()
        self.selection.setBackground(self.color("selection"))
        self.marks = {kind: self._mark(kind) for kind in ("found", "found-current", "focused")}
        self.hidden = QTextCharFormat()
        self.hidden.setForeground(QColor(Qt.GlobalColor.transparent))
        self.syntax = {
            role: self._ink(f"syntax-{role}")
            for role in ("keyword", "string", "number", "comment", "name", "type", "operator")
        }

    def color(self, role: str) -> QColor:
        return self.theme.color(role)

    def lines_per_character(self, width: int) -> float:
        """Return how many lines of that width a character of plain text takes on average."""
        # measured on mixed content: about 12 % of the width of a line stays empty
        return self.body.average * 1.12 / width

    def unseen(self, kind: str) -> QTextCharFormat:
        """A mark of that kind on something that is painted over it."""
        made = QTextCharFormat(self.marks[kind])
        made.setForeground(self.hidden.foreground())
        return made

    def format(self, kind: SpanKind) -> QTextCharFormat:
        """Return the format by which a span of that kind differs from the text around it."""
        return self._formats[kind]

    def _ink(self, role: str) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setForeground(self.color(role))
        return made

    def _mark(self, kind: str) -> QTextCharFormat:
        """The hit that the reader is at, and what the keyboard is on, have an outline: color is not the only sign."""
        made = QTextCharFormat()
        if kind != "focused":
            made.setBackground(self.color(kind))
        if kind == "found-current":
            made.setForeground(self.color("text"))  # toned down text would not be readable on it
        if kind != "found":
            made.setProperty(int(QTextFormat.Property.OutlinePen), QPen(self.color("focus"), stroke("hair")))
        return made

    def _format(self, kind: str) -> QTextCharFormat:
        made = QTextCharFormat()
        match kind:
            case "strong":
                made.setFontWeight(QFont.Weight.DemiBold)
            case "em":
                made.setFontItalic(True)
            case "strike":
                made.setFontStrikeOut(True)
            case "code" | "math":
                made.setFontFamilies([CODE_FAMILY])
                made.setFontPointSize(self.body.font.pointSizeF() * scale("inline-code"))
            case "link" | "note" | "cite":
                made.setForeground(self.color("link"))
            case "unsent":
                made.setForeground(self.color("warning"))
                made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        return made


def _heading(body: QFont, level: int) -> QFont:
    font = QFont(body)
    font.setPointSizeF(math.floor(body.pointSizeF() * scale(HEADINGS[level]) * 2) / 2)
    font.setWeight(QFont.Weight.DemiBold)
    return font


Selected = tuple[int, int]

#: What the id of a link begins with among the buttons of an item, that of a reference to a note, and that of a note.
LINK = "link:"
NOTE = "note:"
BACK = "back:"
#: That of a citation: a passage's id follows, of one that was sent or of one that never was.
CITE = "cite:"
UNSENT = "unsent:"
#: The id of the load line, which is dragged.
LOAD_LINE = "load-line"

#: What a column of a table has on each side of its text, and on both with what letters reach beyond it (pixels).
PAD_X = 12
AROUND = 2 * PAD_X + 4
#: A column is not made narrower than this for the sake of others (pixels).
NARROWEST = 88

MarkKind = Literal["found", "found-current", "focused"]


@dataclass(frozen=True, slots=True)
class TextHighlight:
    """A stretch of text that stands out: a hit, the hit that the reader is at, or what the keyboard is on."""

    start: int
    end: int
    kind: MarkKind = "found"


class Item:
    """Something of a known width that has a height, can be painted, and may have text, links and buttons.

    `version` grows whenever the pixels change although the place does not: whoever moves painted pixels compares it.
    """

    __slots__ = ("_laid_out", "_width", "height", "marks", "style", "version")

    selectable = False
    #: pixels at the upper edge of the view that a header covers while the item reaches beyond it
    held_header = 0
    #: what is said of it where the pointer rests
    hint = ""
    #: what stands before its first line in the place of a list marker
    sign = ""

    def __init__(self, style: TextStyle) -> None:
        self.style = style
        self.height = 0
        self.version = 0
        #: set by whoever paints, before each painting
        self.marks: Sequence[TextHighlight] = ()
        self._width = -1
        self._laid_out = False

    @property
    def width(self) -> int:
        """The width the item was last measured for, -1 before that."""
        return self._width

    @property
    def laid_out(self) -> bool:
        """True once `height` is exact."""
        return self._laid_out

    @property
    def text_width(self) -> int:
        """The pixels of `width` that its content takes once it is laid out."""
        return self._width

    def measure(self, width: int) -> int:
        """The height at that width: exact if it is laid out for it, else an estimate that costs next to nothing."""
        if width != self._width:
            self._width = width
            self._laid_out = False
            self.let_go()
            self.height = self._estimate(width)
        return self.height

    def lay_out(self, width: int) -> int:
        """Lays out for that width; the height is exact from now on."""
        self.measure(width)
        if not self._laid_out:
            self.height = self._arrange(width)
            self._laid_out = True
        return self.height

    def changed(self) -> None:
        """Says that the pixels are no longer those painted before."""
        self.version += 1

    def dismiss(self) -> None:
        """Drops what can be made again from the source."""

    def let_go(self) -> None:
        """Everything moves, as the width is another: what was painted is no longer kept for what it was."""

    def _estimate(self, width: int) -> int:
        raise NotImplementedError

    def _arrange(self, width: int) -> int:
        return self._estimate(width)

    def paint(self, painter: QPainter, ink: QColor, top: int, bottom: int, selected: Selected | None) -> None:
        """Paints the rows from `top` to `bottom`; `ink` is the color of plain text."""
        raise NotImplementedError

    @property
    def baseline(self) -> int:
        """The place of the first line of text, in pixels from the top: list markers stand on it."""
        return self.style.body.baseline

    @property
    def length(self) -> int:
        """The length of the text to select."""
        return 0

    def text(self, start: int, end: int) -> str:
        """Return the text that copying that range gives."""
        return ""

    @property
    def reading(self) -> str:
        """All its text, one character for each code point position."""
        return ""

    @property
    def reads_leftwards(self) -> bool:
        """True if its text runs from right to left."""
        return False

    def position_at(self, x: int, y: int) -> int:
        """The caret position nearest to a point."""
        return 0

    def caret_rect(self, position: int) -> QRect:
        """Return the place of the caret before that position: one pixel wide, as high as its line."""
        return QRect(0, 0, 1, self.height)

    def reveal(self, position: int) -> bool:
        """Brings a position out of what is folded or scrolled away inside the item; True if that changed anything."""
        return False

    def word_at(self, position: int) -> Selected:
        return position, position

    def snapped(self, position: int, step: int) -> int:
        """Return the place of a caret that moves on (1) or back (-1): never within something drawn as one."""
        return position

    def hold_still(self) -> None:
        """Keep all painted content from changing any more, but for text added at its end."""

    @property
    def holds(self) -> bool:
        """True while it waits for a formula, and nothing that stands below it is to be shown."""
        return False

    @property
    def lacks_formulas(self) -> bool:
        """True while formulas are being typeset that would change what it shows."""
        return False

    @property
    def is_still(self) -> bool:
        """True for what has grown: what is painted of it must not change as long as it is in view."""
        return False

    def ask_formulas(self) -> None:
        """Has its formulas typeset, for it will soon be shown."""

    def take_formulas(self, *, still: bool) -> bool:
        """Formulas have been typeset: True if that changes it, which then has to be laid out again.

        `still`: nothing that is painted of it may move; only what is held back can change.
        """
        return False

    def link_at(self, x: int, y: int) -> str:
        """The safe target of the link under a point, or an empty string."""
        return ""

    def button_at(self, x: int, y: int) -> str:
        """The id of the button under a point, or an empty string."""
        return ""

    def place_of(self, button: str) -> int:
        """The position in the text at which a button stands."""
        return 0

    def buttons(self) -> Sequence[tuple[str, str]]:
        """Return the buttons the keyboard can press here, in order: ids (`link:` and a target) and names."""
        return ()

    def set_focus(self, button: str) -> bool:
        """Shows which button the keyboard is on, "" for none; True if that changed a pixel."""
        return False

    def set_hot(self, button: str) -> bool:
        """Shows which button the pointer is on; True if that changed a pixel."""
        return False

    @property
    def overflow(self) -> int:
        """The pixels of its content that lie outside at most."""
        return 0

    def scroll_sideways(self, pixels: int) -> bool:
        """Moves wide content; True if it moved."""
        return False

    def drag_bar(self, pixels: int) -> bool:
        """Moves wide content as far as its bar was dragged; True if it moved."""
        return False


class ButtonItem(Item):
    """An item that shows which of its buttons the pointer or the keyboard is on."""

    __slots__ = ("_focused", "_hot")

    def __init__(self, style: TextStyle) -> None:
        super().__init__(style)
        self._hot = self._focused = ""

    def set_hot(self, button: str) -> bool:
        if button == self._hot:
            return False
        self._hot = button
        self.changed()
        return True

    def set_focus(self, button: str) -> bool:
        if button == self._focused:
            return False
        self._focused = button
        self.changed()
        return True


def utf16_length(text: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_slice(text: str, start: int, end: int) -> str:
    """The part of a text between two UTF-16 positions; a surrogate pair that was cut becomes U+FFFD."""
    if text.isascii() or max(text) <= "\uffff":
        return text[start:end]
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")


def word_around(text: str, position: int) -> Selected:
    """The word, or the run of other characters of one kind, around a code point position."""
    if not text:
        return 0, 0
    position = min(position, len(text) - 1)
    kind = _kind(text[position])
    start = end = position
    while start > 0 and _kind(text[start - 1]) == kind:
        start -= 1
    while end < len(text) and _kind(text[end]) == kind:
        end += 1
    return start, end


def _kind(character: str) -> int:
    return 0 if character.isspace() else 1 if character.isalnum() or character in "_'’" else 2


def x_of(line: QTextLine, position: int) -> float:
    """Return the place of a laid-out position in its line, in pixels."""
    found: Any = line.cursorToX(position)  # a pair in PySide6, whatever its stubs say
    return float(found[0])


def text_range(start: int, length: int, form: object) -> QTextLayout.FormatRange:
    """Qt's form of a stretch of text in a format."""
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, form  # type: ignore[assignment]
    return made


def mark_ranges(
    style: TextStyle, marks: Sequence[TextHighlight], start: int, length: int
) -> list[QTextLayout.FormatRange]:
    """Return the formats of the marks for a text of that length that begins at position `start`."""
    return [
        text_range(max(0, mark.start - start), min(length, mark.end - start) - max(0, mark.start - start), form)
        for mark in marks
        if mark.end > start and mark.start < start + length
        for form in (style.marks[mark.kind],)
    ]


def format_ranges(ranges: Sequence[tuple[int, int, object]]) -> list[QTextLayout.FormatRange]:
    """Qt's form of (start, length, format) triples."""
    return [text_range(start, length, form) for start, length, form in ranges]


def paint_focus(painter: QPainter, style: TextStyle, place: QRectF) -> None:
    """The ring around what the keyboard is on."""
    painter.setPen(QPen(style.color("focus"), stroke("bold")))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(0.75, 0.75, -0.75, -0.75), radius("small"), radius("small"))


BAR = 4


@dataclass(frozen=True, slots=True)
class HorizontalScrollBar:
    """A bar beneath something wide: the width of the view, where the bar stands, what lies outside, how far it is."""

    width: int
    top: int
    span: int
    offset: int

    @property
    def length(self) -> float:
        """The length of the handle."""
        return max(24.0, self.room * self.room / (self.room + max(1, self.span)))

    @property
    def room(self) -> int:
        """The room in which the handle can move."""
        return self.width - 2 * round(radius("control"))

    def dragged(self, pixels: int) -> int:
        """Return how far the content moves when the handle is dragged so many pixels."""
        return round(pixels * self.span / max(1.0, self.room - self.length))


class HorizontallyScrolledItem(Item):
    """An item that shows a stretch of what is wider than it; subclasses have the slots `_offset` and `_hot`."""

    __slots__ = ()  # so that it can stand beside another base that has some

    _offset: int
    _hot: bool

    def scroll_sideways(self, pixels: int) -> bool:
        if (offset := max(0, min(self.overflow, self._offset + pixels))) == self._offset:
            return False
        self._offset = offset  # type: ignore[misc]
        self.changed()
        return True

    def drag_bar(self, pixels: int) -> bool:
        return self.scroll_sideways(HorizontalScrollBar(self._width, 0, self.overflow, 0).dragged(pixels))

    def button_at(self, x: int, y: int) -> str:
        return "bar" if self.overflow and self.height - 2 * BAR - 3 <= y < self.height and 0 <= x < self._width else ""

    def set_hot(self, button: str) -> bool:
        if self._hot == (button == "bar"):
            return False
        self._hot = button == "bar"  # type: ignore[misc]
        self.changed()
        return True

    def paint_side_bar(self, painter: QPainter) -> None:
        """The bar at the lower edge, where there is anything to scroll."""
        bar = HorizontalScrollBar(self._width, self.height - BAR - 2, self.overflow, self._offset)
        paint_bar(painter, self.style, bar, hot=self._hot)


def paint_bar(painter: QPainter, style: TextStyle, bar: HorizontalScrollBar, *, hot: bool) -> None:
    """A handle that tells how much lies outside, and where the reader is in it."""
    if bar.span <= 0:
        return
    left = radius("control") + (bar.room - bar.length) * bar.offset / bar.span
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.color("fill" if hot else "track"))
    painter.drawRoundedRect(QRectF(left, bar.top, bar.length, BAR), BAR / 2, BAR / 2)


#: What the button of an attachment begins with (the number of its part follows), and that of a passage's heading (the
#: message's id follows). A passage's own id, or that of a thread with `/` and that of its message, follow the others;
#: behind the last stand an artifact's id, a colon and its version.
ATTACHMENT, JUMP, PASSAGE, THREAD, ARTIFACT = "attachment-", "jump:", "passage:", "thread:", "artifact:"

PARAGRAPH_GAP = 12
LIST_GAP = 6
CARD_GAP = 16
NOTES_GAP = 28


@dataclass(slots=True, eq=False)
class CanvasRow:
    """`gap` and `tail` are the empty pixels above and below the item inside the row's cell.

    `containers` are those of the leaf (`q` quote, `u`/`o` lists, `n` note, `t` unfolded thinking). `slot` is the row's
    number among the selectable rows of its message, -1 for decoration. `leaf` is what it was made from.
    `first_slot` is what its slot counts from in its part where rows before it may not be made yet, `next_slot` what
    the rows beneath it go on with.
    `decoration` names a line that is not part of the message; `quoted_above`: the row above stands in the same quote.
    """

    item: Item
    gap: int = 0
    tail: int = 0
    containers: Containers = ""
    marker: str = ""
    slot: int = -1
    first_slot: int = 0
    next_slot: int = 0
    leaf: Leaf | None = None
    part: int = -1
    decoration: str = ""
    quoted_above: bool = False

    @property
    def indent(self) -> int:
        """Left edge of the item in the column."""
        return INDENT * len(self.containers)

    @property
    def left(self) -> int:
        """Left edge of the item as it is painted: text that runs leftwards is indented from the right."""
        return 0 if self.item.reads_leftwards else self.indent

    @property
    def sign(self) -> str:
        """The words read before its text: the marker of its list item, or the text of the reference to the note."""
        return self.item.sign or self.marker

    @property
    def height(self) -> int:
        """Height of the cell."""
        return self.gap + self.item.height + self.tail


def gap_between(above: Leaf | None, below: Leaf) -> int:
    """Empty pixels between two leaves; it depends only on these two, so that a growing end moves nothing."""
    if above is None or _one_thing(above, below):
        return 0
    if below.kind == "heading":
        return 24 if below.level < 3 else 20
    if above.kind == "heading":
        return 8
    if "n" in below.containers + above.containers and (below.marker or "n" not in below.containers):
        return LIST_GAP if "n" in above.containers and "n" in below.containers else NOTES_GAP
    if {above.kind, below.kind} & {"code", "table", "rule"}:
        return CARD_GAP
    return _paragraph_gap(above, below)


def _paragraph_gap(above: Leaf, below: Leaf) -> int:
    if _in_list(below) and not below.marker:
        return 8
    same_list = _in_list(below) and _in_list(above) and above.containers[0] == below.containers[0]
    return LIST_GAP if same_list else PARAGRAPH_GAP


def _one_thing(above: Leaf, below: Leaf) -> bool:
    """True for two pieces of one table or of one long paragraph."""
    if below.table is not None:
        return above.table is not None and not below.table.has_header
    return above.kind == below.kind and above.first_line == below.first_line and not below.marker


def _in_list(leaf: Leaf) -> bool:
    return "u" in leaf.containers or "o" in leaf.containers


class RowList:
    """Rows one beneath the other. `head` and `foot` are how many decoration rows stand before and behind the body."""

    def __init__(self) -> None:
        self.rows: list[CanvasRow] = []
        self.head: list[CanvasRow] = []
        self.foot: list[CanvasRow] = []
        self._width = -1

    @property
    def height(self) -> int:
        """The height of all rows, with estimates for those that are not laid out."""
        height = 0
        for row in self.rows:  # an answer may have thousands, and is measured with each frame: no call for each
            height += row.gap + row.item.height + row.tail
        return height

    def measure(self, width: int) -> int:
        """Estimates all rows for a width; returns the height."""
        self._width = width
        self.measure_rows(self.rows)
        return self.height

    def measure_rows(self, rows: Iterable[CanvasRow]) -> None:
        """Estimates some of the rows for the width."""
        plain = max(40, self._width)
        for row in rows:
            item, width = row.item, plain if not row.containers else max(40, self._width - row.indent)
            if item.width != width:
                item.measure(width)

    def lay_out(self, row: CanvasRow) -> None:
        row.item.lay_out(max(40, self._width - row.indent))

    def open_at(self, position: int) -> int:
        """Makes rows where the row at `position` only keeps room for them; returns how many, 0 if it is a row."""
        return 0

    def set_rows(self, rows: list[CanvasRow]) -> None:
        self.rows = rows
        if self._width > 0:
            self.measure(self._width)


def filled(wanted: Sequence[int], width: int, weights: Sequence[int]) -> list[int]:
    """Columns as wide as wanted, and wider by shares of the room that is left, to the last pixel."""
    spare, total = width - sum(wanted), max(1, sum(weights))
    edges = [edge * spare // total for edge in accumulate(weights, initial=0)]
    return [want + end - start for want, (start, end) in zip(wanted, pairwise(edges), strict=False)]

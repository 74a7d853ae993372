"""The selection, over any number of messages, and the text it stands for. Uses no pointer and no clipboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN, Leaf
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import Selected
from desktop_app.ui.transcript.message.message_layout import MessageLayout

#: (message, selectable row, UTF-16 position): ordered as the text is read.
Spot = tuple[int, int, int]
END = 1 << 40


class Selection(QObject):
    """The two ends of what is selected on a canvas; equal ends select nothing. `changed` comes with `show`."""

    changed = Signal()

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.anchor: Spot | None = None
        self.caret: Spot | None = None
        self._canvas = canvas
        self._ranges: dict[int, Selected | None] = {}
        canvas.selected_in = self.within

    @property
    def range(self) -> tuple[Spot, Spot] | None:
        """Start and end in reading order, None if nothing is selected."""
        if self.anchor is None or self.caret is None or self.anchor == self.caret:
            return None
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    @property
    def in_one_row(self) -> bool:
        """True if something is selected, and all of it in one row."""
        chosen = self.range
        return chosen is not None and chosen[0][:2] == chosen[1][:2]

    @property
    def numbers(self) -> slice:
        """The messages in which something is selected."""
        chosen = self.range
        return slice(0) if chosen is None else slice(chosen[0][0], chosen[1][0] + 1)

    def within(self, placed: PlacedRow) -> Selected | None:
        """The selected positions of one row."""
        return _part(self.range, placed.message, placed.row.slot)

    def clear(self) -> None:
        """Selects nothing."""
        self.anchor = self.caret = None

    def shift(self, messages: int) -> None:
        """Follows messages that were added before the selected ones."""
        if self.anchor is not None and self.caret is not None:
            self.anchor = (self.anchor[0] + messages, *self.anchor[1:])
            self.caret = (self.caret[0] + messages, *self.caret[1:])

    def select_all(self) -> None:
        """Selects all messages."""
        messages = self._canvas.row_layout.messages
        if messages:
            self.anchor, self.caret = whole_messages(0, len(messages) - 1)
            self.show()

    def show(self) -> None:
        """Paints the rows again whose selected part is no longer what it was."""
        before, self._ranges = self._ranges, {}
        viewport = self._canvas.viewport()
        for placed in self._canvas.row_layout.placed:
            part = self.within(placed)
            self._ranges[id(placed.row)] = part
            if part != before.get(id(placed.row), part is None):
                viewport.update(0, placed.top, viewport.width(), placed.height)
        self.changed.emit()


def whole_messages(first: int, last: int) -> tuple[Spot, Spot]:
    """The ends of a selection of whole messages."""
    return (first, 0, 0), (last, END, END)


def _part(selected: tuple[Spot, Spot] | None, message: int, slot: int) -> Selected | None:
    if selected is None or slot < 0:
        return None
    start, end = selected
    here = (message, slot)
    if not start[:2] <= here <= end[:2]:
        return None
    return (start[2] if here == start[:2] else 0), (end[2] if here == end[:2] else END)


def parts_of(layout: MessageLayout, chosen: tuple[Spot, Spot], message: int) -> list[tuple[CanvasRow, Selected]]:
    """The selected rows of a message, laid out as far as they must be, with what of each is selected."""
    layout.open_all()
    parts: list[tuple[CanvasRow, Selected]] = []
    for row in layout.rows:
        part = _part(chosen, message, row.slot)
        if part is None:
            continue
        if not row.item.laid_out:
            layout.lay_out(row)  # a table has no text before it has cells
        start, end = part[0], min(part[1], row.item.length)
        if start < end or not row.item.length:
            parts.append((row, (start, end)))
    return parts


def message_text(layout: MessageLayout, chosen: tuple[Spot, Spot], message: int) -> str:
    """The selected text of a message as it is read: list markers in, marks out."""
    lines = [
        SelectedLine(row.item.text(*part), row.containers, row.sign if not part[0] else "", row.leaf, row.gap)
        for row, part in parts_of(layout, chosen, message)
    ]
    return joined(lines)


@dataclass(frozen=True, slots=True)
class SelectedLine:
    """The part of one row that is copied as text; `marker` is read before it, `gap` is the space above the row."""

    text: str
    containers: str
    marker: str
    leaf: Leaf | None
    gap: int


def joined(lines: Iterable[SelectedLine]) -> str:
    """Rows as text: paragraphs apart by a blank line, what reads as one thing not."""
    text = ""
    above: SelectedLine | None = None
    for line in lines:
        if above is not None:
            text += "\n" if _close(above, line) else "\n\n"
        text += _marker(line) + line.text
        above = line
    return text


def _close(above: SelectedLine, line: SelectedLine) -> bool:
    """True for rows that a reader takes for lines of one thing: items of a list, pieces of a table or paragraph."""
    if line.leaf is None or above.leaf is None:
        return False
    lists = {"u", "o"}
    in_list = bool(lists & set(line.containers)) and bool(lists & set(above.containers))
    return (in_list and bool(line.leaf.marker)) or (line.gap == 0 and line.leaf.kind == above.leaf.kind)


def _marker(line: SelectedLine) -> str:
    if not line.marker:
        return ""
    depth = sum(kind in "uo" for kind in line.containers) - 1
    marker = {TASK_DONE: "[x]", TASK_OPEN: "[ ]", BULLET: BULLET}.get(line.marker, line.marker)
    return "  " * max(0, depth) + marker + " "

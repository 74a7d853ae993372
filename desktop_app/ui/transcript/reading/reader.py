"""The reader of a transcript: the place held while an answer streams, what is selected, what a screen reader sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtWidgets import QWidget

from desktop_app.core.markdown.blocks import BULLET, TASK_DONE, TASK_OPEN, Leaf
from desktop_app.ui.theme.theme import OUTDENT
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import CanvasRow, Selected
from desktop_app.ui.transcript.message.message_layout import MessageLayout

if TYPE_CHECKING:
    from desktop_app.ui.transcript.reading.accessible_transcript import ReadableTranscript


#: A question up to this share of the view is shown whole, as with a tall picture: beneath it an answer can begin.
WHOLE_SHARE = 0.75
#: One that is higher is shown by its end, in this share of the view, so that there is room for the answer.
QUESTION_SHARE = 0.4
#: So much of the view stays free beneath an end that is followed, whenever it has come to the lower edge.
ROOM_SHARE = 0.2
#: Closer to the end than this counts as being there (pixels).
NEAR = 24


class AutoScroll(QObject):
    """Moves the view only when an answer begins or the reader asks for the latest.

    `end_left`: the end was out of view when rows were placed last.
    """

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self.streaming = False
        self.following = False
        """True while the end stays in view while it grows."""
        self._followed = False  # whether it did until the answer was complete
        self._queued = ""
        self.end_left = False
        canvas.scrolled_by_user.connect(self._on_scrolled)

    def begin(self, question: int | None) -> None:
        """An answer begins: its question moves to the top. None: there is no question, the view stays.

        It stays, too, where the question was `queued`: somebody reads the answer before it. Who followed that follows.
        """
        row_layout = self._row_layout
        self.streaming, row_layout.keeps_end = True, False
        if question is None:
            return
        if row_layout.messages[question].id == self._queued:
            self.following = self._followed
            return
        self.following = False
        height = sum(row.height for row in self._laid_out(question))
        top = OUTDENT // 2
        if height > row_layout.view * WHOLE_SHARE:
            top = int(row_layout.view * QUESTION_SHARE) - height
        self._hold(question, top)

    def queued_sent(self, message_id: str) -> None:
        """This question is sent by itself, as the answer before it is complete."""
        self._queued = message_id

    def end(self) -> None:
        """The answer is complete; nothing moves."""
        self._followed = self.following
        self.streaming = self.following = False

    def _on_scrolled(self) -> None:
        # the end is not followed any more, and room that is held but out of view is given up
        self.following = self._followed = False
        if not self.streaming:
            self._row_layout.release()
        self._canvas.sync_scroll_bar()

    def show_latest(self) -> None:
        """The reader asked for the end: the view follows it while the answer grows."""
        self._row_layout.place_end()
        self.following = self.streaming
        if self.following:
            self._make_room()
        self._canvas.refresh()
        self._canvas.start_rest()

    def show_foot(self) -> None:
        """Bring the part behind the last message into view; of a part higher than the view, its beginning.

        Behind an answer that goes on it is a question, and whoever has answered that reads on at the end.
        """
        self._place_foot()
        self.following = self.streaming and self._row_layout.foot.height <= self._row_layout.view
        self._canvas.refresh()
        self._canvas.start_rest()

    def _place_foot(self) -> None:
        row_layout = self._row_layout
        row_layout.place_end()
        if row_layout.foot.height > row_layout.view:
            row_layout.place_message(len(row_layout.messages), 0)

    def show_changes(self) -> None:
        """Something changed: what is in view stays, but where the reader follows the end, that stays in view."""
        row_layout = self._row_layout
        row_layout.place_again()
        if self.following and row_layout.heights.total - row_layout.y > row_layout.view:
            row_layout.place_end()
            self._make_room()
        self._canvas.refresh()

    def show_end_again(self) -> None:
        """Something changed at the end: it stays in view for whoever reads it."""
        if self.reads_end:
            self._place_foot()
            self._canvas.refresh()
        else:
            self.show_changes()

    def _make_room(self) -> None:
        """Room beneath the end to grow into, so that not every line moves all others."""
        row_layout = self._row_layout
        room, last = int(row_layout.view * ROOM_SHARE), len(row_layout.messages) - 1
        if (missing := row_layout.heights.total + room - row_layout.y - row_layout.view) > 0 and last >= 0:
            row_layout.hold = (last, row_layout.heights.total + room - row_layout.heights.before(last))
            row_layout.place_at(row_layout.y + missing)

    @property
    def reads_end(self) -> bool:
        """True while the end was in view when rows were placed last, and nothing grows there."""
        return not self.end_left and self._row_layout.hold is None

    @property
    def at_latest(self) -> bool:
        """True if the end of the last message is in view."""
        return self._row_layout.heights.total - self._row_layout.y - self._row_layout.view <= NEAR

    def _laid_out(self, index: int) -> list[CanvasRow]:
        layout = self._row_layout.row_list(index)
        for row in layout.rows:
            layout.lay_out(row)
        return layout.rows

    def _hold(self, index: int, top: int) -> None:
        row_layout = self._row_layout
        row_layout.hold = (index, row_layout.view - top)
        row_layout.place_message(index, top)


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
        return (chosen := self.range) is not None and chosen[0][:2] == chosen[1][:2]

    @property
    def numbers(self) -> slice:
        """The messages in which something is selected."""
        return slice(0) if (chosen := self.range) is None else slice(chosen[0][0], chosen[1][0] + 1)

    def within(self, placed: PlacedRow) -> Selected | None:
        return _part(self.range, placed.message, placed.row.slot)

    def clear(self) -> None:
        self.anchor = self.caret = None

    def shift(self, messages: int) -> None:
        """Follows messages that were added before the selected ones."""
        if self.anchor is not None and self.caret is not None:
            self.anchor = (self.anchor[0] + messages, *self.anchor[1:])
            self.caret = (self.caret[0] + messages, *self.caret[1:])

    def select_all(self) -> None:
        if messages := self._canvas.row_layout.messages:
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
    if chosen[1] >= (message, END, 0):
        layout.open_folded()
    parts: list[tuple[CanvasRow, Selected]] = []
    for row in layout.rows:
        if (part := _part(chosen, message, row.slot)) is None:
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


class ExposedView(Protocol):
    """A widget that screen readers see as a list of messages."""

    @property
    def accessible(self) -> ReadableTranscript: ...


class _Interfaces:
    """The factory's memory.

    Qt asks again when a view's meta object has changed, and deletes each interface with the view: one that was given
    twice would be deleted twice.
    """

    def __init__(self) -> None:
        self._views: WeakSet[QWidget] = WeakSet()
        self._installed = False
        #: what Qt has and will delete; messages it deletes when the process ends and can't be told sooner. Each is
        #: small and holds neither its view nor a message
        self._registered: list[QAccessibleInterface] = []

    def expose(self, view: QWidget) -> None:
        if not self._installed:
            QAccessible.installFactory(self.make)
            self._installed = True
        self._views.add(view)

    def make(self, key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, QWidget) or thing not in self._views:
            return None
        from desktop_app.ui.transcript.reading.accessible_transcript import TranscriptInterface

        made = TranscriptInterface(thing, cast("ExposedView", thing).accessible, self._registered)
        self._registered.append(made)
        return made


#: Qt's list of factories is the process's own, so this one is too.
_INTERFACES = _Interfaces()


def expose(view: QWidget) -> None:
    """Lets screen readers see an `ExposedView` as a list of messages."""
    _INTERFACES.expose(view)


def announce_reorder(view: QWidget) -> None:
    """Tells a running screen reader that there are other messages."""
    QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.ObjectReorder))

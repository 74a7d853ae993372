"""Owns the transcript as other panes see it: messages go in, signals come out. Knows no controller and no network.

How it works inside: a `Flow` places rows, a `Canvas` paints them, `Sheet`s hold the rows of one message each, and
`Reading` decides when the view may move (INTERFACE.md, "Reading while it streams").
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Literal

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.core.messages import Message, Part
from desktop_app.ui.theme import Theme
from desktop_app.ui.transcript import accessible
from desktop_app.ui.transcript.coalescer import Coalescer
from desktop_app.ui.transcript.decorations import Actions, Decorations, StepLine, SummaryLine
from desktop_app.ui.transcript.flow import Flow, Placed
from desktop_app.ui.transcript.foot import Foot
from desktop_app.ui.transcript.highlighting import Highlighter
from desktop_app.ui.transcript.latest import LatestButton
from desktop_app.ui.transcript.look import Look, column
from desktop_app.ui.transcript.reading import Reading
from desktop_app.ui.transcript.sheet import Sheet
from desktop_app.ui.transcript.surface import Surface
from desktop_app.ui.transcript.typesetter import Typesetter, tr

Kind = Literal["text", "thinking"]


class TranscriptView(Surface):
    """The messages of one thread. All methods are for the GUI thread and return at once.

    `link_activated` carries only http, https and mailto targets. `action_requested(message_id, action)` comes from the
    words to click in the lines of steps and summaries, and with an empty id from the notice. `earlier_requested` comes
    when the reader reaches the first of fewer messages than `total`.
    """

    retry_requested = Signal(str)
    action_requested = Signal(str, str)
    latest_visible_changed = Signal(bool)
    earlier_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        look = Look(theme)
        super().__init__(Flow(self._make_sheet, look), look, parent)
        # before anything that a running screen reader is told of: Qt asks once what kind of thing this is
        accessible.expose(self, self)
        self._highlighter = Highlighter(self)
        self._typesetter = Typesetter(look, self._highlighter)
        self._decorations = Decorations()
        self._unfolded: dict[str, set[int]] = {}
        self._numbers: dict[str, int] | None = {}
        self._missing = 0
        self._growing: dict[str, list[tuple[Kind, str]]] = {}
        self._reading = Reading(self.flow)
        self._foot = Foot(self.flow, look, self.viewport())
        self._coalescer = Coalescer(self._flush, self)
        self._latest = LatestButton(self)
        self._bottom_overlay = self._latest
        self._latest.clicked.connect(self.show_latest)
        self._foot.changed.connect(self._on_foot_changed)
        self._highlighter.coloured.connect(self.refresh)
        self.scrolled_by_user.connect(self._on_scrolled)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Conversation"))
        self._latest.set_theme(theme)

    # --- what is shown

    def set_theme(self, theme: Theme) -> None:
        """Shows everything in another look; what is in view stays in view."""
        top = self.flow.placed[0] if self.flow.placed else None
        self.look = Look(theme)
        self.flow.look = self.look
        self._highlighter.clear()
        self._typesetter = Typesetter(self.look, self._highlighter)
        self.flow.forget_rows()
        self._foot.set_look(self.look)
        self._latest.set_theme(theme)
        if top is not None:
            self.flow.placed = []
            self.flow.place_message(min(top.message, len(self.flow.messages) - 1), min(0, top.top))
        self.repaint_all()

    def show_path(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Opens a thread at its end. `total` is the length of the whole path where `messages` is only its tail."""
        self._coalescer.now()
        self._growing.clear()
        self._unfolded.clear()
        self.selection.clear()
        self._highlighter.clear()
        self._reading.end()
        self._decorations = Decorations()
        self._missing = max(0, (total or 0) - len(messages))
        self.flow.faded = self.flow.ticked = ()
        self.flow.focused = -1
        self.flow.show(messages)
        self._numbers = None
        self._foot.renew()
        self.flow.place_end()
        self.repaint_all()
        self.start_rest()
        self._tell_readers()

    def prepend(self, messages: Sequence[Message], *, total: int | None = None) -> None:
        """Adds the messages that come before those shown; nothing in view moves."""
        self._missing = max(0, (total or 0) - len(messages) - len(self.flow.messages))
        self.flow.prepend(messages)
        self._numbers = None
        self.selection.shift(len(messages))
        self._mark_read()
        self.flow.place_again()
        self.refresh()
        self._tell_readers()

    def refresh_path(self, messages: Sequence[Message]) -> None:
        """Shows another state of the same thread; common messages stay where they are."""
        old = self.flow.messages
        same = 0
        while same < min(len(old), len(messages)) and old[same] == messages[same]:
            same += 1
        if same == 0:
            self.show_path(messages)
            return
        self.flow.truncate(same)
        self.selection.clear()
        for message in messages[same:]:
            self.flow.append(message)
        self._numbers = None
        self._mark_read()
        self._show_changes()
        self._tell_readers()

    def add_message(self, message: Message) -> None:
        """Adds a message at the end. A question moves to the top of the view; anything else moves nothing."""
        if message.id in self._index:
            self.replace_message(message)
            return
        self._index[message.id] = index = self.flow.append(message)
        self._foot.renew()
        if message.role == "user":
            self._reading.begin(index)
            self._reading.end()
        self._show_changes()
        self._tell_readers()

    def replace_message(self, message: Message) -> None:
        """Shows another state of a message that is there."""
        index = self._index[message.id]
        self.flow.messages[index] = message
        self.flow.drop(index)
        self._show_changes()

    # --- an answer that grows

    def begin_answer(self, message: Message) -> None:
        """Adds the still empty answer; its question moves to the top and the answer grows beneath it."""
        if message.id not in self._index:
            self._index[message.id] = self.flow.append(message)
            self._foot.renew()
        index = self._index[message.id]
        self._growing[message.id] = []
        sheet = self.flow.message_sheet(index)
        sheet.awaiting = True
        self._decorate(sheet)
        asked = index - 1 if index and self.flow.messages[index - 1].role == "user" else None
        self._reading.begin(asked)
        self._show_changes()
        self._tell_readers()

    def grow_answer(self, message_id: str, kind: Kind, delta: str) -> None:
        """Text or thinking that arrived; shown at once or with what else comes in the same frame."""
        waiting = self._growing.get(message_id)
        if waiting is None:
            return
        waiting.append((kind, delta))
        self._coalescer.touch()

    def finish_part(self, message_id: str, part: Part) -> None:
        """A whole part: the finished form of the open one, or a tool call."""
        if message_id in self._growing:
            self._coalescer.now()
            self._flush()
            self._sheet_of(message_id).finish_part(part)
            self._show_changes()

    def reset_answer(self, message_id: str) -> None:
        """What came so far of this answer is superseded."""
        if message_id in self._growing:
            self._growing[message_id].clear()
            self._sheet_of(message_id).reset()
            self._show_changes()

    def finish_answer(self, message: Message) -> None:
        """The stored answer, whole or partial. Text that was painted stays where it is."""
        if message.id not in self._index:
            self.add_message(message)
            return
        self._flush()
        self._growing.pop(message.id, None)
        index = self._index[message.id]
        sheet = self.flow.message_sheet(index)
        sheet.awaiting = False
        sheet.finish(message)
        self.flow.messages[index] = message
        self._decorate(sheet)
        self._reading.end()
        self._show_changes()
        words = tr("Answer finished") if message.state == "complete" else tr("Answer stopped")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _flush(self) -> None:
        grown = False
        for message_id, waiting in self._growing.items():
            if not waiting:
                continue
            sheet = self._sheet_of(message_id)
            for kind, text in _joined(waiting):
                sheet.grow(kind, text)
            waiting.clear()
            grown = True
        if grown:
            self._show_changes()

    # --- lines beside the messages

    def set_notice(self, text: str | None, actions: Actions = ()) -> None:
        """One muted line beneath the last message, such as a retry, with (id, words) to click; None: no line."""
        self._foot.set_notice(text, actions)

    def set_card(self, card: QWidget | None) -> None:
        """A widget in the answer's place that scrolls with the text; None hands it back without a parent."""
        self._foot.set_card(card)
        if self.flow.messages and self.flow.has_sheet(len(self.flow.messages) - 1):
            self._decorate(self.flow.message_sheet(len(self.flow.messages) - 1))
            self._on_foot_changed()

    def focus_card(self) -> bool:
        """Gives the keyboard to the card; False if there is none."""
        return self._foot.focus_card()

    def set_load_line(
        self,
        message_id: str | None,
        reasons: Mapping[str, str] | None = None,
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Marks where the model's view begins; text above is toned down, with its reason on hover.

        `reasons` are by message id. With any, only messages that have one are toned down; without, all above the line.
        Messages whose reason is `decorations.PINNED` or `ALWAYS_SENT` stay as they are and carry that mark. `marks`
        are further words that stand above messages, such as `Excluded`.
        """
        decorations = self._decorations
        decorations.load_line, decorations.reasons, decorations.marks = message_id, dict(reasons or {}), marks or {}
        self._mark_read()
        self._redecorate()

    def set_steps(self, line: StepLine | None, ticks: Mapping[str, str] | None = None) -> None:
        """The newest step as a line beneath its message, older ones as ticks in the margin with their words."""
        self._decorations.step, self._decorations.ticks = line, dict(ticks or {})
        self._mark_read()
        self._redecorate()

    def set_summaries(self, summaries: Mapping[str, SummaryLine]) -> None:
        """Summaries, each above the message that comes after what it stands for."""
        self._decorations.summaries = dict(summaries)
        self._redecorate()

    @property
    def step(self) -> StepLine | None:
        """The line of the newest step."""
        return self._decorations.step

    def _mark_read(self) -> None:
        decorations = self._decorations
        if decorations.reasons:
            self.flow.faded = _Where(self.flow, decorations.tones_down)
        else:
            line = decorations.load_line
            self.flow.faded = range(self._index.get(line, 0) if line is not None else 0)
        self.flow.ticked = _Where(self.flow, decorations.ticks.__contains__)

    def _redecorate(self) -> None:
        for index in self.flow.made:
            self._decorate(self.flow.message_sheet(index))
        self.flow.place_again()
        self.repaint_all()

    def _decorate(self, sheet: Sheet) -> None:
        message, decorations = sheet.message, self._decorations
        # what a card says in an answer's place is not said twice
        carded = self._foot.card is not None and message.id == self.flow.messages[-1].id
        quiet = carded or message.id in self._growing
        sheet.decorate(decorations.head(message, self.look), decorations.foot(message, self.look, quiet=quiet))

    # --- moving

    def scroll_to_message(self, message_id: str, share: float = 0.0) -> bool:
        """Brings a message to so much of the view's height from its top, as far as the content allows.

        False if there is no such message.
        """
        index = self._index.get(message_id)
        if index is not None:
            self.flow.place_message(index, int(self.flow.view * share))
            self.refresh()
            self.start_rest()
        return index is not None

    def point_out(self, message_id: str | None) -> None:
        """Marks a message that another pane speaks of, and brings it into view where it is not; None: no message."""
        index = -1 if message_id is None else self._index.get(message_id, -1)
        if index == self.flow.focused:
            return
        self.flow.focused = index
        if index >= 0 and not any(placed.message == index for placed in self.flow.placed):
            self.flow.place_message(index, self.flow.view // 4)
            self.start_rest()
        self._show_changes()

    def show_latest(self) -> None:
        """Shows the end; while an answer grows, with room for it to grow into."""
        self._reading.show_latest()
        self.refresh()
        self.start_rest()

    # --- inside

    @property
    def _index(self) -> dict[str, int]:
        """Message ids to their places; made when first asked for, since opening a long thread needs none."""
        if self._numbers is None:
            self._numbers = {message.id: index for index, message in enumerate(self.flow.messages)}
        return self._numbers

    def _make_sheet(self, index: int) -> Sheet:
        message = self.flow.messages[index]
        sheet = Sheet(self._typesetter, message, self._unfolded.setdefault(message.id, set()))
        self._decorate(sheet)
        return sheet

    def _sheet_of(self, message_id: str) -> Sheet:
        return self.flow.message_sheet(self._index[message_id])

    def _show_changes(self) -> None:
        self.flow.place_again()
        self.refresh()

    def fit(self) -> None:
        self._foot.prepare(column(self.viewport().width())[1])
        super().fit()

    def overlay_moved(self) -> None:
        self._foot.fit(self.column.left(), self.column.width())
        self._latest.stand_over(self.viewport())
        wanted = bool(self.flow.messages) and not self._reading.at_latest
        if wanted == self._latest.isHidden():
            self._latest.setVisible(wanted)
            self.latest_visible_changed.emit(wanted)
        if self._missing and self.flow.placed and self.flow.placed[0].message == 0:
            QTimer.singleShot(0, self, self.earlier_requested.emit)

    def _on_scrolled(self) -> None:
        self._reading.scrolled()
        self._sync_bar()

    def _on_foot_changed(self) -> None:
        # a card or notice comes into view for whoever reads the end; `_latest` still knows whether that is so
        if self._latest.isHidden() and self.flow.hold is None:
            self.flow.place_end()
            self.refresh()
        else:
            self._show_changes()

    def _tell_readers(self) -> None:
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ObjectReorder))

    def row_pressed(self, placed: Placed, button: str) -> None:
        row = placed.row
        of_message = placed.message < len(self.flow.messages)
        message_id = self.flow.messages[placed.message].id if of_message else ""
        if button == "fold":
            self.flow.message_sheet(placed.message).toggle(row.part)
            self.selection.clear()
            self._show_changes()
        elif button == "retry":
            self.retry_requested.emit(message_id)
        elif row.decoration in {"step", "summary", "notice"}:
            self.action_requested.emit(message_id, button)

    def hint_for(self, placed: Placed, x: int = 0) -> str:
        if placed.message >= len(self.flow.messages):
            return ""
        message_id = self.flow.messages[placed.message].id
        if placed.tick and x > self.column.right():
            return self._decorations.ticks.get(message_id, "")
        return self._decorations.reasons.get(message_id, "") if placed.faded else ""

    # --- the keyboard on one message

    def focused_message(self) -> int:
        if self.flow.focused >= 0 or not self.flow.placed:
            return self.flow.focused
        return min(self.flow.placed[-1].message, len(self.flow.messages) - 1)

    def focus_message(self, index: int) -> None:
        """Puts the keyboard on a message, brings it into view and says why it is toned down, if it is."""
        self.flow.focused = index
        if not any(placed.message == index and placed.first and placed.top >= 0 for placed in self.flow.placed):
            self.flow.place_message(index, 0)
        self._show_changes()
        event = QAccessibleEvent(self, QAccessible.Event.Focus)
        event.setChild(index)
        QAccessible.updateAccessibility(event)
        told = self._decorations.told_of(self.flow.messages[index].id)
        if told:
            corner = self.viewport().mapToGlobal(self.message_corner(index))
            QToolTip.showText(corner, told, self.viewport())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Up and Ctrl+Down go from message to message; the menu key, or Enter, opens the message's menu."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and event.modifiers() & Qt.KeyboardModifier.ControlModifier and self.flow.messages:
            here = self.flow.focused
            index = here + step if here >= 0 else self.focused_message()
            self.focus_message(max(0, min(len(self.flow.messages) - 1, index)))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.flow.focused >= 0:
            corner = self.message_corner(self.flow.focused)
            reason = QContextMenuEvent.Reason.Keyboard
            self.contextMenuEvent(QContextMenuEvent(reason, corner, self.viewport().mapToGlobal(corner)))
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        # a menu takes the keyboard only for a while
        if self.flow.focused >= 0 and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.flow.focused = -1
            self._show_changes()
        super().focusOutEvent(event)

    # --- for screen readers

    def message_count(self) -> int:
        """How many messages there are to read."""
        return len(self.flow.messages)

    def message_name(self, index: int) -> str:
        """Who speaks in a message, and what is to be said of it."""
        message = self.flow.messages[index]
        speaker = tr("You") if message.role == "user" else tr("Assistant")
        told = self._decorations.told_of(message.id)
        return f"{speaker}: {told}" if told else speaker

    def message_text(self, index: int) -> str:
        """What a message says; of a growing answer, what has come so far."""
        message = self.flow.messages[index]
        return self.flow.message_sheet(index).shown_text if message.id in self._growing else message.text

    def message_rect(self, index: int) -> QRect:
        """Where a message is in view, in this widget's pixels; empty if it is not."""
        rows = [placed for placed in self.flow.placed if placed.message == index]
        if not rows:
            return QRect()
        reading = self.column
        return QRect(reading.left(), rows[0].top, reading.width(), rows[-1].bottom - rows[0].top)

    def message_index_at(self, y: int) -> int:
        """The message at a line of this widget, -1 if there is none."""
        placed = self.placed_at(y)
        return -1 if placed is None or placed.message >= len(self.flow.messages) else placed.message


class _Where(Container[int]):
    """The numbers of the messages whose ids are of a kind, asked for one by one: most are never looked at."""

    def __init__(self, flow: Flow, holds: Callable[[str], bool]) -> None:
        self._flow, self._holds = flow, holds

    def __contains__(self, index: object) -> bool:
        messages = self._flow.messages
        return isinstance(index, int) and 0 <= index < len(messages) and self._holds(messages[index].id)


def _joined(waiting: list[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Neighbouring deltas of one kind as one."""
    joined: list[tuple[Kind, str]] = []
    for kind, text in waiting:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined

"""The changes of an open thread: answers that grow, formulas that are ready, and where a question is written again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, OUTDENT, Theme, stroke
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.formulas.inline_formulas import FormulaCache
from desktop_app.ui.transcript.message.decorations import Decorations, ThreadFooter
from desktop_app.ui.transcript.message.message_layout import CARD_INSET
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.reader import AutoScroll, Selection, announce_reorder
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.parts import Stretch, button_in, in_row, label_in

Kind = Literal["text", "thinking"]

#: One frame at 60 Hz.
FRAME_MS = 16


class AnswerStream(QObject):
    """Adds messages at the end of a thread and grows answers there. Text that was painted stays where it is."""

    def __init__(
        self, canvas: Canvas, path: ShownPath, decorations: Decorations, auto_scroll: AutoScroll, footer: ThreadFooter
    ) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row_layout = canvas.row_layout
        self._path = path
        self._decorations = decorations
        self._auto_scroll = auto_scroll
        self._footer = footer
        self._growing: dict[str, list[tuple[Kind, str]]] = {}
        self._coalescer = Coalescer(self._flush, self)
        self.asking = ""  # the call of the answer that waits for the user

    @property
    def growing(self) -> Collection[str]:
        """The ids of the answers that are still coming."""
        return self._growing.keys()

    def is_growing(self, index: int) -> bool:
        """True for an answer that is still coming."""
        return self._row_layout.messages[index].id in self._growing

    def message_now(self, index: int) -> tuple[Message, bool]:
        """A message as it is by now, and whether more of it is coming."""
        message = self._row_layout.messages[index]
        if not self.is_growing(index):
            return message, False
        return replace(message, parts=self._row_layout.message_layout(index).parts), True

    def is_read(self, index: int, part: int) -> bool:
        """True for a part that is searched: text and thinking, not what tools and documents say."""
        if index >= len(self._row_layout.messages):
            return False
        grows = self.is_growing(index)
        parts = (self._row_layout.message_layout(index) if grows else self._row_layout.messages[index]).parts
        return 0 <= part < len(parts) and isinstance(parts[part], TextPart | ThinkingPart)

    def show_now(self) -> None:
        """Shows what has come without waiting for the frame's end."""
        self._coalescer.now()

    def clear(self) -> None:
        """No answer grows any more."""
        self._coalescer.now()
        self._growing.clear()

    def add_message(self, message: Message) -> None:
        """Adds a message at the end. A question moves to the top of the view; anything else moves nothing."""
        if self._path.number(message.id) is not None:
            self.replace_message(message)
            return
        if self._path.goes_on(message):
            self._extend(len(self._row_layout.messages) - 1, message)
            return
        index = self._path.append(message)
        self._footer.rebuild()
        if message.role == "user":
            self._auto_scroll.begin(index)
            self._auto_scroll.end()
        self._auto_scroll.show_changes()
        announce_reorder(self._canvas)

    def replace_message(self, message: Message) -> None:
        """Shows another state of a message that is there."""
        if (index := self._path.number(message.id)) is not None:
            self._extend(index, message)

    def _extend(self, index: int, message: Message) -> None:
        self._path.extend(index, message)
        self._row_layout.drop(index)
        self._auto_scroll.show_changes()

    # --- an answer that grows

    def begin_answer(self, message: Message) -> None:
        """Adds the still empty answer; its question moves to the top and the answer grows beneath it.

        Where it goes on with the turn of the answer before it, it grows in that one, and nothing moves.
        """
        if self._path.number(message.id) is None and self._path.goes_on(message):
            self._path.extend(len(self._row_layout.messages) - 1, message)
            self.go_on()
            return
        if (index := self._path.number(message.id)) is None:
            index = self._path.append(message)
            self._footer.rebuild()
        self._growing[self._path.id_of(message.id)] = []
        layout = self._row_layout.message_layout(index)
        layout.awaiting = True
        self._decorations.decorate(layout)
        asked = index - 1 if index and self._row_layout.messages[index - 1].role == "user" else None
        self._auto_scroll.begin(asked)
        self._auto_scroll.show_changes()
        announce_reorder(self._canvas)

    def go_on(self) -> None:
        """The last answer is not over: its tools are running, or the next answer of its turn begins."""
        if not self._row_layout.messages or self._row_layout.messages[-1].role == "user":
            return
        answer_id = self._row_layout.messages[-1].id
        self._growing.setdefault(answer_id, [])
        layout = self._path.layout_of(answer_id)
        layout.begin_next()
        self._decorations.decorate(layout)
        self._auto_scroll.begin(None)
        self._auto_scroll.show_changes()

    def continue_answer(self, message: Message, results: Message) -> None:
        """An answer is stored that asked for tools, and so are their results: its turn goes on."""
        if (index := self._path.number(message.id)) is None:
            return
        self._flush()
        self._path.extend(index, message)
        answer = self._path.extend(index, results)
        self._growing.setdefault(answer.id, [])
        layout = self._row_layout.message_layout(index)
        layout.awaiting = True
        layout.finish(answer)
        self._decorations.decorate(layout)
        self._auto_scroll.show_changes()

    def grow_answer(self, message_id: str, kind: Kind, delta: str) -> None:
        """Text or thinking that arrived; shown at once or with what else comes in the same frame."""
        if (waiting := self._growing.get(self._path.id_of(message_id))) is None:
            return
        waiting.append((kind, delta))
        self._coalescer.touch()

    def finish_part(self, message_id: str, part: Part) -> None:
        """A whole part: the finished form of the open one, a tool call, or the result of one."""
        if self._path.id_of(message_id) in self._growing:
            self._coalescer.now()
            self._flush()
            layout = self._path.layout_of(message_id)
            layout.finish_part(part)
            if layout.unread:
                self._coalescer.touch_later()
            self._auto_scroll.show_changes()

    def show_asking(self, call_id: str) -> None:
        """Says in the growing answer which call waits for the user; "": none does."""
        self.asking = call_id
        for message_id in self._growing:
            self._path.layout_of(message_id).show_asking(call_id)
        self._auto_scroll.show_changes()

    def reset_answer(self, message_id: str) -> None:
        """Remove the text that came so far of this answer: it is superseded."""
        if (answer_id := self._path.id_of(message_id)) in self._growing:
            self._growing[answer_id].clear()
            self._path.layout_of(answer_id).reset()
            self._auto_scroll.show_changes()

    def finish_answer(self, message: Message) -> None:
        """The stored answer, whole or partial. Text that was painted stays where it is."""
        if (index := self._path.number(message.id)) is None:
            self.add_message(message)
            return
        self._flush()
        answer = self._path.extend(index, message)
        self._growing.pop(answer.id, None)
        layout = self._row_layout.message_layout(index)
        layout.awaiting = False
        layout.finish(answer)
        self._decorations.decorate(layout)
        self._auto_scroll.show_changes()
        self._auto_scroll.end()
        words = tr("Answer finished") if message.state == "complete" else tr("Answer stopped")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._canvas, words))

    def _flush(self) -> None:
        grown = False
        for message_id, waiting in self._growing.items():
            layout = self._path.layout_of(message_id)
            if not waiting and not layout.unread:
                continue
            if waiting:
                for kind, text in _joined(waiting):
                    layout.grow(kind, text)
                waiting.clear()
            else:
                layout.read_on()
            grown = True
            if layout.unread:
                self._coalescer.touch()
        if grown:
            self._auto_scroll.show_changes()

    def keep_growing(self) -> list[str]:
        """Put the text that came of growing answers into their messages; return the ids of those with an open part."""
        self._flush()
        layouts = {message_id: self._path.layout_of(message_id) for message_id in self._growing}
        for message_id, layout in layouts.items():
            number = self._path.number(message_id)
            assert number is not None
            self._row_layout.messages[number] = replace(self._row_layout.messages[number], parts=layout.parts)
        return [message_id for message_id, layout in layouts.items() if layout.grows]

    def go_on_growing(self, message_ids: Iterable[str]) -> None:
        """Let these answers, whose rows are made again, grow on: they have an unfinished part."""
        for message_id in message_ids:
            self._path.layout_of(message_id).go_on()
            self._coalescer.touch_later()


def _joined(waiting: list[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Neighbouring deltas of one kind as one."""
    joined: list[tuple[Kind, str]] = []
    for kind, text in waiting:
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + text)
        else:
            joined.append((kind, text))
    return joined


class Coalescer(QObject):
    """Calls `flush` for any number of `touch()` calls: the first at once, those within a frame together at its end.

    However long a flush takes, the next one waits for the event loop: all deltas that are there at once cost one.
    """

    def __init__(self, flush: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._flush = flush
        self._waiting = False
        self._since = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.now)

    def touch(self) -> None:
        """Something is to be shown."""
        self._waiting = True
        if not self._timer.isActive():
            self.now()

    def touch_later(self) -> None:
        """As `touch`, at the frame's end in any case."""
        self._waiting = True
        if not self._timer.isActive():
            self._timer.start(FRAME_MS)

    def now(self) -> None:
        """Shows what is waiting, if anything is."""
        self._timer.stop()
        if self._waiting:
            self._waiting = False
            self._since.start()
            self._timer.start(FRAME_MS)
            self._flush()
            # from the beginning of one to that of the next: what showing takes does not make the frame longer
            self._timer.start(max(0, FRAME_MS - self._since.elapsed()))


class InlineEditor(QFrame):
    """A field with a line above it, a line beneath it and two buttons. `done`, `cancelled`: what was wished."""

    done = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget, *, yes: str) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setProperty(KEEPS_FOCUS, True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.editor = MessageField(theme, self)
        self._above = self._label("secondary")
        self._below = self._label("danger")
        self.cancel = button_in(self, tr("Cancel"), self.cancelled, kind="quiet")
        self.yes = button_in(self, yes, self._finish, kind="primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(OUTDENT - round(stroke("hair")), GRID + GRID // 2, GRID, GRID)
        column.setSpacing(GRID)
        for widget in (self._above, self.editor, self._below):
            column.addWidget(widget)
        column.addLayout(in_row(Stretch(), self.cancel, self.yes, spacing=GRID))
        self.editor.installEventFilter(self)
        self.editor.send_requested.connect(self._finish)
        self.editor.textChanged.connect(self._show_state)
        self.set_theme(theme)

    def _label(self, tone: str) -> QLabel:
        return label_in(self, tone=tone, wrap=True)

    def set_theme(self, theme: Theme) -> None:
        for label in (self._above, self._below):
            label.setFont(theme.small_font())

    def fill(self, text: str, above: str) -> None:
        """Shows the text to be changed, and a line above it."""
        self._above.setText(above)
        self._above.setVisible(bool(above))
        self.tell("")
        self.editor.setPlainText(text)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)
        self._show_state()

    @property
    def text(self) -> str:
        """The text that was written, without the empty lines around it."""
        return self.editor.toPlainText().strip("\n").rstrip()

    def tell(self, words: str) -> None:
        """Says why it could not be done; no words: nothing."""
        self._below.setText(words)
        self._below.setVisible(bool(words))

    @property
    def words(self) -> str:
        """The words beneath the field."""
        return self._below.text()

    @property
    def _ready(self) -> bool:
        return True

    def _show_state(self) -> None:
        self.yes.setEnabled(self._ready)

    def _finish(self) -> None:
        if self.yes.isEnabled():
            self.done.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves everything as it was; other keys stay here, the transcript has no part in them."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        event.accept()


class InlineQuestionEditor(InlineEditor):
    """A question written again: empty it can be sent only with the attachments that stay."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self._has_more = False
        super().__init__(theme, parent, yes=tr("Send"))
        self.setAccessibleName(tr("Edit an earlier message"))
        self.editor.setAccessibleName(tr("Edited message"))

    def begin(self, text: str, names: Sequence[str]) -> None:
        """Shows the text to be changed and the names of what stays attached."""
        self._has_more = bool(names)
        self.set_sending(False)
        self.fill(text, tr("Stays attached: {names}").format(names=", ".join(names)) if names else "")

    def set_sending(self, sending: bool) -> None:
        """While it is on its way nothing can be changed."""
        self.editor.setReadOnly(sending)
        self.setProperty("sending", sending)
        self._show_state()

    @property
    def sending(self) -> bool:
        return bool(self.property("sending"))

    @property
    def _ready(self) -> bool:
        return not self.sending and (bool(self.text) or self._has_more)


class InlineNoteEditor(InlineEditor):
    """A note on a message: Ctrl+Enter keeps it; empty it takes the note away."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent, yes=tr("Save note"))
        self.setAccessibleName(tr("Note on a message"))
        self.editor.setAccessibleName(tr("Note"))
        self.editor.setPlaceholderText(tr("A note for yourself"))
        self.editor.enter_sends = False
        self.editor.attached.connect(lambda _: self.tell(tr("A note is only text.")))

    def begin(self, text: str) -> None:
        """Shows the note that is there."""
        self.fill(text, tr("Your note is kept on this computer and never sent."))


#: A question higher than this share of the view stays in sight above what is written; and so high the field may grow.
COVERED_SHARE = 0.6
FIELD_SHARE = 0.5


class InlineEditing(QObject):
    """Keeps a panel at its message while rows move, and the room that it needs. One panel is open at a time."""

    def __init__(self, canvas: Canvas, path: ShownPath, decorations: Decorations, selection: Selection) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._path = path
        self._decorations = decorations
        self._selection = selection
        self.message_id = ""
        """The message at which something is written."""
        self.panel = InlineQuestionEditor(self._theme, canvas.viewport())
        self._note: InlineNoteEditor | None = None
        self._open: InlineEditor = self.panel
        self._prepare(self.panel)
        canvas.style_changed.connect(self._restyle)

    @property
    def _theme(self) -> Theme:
        return self._canvas.text_style.theme

    @property
    def note(self) -> InlineNoteEditor:
        """The panel of notes, made when it is first needed."""
        if self._note is None:
            self._note = InlineNoteEditor(self._theme, self._canvas.viewport())
            self._prepare(self._note)
        return self._note

    def _restyle(self) -> None:
        for panel in (self.panel, self._note):
            if panel is not None:
                panel.set_theme(self._theme)
        self.fit()

    def begin(self, message_id: str, text: str, names: Sequence[str]) -> None:
        """Opens the panel in the place of a question and gives it the keyboard."""
        self.panel.begin(text, names)
        self._begin(message_id, self.panel)

    def begin_note(self, message_id: str, text: str) -> None:
        """Opens the panel of notes beneath a message and gives it the keyboard."""
        self.note.begin(text)
        self._begin(message_id, self.note)

    def focus(self) -> None:
        """Brings the panel into view and gives it the keyboard."""
        self._bring()
        self._open.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """The message stands there as before."""
        if self.message_id:
            self.message_id = ""
            self._open.hide()
            self._decorations.set_editor_room("", 0)

    def _prepare(self, panel: InlineEditor) -> None:
        panel.hide()
        panel.editor.textChanged.connect(self.fit)
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # how many lines a text takes is known only when the field has its width
        if event.type() == QEvent.Type.LayoutRequest and watched is self._open and self.message_id:
            QTimer.singleShot(0, self, self._fit_again)
        return False

    def _fit_again(self) -> None:
        if self.message_id and self._height() > self._open.height():
            self.fit()

    def _begin(self, message_id: str, panel: InlineEditor) -> None:
        self.end()
        self.message_id, self._open = message_id, panel
        self._selection.clear()
        panel.editor.set_most_height(max(80, int(self._canvas.row_layout.view * FIELD_SHARE)))
        panel.show()
        left, width = self._sides()
        panel.setGeometry(left, panel.y(), width, panel.height())
        if (layout := panel.layout()) is not None:
            layout.activate()  # only in its width the field knows how many lines its text takes
        self.fit()
        self.focus()

    @property
    def _index(self) -> int | None:
        return self._path.number(self.message_id) if self.message_id else None

    def _body(self, index: int) -> tuple[int, int, bool]:
        """Pixels above the question in its message, its height, and whether the panel covers it."""
        layout = self._canvas.row_layout.message_layout(index)
        rows = layout.rows[len(layout.head) : len(layout.rows) - len(layout.foot)]
        above, height = sum(row.height for row in layout.head), sum(row.height for row in rows)
        covers = self._open is self.panel and height <= self._canvas.row_layout.view * COVERED_SHARE
        if covers and not all(row.item.laid_out for row in rows):
            for row in rows:
                layout.lay_out(row)
            height = sum(row.height for row in rows)
        return above, height, covers

    def fit(self) -> None:
        """Asks for as much room as the text needs."""
        if (index := self._index) is None:
            return
        wanted = self._height()
        _, body, covers = self._body(index)
        self._decorations.set_editor_room(self.message_id, max(0, wanted + 2 * CARD_INSET - (body if covers else 0)))

    def _height(self) -> int:
        # the message that says why it was refused may take more lines than one
        return max(self._open.heightForWidth(self._sides()[1]), self._open.minimumSizeHint().height())

    def _sides(self) -> tuple[int, int]:
        """Left edge and width of the panel in the viewport."""
        column = self._canvas.column
        return column.left() - OUTDENT, column.width() + 2 * OUTDENT

    def follow(self) -> None:
        """Rows were placed: the panel goes along, out of view, too, so that it keeps the keyboard."""
        if not self.message_id:
            return
        index, canvas = self._index, self._canvas
        (left, width), height = self._sides(), self._height()
        top = canvas.viewport().height() + GRID
        if index is not None:
            above, body, covers = self._body(index)
            if (here := self._top(index)) is not None:
                top = here + above + (CARD_INSET if covers else body)
                height = max(height, body - 2 * CARD_INSET) if covers else height
        self._open.setGeometry(left, top, width, height)
        self._open.raise_()

    def lies_at(self, place: QRect) -> bool:
        """Return True if the open panel, with the room around it, meets a place in the viewport."""
        return bool(self.message_id) and self._open.geometry().adjusted(-GRID, -GRID, GRID, GRID).intersects(place)

    def _top(self, index: int) -> int | None:
        """Return the top of the question's message, in the viewport's pixels; None: it is out of view."""
        row_layout = self._canvas.row_layout
        placed = next((placed for placed in row_layout.placed if placed.message == index), None)
        if placed is None:
            return None
        top = placed.top
        for row in row_layout.row_list(index).rows:
            if row is placed.row:
                return top
            top -= row.height
        return None

    def _bring(self) -> None:
        """Brings the panel into view where it is not."""
        index, canvas = self._index, self._canvas
        if index is None:
            return
        geometry = self._open.geometry()
        if geometry.top() < 0 or geometry.bottom() > canvas.row_layout.view:
            above, _, covers = self._body(index)
            wanted = max(GRID, min(canvas.row_layout.view - geometry.height() - 3 * GRID, geometry.top()))
            foot = canvas.row_layout.message_layout(index).foot
            if covers or not foot:
                canvas.row_layout.place_message(index, wanted - above)
            else:
                # from the message's top it would be as far as its rows were guessed to be high
                canvas.row_layout.place_row(index, foot[0], wanted)
            canvas.refresh()


class FormulaUpdates:
    """The formulas of one canvas; `grows`: an answer is coming."""

    def __init__(self, canvas: Canvas, grows: Callable[[], bool], formulas: FormulaCache | None = None) -> None:
        self.formulas = formulas or FormulaCache(canvas)
        self._canvas = canvas
        self._grows = grows
        self._left_out = False
        self.formulas.arrived.connect(self._on_arrived)
        canvas.scrolled_by_user.connect(self._on_scrolled)

    def _on_arrived(self) -> None:
        self._show(still=self._grows())

    def _on_scrolled(self) -> None:
        """Allow changes in the text that has left the view."""
        if self._left_out:
            self._show(still=True)

    def _show(self, *, still: bool) -> None:
        row_layout = self._canvas.row_layout
        at_end = bool(row_layout.placed) and row_layout.at_end and not still
        in_view = {id(placed.row) for placed in row_layout.placed}
        changed = self._left_out = False
        for index in row_layout.made:
            if index == len(row_layout.messages):
                continue
            layout = row_layout.message_layout(index)
            for row in layout.rows:
                fixed = id(row) in in_view and (still or row.item.is_still)
                changed = row.item.take_formulas(still=fixed) or changed
                self._left_out = self._left_out or (fixed and row.item.lacks_formulas)
            if layout.held:
                layout.arrange()
                changed = True
        if not changed:
            return
        if at_end:
            row_layout.place_end()
        else:
            row_layout.place_again()
        self._canvas.refresh()

"""The place among the messages where a question is written again, or a note, with its fields. Sends nothing.

A question is written over itself, a note beneath its message; the text around makes room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, OUTDENT, Theme, stroke
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.message_layout import CARD_INSET
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.selection import Selection
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.message_field import MessageField
from desktop_app.ui.widgets.parts import Stretch, button_in, in_row, label_in


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
        row = in_row(Stretch(), self.cancel, self.yes, spacing=GRID)
        column.addLayout(row)
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
        layout = panel.layout()
        if layout is not None:
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
        index = self._index
        if index is None:
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
            here = self._top(index)
            if here is not None:
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

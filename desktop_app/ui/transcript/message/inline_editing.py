"""The place among the messages in which something is written: a question again, a note. Sends nothing itself.

A question is written over itself, a note beneath its message; the text around makes room.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer

from desktop_app.ui.theme.theme import GRID, OUTDENT, Theme
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.message.decorations import Decorations
from desktop_app.ui.transcript.message.inline_editors import InlineEditor, InlineNoteEditor, InlineQuestionEditor
from desktop_app.ui.transcript.message.message_layout import CARD_INSET
from desktop_app.ui.transcript.message.shown_path import ShownPath
from desktop_app.ui.transcript.reading.selection import Selection

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

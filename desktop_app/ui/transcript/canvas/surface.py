"""Owns how the reader acts on the canvas: selecting, copying, keys, context menu. Knows no thread."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QClipboard, QContextMenuEvent, QGuiApplication, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop_app.core.messages import Message
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import motion
from desktop_app.ui.transcript.canvas.canvas import WHEEL_STEP, Canvas
from desktop_app.ui.transcript.canvas.row import CanvasRow
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow, RowLayout
from desktop_app.ui.transcript.canvas.text_style import TextStyle
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.items.item import BACK, NOTE, Selected
from desktop_app.ui.transcript.message.row_builder import RowBuilder
from desktop_app.ui.transcript.reading.selection import END, Selection, Spot

if TYPE_CHECKING:  # what reading needs is loaded after the first paint, or when somebody reads before
    from desktop_app.ui.transcript.canvas.pointer import Pointer
    from desktop_app.ui.transcript.reading.caret import Caret
    from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy
    from desktop_app.ui.transcript.reading.keyboard_navigation import KeyboardNavigation

#: Where in the view a note, or the reference to it, comes to stand that is out of view.
NOTE_SHARE = 0.4
#: More of a selection than this is not quoted (characters).
LONGEST_QUOTE = 100_000


class Surface(Canvas):
    """A canvas that can be read with mouse and keyboard.

    `link_activated` carries only http, https and mailto targets. `message_context_requested(message_id, position)`
    comes before the menu of a message opens; `menu` is that menu, to which more can be added.
    """

    link_activated = Signal(str)
    copied = Signal()
    quote_requested = Signal(str)  # lines of Markdown, quoted
    message_context_requested = Signal(str, QPoint)

    def __init__(self, row_layout: RowLayout, text_style: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(row_layout, text_style, parent)
        self.selection = Selection()
        self.menu: QMenu | None = None
        self._ranges: dict[int, Selected | None] = {}
        self._note_from: CanvasRow | None = None

    # --- what is made when it is first asked for: the first paint does without it

    @cached_property
    def caret(self) -> Caret:
        """Where the keyboard's caret stands among the rows."""
        from desktop_app.ui.transcript.reading.caret import Caret

        return Caret(self.row_layout)

    @cached_property
    def keyboard(self) -> KeyboardNavigation:
        """What keys do to the selection and the caret."""
        from desktop_app.ui.transcript.reading.keyboard_navigation import KeyboardNavigation

        return KeyboardNavigation(self, self.caret)

    @cached_property
    def copying(self) -> ClipboardCopy:
        """What goes into the clipboard."""
        from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy, SelectionReader

        copying = ClipboardCopy(SelectionReader(self.row_layout, lambda: self.row_builder, self.unfolded_parts), self)
        copying.copied.connect(self.copied)
        return copying

    @cached_property
    def _pointer(self) -> Pointer:
        from desktop_app.ui.transcript.canvas.pointer import Pointer

        return Pointer(self, self.selection, self)

    # --- what subclasses decide

    row_builder: RowBuilder

    def unfolded_parts(self, message: Message) -> set[int]:
        """The numbers of the parts of a message that are shown whole."""
        return set()

    def row_pressed(self, placed: PlacedRow, button: str) -> None:
        """A button of a row other than Copy was clicked."""

    def focused_message(self) -> int:
        """The number of the message that the keyboard is on, -1 if there is none."""
        return -1

    def message_corner(self, index: int) -> QPoint:
        """Where a menu of a message opens that the keyboard asked for, in the viewport's pixels."""
        rows = [placed for placed in self.row_layout.placed if placed.message == index]
        return QPoint(self.column.left(), max(0, rows[0].item_top) if rows else 0)

    def hint_for(self, placed: PlacedRow, x: int = 0) -> str:
        """What is said about a row when the pointer rests on it, so many pixels from the viewport's left edge."""
        return ""

    # --- selection

    def selection_in(self, placed: PlacedRow) -> Selected | None:
        return self.selection.within(placed)

    def selection_changed(self) -> None:
        """Paints the rows again whose selected part is no longer what it was."""
        before, self._ranges = self._ranges, {}
        for placed in self.row_layout.placed:
            part = self.selection.within(placed)
            self._ranges[id(placed.row)] = part
            if part != before.get(id(placed.row), part is None):
                self.viewport().update(QRect(0, placed.top, self.viewport().width(), placed.height))

    def select_all(self) -> None:
        """Selects all messages."""
        if self.row_layout.messages:
            self.selection.anchor = (0, 0, 0)
            self.selection.caret = (len(self.row_layout.messages) - 1, END, END)
            self.selection_changed()

    def selected_messages(self) -> tuple[str, ...]:
        """The ids of the messages in which something is selected, in order."""
        chosen = self.selection.range
        if chosen is None:
            return ()
        first, last = chosen[0][0], chosen[1][0]
        return tuple(message.id for message in self.row_layout.messages[first : last + 1])

    # --- copying

    def selected_text(self) -> str:
        """What `copy` puts into the clipboard as text. Reads all of it at once: for short selections."""
        return self.copying.reader.text(self.selection.range) if self.selection.range is not None else ""

    def selected_markdown(self) -> str:
        """What `copy_as_markdown` puts into the clipboard. For short selections, too."""
        return self.copying.reader.markdown(self.selection.range) if self.selection.range is not None else ""

    def copy(self) -> None:
        """Puts the selection into the clipboard, as text and as rich text."""
        self.copying.start(self.selection.range, "rich")

    def copy_as_markdown(self) -> None:
        """Puts the source of just the selection into the clipboard."""
        self.copying.start(self.selection.range, "markdown")

    def copy_thread(self) -> None:
        """Puts all messages, as they were written, into the clipboard."""
        self.copying.start(self._of_messages(0, len(self.row_layout.messages) - 1), "markdown")

    def _of_messages(self, first: int, last: int) -> tuple[Spot, Spot] | None:
        return ((first, 0, 0), (last, END, END)) if self.row_layout.messages else None

    def quote(self) -> None:
        """Asks for the selection, or the message that the keyboard is on, to be quoted."""
        chosen = self.selection.range
        if chosen is None and self.row_layout.focused >= 0:
            chosen = self._of_messages(self.row_layout.focused, self.row_layout.focused)
        if chosen is not None:
            source = self.copying.reader.markdown(chosen)[:LONGEST_QUOTE]
            self.quote_requested.emit("".join(f"> {line}".rstrip() + "\n" for line in source.split("\n")))

    def copy_message(self, index: int) -> None:
        """Puts a whole message, as it was written, into the clipboard; of one without text the attachments' names."""
        from desktop_app.ui.i18n.attachment_words import names_of
        from desktop_app.ui.transcript.message.part_groups import written_text

        message = self.row_layout.messages[index]
        self._to_clipboard(written_text(message) or names_of(message))

    def _to_clipboard(self, text: str) -> None:
        self.copying.put(text)

    # --- clicks

    def open_link(self, target: str) -> None:
        """Hands a clicked link on, if it may be opened at all."""
        from desktop_app.ui.transcript.items.link_targets import checked_target

        checked = checked_target(target)
        if checked is not None:
            self.link_activated.emit(checked)

    def press_button(self, placed: PlacedRow, button: str) -> None:
        """A click on a button that a row paints."""
        item = placed.row.item
        if button == "copy" and isinstance(item, CodeItem):
            self._to_clipboard(item.code)
            item.set_copied(True)
            self.refresh()
            QTimer.singleShot(motion("said"), self, lambda: self._end_feedback(item))
        elif button == "lines" and isinstance(item, CodeItem):
            item.toggle()
            self.row_layout.place_again()
            self.refresh()
        elif button.startswith((NOTE, BACK)):
            self._follow_note(placed, button)
        elif button != "bar":
            self.row_pressed(placed, button)

    def _follow_note(self, placed: PlacedRow, button: str) -> None:
        """From a reference to its note; from a note to the reference that led there, else to the first."""
        kind, _, label = button.partition(":")
        leads_down = kind + ":" == NOTE
        wanted = (BACK if leads_down else NOTE) + label
        layout = self.row_layout.message_layout(placed.message)
        layout.open_all()
        came_from, self._note_from = self._note_from, placed.row if leads_down else None
        for row in sorted(layout.rows, key=lambda row: row is not came_from) if came_from is not None else layout.rows:
            if any(found == wanted for found, _ in row.item.buttons()):
                self.keyboard.stop_at(placed.message, row, wanted)
                self.reveal((placed.message, row, row.item.place_of(wanted)), NOTE_SHARE)
                return

    def _end_feedback(self, item: CodeItem) -> None:
        item.set_copied(False)
        self.refresh()

    # --- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointer.double_click(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)
        self.offer_selection()

    def offer_selection(self) -> None:
        """Lets the middle button paste what is selected, where the desktop has that."""
        if QGuiApplication.clipboard().supportsSelection():
            self.copying.start(self.selection.range, "text", QClipboard.Mode.Selection)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._pointer.hover(None)
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            placed = self.placed_at(event.pos().y())
            hint = self.hint_for(placed, event.pos().x()) if placed is not None else ""
            if hint:
                QToolTip.showText(event.globalPos(), hint, self.viewport())
            return True
        return super().viewportEvent(event)

    # --- keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = self.row_layout.view - 2 * self.text_style.body.pitch
        steps = {
            Qt.Key.Key_Up: -WHEEL_STEP,
            Qt.Key.Key_Down: WHEEL_STEP,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -self.row_layout.y,
            Qt.Key.Key_End: self.row_layout.bottom - self.row_layout.y,
        }
        if self.keyboard.press(event):
            return
        if event.key() == Qt.Key.Key_Space:
            self.scroll_by(-page if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else page)
        elif event.key() in steps:
            self.scroll_by(steps[Qt.Key(event.key())])
        else:
            event.ignore()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the links and buttons of the message that the keyboard is on, then on to the next pane."""
        return self.keyboard.tab(1 if forward else -1) or super().focusNextPrevChild(forward)

    def reveal(self, place: tuple[int, CanvasRow, int], share: float | None = None) -> None:
        """Brings a position (message, row, UTF-16 position) into view, moving no more than needed.

        With a share the line comes to stand there in the view, if it is out of view.
        """
        message, row, position = place
        layout = self.row_layout.row_list(message)
        layout.lay_out(row)
        if row.item.reveal(position):
            layout.lay_out(row)
            row.item.reveal(position)  # what was folded may be scrolled away, too
            self.row_layout.place_again()
        line = row.item.caret_rect(position)
        placed = next((placed for placed in self.row_layout.placed if placed.row is row), None)
        top = placed.item_top + line.top() if placed is not None else None
        if top is not None and top >= 0 and top + line.height() <= self.row_layout.view:
            self.refresh()
            return
        above = (top < 0) if top is not None else self._is_above(message, row)
        wanted = (
            int(self.row_layout.view * share)
            if share is not None
            else 0
            if above
            else self.row_layout.view - line.height()
        )
        self.row_layout.place_row(message, row, wanted - line.top() - row.gap)
        self.refresh()
        self.start_rest()
        self.scrolled_by_user.emit()

    def _is_above(self, message: int, row: CanvasRow) -> bool:
        """True for a row out of view that stands before what is in view."""
        if not self.row_layout.placed:
            return False
        first = self.row_layout.placed[0]
        if message != first.message:
            return message < first.message
        rows = self.row_layout.row_list(message).rows
        return next(i for i, each in enumerate(rows) if each is row) < next(
            (i for i, each in enumerate(rows) if each is first.row), 0
        )

    # --- menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.focused_message()
            self._open_menu(index, self.keyboard.link, self.viewport().mapToGlobal(self.message_corner(index)))
            return
        touch = self._pointer.touch(self.viewport().mapFromGlobal(event.globalPos()))
        index = touch.placed.message if touch is not None else -1
        self._open_menu(index, touch.link if touch is not None else "", event.globalPos())

    def _open_menu(self, index: int, link: str, position: QPoint) -> None:
        """The menu of the message of that number (-1 or the foot's: of none) and of the link under the pointer."""
        menu = self.menu = QMenu(self)
        menu.setAccessibleName(self.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chosen = self.selection.range is not None
        menu.addAction(tr("Copy"), self.copy).setEnabled(chosen)
        menu.addAction(tr("Copy as Markdown"), self.copy_as_markdown).setEnabled(chosen)
        menu.addAction(tr("Quote"), self.quote).setEnabled(chosen or self.row_layout.focused >= 0)
        if link:
            from PySide6.QtCore import QUrl

            target = QUrl(link).toString(QUrl.ComponentFormattingOption.FullyEncoded)
            menu.addAction(tr("Copy link"), lambda: self._to_clipboard(target))
        if 0 <= index < len(self.row_layout.messages):
            menu.addSeparator()
            menu.addAction(tr("Copy message"), lambda: self.copy_message(index))
            self.message_context_requested.emit(self.row_layout.messages[index].id, position)
        menu.addSeparator()
        menu.addAction(tr("Copy whole thread"), self.copy_thread).setEnabled(bool(self.row_layout.messages))
        menu.addAction(tr("Select all"), self.select_all)
        menu.popup(position)

"""Owns the menu of a message, or of the place between messages. Knows nothing of what others add to it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtWidgets import QMenu

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy
from desktop_app.ui.transcript.reading.selection import Selection


class ContextMenu(QObject):
    """Opens menus. `requested(message_id, position)` comes before one opens; `menu` is it, for more to be added."""

    requested = Signal(str, QPoint)
    selection_kept = Signal(str)  # Markdown
    code_kept = Signal(str, str, str)  # message id, language, code

    def __init__(self, canvas: Canvas, selection: Selection, copying: ClipboardCopy) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._selection = selection
        self._copying = copying
        self.menu: QMenu | None = None

    def open(self, index: int, link: str, position: QPoint, code: CodeItem | None = None) -> None:
        """The menu of the message of that number (-1 or the footer's: of none) and of what is under the pointer."""
        messages, focused = self._canvas.row_layout.messages, self._canvas.row_layout.focused
        menu = self.menu = QMenu(self._canvas)
        menu.setAccessibleName(self._canvas.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying, chosen = self._copying, self._selection.range is not None
        menu.addAction(tr("Copy"), copying.copy).setEnabled(chosen)
        menu.addAction(tr("Copy as Markdown"), copying.copy_as_markdown).setEnabled(chosen)
        menu.addAction(tr("Quote"), copying.quote).setEnabled(chosen or focused >= 0)
        if chosen:
            menu.addAction(tr("New artifact from selection"), self._keep_selection)
        if code is not None and 0 <= index < len(messages) and messages[index].role == "assistant":
            words = (messages[index].id, code.language, code.code)
            menu.addAction(tr("Keep code as artifact"), partial(self.code_kept.emit, *words))
        if link:
            target = QUrl(link).toString(QUrl.ComponentFormattingOption.FullyEncoded)
            menu.addAction(tr("Copy link"), lambda: copying.put(target))
        if 0 <= index < len(messages):
            menu.addSeparator()
            menu.addAction(tr("Copy message"), lambda: copying.copy_message(index))
            self.requested.emit(messages[index].id, position)
        menu.addSeparator()
        menu.addAction(tr("Copy whole thread"), copying.copy_thread).setEnabled(bool(messages))
        menu.addAction(tr("Select all"), self._selection.select_all)
        menu.popup(position)

    def _keep_selection(self) -> None:
        self.selection_kept.emit(self._copying.selected_markdown())

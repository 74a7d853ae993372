"""The menu of a message, or of the place between messages, and the order of its entries. Others add entries to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.transcript.canvas.canvas import Canvas
from desktop_app.ui.transcript.canvas.pointer import Pointer
from desktop_app.ui.transcript.items.code_item import CodeItem
from desktop_app.ui.transcript.reading.clipboard_copy import ClipboardCopy
from desktop_app.ui.transcript.reading.keyboard_navigation import KeyboardNavigation
from desktop_app.ui.transcript.reading.selection import Selection
from desktop_app.ui.widgets.floating import Menu

MOST = 8
"""Entries at the first level, with the submenus: what is more moves into the submenus, the least frequent first."""


Group = Literal["copy", "act", "context", "delete"]
GROUPS: tuple[Group, ...] = get_args(Group)
"""The groups of the first level, from top to bottom."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry that is wanted at the first level; `spare`: the higher, the sooner it gives its place up, 0 never."""

    action: QAction
    group: Group
    spare: int


class MessageEntries(Menu):
    """Filled by `add`, `context` and `more`; `arrange` builds the first level of what was added."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []
        self.context = Menu(self)
        self.context.setTitle(tr("Context"))
        self.more = Menu(self)
        self.more.setTitle(tr("More"))

    def add(
        self, group: Group, words: str, act: Callable[[], Any], *, spare: int = 0, keys: Sequence[QKeySequence] = ()
    ) -> QAction:
        """Adds an entry to the first level."""
        action = _made(self, words, act, keys)
        self._entries.append(Entry(action, group, spare))
        return action

    def add_more(self, words: str, act: Callable[[], Any], *, keys: Sequence[QKeySequence] = ()) -> QAction:
        """Adds an entry to the submenu of the less frequent ones."""
        action = _made(self.more, words, act, keys)
        self.more.addAction(action)
        return action

    def arrange(self) -> None:
        """Puts everything in its place; an empty submenu stays away."""
        entries = self._entries
        while entries and len(entries) + self._submenus() > MOST:
            given_up = max(entries, key=lambda entry: entry.spare)
            entries.remove(given_up)
            submenu = self.context if given_up.group == "context" else self.more
            before = submenu.actions()
            submenu.insertAction(before[0] if before else QAction(submenu), given_up.action)
        for group in GROUPS:
            for entry in entries:
                if entry.group == group:
                    self.addAction(entry.action)
            if group == "context":
                for submenu in (self.context, self.more):
                    if not submenu.isEmpty():
                        self.addMenu(submenu)
            self.addSeparator()

    def _submenus(self) -> int:
        return sum(not submenu.isEmpty() for submenu in (self.context, self.more))


def _made(parent: Menu, words: str, act: Callable[[], Any], keys: Sequence[QKeySequence]) -> QAction:
    action = QAction(words, parent)
    action.triggered.connect(lambda _checked=False: act())
    # they are told here; the window's own action has them
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setShortcuts(list(keys))
    return action


Key = QKeySequence.StandardKey


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
        self.menu: MessageEntries | None = None

    def open_for(self, event: QContextMenuEvent, keyboard: KeyboardNavigation, pointer: Pointer) -> None:
        """The menu of what the keyboard is on, or of what is under the pointer."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.open(keyboard.message, keyboard.link, self._canvas.message_corner(keyboard.message))
            return
        touch = pointer.touch(self._canvas.viewport().mapFromGlobal(event.globalPos()))
        if touch is None:
            self.open(-1, "", event.globalPos())
            return
        item = touch.placed.row.item
        code = item if isinstance(item, CodeItem) else None
        self.open(touch.placed.message, touch.link, event.globalPos(), code)

    def open(self, index: int, link: str, position: QPoint, code: CodeItem | None = None) -> None:
        """The menu of the message of that number (-1 or the footer's: of none) and of what is under the pointer."""
        messages, focused = self._canvas.row_layout.messages, self._canvas.row_layout.focused
        menu = self.menu = MessageEntries(self._canvas)
        menu.setAccessibleName(self._canvas.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying, chosen, of_message = self._copying, self._selection.range is not None, 0 <= index < len(messages)
        if chosen:
            menu.add("copy", tr("Copy"), copying.copy, keys=QKeySequence.keyBindings(Key.Copy))
            menu.add("copy", tr("Quote"), copying.quote, spare=1, keys=self._keys("quote"))
        elif of_message:
            menu.add("copy", tr("Copy message"), lambda: copying.copy_message(index))
        if chosen:
            menu.add("copy", tr("New artifact from selection"), self._keep_selection)
        if code is not None and of_message and messages[index].role == "assistant":
            words = (messages[index].id, code.language, code.code)
            menu.add("act", tr("Keep code as artifact"), partial(self.code_kept.emit, *words))
        if link:
            target = QUrl(link).toString(QUrl.ComponentFormattingOption.FullyEncoded)
            menu.add("copy", tr("Copy link"), lambda: copying.put(target))
        if chosen:
            menu.add_more(tr("Copy as Markdown"), copying.copy_as_markdown, keys=self._keys("copy_markdown"))
        elif focused >= 0:
            menu.add_more(tr("Quote"), copying.quote, keys=self._keys("quote"))
        if messages:
            menu.add_more(tr("Copy whole thread"), copying.copy_thread, keys=self._keys("copy_thread"))
            menu.add_more(tr("Select all"), self._selection.select_all, keys=QKeySequence.keyBindings(Key.SelectAll))
        if of_message:
            self.requested.emit(messages[index].id, position)
        menu.arrange()
        if not menu.isEmpty():
            menu.popup(position)

    def _keys(self, action: str) -> Sequence[QKeySequence]:
        """The keys of an action of the window, as they are now."""
        found = self._canvas.window().findChild(QAction, action)
        return found.shortcuts() if found is not None else ()

    def _keep_selection(self) -> None:
        self.selection_kept.emit(self._copying.selected_markdown())

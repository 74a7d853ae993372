"""The order of the entries of a message's menu: the frequent ones first, the rest in two submenus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app.ui.i18n.language import tr
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

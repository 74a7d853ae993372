"""The entries of the window's menu, in groups.

At most ten entries at one level (INTERFACE.md): what is used rarely and is found by its shortcut or in the palette
stays there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.widgets.floating import Menu

Entries = Sequence[str | None]
"""Ids of actions, names of submenus, and None for a line between groups."""

TOP: Entries = (
    *("new", "thread", "view", None),
    *("show_usage", "show_trash", "transfer", None),
    *("connections", "preferences", "help", None, "quit"),
)
SUBMENUS: Mapping[str, Entries] = {
    "new": ("new_thread", "new_private_thread", "new_project"),
    "thread": (
        *("find", "go_to", "show_branches", None, "open_in_new_window", "rename_thread", "pin_thread", None),
        *("edit_system", "show_prompts", None, "archive_thread", "delete_thread"),
    ),
    "view": (
        *("command_palette", "search_threads", None),
        *("toggle_threads", "toggle_inspector", "toggle_artifacts", "show_gauge", None),
        *("larger_text", "smaller_text", "usual_text", "theme"),
    ),
    "theme": ("theme_system", "theme_light", "theme_dark"),
    "transfer": ("import_threads", "export_threads", None, "show_backups"),
    "help": ("show_shortcuts", "show_help", "show_about"),
}
PANES = frozenset({"toggle_threads", "toggle_inspector", "toggle_artifacts"})
"""Actions that show or hide a pane: a check mark says that it is shown."""


def window_menu(
    actions: Mapping[str, QAction], parent: QWidget, states: Callable[[], Mapping[str, bool]] = dict
) -> Menu:
    """The menu as it is now: what can do nothing is left out, and so is a submenu of nothing else.

    `states`: which panes are shown, and what the open thread is, by action.
    """
    menu, now = Menu(parent), states()
    _fill(menu, TOP, _titles(), {name: _entry(name, action, now, menu) for name, action in actions.items()})
    return menu


def _entry(name: str, action: QAction, states: Mapping[str, bool], menu: Menu) -> QAction:
    """The action, or one that does the same in the few words that its place in the menu leaves it."""
    words = _words(states).get(name)
    if words is None:
        return action
    entry = QAction(words, menu)
    entry.setEnabled(action.isEnabled())
    entry.setShortcuts(action.shortcuts())
    entry.setCheckable(name in PANES or action.isCheckable())
    entry.setChecked(states.get(name, action.isChecked()))
    entry.triggered.connect(action.trigger)
    return entry


def _words(states: Mapping[str, bool]) -> Mapping[str, str]:
    """Return the words submenus have for their entries, whose titles say the rest."""
    return {
        "rename_thread": tr("Rename"),
        "pin_thread": tr("Unpin") if states.get("pin_thread") else tr("Pin"),
        "archive_thread": tr("Unarchive") if states.get("archive_thread") else tr("Archive"),
        "delete_thread": tr("Delete"),
        "toggle_threads": tr("Thread list"),
        "toggle_inspector": tr("Context inspector"),
        "toggle_artifacts": tr("Artifacts"),
        "theme_system": tr("System"),
        "theme_light": tr("Light"),
        "theme_dark": tr("Dark"),
    }


def _titles() -> Mapping[str, str]:
    return {
        "new": tr("New"),
        "thread": tr("Thread"),
        "view": tr("View"),
        "theme": tr("Theme"),
        "transfer": tr("Import, export, backups"),
        "help": tr("Help"),
    }


def _fill(menu: Menu, entries: Entries, titles: Mapping[str, str], actions: Mapping[str, QAction]) -> None:
    for entry in entries:
        if entry is None:
            menu.addSeparator()  # one at an end, or above another, is not shown
        elif entry in SUBMENUS:
            submenu = Menu(menu)
            submenu.setTitle(titles[entry])
            _fill(submenu, SUBMENUS[entry], titles, actions)
            if not submenu.isEmpty():
                menu.addMenu(submenu)
        elif actions[entry].isEnabled():
            menu.addAction(actions[entry])

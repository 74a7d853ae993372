"""Owns what the window's menu holds, in which groups. Knows no action's doing.

At most ten entries at one level (INTERFACE.md): what is used rarely and is found by its shortcut or in the palette
stays there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.widgets.menu import Menu

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

Entries = Sequence[str | None]
"""Ids of actions, names of submenus, and None for a line between groups."""

TOP: Entries = (
    *("new", "thread", "view", None),
    *("show_usage", "show_trash", "transfer", None),
    *("connections", "preferences", "help", None, "quit"),
)
SUBMENUS: Mapping[str, Entries] = {
    "new": ("new_thread", "new_private_thread", "new_project", None, "open_in_new_window"),
    "thread": (
        *("find", "go_to", "show_branches", None, "rename_thread", "pin_thread", "move_thread", None),
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


def window_menu(actions: Mapping[str, QAction], parent: QWidget) -> Menu:
    """The menu as it is now: what can do nothing is left out, and so is a submenu of nothing else."""
    menu = Menu(parent)
    _fill(menu, TOP, _titles(), actions)
    return menu


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

"""The menus of threads and projects of the list. Uses no controller: a choice becomes the pane's wish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtGui import QAction

from desktop_app.core.messages import Thread
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.threads.threads_pane import ThreadsPane
from desktop_app.ui.widgets.floating import Menu


def thread_menu(pane: ThreadsPane, threads: Sequence[Thread]) -> Menu:
    """Return the menu of actions on these threads, at least one; renaming and copying with one only."""
    menu = Menu(pane)
    menu.setAccessibleName(pane.view.accessibleName())
    ids = [thread.id for thread in threads]
    one = threads[0] if len(threads) == 1 else None
    pinned, archived = (all(getattr(thread, fact) for thread in threads) for fact in ("pinned", "archived"))
    if one is not None:
        _add(menu, tr("Rename"), lambda: pane.rename(one.id))
        _add(menu, tr("Duplicate"), lambda: pane.duplicate_requested.emit(one.id))
        _add(menu, tr("Open in new window"), lambda: pane.view.new_window_requested.emit(one.id))
        menu.addSeparator()
    else:
        heading = menu.addAction(tr("{n} threads").format(n=len(threads)))
        heading.setEnabled(False)
    if not archived:
        words = tr("Unpin") if pinned else tr("Pin")
        _add(menu, words, lambda: pane.pin_requested.emit(ids, not pinned))
        if not all(thread.private for thread in threads):
            _add_projects(menu.add_submenu(tr("Move to project")), pane, threads)
    words = tr("Unarchive") if archived else tr("Archive")
    _add(menu, words, lambda: pane.archive_requested.emit(ids, not archived))
    _add(menu, tr("Export…"), lambda: pane.export_requested.emit(ids))
    menu.addSeparator()
    _add(menu, tr("Delete"), lambda: pane.delete_requested.emit(ids))
    return menu


def project_menu(pane: ThreadsPane, project: str) -> Menu:
    """Return the menu of actions on a project."""
    menu = Menu(pane)
    menu.setAccessibleName(pane.model.project_name(project))
    _add(menu, tr("Open project"), lambda: pane.project_chosen.emit(project))
    menu.addSeparator()
    _add(menu, tr("Rename"), lambda: pane.rename_project(project))
    _add(menu, tr("Delete project"), lambda: pane.project_removal_requested.emit(project))
    return menu


def move_menu(pane: ThreadsPane, threads: Sequence[Thread]) -> Menu:
    """The projects that these threads can be moved to."""
    menu = Menu(pane)
    menu.setAccessibleName(tr("Move to project"))
    _add_projects(menu, pane, threads)
    return menu


def _add_projects(inside: Menu, pane: ThreadsPane, threads: Sequence[Thread]) -> None:
    ids = [thread.id for thread in threads]
    for project, name in pane.model.projects():
        action = _add(inside, name.replace("&", "&&"), _moving(pane, ids, project))
        action.setCheckable(True)
        action.setChecked(all(thread.project == project for thread in threads))
    if not inside.isEmpty():
        inside.addSeparator()
    _add(inside, tr("New project…"), lambda: pane.new_project_requested.emit(ids))
    if any(thread.project for thread in threads):
        _add(inside, tr("No project"), _moving(pane, ids, None))


def _moving(pane: ThreadsPane, ids: list[str], project: str | None) -> Callable[[], None]:
    return lambda: pane.project_requested.emit(ids, project)


def _add(menu: Menu, words: str, act: Callable[[], Any]) -> QAction:
    action = QAction(words, menu)
    action.triggered.connect(act)
    menu.addAction(action)
    return action

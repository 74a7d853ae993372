"""Owns the connections between the main window and what is there beside it. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.wiring_actions import new_thread
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.ui.shell.presenters import Presenters


def wire_presence(
    window: MainWindow, app_state: AppState, to: Presenters, presence: BackgroundPresence, end: Callable[[], None]
) -> None:
    """Connects the quick line, the tray and the notices with the window; `end` begins the orderly end."""
    act: dict[str, Callable[[], object]] = {
        "new_thread": partial(new_thread, window, app_state),
        "open_connections": window.actions_by_id["connections"].trigger,
        "replace_key": window.actions_by_id["connections"].trigger,
        "switch_model": to.connections.offer_models,
        "edit_caps": to.pages.show_caps,
    }

    def show(action: str) -> None:
        bring_forward(window)
        if action in act:
            act[action]()

    def open_thread(thread_id: str) -> None:
        bring_forward(window)
        if to.pages.page is not None:
            to.pages.leave()
        app_state.start(app_state.open_thread(thread_id))

    window.keeps_running = lambda: presence.stays
    window.left.connect(window.hide)
    window.left.connect(presence.told_of_tray)
    window.close_requested.connect(end)
    presence.window_wanted.connect(show)
    presence.thread_wanted.connect(open_thread)
    presence.quit_wanted.connect(window.quit)
    presence.told.connect(window.toast.show_message)
    presence.quick.seen.connect(to.thread_list.thread_opened)
    presence.quick.seen.connect(to.read_progress.mark_read)
    app_state.services_arrived.connect(presence.supply)
    app_state.thread_opened.connect(lambda opened: presence.quick.go_on_like(opened.thread))
    for thread_id in presence.quick.unseen:
        window.threads.model.set_mark(thread_id, "unread", True)
    for another in (app_state.thread_made, app_state.thread_changed):
        another.connect(presence.quick.go_on_like)


def bring_forward(window: MainWindow) -> None:
    """The window comes to the front, also out of the tray or the task bar."""
    window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()

"""The connections between the windows and the parts beside them. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop_app.ui.shell.background_presence import BackgroundPresence
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.wiring_actions import new_thread

if TYPE_CHECKING:
    from desktop_app.ui.shell.session_window import SessionWindow


def wire_presence(
    presence: BackgroundPresence,
    front: Callable[[], SessionWindow],
    *,
    show_thread: Callable[[str], None],
    end: Callable[[], None],
) -> None:
    """Connects the quick line, the tray and the notices with the window in front; `end` asks for the end of all."""

    def show(action: str) -> None:
        one = front()
        bring_forward(one.window)
        match action:
            case "new_thread":
                new_thread(one.window, one.app_state)
            case "open_connections" | "replace_key":
                one.window.actions_by_id["connections"].trigger()
            case "switch_model":
                one.presenters.connections.offer_models()
            case "edit_caps":
                one.presenters.pages.show_caps()

    presence.window_wanted.connect(show)
    presence.thread_wanted.connect(show_thread)
    presence.quit_wanted.connect(end)
    presence.told.connect(lambda words: front().window.toast.show_message(words))  # noqa: PLW0108 - another each time


def wire_window_presence(one: SessionWindow, presence: BackgroundPresence, is_last: Callable[[], bool]) -> None:
    """Connects one window with what is there beside it; the last one only hides where Plimsoll stays in the tray."""
    window, app_state, to = one.window, one.app_state, one.presenters
    window.keeps_running = lambda: presence.stays and is_last()
    window.left.connect(window.hide)
    window.left.connect(presence.told_of_tray)
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

"""The window up to its first paint: Qt, one look into the history, the facts it showed last. Never a controller."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import QUEUED, Message, Thread
from desktop_app.paths import DataPaths
from desktop_app.storage.first_screen import FirstScreen, read_first_screen, read_newest_prompts
from desktop_app.ui.gauge.gauge_reading import GaugeReading
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.startup.single_instance import make_application, read_appearance
from desktop_app.ui.state.window_state import WindowState

MOST_BYTES = 200_000
VERSION = 1


@dataclass(frozen=True, slots=True)
class LastPaint:
    """The facts that were shown in `thread` ("": a new one).

    `model`: the words on the model button, (model, backend), for a thread that asks for `asked` (backend, model; ""
    for the default); `last_message`: the id of a message that comes after all
    that was in view. `lines` are those beside the messages, as `Decorations.saved_lines` gives them.
    """

    thread: str = ""
    model: tuple[str, str] = ("", "")
    parameters: tuple[str, ...] = ()
    gauge: GaugeReading | None = None
    welcome: bool = False
    last_message: str = ""
    lines: dict[str, Any] | None = None
    asked: tuple[str, str] = ("", "")


def read_last_paint(path: Path) -> LastPaint | None:
    """Return the kept facts, None where there is nothing that can be used, as in another language."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        kept = json.loads(path.read_text("utf-8"))
        if kept.pop("version") != VERSION or kept.pop("language") != QLocale().name():
            return None
        gauge = GaugeReading(*kept.pop("gauge")) if kept["gauge"] else kept.pop("gauge")
        model, parameters = map(str, kept.pop("model")), map(str, kept.pop("parameters"))
        asked = tuple(map(str, kept.pop("asked", ("", ""))))
        last = LastPaint(gauge=gauge, model=tuple(model), parameters=tuple(parameters), asked=asked, **kept)  # type: ignore[arg-type]
        return last if len(last.model) == 2 else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def asked_of(thread: Thread | None) -> tuple[str, str]:
    """Return what the user chose to answer in a thread, as `LastPaint.asked` has it."""
    return ((thread.backend or "", thread.model or "")) if thread is not None else ("", "")


__all__ = ["Opening", "make_application"]


class Opening:
    """The window as it is painted before anything else is loaded.

    `thread` is the open thread, None for a new one; `tail` the end of its path that the transcript shows.
    """

    def __init__(
        self,
        app: QApplication,
        paths: DataPaths,
        *,
        open_thread: str | None = None,
        reset_layout: bool = False,
        safe_mode: bool = False,
        greets: bool = False,
    ) -> None:
        """`safe_mode`: without the settings, the layout and the thread of last time. `greets`: nothing is set up, as
        far as that is known by now, so that the ways to a model are shown.
        """
        self.appearance = read_appearance(paths.settings, safe_mode=safe_mode)
        self.appearance.dress(app)
        self.window = MainWindow(self.appearance.theme)
        self.state = WindowState(paths.window)
        if reset_layout or safe_mode:
            self.state.reset()
        furnish(self.window, self.state)
        self.thread: Thread | None = None
        self.tail: tuple[Message, ...] = ()
        named = (open_thread or "").partition("/")[0]  # a message's id may follow
        last = self.last = None if safe_mode or reset_layout else read_last_paint(paths.last_paint)
        until = last.last_message if last is not None and not open_thread else ""
        first = read_first_screen(paths.history, thread_id=named or self.state.open_thread, until=until)
        if first is not None:
            # with nothing open last, the newest thread is shown, unless it comes back in a window of its own
            beside = not named and first.thread is not None and first.thread.id in self.state.open_in_others
            self._show(first, threads_only=safe_mode or beside)
        self._show_last(last or LastPaint("\0"))
        if not self.tail:
            from desktop_app.ui.prompts.prompt_starters import MOST, starters_of

            self.window.stage.show_starters(starters_of(read_newest_prompts(paths.history, MOST)))
            self.window.stage.set_empty(True)
        if self.thread is None and (greets or (last is not None and last.welcome)):
            self.window.show_welcome(True)
        else:
            self.window.composer.focus_editor()
        self.window.show()
        self._return_to_place()

    def _show_last(self, last: LastPaint) -> None:
        """Show the other facts last shown, until they are known again: of another thread the model, if it is that."""
        composer, transcript = self.window.composer, self.window.stage.transcript
        is_same = last.thread == (self.thread.id if self.thread else "")
        answers = self.thread is None or asked_of(self.thread) == last.asked
        composer.picker.show_last(last.model if answers else ("", ""), last.parameters if is_same else ())
        if not is_same:
            return
        composer.gauge.show_reading(last.gauge)
        if last.lines and self.tail:
            transcript.decorations.restore_lines(last.lines)
            transcript.auto_scroll.show_latest()

    def _return_to_place(self) -> None:
        """Shows the thread that was open last where it was read, as far as the first look has it."""
        place, thread = self.state.reading_place, self.thread
        if place is not None and thread is not None and thread.id == self.state.open_thread:
            self.window.stage.transcript.navigation.return_to(place)

    def _show(self, first: FirstScreen, *, threads_only: bool) -> None:
        window, thread = self.window, first.thread
        window.threads.model.set_projects(first.projects, first.archived_projects)
        if thread is None or threads_only:
            window.threads.model.set_threads(first.threads)
            return
        # whoever reads its end has read it
        read = (replace(one, unread=False) if one.thread is thread else one for one in first.threads)
        window.threads.model.set_threads(tuple(read) if self.state.reading_place is None else first.threads)
        self.thread, self.tail = thread, first.path_tail
        window.stage.transcript.show_path(first.path_tail, total=first.path_length)
        if first.marks:
            from desktop_app.ui.transcript.message.tool_rows import marked_lines

            path = window.stage.transcript.path
            lines = {path.id_of(one): line for one, line in marked_lines(first.marks).items()}
            window.stage.transcript.decorations.set_annotations(lines)
        if first.path_tail and first.path_tail[-1].failure is not None and first.path_tail[-1].id == thread.tip:
            from desktop_app.ui.conversation.error_cards import show_failure

            show_failure(window.stage.transcript, self.appearance.theme, first.path_tail[-1])
        window.composer.set_text(thread.draft.rpartition(QUEUED)[2])
        if QUEUED in thread.draft:
            from desktop_app.core.text_diff import taken_apart

            queue, _ = taken_apart(thread.draft)
            window.composer.queue.show_messages([(one, ()) for one, _ in queue], held=True)
        window.threads.show_open(thread.id)
        window.show_title(thread)


def furnish(window: MainWindow, state: WindowState) -> None:
    """Puts a window where it was, with its panes as they were."""
    state.restore(window)
    hidden, width = state.pane("list_hidden", "list_width")
    window.list_slot.want(not hidden, width)
    window.threads.model.close_groups(state.closed_groups)
    window.inspector_was = shown, _ = state.pane("inspector_shown", "inspector_width")
    if shown:
        window.inspector.show()

"""The import of modules beside a living window. Uses only names."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, SignalInstance

BESIDE = (
    "ssl",
    "asyncio",
    "tomllib",
    "difflib",
    "desktop_app.core.model_catalog",
    "desktop_app.core.context.plan",
    "desktop_app.core.events",
    "desktop_app.core.settings",
    "desktop_app.core.attachment_facts",
    "desktop_app.core.context.plan_text",
    "desktop_app.core.history_records",
    "desktop_app.core.markdown.unclosed_marks",
    "desktop_app.core.markdown.sections",
    "desktop_app.core.search_terms",
    "desktop_app.core.prompts",
    "desktop_app.logs",
    "desktop_app.core.citations",
    "desktop_app.core.text_diff",
    "desktop_app.core.recall",
    "desktop_app.core.context.planner",
    "desktop_app.backends.backend_protocol",
    "desktop_app.controller.attachments",
    "desktop_app.controller.backup_copies",
    "desktop_app.controller.open_threads",
)
"""The modules without Qt that come after the first paint: imported on a thread, as asyncio, ssl and the log came to
stalls of 30 to 100 ms each."""

SLICES = (
    "qasync",
    "PySide6.QtNetwork",
    "desktop_app.ui.state.bridge",
    "desktop_app.ui.state.app_state",
    "desktop_app.ui.desktop.notifications",
    "desktop_app.ui.i18n.content_words",
    "desktop_app.ui.conversation.sending",
    "desktop_app.ui.quick.quick_presenter",
    "desktop_app.ui.shell.background_presence",
    "desktop_app.ui.widgets.floating",
    "desktop_app.ui.widgets.list_parts",
    "desktop_app.ui.widgets.page",
    "desktop_app.ui.widgets.live_page",
    "desktop_app.ui.widgets.text_lines",
    "desktop_app.ui.attachments.attachment_viewer",
    "desktop_app.ui.widgets.dragging",
    "desktop_app.ui.attachments.attachments_presenter",
    "desktop_app.ui.connections.welcome_pane",
    "desktop_app.ui.models.model_choice",
    "desktop_app.ui.connections.available_models",
    "desktop_app.ui.transcript.find.find_bars",
    "desktop_app.ui.transcript.message.read_messages",
    "desktop_app.ui.transcript.find.find_in_thread",
    "desktop_app.ui.conversation.navigation",
    "desktop_app.ui.models.model_menu",
    "desktop_app.ui.transcript.message.action_bar",
    "desktop_app.ui.transcript.items.fold_items",
    "desktop_app.ui.transcript.message.links",
    "desktop_app.ui.transcript.message.tool_rows",
    "desktop_app.ui.conversation.message_actions",
    "desktop_app.ui.conversation.branches_presenter",
    "desktop_app.ui.gauge.limit_drag",
    "desktop_app.ui.gauge.plan_facts",
    "desktop_app.ui.gauge.gauge_popover",
    "desktop_app.ui.conversation.gauge_presenter",
    "desktop_app.ui.conversation.choices_presenter",
    "desktop_app.ui.conversation.error_cards",
    "desktop_app.ui.conversation.card_buttons",
    "desktop_app.ui.conversation.notices",
    "desktop_app.ui.transcript.canvas.height_files",
    "desktop_app.ui.conversation.transcript_presenter",
    "desktop_app.ui.models.parameters_popover",
    "desktop_app.ui.models.parameters_presenter",
    "desktop_app.ui.palette.palette_presenter",
    "desktop_app.ui.prompts.prompt_insertion",
    "desktop_app.ui.shortcuts.keymap",
    "desktop_app.ui.transfer.transfer_state",
    "desktop_app.ui.transfer.running_transfer",
    "desktop_app.ui.shell.pages",
    "desktop_app.ui.spelling.spelling_presenter",
    "desktop_app.ui.threads.threads_presenter",
    "desktop_app.ui.shell.page_specs",
    "desktop_app.ui.shell.wiring_panes",
    "desktop_app.ui.shell.window_menu",
    "desktop_app.ui.shell.wiring",
    "desktop_app.ui.shell.session_window",
    "desktop_app.ui.startup.garbage",
    "desktop_app.ui.startup.restart",
    "desktop_app.ui.shell.session",
)
"""The modules that define Qt classes, imported next, on the GUI thread: in this order each takes a few milliseconds.

`python -m tests.ui.import_slices` works it out; a test tells when it has to be."""

QUICK_SLICES = (
    "qasync",
    "PySide6.QtNetwork",
    "desktop_app.ui.state.app_state",
    "desktop_app.ui.quick.quick_presenter",
    "desktop_app.ui.shell.background_presence",
    "desktop_app.ui.shell.quick_session",
)
"""The modules that the quick line needs to ask; `QUICK_REST` comes while it rests."""

QUICK_REST = (
    "desktop_app.ui.transcript.view",
    "desktop_app.ui.conversation.transcript_presenter",
    "desktop_app.ui.conversation.error_cards",
    "desktop_app.ui.shell.main_window",
    *SLICES,
    "desktop_app.ui.shell.opening",
)
"""The modules that show an answer, and then the main window's, for when it is asked for."""

PAUSE_MS = 1
"""Between two pieces: with none, the second would come before whatever else has become due during the first."""
LOOK_MS = 4
"""Milliseconds between two looks of the window whether the thread is done."""

GIVE_WAY_S = 0.001
"""The longest that a thread keeps the interpreter while the GUI thread wants it; Python's own 5 ms are paid each time
that Qt calls into Python again, several times for one key, while an SDK is imported beside the window."""


def give_way_sooner() -> None:
    """Has every other thread of the window give way to the GUI thread after `GIVE_WAY_S`."""
    sys.setswitchinterval(GIVE_WAY_S)


class FirstPainted(Protocol):
    """A window that says when it was painted first, and when it is to close."""

    @property
    def first_painted(self) -> SignalInstance: ...

    @property
    def close_requested(self) -> SignalInstance: ...


class Slices:
    """Imports the rest after the window's first paint: on a thread, then one module per turn of Qt's event loop."""

    def __init__(
        self,
        beside: Sequence[str],
        names: Sequence[str],
        window: FirstPainted,
        then: Sequence[Callable[[], object]] = (),
    ) -> None:
        """`then` is done when all is imported, one after the other in the same way."""
        self._names = list(names)
        self._then = list(then)
        self._window = window
        self._thread = threading.Thread(target=_import_all, args=(beside,), name="imports", daemon=True)
        self._timer = QTimer(interval=LOOK_MS)
        self._timer.timeout.connect(self._import_next)
        window.first_painted.connect(self._begin)
        window.close_requested.connect(self._finish)
        self._closing = False

    def run(self, app: QCoreApplication) -> bool:
        """Runs Qt's event loop until all is imported; True if the window was asked to close meanwhile."""
        app.exec()
        self._window.close_requested.disconnect(self._finish)
        return self._closing

    def _begin(self) -> None:
        self._thread.start()
        self._timer.start()

    def _import_next(self) -> None:
        if self._thread.is_alive():
            return
        self._timer.setInterval(PAUSE_MS)
        if self._names:
            importlib.import_module(self._names.pop(0))
        elif self._then:
            self._then.pop(0)()
        else:
            self._timer.stop()
            QCoreApplication.exit(0)

    def _finish(self) -> None:
        self._closing = True
        self._names.clear()
        self._then.clear()


class ImportsAtRest(QObject):
    """Imports modules one per turn of Qt's event loop, while the window lives. `done` comes when all are there."""

    done = Signal()

    def __init__(self, names: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._names = list(names)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._import_next)

    def start(self, after_ms: int) -> None:
        """Begins when so much time has passed."""
        self._timer.start(after_ms)

    def stop(self) -> None:
        """Imports no more."""
        self._timer.stop()

    def _import_next(self) -> None:
        self._timer.setInterval(LOOK_MS)
        if self._names:
            importlib.import_module(self._names.pop(0))
        else:
            self._timer.stop()
            self.done.emit()


def _import_all(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)

"""The rule for telling the end of an answer by the desktop: it took long, and nobody is looking. Shows nothing
itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop_app.core.events import TurnEnded, TurnFailed, TurnStarted
from desktop_app.ui.i18n.language import public_title
from desktop_app.ui.state.app_state import AppState


class EndNotices(QObject):
    """Listens to every answer of this process. `due` carries the thread's id, a headline and the thread's title."""

    due = Signal(str, str, str)

    def __init__(
        self,
        app_state: AppState,
        looking: Callable[[], bool],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`looking`: whether a window of Plimsoll has the keyboard. `clock`: seconds."""
        super().__init__(parent)
        self._app_state = app_state
        self._looking = looking
        self._clock = clock
        self._since: dict[str, float] = {}
        app_state.bridge.subscribe(TurnStarted, self._started)
        app_state.bridge.subscribe(TurnEnded, self._over)
        app_state.bridge.subscribe(TurnFailed, self._over)

    def _started(self, started: TurnStarted) -> None:
        # An answer with look-ups has several beginnings and one end.
        self._since.setdefault(started.thread_id, self._clock())

    def _over(self, over: TurnEnded | TurnFailed) -> None:
        since = self._since.pop(over.thread_id, None)
        services = self._app_state.ready
        if since is None or services is None:
            return
        after = services.preferences.settings.window.notify_after_s
        stopped = isinstance(over, TurnEnded) and over.message.stop_reason == "interrupted"
        if after and not stopped and self._clock() - since >= after and not self._looking():
            self._app_state.start(self._tell(over.thread_id, isinstance(over, TurnFailed)))

    async def _tell(self, thread_id: str, failed: bool) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        headline = self.tr("Answer failed") if failed else self.tr("New answer")
        self.due.emit(thread_id, headline, public_title(opened.thread))

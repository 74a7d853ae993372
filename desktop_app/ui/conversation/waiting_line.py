"""The words while an answer is awaited: for whom, how long, why not yet, and the next attempt at once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetricsF

from desktop_app.core.errors import waiting_for
from desktop_app.core.events import NoticeRaised
from desktop_app.core.phrases import value_of
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transcript.items.line_items import SEPARATOR
from desktop_app.ui.transcript.message.answer_status import STATUS, AnswerStatus
from desktop_app.ui.transcript.view import TranscriptView

PASSING: Final = frozenset({"retry", "check", "loading_model", "overflow"})
"""Notices of what an answer waits for: they go when it comes."""
TRY_NOW: Final = "try_now"
SERVER_SAID: Final = "server_said"
SECOND_MS: Final = 1_000


@dataclass(slots=True)
class _Awaited:
    """An answer awaited in a thread. `since`, `until`: on the clock; `until` the next attempt is made by itself."""

    model: str
    since: float
    now: bool = True  # False: the answer is coming, and may stop for a tool
    code: str = ""
    message: str = ""
    until: float = 0.0
    said: str = ""
    can_hurry: bool = False
    unfolded: bool = False


class WaitingLine(QObject):
    """Follows every thread, so that one that is opened again says how long it has waited; shows the open one."""

    def __init__(
        self, app_state: AppState, view: TranscriptView, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(view)
        self._app_state = app_state
        self._view = view
        self.clock = clock
        self._awaited: dict[str, _Awaited] = {}
        self._status = AnswerStatus()
        self._behind = False  # whether it stands behind the answer, not in its place
        self._second = QTimer(self)
        self._second.setInterval(SECOND_MS)
        self._second.timeout.connect(self.show)
        view.row_actions.action_requested.connect(self.act)

    @property
    def ticking(self) -> bool:
        """True while the time is being counted in view."""
        return self._second.isActive()

    def begin(self, thread_id: str, model: str) -> None:
        """A request has left."""
        before = self._awaited.get(thread_id)
        awaited = self._awaited[thread_id] = _Awaited(model, self.clock())
        if before is not None and before.code == "overflow":  # it says why there is another request
            awaited.code, awaited.message = before.code, before.message
        self.show()

    def came(self, thread_id: str) -> None:
        """The answer is coming."""
        awaited = self._awaited.get(thread_id)
        if awaited is not None and awaited.now:
            awaited.now = False
            self.show()

    def again(self, thread_id: str) -> None:
        """Wait again for the answer: what the model asked for goes back to it."""
        awaited = self._awaited.get(thread_id)
        if awaited is not None:
            self._awaited[thread_id] = _Awaited(awaited.model, self.clock())
            self.show()

    def reset(self, thread_id: str) -> None:
        """Wait again, as the text that came is superseded; why, a notice may have said before."""
        awaited = self._awaited.get(thread_id)
        if awaited is not None and awaited.now:
            self.show()
        else:
            self.again(thread_id)

    def noticed(self, notice: NoticeRaised) -> bool:
        """Takes a notice of what the answer waits for; False where none is awaited."""
        awaited = self._awaited.get(notice.thread_id)
        if awaited is None or notice.code not in PASSING:
            return False
        if not awaited.now:
            awaited.now, awaited.since = True, self.clock()
        if notice.code == awaited.code == "loading_model":
            return True  # how long it takes is counted here
        awaited.code, awaited.message, awaited.said = notice.code, notice.message, notice.detail
        awaited.until = self.clock() + (value_of(notice.message, "seconds") or 0) if notice.code == "retry" else 0.0
        awaited.can_hurry = notice.can_hurry
        self.show()
        if self._app_state.is_open(notice.thread_id):
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, translated(notice.message)))
        return True

    def over(self, thread_id: str) -> None:
        """Nothing more is coming."""
        self._awaited.pop(thread_id, None)
        self.show()

    def show(self) -> None:
        """Shows how it stands in the open thread, now and with every second."""
        awaited = self._awaited.get(self._app_state.thread_id or "")
        if awaited is None or not awaited.now:
            self._second.stop()
            self._show_behind("")
            return
        actions = []
        if awaited.can_hurry and awaited.until > self.clock():
            actions.append((TRY_NOW, self.tr("Try now")))
        if awaited.said:
            words = self.tr("Hide what the server said") if awaited.unfolded else self.tr("Show what the server said")
            actions.append((SERVER_SAID, words))
        words = self._words(awaited)
        said = awaited.said if awaited.unfolded else ""
        shown = self._show_status(words, actions, said)
        self._show_behind(words if awaited.message and not shown else "", actions)
        if not self._second.isActive():
            self._second.start()

    def act(self, _message_id: str, action: str) -> None:
        """A word of the line was clicked."""
        thread_id = self._app_state.thread_id or ""
        awaited = self._awaited.get(thread_id)
        if awaited is None:
            return
        if action == TRY_NOW:
            awaited.until, awaited.can_hurry = 0.0, False
            self._app_state.start(self._try_now(thread_id))
        elif action == SERVER_SAID:
            awaited.unfolded = not awaited.unfolded
        else:
            return
        self.show()

    def _show_status(self, words: str, actions: Sequence[tuple[str, str]], said: str) -> bool:
        """Shows it in the answer that is awaited; False where its text stands already."""
        view, metrics = self._view, QFontMetricsF(self._view.text_style.small.font)
        needed = metrics.horizontalAdvance(SEPARATOR.join((words, *(told for _, told in actions))))
        self._status.show(words, actions, said, narrow=needed > view.row_layout.width)
        shown = False
        for message_id in view.growing:
            layout = view.path.layout_of(message_id)
            layout.status = self._status
            layout.arrange()
            shown |= any(row.decoration == STATUS for row in layout.rows)
        view.auto_scroll.show_changes()
        return shown

    def _show_behind(self, words: str, actions: Sequence[tuple[str, str]] = ()) -> None:
        """Says it behind an answer that has begun; "": no more."""
        if words or self._behind:
            self._view.footer.set_notice(words or None, actions)
        self._behind = bool(words)

    async def _try_now(self, thread_id: str) -> None:
        (await self._app_state.services()).chat.retry_now(thread_id)

    def _words(self, awaited: _Awaited) -> str:
        now = self.clock()
        if awaited.until > now:
            return translated(waiting_for(awaited.message, math.ceil(awaited.until - now)))
        words = self.tr("Waiting for {model}").format(model=awaited.model) if awaited.model else self.tr("Waiting")
        if awaited.code == "retry":
            words = translated(waiting_for(awaited.message, 0))
        elif awaited.message:
            words = translated(awaited.message)
        passed = int(now - awaited.since)
        return f"{words} · {_duration(passed)}" if passed >= 1 else words


def _duration(seconds: int) -> str:
    if seconds < 60:
        return tr("{seconds} s").format(seconds=seconds)
    return tr("{minutes} min {seconds} s").format(minutes=seconds // 60, seconds=seconds % 60)

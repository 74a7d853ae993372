"""The line above the composer of a long thread whose cache has expired: what it says, and what it offers.

Blocks nothing: whoever just sends, sends.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import crossing_question
from desktop_app.core.context.summary_request import FEWEST, KEPT_TURNS
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.conversation.summary_requests import SummaryRequests
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState

SENT_STATES = ("whole", "annotated")


class ColdCacheNotice(QObject):
    """Shown while the newest plan asks (CTX-14); once it is closed, a thread's line stays away."""

    def __init__(self, app_state: AppState, composer: Composer, summary_requests: SummaryRequests) -> None:
        super().__init__(composer)
        self._app_state = app_state
        self._composer = composer
        self._summary_requests = summary_requests
        self._plan: ContextPlan | None = None
        self._closed: set[str] = set()

    def plan_changed(self, plan: ContextPlan | None) -> None:
        """Update the cost of the next message."""
        self._plan = plan
        thread_id = self._app_state.thread_id or ""
        asks = plan is not None and plan.advice.asks == "cold_reopen" and thread_id not in self._closed
        if plan is None or not asks or self._app_state.running:
            self.hide()
            return
        offered = any(option.action == "summarise" for option in plan.advice.options) and bool(summarised_first(plan))
        words, button = translated(crossing_question(plan)), self.tr("Summarize first") if offered else ""
        # a calm line, whose price follows every key
        self._composer.cold_cache.say(words, button=button, aloud=False)

    def hide(self, _fact: object = None) -> None:
        """A message is on its way, or the line is closed."""
        if self._composer.cold_cache.words:
            self._composer.cold_cache.say("")

    def close(self) -> None:
        """The user has read it."""
        self._closed.add(self._app_state.thread_id or "")
        self.hide()

    def summarise(self) -> None:
        """Has everything but the beginning and the newest turns summarised."""
        if self._plan is not None:
            self._summary_requests.summarise(summarised_first(self._plan))
            self.hide()


def summarised_first(plan: ContextPlan) -> tuple[str, ...]:
    """The ids of what a summary would stand for; none where that is too little."""
    questions = [index for index, message in enumerate(plan.placement.messages) if message.asked]
    end = questions[-KEPT_TURNS] if len(questions) >= KEPT_TURNS else 0
    ids = tuple(message.id for message in plan.placement.messages[1:end] if message.state in SENT_STATES)
    return ids if len(ids) >= FEWEST else ()

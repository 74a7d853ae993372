"""Learns from a request that a provider finds too long, and tries once more with less.

No model is called on this path (PRODUCT.md CTX-6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.context_journal import ContextJournal
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.learned_windows import LearnedWindows
from desktop_app.controller.model_selection import ChosenModel
from desktop_app.controller.open_threads import OpenThread, question_path
from desktop_app.controller.outgoing_question import NextRequest, PlannedQuestion
from desktop_app.controller.turn_notices import window_learned
from desktop_app.core.context.overflow_report import counts_bytes, learned_window, shrunk_after_overflow
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.summary_request import summarisable
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import NoticeRaised
from desktop_app.core.messages import Failure, Message
from desktop_app.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class OverflowOutcome:
    """The outcome of an overflow: the one retry, or the failure that the answer ends with."""

    next_request: NextRequest | None
    failure: Failure


class OverflowRetry:
    """Learns the real windows of models from their overflows."""

    def __init__(
        self,
        context: ContextSource,
        windows: LearnedWindows,
        journal: ContextJournal,
        announcements: Announcements,
    ) -> None:
        self._context = context
        self._windows = windows
        self._journal = journal
        self._announcements = announcements

    async def met(
        self,
        thread: OpenThread,
        choice: ChosenModel,
        failed: ContextPlan,
        failure: Failure,
        *,
        accept_limit: int | None,
    ) -> OverflowOutcome:
        """Return what follows after the provider said `failure` of `failed`, whose question is the last one of
        `thread`.

        `accept_limit`: the soft limit in tokens that the user accepted for this request.
        """
        said = f"{failure.detail}\n{failure.message}"
        window = learned_window(said, failed)
        if window < failed.limits.window:
            await self._learn(thread.thread.id, choice, failed, window)
        model = await self._windows.applied(choice.backend.name, choice.model)
        path = question_path(thread)
        prepared = await self._context.prepared(
            thread, replace(choice, model=model), path=path, soft_limit=accept_limit
        )
        retry = None if failed.request.shrunk else shrunk_after_overflow(prepared, (), failed, said)
        if retry is not None and retry.decision != "refuse":
            return OverflowOutcome(NextRequest(PlannedQuestion(thread, choice, path, retry)), failure)
        return OverflowOutcome(None, failure if counts_bytes(said) else _too_long(path, failed, failure))

    async def _learn(self, thread_id: str, choice: ChosenModel, failed: ContextPlan, window: int) -> None:
        try:
            await self._windows.learn(choice.backend.name, choice.model.id, window)
        except PlimsollError:
            # The retry needs only the number; the next overflow will teach it again.
            return
        await self._journal.window_learned(thread_id, failed, window)
        overridden = failed.model.window_source == "override"
        words = window_learned(failed.limits.window, window, overridden=overridden)
        self._announcements.publish(NoticeRaised(thread_id, "learned_window", words))


def _too_long(path: Sequence[Message], failed: ContextPlan, failure: Failure) -> Failure:
    """The failure after which nothing more is tried, with what leads to a shorter request or a larger window."""
    twice = phrase(" even with older messages left out") if failed.request.shrunk else ""
    system = ("edit_system",) if failed.tokens.system > failed.tokens.total // 2 else ()
    summary = ("new_thread_summary",) if summarisable(path) else ()
    return Failure(
        "context_limit",
        phrase(
            "This thread is too long for the provider{twice}. Your message is kept. Continue in a new thread, or "
            "choose a model that takes more.",
            twice=twice,
        ),
        detail=failure.detail or failure.message,
        actions=(*system, *summary, "new_thread", "switch_model"),
    )

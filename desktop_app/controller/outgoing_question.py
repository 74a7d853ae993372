"""A question before it is sent: its plan, what is stored first, the window an overflow teaches, the shorter retry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.controller.context_editing import ContextJournal
from desktop_app.controller.context_source import ContextSource
from desktop_app.controller.model_selection import ChosenModel, LearnedWindows
from desktop_app.controller.open_threads import OpenThread, question_path
from desktop_app.controller.ports import Announcements, Clock
from desktop_app.controller.turn_notices import AtCap, window_learned
from desktop_app.core.context.overflow_report import counts_bytes, learned_window, shrunk_after_overflow
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.summary_request import summarisable
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import NoticeRaised
from desktop_app.core.history_records import TurnRecord
from desktop_app.core.messages import Failure, Message, Part, TextPart
from desktop_app.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """Behind which message a question is asked, or which question is asked again; None: at the thread's beginning."""

    after: str | None


@dataclass(frozen=True, slots=True)
class OutgoingQuestion:
    """The question to ask: `parts` of a new user message, or None to ask the last one again.

    `accept_limit`: the soft limit in tokens that the user accepted for this request. `pass_cap`: the user lets it pass
    the spending caps. `fork`: where in the thread it is asked, if not at the end of the current branch. `backend` and
    `model`: whom it is asked of this once, if not the thread's own. `draft`: what can't be sent becomes the thread's
    draft again; what is edited further up, or was not written by the user, does not. `send_anyway`: the user sends it
    though it might be too long, where the estimate itself fits. `shown`: the user has its plan in view, so that what
    only a count leaves out is shown before it is sent. `ask_first`: somebody is there to answer what the plan asks
    before it is sent; else it goes as it is. `at_cap`: what its turn does at the cap of a turn; where it does not ask,
    nobody is asked for a consent either. `tools`: servers of tools that are on for this turn, `allow` those of their
    tools (`SERVER/TOOL`) that may be called.
    """

    thread_id: str
    parts: tuple[Part, ...] | None
    accept_limit: int | None = None
    pass_cap: bool = False
    fork: BranchPoint | None = None
    backend: str | None = None
    model: str | None = None
    draft: bool = True
    send_anyway: bool = False
    shown: bool = False
    ask_first: bool = False
    at_cap: AtCap = "ask"
    tools: tuple[str, ...] = ()
    allow: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The text of a new message: what becomes the draft again if it can't be sent."""
        return "\n\n".join(part.text for part in self.parts or () if isinstance(part, TextPart))

    @property
    def attached(self) -> tuple[Part, ...]:
        """The attachments sent beside the text."""
        return tuple(part for part in self.parts or () if not isinstance(part, TextPart))


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question with its plan, and what the plan was made of. `unseen`: a count leaves out what was not announced."""

    thread: OpenThread
    choice: ChosenModel
    path: tuple[Message, ...]
    plan: ContextPlan
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class NextRequest:
    """The way a turn goes on after a model call: its next request, and the tools' results that go with it.

    Without results it is the one retry after the provider refused a request as too long (CTX-6).
    """

    planned: PlannedQuestion
    results: Message | None = None


def first_messages(
    thread_id: str, new: Sequence[Part] | Message | None, planned: PlannedQuestion, clock: Clock
) -> tuple[tuple[Message, ...], Message, TurnRecord]:
    """The new message, the still empty answer, and the record of the turn.

    `new` are the parts of what is asked, or the message of tools' results, which ends the planned path already; None
    where an old question is asked again.
    """
    now = clock.stamp()
    plan, choice, path = planned.plan, planned.choice, planned.path
    moved = plan.placement.boundary if plan.moves_boundary else None
    parent = path[-1].id if path else None
    asked: tuple[Message, ...] = ()
    if isinstance(new, Message):
        asked = (new,)
    elif new is not None:
        asked = (Message(clock.new_id(), thread_id, parent, "user", tuple(new), now, window=moved),)
        parent = asked[0].id
    answer = Message(
        clock.new_id(),
        thread_id,
        parent,
        "assistant",
        (),
        now,
        state="partial",
        backend=choice.backend.name,
        model=choice.model.id,
        prefix_key=plan.request.prefix_key,
        # A question that stands already can't take the boundary that asking it again moved.
        window=None if asked else moved,
    )
    record = TurnRecord(
        clock.new_id(),
        thread_id,
        parent,
        answer.id,
        choice.backend.name,
        choice.model.id,
        now,
        cost_kind=choice.backend.cost_kind,
        expected_usd=plan.price.cost_usd,
    )
    return asked, answer, record


@dataclass(frozen=True, slots=True)
class OverflowOutcome:
    """The outcome of an overflow: the one retry, or the failure that the answer ends with."""

    next_request: NextRequest | None
    failure: Failure


@dataclass(eq=False)
class OverflowRetry:
    """Learns the real windows of models from their overflows."""

    _context: ContextSource
    _windows: LearnedWindows
    _journal: ContextJournal
    _announcements: Announcements

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
        if (window := learned_window(said, failed)) < failed.limits.window:
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

"""A turn's budget and the pause at its end; the words of the muted lines about a turn and about moves of threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from desktop_app.controller.model_selection import ThreadProjects
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements, Clock, parse_stamp
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.limits import limit_assumed
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.plan_text import dollars, thousands
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.sent_content import HISTORY_TOOL
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import Announcement, ConsentAsked, NoticeRaised, TurnPaused, TurnProgressed, TurnResumed
from desktop_app.core.messages import Message, TextPart, Thread, Usage
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.phrases import joined, listed, phrase
from desktop_app.core.projects import Project
from desktop_app.core.settings import ContextSettings

TOO_MANY_CALLS = phrase("The turn has had its rounds of tools, and the model asked for more. Ask again to go on.")
OVERFLOW = phrase("The provider counts this request as too long. Trying once more with older messages left out.")


CHEAP_USD = 0.01
FEWEST_ANEW = 1_000
"""Tokens, and dollars where the cache holds what went before, below which nobody needs to know what is read."""


def served_by(answer: Message) -> str:
    """That another model answered than the one that was asked for; "" where it did not."""
    asked = answer.usage.asked if answer.usage is not None else ""
    if not asked:
        return ""
    served = shipped_name(answer.model or "")
    return phrase("Answered by {model}, asked for {asked}", model=served, asked=shipped_name(asked))


def above_soft_limit(plan: ContextPlan) -> str:
    """That what has to stay is more than the soft limit, and goes out all the same (PRODUCT.md CTX-4)."""
    total, soft = thousands(plan.tokens.total), thousands(plan.limits.soft)
    if limit_assumed(plan):
        return phrase("Sent {total} tokens, over the assumed limit of {soft}.", total=total, soft=soft)
    return phrase("Sent {total} tokens, over your limit of {soft}.", total=total, soft=soft)


def switched(title: str, plan: ContextPlan) -> str:
    """The meaning of going on with another backend or model: the history is read again, at its price."""
    goes_on = phrase("Now using {model} · {title}.", title=title, model=plan.model.name)
    return joined(filter(None, (goes_on, _read_anew(plan))))


def moved(project: Project | None, choices: ContextChoices, plan: ContextPlan) -> str:
    """Return what it means that a thread came into a project (None: out of any): what is sent and offered from here
    on, what stays, and what the next request weighs and costs.
    """
    if project is None:
        goes_on = phrase("Moved out of the project: its documents are no longer sent or searched.")
    else:
        always, offered = plan.request.always, {tool.name for tool in plan.request.tools}
        searched = sum(placed.state == "searched" for placed in plan.placement.documents)
        adds = (
            phrase("its instructions") if project.instructions else "",
            phrase("{documents} in every request", documents=_documents(always)) if always else "",
            phrase("{documents} to search", documents=_documents(searched)) if searched else "",
            phrase("its other threads to search") if HISTORY_TOOL in offered and project.searches_threads else "",
        )
        goes_on = phrase("Moved to {project}: {adds}.", project=project.name, adds=listed(filter(None, adds)))
        if not any(adds):
            goes_on = phrase("Moved to {project}, which adds nothing to requests.", project=project.name)
    stays = phrase("Pinned and excluded messages stay so.") if choices.pinned or choices.excluded else ""
    tokens, cost = thousands(plan.tokens.total), plan.price.cost_usd
    price = phrase("Next request: {tokens} tokens.", tokens=tokens)
    if cost:
        price = phrase("Next request: {tokens} tokens, {price}.", tokens=tokens, price=dollars(cost))
    return joined(filter(None, (goes_on, stays, price)))


def _documents(count: int) -> str:
    return phrase("{count:,} documents", "1 document", count=count)


def _read_anew(plan: ContextPlan) -> str:
    tokens = thousands(plan.tokens.total)
    if plan.tokens.total < FEWEST_ANEW or (plan.price.cached_tokens and (plan.price.cost_usd or 0.0) < CHEAP_USD):
        return ""
    if plan.price.cost_usd:
        return phrase("It reads {tokens} tokens again, {price}.", tokens=tokens, price=dollars(plan.price.cost_usd))
    return phrase("It reads {tokens} tokens again.", tokens=tokens)


def summarised(messages: int, cost_usd: float | None) -> str:
    """Return the notice of what was condensed, at a price where it has one."""
    if cost_usd:
        return phrase("{count:,} messages summarized for {price}.", count=messages, price=dollars(cost_usd))
    return phrase("{count:,} messages summarized.", count=messages)


def window_learned(before: int, window: int, *, overridden: bool) -> str:
    """Return what an overflow taught; the user's own setting of the window stays as it is."""
    said = phrase(
        "The provider takes about {window} tokens here, not {before}.",
        window=thousands(window),
        before=thousands(before),
    )
    kept = phrase("Plimsoll will use this from now on.")
    return joined([said, phrase("The setting for this model says otherwise.") if overridden else kept])


@dataclass(eq=False)
class ProjectMoves:
    """`prepared` makes a thread's context ready by its id."""

    _open_threads: OpenThreads
    _prepared: Callable[[str], Awaitable[Preparation]]
    _projects: ThreadProjects
    _announcements: Announcements

    async def tell(self, thread: Thread) -> None:
        """Raise a notice of what the thread's requests hold from here on, and what reading its history again costs.

        None for a thread without messages, nor where no request could be made now: the next one says why.
        """
        with suppress(PlimsollError):
            if (opened := await self._open_threads.get(thread.id)).path:
                draft = (TextPart(opened.thread.draft),) if opened.thread.draft.strip() else ()
                plan = (await self._prepared(thread.id)).plan(draft)
                project = await self._projects.of_thread(opened.thread)
                words = moved(project, opened.thread.choices, plan)
                self._announcements.publish(NoticeRaised(thread.id, "moved", words))


TURN_CAP: Final = "turn_cap"
"""The stop reason of an answer that ended at its turn's cap; and the notice's code."""

HELD_CALL_S: Final = 540.0
"""Seconds that a call is held open in a program that waits for its result: it gives up after ten minutes."""

AtCap: TypeAlias = Literal["ask", "end", "pass"]
"""The way of a turn at its cap: it waits for the user, ends, or goes on."""

LIFETIMES: Final = {"5m": timedelta(minutes=5), "1h": timedelta(hours=1)}


Consented: TypeAlias = Literal["once", "thread", "no", "late", "nobody"]
"""The answer to the question for a consent: "late" where it came to no answer, "nobody" where nobody is asked."""


class TurnCapError(Exception):
    """The turn ends at its cap, with what there is."""


class TurnPause:
    """One wait of a running turn for the user. Stopping the turn, or quitting, ends it as everything else."""

    def __init__(self, announcements: Announcements, thread_id: str) -> None:
        self._announcements = announcements
        self._thread_id = thread_id
        self._asked = ""
        self._answer: asyncio.Future[str] | None = None

    def answer(self, decision: str, asked: str = "") -> None:
        """The user's decision about `asked`; does nothing where that is not waited for: a click may come late."""
        if self._answer is not None and not self._answer.done() and asked == self._asked:
            self._answer.set_result(decision)

    async def ask(self, question: Announcement, within_s: float | None, asked: str = "") -> str | None:
        """The decision about `asked`; None after `within_s` seconds without one."""
        self._asked, self._answer = asked, asyncio.get_running_loop().create_future()
        self._announcements.publish(question)
        try:
            async with asyncio.timeout(within_s):
                return await self._answer
        except TimeoutError:
            return None
        finally:
            self._answer = None
            self._announcements.publish(TurnResumed(self._thread_id))


class TurnBudget:
    """The calls, rounds and dollars of one turn. `in_money`: its requests are billed; else calls alone count."""

    def __init__(
        self,
        thread_id: str,
        settings: Callable[[], ContextSettings],
        announcements: Announcements,
        clock: Clock,
        *,
        in_money: bool,
        at_cap: AtCap,
        allowed: Collection[str] = (),
    ) -> None:
        """`allowed`: tools of servers (`SERVER/TOOL`) that a command allows beforehand."""
        self._allowed = frozenset(allowed)
        self.pause = TurnPause(announcements, thread_id)
        self.calls = self.rounds = 0
        self._usd: float | None = 0.0 if in_money else None
        self._thread_id = thread_id
        self._settings = settings
        self._announcements = announcements
        self._clock = clock
        self._at_cap = at_cap
        self._steps_usd = self._steps_calls = 1  # how often each cap was raised by itself

    @property
    def exhausted(self) -> bool:
        """True if the model has to answer without further calls."""
        return self.rounds >= self._settings().max_tool_rounds

    def spend(self, usage: Usage | None) -> None:
        """Adds the price of a request of the turn, where it is known."""
        if self._usd is not None and usage is not None:
            self._usd += usage.cost_usd or 0.0

    async def take_call(self, plan: ContextPlan, asked: str, *, held: bool) -> None:
        """Counts a call before it is run; at a cap it waits for the user, or raises `TurnCapError`.

        `plan` is that of the request in flight, sent at `asked`; `held`: a program waits for the call's result.
        """
        settings = self._settings()
        by_usd = self._usd is not None and 0 < settings.turn_cap_usd * self._steps_usd <= self._usd
        by_calls = 0 < settings.turn_cap_calls * self._steps_calls <= self.calls
        if self._at_cap != "pass" and (by_usd or by_calls):
            await self._stop_at_cap(settings, plan, asked, by_usd=by_usd, held=held)
        self.calls += 1
        self._announcements.publish(TurnProgressed(self._thread_id, self.calls, self._usd))

    async def consent(self, question: ConsentAsked, *, held: bool) -> Consented:
        """The user's answer to the question whether a tool may be called; `held`: a program waits for the result."""
        if f"{question.server}/{question.tool}" in self._allowed:
            return "once"
        if self._at_cap != "ask":
            return "nobody"
        if held:
            question = replace(question, ends=(self._clock.now() + timedelta(seconds=HELD_CALL_S)).isoformat())
        given = await self.pause.ask(question, HELD_CALL_S if held else None, question.call_id)
        match given:
            case None:
                return "late"
            case "once" | "thread":
                return given
        return "no"

    async def _stop_at_cap(
        self, settings: ContextSettings, plan: ContextPlan, asked: str, *, by_usd: bool, held: bool
    ) -> None:
        if self._at_cap == "end":
            words = stopped_at_cap(self.calls, self._usd)
            self._announcements.publish(NoticeRaised(self._thread_id, TURN_CAP, words))
            raise TurnCapError
        steps_usd, steps_calls = self._steps_usd, self._steps_calls
        if by_usd:
            steps_usd = int((self._usd or 0.0) / settings.turn_cap_usd) + 1
        else:
            steps_calls = self.calls // settings.turn_cap_calls + 1
        now, began = self._clock.now(), parse_stamp(asked)
        until = None if began is None or not plan.request.marks else began + LIFETIMES[plan.request.marks[0].lifetime]
        question = TurnPaused(
            self._thread_id,
            self.calls,
            self._usd,
            to_usd=steps_usd * settings.turn_cap_usd if by_usd else 0.0,
            to_calls=0 if by_usd else steps_calls * settings.turn_cap_calls,
            cached_until="" if until is None or until <= now else until.isoformat(),
            ends=(now + timedelta(seconds=HELD_CALL_S)).isoformat() if held else "",
        )
        if not await self.pause.ask(question, HELD_CALL_S if held else None):
            raise TurnCapError
        self._steps_usd, self._steps_calls = steps_usd, steps_calls


def stopped_at_cap(calls: int, usd: float | None) -> str:
    """That a turn ended at its cap, with how much it has done."""
    if usd:
        return phrase("Stopped at the turn cap after {spent} ({calls:,} tool calls).", spent=dollars(usd), calls=calls)
    return phrase("Stopped at the turn cap after {calls:,} tool calls.", calls=calls)

"""Changes a thread's context for the user: pins, exclusions, deletions, fresh start; records events of no request."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_app.controller.ports import Clock, History
from desktop_app.controller.thread_library import ThreadProperties
from desktop_app.core.context.context_choices import ContextChoices, Deletion, Leaving, Summary
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.context.sent_content import turn_of
from desktop_app.core.conversation import Conversation
from desktop_app.core.errors import PlimsollError
from desktop_app.core.history_records import ContextEvent, StoredEvent
from desktop_app.core.messages import Thread

log = logging.getLogger(__name__)


class ContextJournal:
    """Writes events as they happen. What can't be written is logged: the fact itself is told in any case."""

    def __init__(self, history: History, clock: Clock) -> None:
        self._history = history
        self._clock = clock

    def now(self) -> str:
        """The time of a decision, ISO 8601 in UTC."""
        return self._clock.stamp()

    async def of(self, thread_id: str) -> Sequence[StoredEvent]:
        """Every context event of a thread, oldest first."""
        return await self._history.events(thread_id)

    async def refused(self, thread_id: str, plan: ContextPlan) -> None:
        """Nothing of this plan was sent."""
        await self._write(thread_id, plan.advice.events, plan.price.cost_usd)

    async def taken_back(self, thread_id: str, before: ContextPlan, after: ContextPlan) -> None:
        """The newest step was undone: the next request, without a new message, before it and after it."""
        brought_back = max(0, _unsent(before) - _unsent(after))
        event = ContextEvent("undone", before.tokens.total, after.tokens.total, brought_back, after.model.id)
        await self._write(thread_id, (event,), after.price.cost_usd)

    async def window_learned(self, thread_id: str, failed: ContextPlan, window: int) -> None:
        """The provider takes `window` tokens where `failed` counted on more."""
        await self._write(
            thread_id, (ContextEvent("learned_window", failed.limits.window, window, 0, failed.model.id),), None
        )

    async def _write(self, thread_id: str, events: Sequence[ContextEvent], cost_usd: float | None) -> None:
        if not events:
            return
        log_events(events)
        try:
            await self._history.record_events(thread_id, events, at=self._clock.stamp(), cost_usd=cost_usd)
        except PlimsollError as error:
            log.warning("a context event could not be stored: %s", error.failure.code)


def log_events(events: Sequence[ContextEvent]) -> None:
    """One line in the log for each event: figures only. A summary has its line when it is made."""
    for event in events:
        if event.kind != "summarised":
            log.info("context: %s, %d -> %d, %d messages", event.kind, event.before, event.after, event.messages)


def _unsent(plan: ContextPlan) -> int:
    return sum(
        span.end - span.first for span in plan.placement.messages.spans if span.row.state in ("left_out", "summarised")
    )


def events_when_sent(plan: ContextPlan) -> tuple[ContextEvent, ...]:
    """Return the events that are stored with the turn of a plan.

    That the user took a step back is stored since it happened; what this request does is rewrite the cache.
    """
    return tuple(
        replace(event, kind="cache_rewritten") if event.kind == "undone" else event for event in plan.advice.events
    )


def _staying(now: ContextChoices, ids: Collection[str]) -> frozenset[Leaving]:
    """Return the rest without these messages."""
    return frozenset(one for one in now.leaving if one.message not in ids)


@dataclass(eq=False)
class ContextEditing:
    """Changes the choices of a thread. Ids are message ids; each method returns the choices as they were before."""

    _history: History
    _facts: ThreadProperties
    _journal: ContextJournal
    _prepared: Callable[[str], Awaitable[Preparation]]
    """Makes a thread's context ready: what a step that is taken back changes is told by its plans."""

    async def choices(self, thread_id: str) -> ContextChoices:
        """Return the decisions made for the thread now."""
        return (await self._history.thread(thread_id)).choices

    async def restore(self, thread_id: str, choices: ContextChoices) -> ContextChoices:
        """Takes a change back, or makes it again."""
        return await self._change(thread_id, lambda _: choices)

    async def pin(self, thread_id: str, ids: Iterable[str]) -> ContextChoices:
        """Always sends these messages' turns, whatever is left out around them."""
        wanted = frozenset(ids)
        return await self._change(
            thread_id,
            lambda now: replace(
                now, pinned=now.pinned | wanted, excluded=now.excluded - wanted, leaving=_staying(now, wanted)
            ),
        )

    async def unpin(self, thread_id: str, ids: Iterable[str]) -> ContextChoices:
        """Lets these messages be left out again."""
        wanted = frozenset(ids)
        return await self._change(thread_id, lambda now: replace(now, pinned=now.pinned - wanted))

    async def exclude(self, thread_id: str, ids: Iterable[str]) -> ContextChoices:
        """Never sends these messages' turns."""
        wanted = frozenset(ids)
        return await self._change(
            thread_id, lambda now: replace(now, excluded=now.excluded | wanted, pinned=now.pinned - wanted)
        )

    async def let_go(self, thread_id: str, ids: Iterable[str], *, at_once: bool = False) -> ContextChoices:
        """Leaves these messages' turns out first at the next step, or at once; the model can look them up then."""
        wanted = frozenset(ids)
        since = "" if at_once else self._journal.now()
        marked = frozenset(Leaving(one, since) for one in wanted)
        return await self._change(
            thread_id,
            lambda now: replace(now, leaving=_staying(now, wanted) | marked, pinned=now.pinned - wanted),
        )

    async def exclude_weighed(self, thread_id: str, ids: Iterable[str]) -> tuple[ContextChoices, int]:
        """As `exclude`; also what is then sent for it beside the messages, in tokens, where the next request grows.

        From the first message on that is left out between others a note goes along: it may weigh more than they do.
        """
        before = await self._planned(thread_id)
        choices = await self.exclude(thread_id, ids)
        after = await self._planned(thread_id)
        if before is None or after is None or after.tokens.total <= before.tokens.total:
            return choices, 0
        return choices, max(0, after.tokens.system - before.tokens.system)

    async def decide_secrets(self, thread_id: str, hashes: Collection[str], *, send: bool) -> ContextChoices:
        """Lets what has these keyed hashes leave with the thread's requests, or takes it out without asking again."""
        return await self._change(thread_id, lambda now: replace(now, secrets=now.secrets.decided(hashes, send=send)))

    async def delete(self, thread_id: str, ids: Iterable[str], branch: str) -> ContextChoices:
        """Neither shows, sends nor finds these messages on the branches through the message `branch`."""
        gone = frozenset(Deletion(one, branch) for one in ids)
        return await self._change(thread_id, lambda now: replace(now, deleted=now.deleted | gone))

    async def undelete(self, thread_id: str, ids: Collection[str], path: Collection[str]) -> ContextChoices:
        """Takes deletions of these messages back that count on this path of message ids."""
        return await self._change(
            thread_id,
            lambda now: replace(
                now,
                deleted=frozenset(one for one in now.deleted if not (one.message in ids and one.branch in path)),
            ),
        )

    async def undelete_turn(self, thread_id: str, thread: Conversation, ids: Collection[str]) -> ContextChoices:
        """Takes the deletions of these messages back, with what else of their turn was deleted there with them."""

        def taken_back(now: ContextChoices) -> ContextChoices:
            back = {one for one in now.deleted if one.message in ids}
            turns = {one.branch: turn_of(thread.path(one.branch), one.message) for one in back}
            with_them = {one for one in now.deleted if one.message in turns.get(one.branch, ())}
            return replace(now, deleted=now.deleted - back - with_them)

        return await self._change(thread_id, taken_back)

    async def bring_back(self, thread_id: str, ids: Iterable[str]) -> ContextChoices:
        """Sends these again: excluded and let go ones as before, left out ones pinned, summarised ones unsummarised."""
        wanted = frozenset(ids)

        def back(now: ContextChoices) -> ContextChoices:
            kept = tuple(summary for summary in now.summaries if not wanted.intersection(summary.sources))
            summarised = {source for summary in now.summaries if summary not in kept for source in summary.sources}
            hidden = wanted - now.excluded - summarised - {one.message for one in now.leaving}
            excluded, staying = now.excluded - wanted, _staying(now, wanted)
            return replace(now, excluded=excluded, summaries=kept, pinned=now.pinned | hidden, leaving=staying)

        return await self._change(thread_id, back)

    async def start_fresh(self, thread_id: str, message_id: str | None) -> ContextChoices:
        """Leaves out everything up to and including the turn of this message; None takes that back."""
        return await self._change(thread_id, lambda now: replace(now, fresh_from=message_id, keeps_start=False))

    async def move_line(self, thread_id: str, message_id: str) -> ContextChoices:
        """Puts the load line above this message: the model's view of the thread begins there."""
        prepared = await self._prepared(thread_id)
        decided = prepared.line_choices(message_id)
        return await self._change(
            thread_id,
            lambda now: replace(
                now,
                fresh_from=decided.fresh_from,
                keeps_start=decided.keeps_start,
                undone=now.undone | decided.undone,
                return_from=None,
            ),
        )

    async def undo_trim(self, thread_id: str, carrier_id: str) -> ContextChoices:
        """Takes back the step or return that is stored with message `carrier_id`; the journal keeps that it was."""
        planned = await self._planned(thread_id)
        before = await self._change(
            thread_id, lambda now: replace(now, undone=now.undone | {carrier_id}, return_from=None)
        )
        after = await self._planned(thread_id)
        if planned is not None and after is not None and carrier_id not in before.undone:
            await self._journal.taken_back(thread_id, planned, after)
        return before

    async def bring_boundary_back(self, thread_id: str, carrier_id: str | None) -> ContextChoices:
        """Sends with the next message what the boundary stored with `carrier_id` leaves out; None: does not."""
        return await self._change(thread_id, lambda now: replace(now, return_from=carrier_id))

    async def accept_cliff(self, thread_id: str, accepted: bool = True) -> ContextChoices:
        """Accepts a model's higher price above its cliff, or takes that back."""
        return await self._change(thread_id, lambda now: replace(now, accepted_cliff=accepted))

    async def set_allowed_tools(self, thread_id: str, allowed: frozenset[str] = frozenset()) -> ContextChoices:
        """Sets which tools of servers may be called in this thread without asking; without any, each asks again."""
        return await self._change(thread_id, lambda now: replace(now, allowed_tools=allowed))

    async def set_recall(self, thread_id: str, offered: bool) -> ContextChoices:
        """Offer the model the search of this thread for messages that were left out, or stop offering it."""
        return await self._change(thread_id, lambda now: replace(now, recall=offered))

    async def add_summary(self, thread_id: str, summary: Summary, *, replaces: str | None = None) -> ContextChoices:
        """Lets a summary stand for its sources, in place of those it shares messages with and of `replaces`."""
        sources = frozenset(summary.sources)

        def added(now: ContextChoices) -> ContextChoices:
            kept = (s for s in now.summaries if s.id != replaces and sources.isdisjoint(s.sources))
            return replace(now, summaries=(*kept, summary), pinned=now.pinned - sources)

        return await self._change(thread_id, added)

    async def edit_summary(self, thread_id: str, summary_id: str, text: str) -> ContextChoices:
        """Gives a summary the user's own words; an empty text takes the summary away."""

        def edited(now: ContextChoices) -> ContextChoices:
            changed = (replace(s, text=text, edited=True) if s.id == summary_id else s for s in now.summaries)
            return replace(now, summaries=tuple(s for s in changed if s.id != summary_id or text.strip()))

        return await self._change(thread_id, edited)

    async def remove_summary(self, thread_id: str, summary_id: str) -> ContextChoices:
        """Takes a summary away: its sources are sent, or left out, as they would be without it."""
        return await self._change(
            thread_id, lambda now: replace(now, summaries=tuple(s for s in now.summaries if s.id != summary_id))
        )

    async def _planned(self, thread_id: str) -> ContextPlan | None:
        """The next request without a new message; None where no connection is set up that it could be made for."""
        try:
            return (await self._prepared(thread_id)).plan(())
        except PlimsollError:
            return None

    async def _change(self, thread_id: str, changed: Callable[[ContextChoices], ContextChoices]) -> ContextChoices:
        before: list[ContextChoices] = []

        def write(thread: Thread) -> Thread:
            before.append(thread.choices)
            return replace(thread, choices=changed(thread.choices))

        await self._facts.update(thread_id, write)
        return before[-1]

"""Words of the muted lines about a turn, and those that say what it means that a thread was moved between projects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from desktop_app.controller.model_selection import ThreadProjects
from desktop_app.controller.open_threads import OpenThreads
from desktop_app.controller.ports import Announcements
from desktop_app.core.context.plan import ContextPlan, PreparedContext
from desktop_app.core.context.plan_text import dollars, thousands
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import NoticeRaised
from desktop_app.core.messages import Message, Thread
from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.phrases import joined, phrase

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
    return phrase(
        "Sent {total} tokens, over your limit of {soft}.",
        total=total,
        soft=soft,
    )


def switched(title: str, plan: ContextPlan) -> str:
    """Return what it means to go on with another backend or model: the history is read again, at a price where it
    has one.
    """
    goes_on = phrase("Now using {model} · {title}.", title=title, model=plan.model.name)
    return joined(filter(None, (goes_on, _read_anew(plan))))


def moved(project: str, plan: ContextPlan) -> str:
    """Return what it means that a thread came into a project ("": out of any): the things sent and offered, at which
    price.
    """
    if not project:
        goes_on = phrase("Moved out of the project: its documents are no longer sent or searched.")
    else:
        searched = sum(placed.state == "searched" for placed in plan.placement.documents)
        goes_on = phrase(
            "Moved to {project}: its instructions, {always} in every request, {searched} to search.",
            project=project,
            always=_documents(plan.request.always),
            searched=_documents(searched),
        )
    return joined(filter(None, (goes_on, _read_anew(plan))))


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


class ProjectMoves:
    """`prepared` makes a thread's context ready by its id."""

    def __init__(
        self,
        open_threads: OpenThreads,
        prepared: Callable[[str], Awaitable[PreparedContext]],
        projects: ThreadProjects,
        announcements: Announcements,
    ) -> None:
        self._open_threads = open_threads
        self._prepared = prepared
        self._projects = projects
        self._announcements = announcements

    async def tell(self, thread: Thread) -> None:
        """Raise a notice of what the thread's requests hold from here on, and what reading its history again costs.

        None for a thread without messages, nor where no request could be made now: the next one says why.
        """
        with suppress(PlimsollError):
            opened = await self._open_threads.get(thread.id)
            if opened.path:
                plan = (await self._prepared(thread.id)).plan(())
                project = await self._projects.of_thread(opened.thread)
                words = moved(project.name if project is not None else "", plan)
                self._announcements.publish(NoticeRaised(thread.id, "moved", words))

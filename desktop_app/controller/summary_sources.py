"""Owns which messages a summary stands for, what they weigh, and from when it stands for them. Knows no model.

A plan holds a summary of what it left out only from its next step on; see `core.context.arrangement`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from desktop_app.core.context.choices import ContextChoices, Summary
from desktop_app.core.context.content import opens_turn
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.view import KEPT
from desktop_app.core.messages import Message


def chosen_sources(
    path: Sequence[Message], ids: Iterable[str], choices: ContextChoices, plan: ContextPlan
) -> tuple[Message, ...]:
    """The whole turns of these messages that one summary can stand for, in path order.

    A summary that shares messages with them is taken over whole. What is excluded, what a fresh start has left behind,
    what is always sent and what waits for its answer stays out. `plan` is that of the path without a new message.
    """
    wanted = set(ids)
    for summary in choices.summaries:
        if wanted.intersection(summary.sources):
            wanted.update(summary.sources)
    waiting = set(() if plan.pending is None else plan.pending.sources)
    end = next((index for index, message in enumerate(path) if message.id in waiting), len(path))
    stay = {one.id for one in plan.messages if one.state == "excluded" or one.reason == KEPT}
    chosen: list[Message] = []
    for turn in _turns(path[:end]):
        ids_of_turn = {message.id for message in turn}
        if choices.fresh_from in ids_of_turn:
            chosen.clear()
        elif ids_of_turn & wanted:
            chosen += (message for message in turn if message.id not in stay)
    return tuple(chosen)


def placed(
    summary: Summary, old: Summary | None, path: Sequence[Message], choices: ContextChoices, plan: ContextPlan
) -> Summary:
    """The summary with the time from which it counts, so that the request never lacks what it takes the place of.

    One that is made again (`old`) counts from when the old one did. One of messages that the request holds, though
    they are older than its boundary (pins, other summaries), counts from the step in force on. `plan` is that of the
    path without a new message and without the summary.
    """
    if old is not None and old.sources == summary.sources:
        return replace(summary, created=old.created, at_step=old.at_step)
    if summary.at_step:
        return summary
    if not is_held(summary, plan):
        return summary
    steps = (m.created for m in reversed(path) if m.window is not None and m.id not in choices.undone)
    return replace(summary, created=min(summary.created, next(steps, summary.created)))


def is_held(summary: Summary, plan: ContextPlan) -> bool:
    """Whether the request holds any of the sources, or another summary of them."""
    sources = frozenset(summary.sources)
    return any(one.id in sources and one.state not in ("left_out", "excluded") for one in plan.messages)


def _turns(path: Sequence[Message]) -> Iterable[Sequence[Message]]:
    starts = [index for index, message in enumerate(path) if index == 0 or opens_turn(message)]
    return (path[start:end] for start, end in zip(starts, [*starts[1:], len(path)], strict=True))


def weight_of(ids: Collection[str], plan: ContextPlan) -> int:
    """Tokens of these messages in the request; what is left out of it anyway counts as it weighed before."""
    wanted = frozenset(ids)
    return sum(one.tokens or one.whole for one in plan.messages if one.id in wanted)

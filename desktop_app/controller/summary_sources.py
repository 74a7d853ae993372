"""Owns which messages a summary stands for, and what they weigh. Knows no model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.path_view import KEPT
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import opens_turn
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


def _turns(path: Sequence[Message]) -> Iterable[Sequence[Message]]:
    starts = [index for index, message in enumerate(path) if index == 0 or opens_turn(message)]
    return (path[start:end] for start, end in zip(starts, [*starts[1:], len(path)], strict=True))


def weight_of(ids: Collection[str], plan: ContextPlan) -> int:
    """Tokens of these messages in the request; what is left out of it anyway counts as it weighed before."""
    wanted = frozenset(ids)
    return sum(one.tokens or one.whole for one in plan.messages if one.id in wanted)

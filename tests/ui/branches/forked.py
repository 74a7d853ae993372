"""Threads with many branches, written into a history file."""

from __future__ import annotations

from datetime import timedelta

from desktop_app.core.messages import Message, TextPart, Usage
from tests.set_time import NOW, written

ASKED = (
    "What did the second quarter look like?",
    "Which region grew fastest, and why?",
    "Compare that with the plan from January.",
    "Draft the paragraph for the board, please.",
    "Und wie sähe das für die Donaudampfschifffahrtsgesellschaft aus?",
)
MODELS = (("scripted", "big"), ("anthropic", "claude-sonnet-5"), ("anthropic", "claude-opus-4-8"))


def forked_path(thread_id: str, turns: int, branches: int, *, aside: int = 6) -> tuple[Message, ...]:
    """`turns` questions with answers one behind the other, the last of which is last; at each of `branches` places an
    older answer stands beside, with up to `aside` messages behind it.
    """
    made: list[Message] = []
    side: list[Message] = []
    start = NOW - timedelta(minutes=3 * turns)
    forks = {(number + 1) * turns // (branches + 1): number for number in range(branches)}

    def add(name: str, parent: str | None, turn: int, words: str, *, onto: list[Message], old: bool = False) -> str:
        at = start + timedelta(minutes=3 * turn - old)
        asked = name.startswith("q")
        backend, model = MODELS[turn % len(MODELS)]
        message = Message(
            f"{thread_id[-8:]}{name}",
            thread_id,
            parent,
            "user" if asked else "assistant",
            (TextPart(words),),
            written(at),
            backend=None if asked else backend,
            model=None if asked else model,
            usage=None if asked else Usage(input=10, output=120 + 40 * (turn % 7)),
        )
        onto.append(message)
        return message.id

    parent: str | None = None
    for turn in range(turns):
        question = add(f"q{turn:05d}", parent, turn, ASKED[turn % len(ASKED)], onto=made)
        if turn in forks:
            other: str = question
            for step in range(1 + forks[turn] % aside):
                kind = "qo" if step % 2 else "ao"
                words = f"Try {step} of turn {turn}: the figures were preliminary then."
                other = add(f"{kind}{turn:05d}{step}", other, turn, words, onto=side if step else made, old=True)
        parent = add(f"a{turn:05d}", question, turn, f"Point {turn + 1}. Revenue grew by 4 % to 12.4 m.", onto=made)
    return tuple(_in_order(made, side))


def _in_order(made: list[Message], side: list[Message]) -> list[Message]:
    """Parents first; the end of the main branch last, as `put_thread` takes that for the open one."""
    behind: dict[str | None, list[Message]] = {}
    for message in side:
        behind.setdefault(message.parent_id, []).append(message)
    found: list[Message] = []
    for message in made:
        waiting = [message]
        while waiting:
            one = waiting.pop()
            found.append(one)
            waiting += behind.get(one.id, [])
    return found

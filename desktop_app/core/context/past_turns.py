"""Past turns of a path: what each call used, and whether it found its cache.

What became of the cache is read off the provider's counts: tokens that the call before had in the cache, that stand in
this request too, and were not read from it. What a step left out does not stand in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.boundaries import CARRIER
from desktop_app.core.context.costs import prices_for
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.messages import Message, ThinkingPart, Usage
from desktop_app.core.model_catalog import ModelInfo

TurnCache: TypeAlias = Literal["unknown", "none", "written", "kept", "rewritten"]

TOLERANCE: Final = 0.05
"""Share of a cached prefix that may be read again without it counting as rewritten: marks stand at block ends."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One answer of a path. `number` counts the turns from 1; `question` is the text that it answers.

    `cache`: `written` for the first one, `kept` or `rewritten` after that, `none` where nothing was cached, `unknown`
    without counts. `rewritten` are the tokens that were paid for again; `extra_usd` what that cost beyond reading them
    (None: not known, or nothing is paid per token).
    """

    number: int
    answer: Message
    question: str
    cache: TurnCache = "unknown"
    rewritten: int = 0
    extra_usd: float | None = None


def past_turns(
    path: Sequence[Message], model_of: Callable[[str, str], ModelInfo | None] = lambda backend, model: None
) -> tuple[PastTurn, ...]:
    """The turns of a path that went through a backend, oldest first.

    `model_of(backend, model)` gives the prices; None where nothing is paid per token.
    """
    turns: list[PastTurn] = []
    before: dict[tuple[str, str], Usage] = {}
    question = ""
    for index, message in enumerate(path):
        if message.role == "user":
            question = message.text or question
            continue
        if message.backend is None:
            continue
        key = (message.backend, message.model or "")
        fate, again = _cache(message.usage, before.get(key), _sent_before(path, index))
        extra = _extra(message.usage, again, model_of(*key)) if again else None
        turns.append(PastTurn(len(turns) + 1, message, question, fate, again, extra))
        if message.usage is not None and message.usage.prompt:
            before[key] = message.usage
    return tuple(turns)


def _sent_before(path: Sequence[Message], answer: int) -> float:
    """Which share of an answer's request may have stood in the one before: behind a step, what that kept; else all.

    Told by the characters, since nobody counted the messages by themselves; what stands before them is left aside.
    """
    carrier = path[answer - 1] if answer else None
    if carrier is None or carrier.window is None or carrier.window.cause in ("", "returned"):
        return 1.0
    first, question = carrier.window.first_kept, answer - 1
    start = question if first == CARRIER else next((i for i in range(question + 1) if path[i].id == first), 0)
    kept = sum(map(_size, (*path[: min(1, start)], *path[start:question])))
    return kept / max(1, kept + _size(carrier))


def _size(message: Message) -> int:
    return sum(len(block_text(part)) for part in message.parts if not isinstance(part, ThinkingPart))


def _cache(usage: Usage | None, before: Usage | None, sent_before: float) -> tuple[TurnCache, int]:
    if usage is None or not usage.prompt:
        return "unknown", 0
    if not usage.cache_read and not usage.cache_write and (before is None or not _cached(before)):
        return "none", 0
    if before is None or not _cached(before):
        return "written", 0
    expected = min(_cached(before), round(usage.prompt * sent_before))
    missing = expected - usage.cache_read
    return ("rewritten", missing) if missing > TOLERANCE * expected else ("kept", 0)


def _cached(usage: Usage) -> int:
    """Tokens that a call left in the cache."""
    return usage.cache_read + usage.cache_write


def _extra(usage: Usage | None, again: int, model: ModelInfo | None) -> float | None:
    prices = prices_for(model, usage.prompt) if model is not None and usage is not None else None
    if prices is None or usage is None:
        return None
    # the lifetime that was asked for is not kept: five minutes is the cheaper one, so this is the least it cost
    fresh = prices.cache_write_5m if usage.cache_write else prices.input
    return again * max(0.0, fresh - prices.cache_read) / 1_000_000

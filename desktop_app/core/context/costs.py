"""The costs of a request, cached and fresh: foretold from the last turns, and as each past turn had them.

What became of the cache is read off the provider's counts: tokens that the call before had in the cache, that stand in
this request too, and were not read from it. What a step left out does not stand in it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.boundaries import CARRIER
from desktop_app.core.context.plan import CacheLifetime, ContextPlan
from desktop_app.core.context.token_counting import block_text
from desktop_app.core.messages import Message, ThinkingPart, Usage
from desktop_app.core.model_catalog import ModelInfo, Prices

MILLION: Final = 1_000_000


def prices_for(model: ModelInfo, prompt: int) -> Prices | None:
    """The prices of a request of `prompt` tokens; above the price cliff the whole request costs more."""
    if model.price_cliff is not None and prompt > model.price_cliff and model.prices_above is not None:
        return model.prices_above
    return model.prices


def request_cost(
    model: ModelInfo,
    prompt: int,
    *,
    cached: int = 0,
    writes: bool = False,
    lifetime: CacheLifetime = "5m",
    tail: int = 0,
) -> float | None:
    """Dollars for the tokens of a request before anything is answered; None where the prices are not known.

    `cached` of its `prompt` tokens are read from the cache; the rest is written to it if the request has marks
    (`writes`) and is long enough to be cached at all, but for the last `tail` tokens.
    """
    tail = min(tail, prompt - cached) if prompt - tail >= model.min_cache_tokens else 0
    cost = part_cost(model, prompt, prompt - tail, cached=cached, writes=writes, lifetime=lifetime)
    last = part_cost(model, prompt, tail, cached=0, writes=False, lifetime=lifetime)
    return None if cost is None or last is None else cost + last


def part_cost(
    model: ModelInfo, prompt: int, tokens: int, *, cached: int, writes: bool, lifetime: CacheLifetime
) -> float | None:
    """Dollars for `tokens` of a request, `cached` of them read from the cache; None where the prices are not known."""
    if (prices := prices_for(model, prompt)) is None:
        return None
    fresh = prices.input
    if writes and prompt >= model.min_cache_tokens:
        fresh = prices.cache_write_5m if lifetime == "5m" else prices.cache_write_1h
    return (cached * prices.cache_read + (tokens - cached) * fresh) / MILLION


def uncached_cost(plan: ContextPlan) -> tuple[float, float] | None:
    """Dollars for a plan's request where nothing of it is cached: as expected, and at most; None where not known."""
    lifetime = plan.request.marks[0].lifetime if plan.request.marks else "5m"
    writes = plan.price.writes or bool(plan.request.marks)
    expected, most = (
        request_cost(plan.model, tokens, writes=writes, lifetime=lifetime, tail=plan.price.tail)
        for tokens in (plan.tokens.expected, plan.tokens.upper)
    )
    return None if expected is None or most is None else (expected, most)


def usage_cost(model: ModelInfo, usage: Usage, *, lifetime: CacheLifetime = "5m") -> float | None:
    """Dollars for a finished call; `lifetime` is that of its cache marks. None where the prices are not known."""
    if (prices := prices_for(model, usage.prompt)) is None:
        return None
    write = prices.cache_write_5m if lifetime == "5m" else prices.cache_write_1h
    return (
        usage.input * prices.input
        + usage.cache_read * prices.cache_read
        + usage.cache_write * write
        + usage.output * prices.output
    ) / MILLION


@dataclass(frozen=True, slots=True)
class Forecast:
    """`turns`: how many of the newest turns it judges by, `tokens`: what they weigh together."""

    turns: int
    tokens: int

    @property
    def usual(self) -> float:
        """Tokens of a turn like the last ones; 0 before the first."""
        return self.tokens / self.turns if self.turns else 0.0

    def turns_left(self, room: int, draft: int) -> int | None:
        """Return how many turns like the last ones fit into `room` tokens; None before the first turn.

        A draft is a turn under way: a book pasted into a thread of short turns is not followed by hundreds of them.
        """
        if not self.tokens:
            return None
        expected = (self.tokens + max(draft, self.usual)) / (self.turns + 1) if draft else self.usual
        return int(max(0, room) / expected)


def was_cached(path: Sequence[Message], backend: str, foreign: Container[str] = ()) -> bool:
    """Return True if the newest answer's request is in this backend's cache. `foreign`: another key's answers."""
    last = next((message for message in reversed(path) if message.usage is not None), None)
    if last is None or last.usage is None or last.backend != backend or last.id in foreign:
        return False
    return last.usage.cache_read + last.usage.cache_write > 0


def reads_its_cache(usage: Usage) -> bool:
    """Return True if a request was read from the cache for the most part, whatever was expected of it.

    Of several calls each reads what the one before wrote, so that their sum tells nothing of the first.
    """
    return not usage.first_prompt and usage.cache_read * 2 >= usage.prompt > 0


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
    """A path's turns through a backend, oldest first, by the prices of `model_of`; None: nothing is paid for."""
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

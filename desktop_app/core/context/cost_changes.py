"""Says why the input of an answer cost much more than that of the answer before (PRODUCT.md CTX-19).

What was paid more is parted by what it went to: text read again that had been in the cache, text that is new, further
calls of the same turn, dearer prices. The largest part decides; within it the causes have a fixed order, and each is
named only where it is so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.costs import MILLION, TOLERANCE, prices_for
from desktop_app.core.context.plan_text import dollars, thousands
from desktop_app.core.context.readable_request import CACHED_SETTINGS, ReadableRequest
from desktop_app.core.context.sent_content import SYSTEM_NOTE, gap_marker, opens_turn
from desktop_app.core.messages import DocumentPart, ImagePart, Message, ToolCallPart, UnknownPart, Usage
from desktop_app.core.model_catalog import ModelInfo, Prices, shipped_name
from desktop_app.core.phrases import phrase

PricedModel: TypeAlias = Callable[[str, str], ModelInfo | None]
"""The model of a backend by its id; None where nothing is paid per token."""

LEAST_TIMES: Final = 2.0
LEAST_USD: Final = 0.02
"""An answer says why its input cost more from so many times, and so many dollars more, than the one before."""

CHARS_PER_TOKEN: Final = 3.5
IMAGE_TOKENS: Final = 1_500
"""Rough weights: they only tell whether most of what is new is of one kind."""

SHORT_S, LONG_S = 300, 3_600

FIXED: Final = frozenset(("system", "tools"))
"""Speakers of what stands before the conversation."""
GAP: Final = gap_marker(2).text[2:]
"""The end of the app's note in the place of messages that are left out."""

Part: TypeAlias = Literal["prices", "again", "calls", "new"]


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """One question with the calls that were counted for its answer, in order; `messages`: all of the turn."""

    messages: tuple[Message, ...]
    calls: tuple[Message, ...]

    @property
    def first(self) -> Usage:
        """The usage of the first call."""
        return self.calls[0].usage or Usage()

    @property
    def model(self) -> tuple[str, str]:
        """Backend and model that answered."""
        return self.calls[0].backend or "", self.calls[0].model or ""

    @property
    def whose_cache(self) -> tuple[str, str]:
        """Backend and model by name: a date in an id makes no other model."""
        return cache_owner(self.calls[0])


@dataclass(frozen=True, slots=True)
class DearerAnswer:
    """An answer whose input cost much more than that of the one before; both in dollars."""

    before: AnsweredTurn
    after: AnsweredTurn
    was_usd: float
    now_usd: float


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The facts beside the two turns.

    `idle`: seconds since the model was last asked, on any branch; None: never. `requests`: the first ones of
    both turns as they were sent, where they were kept. `other_version`: the question has an earlier version.
    """

    idle: float | None = None
    requests: tuple[ReadableRequest, ReadableRequest] | None = None
    other_version: bool = False


def cache_owner(call: Message) -> tuple[str, str]:
    """Backend and model whose cache holds the request of an answer."""
    return call.backend or "", shipped_name(call.model or "", call.backend)


def dearer_answers(path: Sequence[Message], model_of: PricedModel) -> Iterator[DearerAnswer]:
    """The answers of a path whose input cost at least twice as much as that of the one before, and $0.02 more."""
    priced = ((turn, _input_usd(turn, model_of)) for turn in _turns(path))
    for (before, was), (turn, now) in pairwise(priced):
        if was is not None and now is not None and now >= LEAST_TIMES * was and now - was >= LEAST_USD:
            yield DearerAnswer(before, turn, was, now)


def why_dearer(answer: DearerAnswer, about: Circumstances, model_of: PricedModel) -> str:
    """One sentence: `$0.31 instead of $0.03: cache expired after 2 hours`."""
    return phrase(
        "{now} instead of {was}: {cause}",
        now=dollars(answer.now_usd),
        was=dollars(answer.was_usd),
        cause=_cause(answer, about, model_of),
    )


def _turns(path: Sequence[Message]) -> Iterator[AnsweredTurn]:
    turn: list[Message] = []
    for message in path:
        if opens_turn(message) and any(one.role == "assistant" for one in turn):
            yield from _answered(turn)
            turn = []
        turn.append(message)
    yield from _answered(turn)


def _answered(turn: Sequence[Message]) -> Iterator[AnsweredTurn]:
    calls = tuple(one for one in turn if one.backend is not None and one.usage is not None and one.usage.prompt)
    if calls:
        yield AnsweredTurn(tuple(turn), calls)


def _input_usd(turn: AnsweredTurn, model_of: PricedModel) -> float | None:
    """Dollars for a turn without what was answered; None where they are not known."""
    costs = [_call_usd(call, model_of(call.backend or "", call.model or "")) for call in turn.calls]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


def _call_usd(call: Message, model: ModelInfo | None) -> float | None:
    usage, prices = call.usage, None
    if usage is not None and model is not None:
        prices = prices_for(model, usage.opening)
    if usage is None or usage.cost_usd is None or prices is None:
        return None
    return max(0.0, usage.cost_usd - usage.output * prices.output / MILLION)


def _again(answer: DearerAnswer) -> int:
    """Tokens that the turn before had in the cache and that were paid for again."""
    before, now = answer.before.first, answer.after.first
    held = min(before.cache_read + before.cache_write, before.opening)
    missing = min(held - now.cache_read, _unread(now))
    return missing if missing > TOLERANCE * held else 0


def _unread(usage: Usage) -> int:
    """Tokens of a turn's first request that did not come from the cache."""
    return max(0, usage.opening - usage.cache_read)


def _rate(usage: Usage, prices: Prices) -> float:
    """Dollars per million tokens that were not read from the cache."""
    paid = usage.input + usage.cache_write
    return (usage.input * prices.input + usage.cache_write * prices.cache_write_5m) / paid if paid else prices.input


def _at(usage: Usage, prices: Prices) -> float:
    return ((usage.prompt - usage.cache_read) * _rate(usage, prices) + usage.cache_read * prices.cache_read) / MILLION


def _largest_part(answer: DearerAnswer, model_of: PricedModel) -> Part:
    """Return the part that most of the difference was paid for."""
    before, now, again = answer.before.first, answer.after.first, _again(answer)
    was_model, model = model_of(*answer.before.model), model_of(*answer.after.model)
    old = None if was_model is None else prices_for(was_model, before.opening)
    new = None if model is None else prices_for(model, now.opening)
    if old is None or new is None:
        return "new"
    rate = _rate(now, new)
    openings = [usd * usage.opening / usage.prompt for usd, usage in ((answer.was_usd, before), (answer.now_usd, now))]
    if len(answer.after.calls) > 1:
        openings[1] = _at(now, new)
    if len(answer.before.calls) > 1:
        openings[0] = _at(before, old)
    more: dict[Part, float] = {
        "prices": _at(now, new) - _at(now, old),
        "again": again * (rate - new.cache_read) / MILLION,
        "calls": (answer.now_usd - openings[1]) - (answer.was_usd - openings[0]),
        "new": (_unread(now) - again - _unread(before)) * rate / MILLION,
    }
    return max(more, key=lambda part: more[part])


def _cause(answer: DearerAnswer, about: Circumstances, model_of: PricedModel) -> str:
    model = model_of(*answer.after.model)
    name = model.name if model is not None else answer.after.model[1]
    changed = answer.before.whose_cache != answer.after.whose_cache
    match _largest_part(answer, model_of):
        case "prices" if changed:
            return phrase("{model} costs more", model=name)
        case "prices" if model is not None and model.price_cliff:
            return phrase("above {tokens} tokens the model costs more", tokens=thousands(model.price_cliff))
        case "again":
            return _why_again(answer, about, name)
        case "calls":
            return _why_calls(answer.after)
        case _:
            return _why_new(answer, about, name if changed else "")


def _why_again(answer: DearerAnswer, about: Circumstances, model: str) -> str:  # noqa: PLR0911 - one for each cause
    before = about.requests[0] if about.requests is not None else None
    lives = LONG_S if before is not None and any(block.mark == "1h" for block in before.blocks) else SHORT_S
    if about.idle is not None and about.idle > lives:
        return phrase("cache expired after {time}", time=_span(about.idle))
    if answer.before.whose_cache != answer.after.whose_cache:
        return phrase("{model} had nothing cached", model=model)
    if moved := _moved(answer.after):
        return moved
    if about.requests is not None and (changed := _changed(*about.requests)):
        return changed
    if about.other_version:
        return phrase("an earlier message was edited")
    said = {
        "system_changed": phrase("the provider says the system prompt changed"),
        "tools_changed": phrase("the provider says the tools changed"),
        "model_changed": phrase("the provider says the model changed"),
        "messages_changed": phrase("the provider says earlier messages changed"),
    }.get(answer.after.first.cache_miss)
    if said:
        return said
    if about.requests is None:
        return phrase("the provider did not find the cache")
    return phrase("nothing changed here; the provider did not find the cache")


def _moved(turn: AnsweredTurn) -> str:
    cause = next((one.window.cause for one in turn.messages if one.window is not None), "")
    if cause == "returned":
        return phrase("older messages came back")
    return phrase("older messages were left out") if cause else ""


def _changed(before: ReadableRequest, after: ReadableRequest) -> str:  # noqa: PLR0911 - one for each cause
    """Name the change in the part of a request that the next one should begin with; "" where nothing does."""
    if _of(before, "system") != _of(after, "system"):
        return phrase("the system prompt changed")
    if _of(before, "tools") != _of(after, "tools"):
        return phrase("the tools changed")
    if any(before.setting(name) != after.setting(name) for name in CACHED_SETTINGS):
        return phrase("the parameters changed")
    old, new = ([block for block in one.blocks if block.speaker not in FIXED] for one in (before, after))
    # the last message was the question: what went with its turn only is no change
    stays = [block.said for block in old if block.message < old[-1].message]
    now = [block.said for block in new]
    if now[: len(stays)] != stays:
        if not Counter(stays) - Counter(now):
            return phrase("older messages came back")
        # a question and its answer follow in any case
        if len(now) < len(old) + 2 or any(GAP in block.text for block in new):
            return phrase("an earlier message was left out")
        return phrase("an earlier message was edited")
    noted = [any(SYSTEM_NOTE in block.text for block in one.blocks) for one in (before, after)]
    return phrase("the system prompt changed") if noted[0] != noted[1] else ""


def _of(request: ReadableRequest, speaker: str) -> list[tuple[str, str]]:
    """Texts of a speaker, without the line about the app's notes, which comes with the first of them."""
    texts = [
        (block.title, block.text.replace(SYSTEM_NOTE, "").strip())
        for block in request.blocks
        if block.speaker == speaker
    ]
    return [one for one in texts if one[1]]


def _why_calls(turn: AnsweredTurn) -> str:
    parts = [part for call in turn.calls for part in call.parts]
    searches = sum(isinstance(part, UnknownPart) and part.raw.get("type") == "server_tool_use" for part in parts)
    if (calls := sum(isinstance(part, ToolCallPart) for part in parts)) or not searches:
        return phrase("{count:,} tool calls", "1 tool call", count=calls or len(turn.calls))
    return phrase("{count:,} web searches", "1 web search", count=searches)


def _why_new(answer: DearerAnswer, about: Circumstances, another: str) -> str:  # noqa: PLR0911 - one for each cause
    new, question = _unread(answer.after.first), answer.after.messages[0]
    if another and new > answer.after.first.opening / 2:
        return phrase("{model} had nothing cached", model=another)
    if moved := _moved(answer.after):
        return moved
    attached = [part for part in question.parts if isinstance(part, DocumentPart | ImagePart)]
    weights = [IMAGE_TOKENS if isinstance(part, ImagePart) else len(part.text) / CHARS_PER_TOKEN for part in attached]
    if attached and 2 * sum(weights) >= new:
        name = attached[weights.index(max(weights))].name
        if len(attached) == 1:
            return phrase("{name} was attached", name=name)
        return phrase("{count:,} attachments", count=len(attached))
    if 2 * len(question.text) / CHARS_PER_TOKEN >= new:
        return phrase("a long question")
    if 2 * sum(call.usage.output for call in answer.before.calls if call.usage is not None) >= new:
        return phrase("the answer before was long")
    if about.requests is not None and (changed := _changed(*about.requests)):
        return changed
    return phrase("{tokens} new tokens", tokens=thousands(new))


def _span(seconds: float) -> str:
    if (minutes := round(seconds / 60)) < 60:
        return phrase("{count:,} minutes", "1 minute", count=minutes)
    if (hours := round(minutes / 60)) < 48:
        return phrase("{count:,} hours", "1 hour", count=hours)
    return phrase("{count:,} days", "1 day", count=round(hours / 24))

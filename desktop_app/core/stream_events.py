"""The events that an answer arrives in, the check of what comes from outside, and the fold into a message.

Every backend speaks this one language; the controller stores what the accumulator holds, also when it is partial.

What is not sound is unknown: a figure that can't be right is worth less than none.

A server or program may write what no file, no sum and no JSON can hold. It costs itself, never the text around it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeAlias

from desktop_app.core.messages import (
    LONGEST_ANSWER,
    Failure,
    ImagePart,
    Json,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Text that continues the open text part, or opens one."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """Thinking that continues the open thinking part, or opens one."""

    text: str


@dataclass(frozen=True, slots=True)
class PartFinished:
    """The provider's final form of the open part, which it replaces if of its kind. Calls come only in this form."""

    part: Part


@dataclass(frozen=True, slots=True)
class Reset:
    """All that came so far is superseded: the request was retried and the answer starts again."""


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Usage of the call as known now; a later report replaces an earlier one. `model` is the one that served."""

    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The request was refused as it was written, and is answered in another form: what `Backend.request` makes now."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something worth one muted line while the answer is awaited, such as a retry. `code` is stable for scripts.

    `detail`: what the server said, word for word. `hurry` ends the pause before a retry; None: it can't be ended.
    """

    code: str
    message: str
    detail: str = ""
    hurry: Callable[[], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SignOfLife:
    """More of the answer came that is shown when it is whole, such as a piece of a call's arguments."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The answer is complete for the provider, whose word `stop_reason` is: end_turn, max_tokens, tool_use, ..."""

    stop_reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The answer ended with an error; what came before stays as a partial answer."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class ToolAsked:
    """A program that runs the tool loop waits for the result of a call that came before, to be given by `asend`."""

    call: ToolCallPart


StreamEvent: TypeAlias = (
    TextDelta
    | ThinkingDelta
    | PartFinished
    | Reset
    | UsageReported
    | Rewritten
    | Notice
    | SignOfLife
    | Ended
    | Failed
    | ToolAsked
)


@dataclass(slots=True)
class Accumulator:
    """Folds stream events into parts. Equal events in any grouping of deltas give equal parts."""

    _closed: list[Part] = field(default_factory=list)
    _open_kind: type[TextPart] | type[ThinkingPart] | None = None
    _open_text: list[str] | None = None
    usage: Usage | None = None
    model: str | None = None
    stop_reason: str | None = None
    failure: Failure | None = None

    def add(self, event: StreamEvent) -> None:
        """Takes the next event."""
        match event:
            case TextDelta(text):
                self._extend(TextPart, text)
            case ThinkingDelta(text):
                self._extend(ThinkingPart, text)
            case PartFinished(part):
                if self._open_kind is type(part):
                    self._drop_open()
                self._close()
                self._closed.append(part)
            case Reset():
                self._drop_open()
                self._closed.clear()
                self.stop_reason = None
            case UsageReported(usage, model):
                self.usage, self.model = usage, model
            case Ended(stop_reason):
                self.stop_reason = stop_reason
            case Failed(failure):
                self.failure = failure
            case Notice() | Rewritten() | SignOfLife() | ToolAsked():
                pass

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that have come so far, the open one included; empty parts are left out."""
        return (*self._closed, *self._open_part())

    @property
    def ended(self) -> bool:
        """True once the stream said how it ended."""
        return self.stop_reason is not None or self.failure is not None

    def _extend(self, kind: type[TextPart] | type[ThinkingPart], text: str) -> None:
        if self._open_kind is not kind or self._open_text is None:
            self._close()
            self._open_kind, self._open_text = kind, []
        self._open_text.append(text)

    def _open_part(self) -> tuple[Part, ...]:
        text = "".join(self._open_text or ())
        return (self._open_kind(text),) if self._open_kind is not None and text else ()

    def _close(self) -> None:
        self._closed += self._open_part()
        self._drop_open()

    def _drop_open(self) -> None:
        self._open_kind, self._open_text = None, None


MOST_TOKENS: Final = 10**12
"""Tokens of one call: a million times what any model takes."""

MOST_USD: Final = 10.0**6
"""Dollars of one call."""

MOST_SECONDS: Final = 366 * 86_400.0
"""A wait that a server may name."""

MOST_NUMBER: Final = 10.0**15
"""Of any other figure; seconds since 1970 are far below it, whatever their unit."""

MOST_DEPTH: Final = 100
"""Objects and lists within each other that are kept as such; Python's own limit is near 1,000."""

MOST_WRITTEN: Final = 200
"""The same where JSON is written that holds such values."""

MOST_BITS: Final = 4_096
"""Of a whole number in JSON: some 1,200 digits. Python reads no more than 4,300 back."""

UNSOUND: Final = -(10**15)
"""Stands for a count that can't be right, where there was one; no sum with sound counts makes it one."""


def count_of(value: object) -> int:
    """A count as a server names it: 0 where it names none, `UNSOUND` where that can't be one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if isinstance(value, float):
        if not value.is_integer():  # nor is NaN or Infinity
            return UNSOUND
        value = int(value)
    return value if 0 <= value <= MOST_TOKENS else UNSOUND


def mapping_in(source: object, key: str) -> Mapping[str, Any]:
    """The object under a key of an object from outside; an empty one where there is none."""
    value = source.get(key) if isinstance(source, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def count_in(source: object, key: str) -> int:
    """The count under a key of an object from outside."""
    return count_of(source.get(key) if isinstance(source, Mapping) else None)


def cost_of(value: object) -> float | None:
    """Dollars as a server names them; None where it names none, NaN where that can't be a cost."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= MOST_USD else math.nan


def is_count(value: object) -> bool:
    """Return True if this is a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def is_amount(value: object, most: float) -> bool:
    """Return True if this is a finite number from 0 to `most`."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def valid_usage(usage: Usage | None) -> Usage | None:
    """The usage as far as it can be right: without a cost that can't; None where a count can't."""
    if usage is None or not all(is_count(getattr(usage, one.name)) for one in fields(usage) if one.type == "int"):
        return None
    known = usage.cost_usd is None or is_amount(usage.cost_usd, MOST_USD)
    return usage if known else replace(usage, cost_usd=None)


def valid_json(value: Any, depth: int = MOST_DEPTH) -> Json:  # noqa: PLR0911 - one return for each kind of value
    """The value as strict JSON holds it; the same object where it is that already.

    What is no finite number is null; what lies deeper than `depth` is its own JSON as a text.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return value if value.bit_length() <= MOST_BITS else None
    if isinstance(value, str):
        return _whole(value)
    if not isinstance(value, Mapping | Sequence):
        return None
    if depth == 0:
        return _text_of(value)
    if isinstance(value, Mapping):
        read = {_whole(str(key)): valid_json(item, depth - 1) for key, item in value.items()}
        return value if all(read.get(key) is item for key, item in value.items()) else read
    items = [valid_json(item, depth - 1) for item in value]
    return value if all(new is old for new, old in zip(items, value, strict=True)) else items


def _whole(text: str) -> str:
    """Half a surrogate pair can be written in JSON, but no server or file takes it: it becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _text_of(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError, TypeError):
        return "(nested too deeply)"


VALUES: Final = Notice(
    "values_unreadable",
    phrase("Some values in this answer are not numbers or are nested too deeply. They are kept as text or left out."),
)
USAGE: Final = Notice(
    "usage_unreadable",
    phrase("The server's usage figures for this answer can't be right. They count as unknown."),
)


UNREADABLE: Final = phrase("The server sent an answer that can't be read. The text so far is kept.")


class SplitPairs:
    """Joins surrogate pairs that were cut between two deltas; a half that stays alone becomes U+FFFD."""

    def __init__(self) -> None:
        self._half: TextDelta | ThinkingDelta | None = None

    def joined(self, event: StreamEvent) -> tuple[StreamEvent, ...]:
        """Return the events that go on in the place of `event`, a half that was held back first."""
        if isinstance(event, UsageReported | Notice | SignOfLife):
            return (event,)  # may come between two deltas of one text
        if not isinstance(event, TextDelta | ThinkingDelta):
            return (*self.rest(), event)
        before: tuple[StreamEvent, ...] = ()
        text = event.text
        if self._half is not None and type(self._half) is type(event):
            text, self._half = self._half.text + text, None
        else:
            before = self.rest()
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self._half = text[:-1], type(event)(text[-1])
            if not text:
                return before
        text = _whole(text)
        return (*before, event if text == event.text else type(event)(text))

    def rest(self) -> tuple[StreamEvent, ...]:
        """Return what was held back, at the end."""
        half, self._half = self._half, None
        return () if half is None else (type(half)("\ufffd"),)


MOST_PARTS: Final = 10_000
"""Parts of an answer: each costs a row, however little is in it, and no model writes as many."""


class AnswerBound:
    """Cuts an answer off where it is longer than any model writes: what came till then stays, and why it ends."""

    def __init__(self) -> None:
        self.passed = False
        self._has_text = False
        self._finished = self._parts = 0
        self._growing: type[object] | None = None
        self._grown = 0

    def within(self, event: StreamEvent) -> tuple[StreamEvent, ...]:
        """Return the part of the event that is still taken."""
        if isinstance(event, TextDelta) or (isinstance(event, PartFinished) and isinstance(event.part, TextPart)):
            self._has_text = True
        match event:
            case Reset():
                self._finished = self._grown = self._parts = 0
                self._has_text = False
            case Failed(failure) if failure.message == UNREADABLE and not self._has_text:
                return (Failed(replace(failure, message=phrase("The server sent an answer that can't be read."))),)
            case TextDelta(text) | ThinkingDelta(text):
                kind = TextPart if isinstance(event, TextDelta) else ThinkingPart
                if kind is not self._growing:
                    self._finished, self._grown, self._growing = self._finished + self._grown, 0, kind
                    self._parts += 1
                room = LONGEST_ANSWER - self._finished - self._grown
                self._grown += len(text)
                if len(text) > room:
                    return self._cut(type(event)(text[:room]))
            case PartFinished(part):
                # the finished form of the open part comes in its place
                self._finished += 0 if type(part) is self._growing else self._grown
                self._parts += type(part) is not self._growing
                self._growing, self._grown = None, 0
                room = LONGEST_ANSWER - self._finished
                if isinstance(part, TextPart | ThinkingPart | ToolResultPart):
                    self._finished += len(part.text)
                    if len(part.text) > room:
                        return self._cut(PartFinished(replace(part, text=part.text[:room])))
                elif not isinstance(part, ImagePart):
                    self._finished += len(repr(part))
                    if self._finished > LONGEST_ANSWER:
                        return self._cut(None)
        if self._parts > MOST_PARTS:
            self._parts, self.passed = 0, True
            return self.within(Failed(Failure("backend", UNREADABLE, f"more than {MOST_PARTS:,} parts", ("retry",))))
        return (event,)

    def _cut(self, kept: StreamEvent | None) -> tuple[StreamEvent, ...]:
        self.passed = True
        words = phrase("This answer was cut off at 16 million characters, which no model writes.")
        if self._has_text:
            words = phrase(
                "This answer was cut off at 16 million characters, which no model writes. The text so far is kept."
            )
        failed = Failed(Failure("backend", words, actions=("retry",)))
        return (failed,) if kept is None else (kept, failed)


def validated(event: StreamEvent) -> tuple[StreamEvent, ...]:  # noqa: PLR0911 - one return for each kind of event
    """Return the events that go on in the place of `event`: itself where all of it can be kept, as nearly always."""
    match event:
        case TextDelta(text) | ThinkingDelta(text):
            return (event,) if _is_text(text) else (_unreadable("text", text),)
        case PartFinished(part):
            return _part(event, part)
        case ToolAsked(call):
            # it came as a finished part before, and was told of there
            return (replace(event, call=_sound_part(call)),)
        case UsageReported():
            return _usage(event)
        case Ended(stop_reason) if not _is_text(stop_reason):
            return (_unreadable("stop_reason", stop_reason),)
        case Failed(failure):
            return (Failed(_failure(failure)),)
        case _:
            return (event,)


def _part(event: PartFinished, part: Part) -> tuple[StreamEvent, ...]:
    wrong = [one.name for one in fields(part) if one.type == "str" and not isinstance(getattr(part, one.name), str)]
    if wrong:
        return (_unreadable(wrong[0], getattr(part, wrong[0])),)
    if isinstance(part, TextPart | ThinkingPart):
        part = part if (text := _whole(part.text)) == part.text else replace(part, text=text)
        event = event if part is event.part else PartFinished(part)
    return (event,) if (clean := _sound_part(part)) is part else (PartFinished(clean), VALUES)


def _sound_part(part: Any) -> Any:
    if isinstance(part, UnknownPart):
        raw: Any = valid_json(part.raw)
        return part if raw is part.raw else UnknownPart(raw)
    held = {name: getattr(part, name) for name in ("input", "extra") if hasattr(part, name)}
    clean = {name: valid_json(value) for name, value in held.items()}
    return part if all(clean[name] is held[name] for name in held) else replace(part, **clean)


def _usage(event: UsageReported) -> tuple[StreamEvent, ...]:
    model = event.model if _is_text(event.model) else ""
    if (usage := valid_usage(event.usage)) is None:
        return (USAGE,)
    if usage is event.usage:
        return (event if model is event.model else UsageReported(usage, model),)
    return UsageReported(usage, model), USAGE


def _failure(failure: Failure) -> Failure:
    wait = failure.retry_after_s
    sound_wait = wait if wait is None or is_amount(wait, MOST_SECONDS) else None
    said = (failure.message, failure.detail)
    message, detail = (one if _is_text(one) else str(valid_json(one)) for one in said)
    if (sound_wait, message, detail) == (wait, failure.message, failure.detail):
        return failure
    return replace(failure, message=message, detail=detail, retry_after_s=sound_wait)


def _unreadable(field: str, value: object) -> Failed:
    return Failed(Failure("backend", UNREADABLE, f"{field}: {type(value).__name__}", ("retry",)))


def _is_text(value: object) -> bool:
    """Return True if a value is text, as the types promise and a server need not keep."""
    return isinstance(value, str)

"""Owns the door that every event of a backend comes through: what goes on from here can be kept, counted and sent.

A server or program may write what no file, no sum and no JSON can hold. It costs itself, never the text around it.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from desktop_app.core.messages import Failure, Part, UnknownPart
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolAsked,
    UsageReported,
)
from desktop_app.core.value_validation import MOST_SECONDS, is_amount, valid_json, valid_usage

VALUES: Final = Notice(
    "values_unreadable",
    phrase("Some values in this answer are no numbers, or nested too deeply. They are kept as text or left out."),
)
USAGE: Final = Notice(
    "usage_unreadable",
    phrase("What the server says this answer used can't be right. It counts as unknown."),
)


def validated(event: StreamEvent) -> tuple[StreamEvent, ...]:  # noqa: PLR0911 - one return for each kind of event
    """What goes on in the place of `event`: itself where all of it can be kept, as nearly always."""
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
    clean = _sound_part(part)
    return (event,) if clean is part else (PartFinished(clean), VALUES)


def _sound_part(part: Any) -> Any:
    if isinstance(part, UnknownPart):
        raw: Any = valid_json(part.raw)
        return part if raw is part.raw else UnknownPart(raw)
    held = {name: getattr(part, name) for name in ("input", "extra") if hasattr(part, name)}
    clean = {name: valid_json(value) for name, value in held.items()}
    return part if all(clean[name] is held[name] for name in held) else replace(part, **clean)


def _usage(event: UsageReported) -> tuple[StreamEvent, ...]:
    model = event.model if _is_text(event.model) else ""
    usage = valid_usage(event.usage)
    if usage is None:
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
    words = phrase("The server sent an answer that can't be read. The text so far is kept.")
    return Failed(Failure("backend", words, f"{field}: {type(value).__name__}", ("retry",)))


def _is_text(value: object) -> bool:
    """What the types promise, and a server need not keep."""
    return isinstance(value, str)

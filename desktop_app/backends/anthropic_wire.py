"""Owns the translation between plans and answers and the JSON of the Messages API. Knows no network and no SDK."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.cost import usage_cost
from desktop_app.core.context.plan import CacheMark, ContextPlan, PlannedMessage
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.stream import Ended, PartFinished, StreamEvent, TextDelta, ThinkingDelta, UsageReported

BLANK: Final = "(blank)"
"""Stands for a text of nothing but white space, which the API refuses. Fixed, so that cached prefixes stay equal."""

_MODEL_VERSION = re.compile(r"claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")


def request_body(plan: ContextPlan) -> dict[str, Any]:
    """The body of `POST /v1/messages` for a plan, as it is sent."""
    body: dict[str, Any] = {
        "model": plan.model.id,
        "max_tokens": plan.limits.max_output,
        "messages": _messages(plan),
        "stream": True,
    }
    if plan.system.strip():
        system: dict[str, Any] = {"type": "text", "text": plan.system}
        _mark(system, next((mark for mark in plan.marks if mark.message == -1), None))
        body["system"] = [system]
    if thinks_adaptively(plan.model.id):
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    return body


def thinks_adaptively(model_id: str) -> bool:
    """Whether a model takes `thinking: adaptive`: all since 4.6 (what the `claude` program sends for each says so).

    It depends on nothing but the id, since a changed thinking setting would make the whole cached prefix worthless.
    """
    version = _MODEL_VERSION.search(model_id)
    return version is not None and (int(version[1]), int(version[2] or 0)) >= (4, 6)


def _messages(plan: ContextPlan) -> list[dict[str, Any]]:
    marks: dict[int, list[CacheMark]] = {}
    for mark in plan.marks:
        marks.setdefault(mark.message, []).append(mark)
    return [_message(message, marks.get(index, ())) for index, message in enumerate(plan.request_messages)]


def _message(message: PlannedMessage, marks: list[CacheMark] | tuple[()]) -> dict[str, Any]:
    content = [block_of(part) for part in message.blocks]
    for mark in marks:
        # a mark may not stand on thinking, nor on a block that is not sent: the block before it is as good
        able = [block for block in content[: mark.block + 1] if block and not block["type"].endswith("thinking")]
        if able:
            _mark(able[-1], mark)
    return {"role": message.role, "content": [block for block in content if block]}


def _mark(block: dict[str, Any], mark: CacheMark | None) -> None:
    if mark is not None:
        block["cache_control"] = {"type": "ephemeral", "ttl": mark.lifetime}


def block_of(part: Part) -> dict[str, Any] | None:  # noqa: PLR0911
    """The content block for a part; None for thinking without a signature, which the API does not take back.

    What the provider added to a text (citations) is not sent back.
    """
    match part:
        case TextPart(text):
            return {"type": "text", "text": text if text.strip() else BLANK}
        case ThinkingPart(text, signature):
            return {"type": "thinking", "thinking": text, "signature": signature} if signature else None
        case ToolCallPart():
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.input)}
        case ToolResultPart(call_id, text, is_error):
            result: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id, "is_error": is_error}
            return result | {"content": text} if text else result
        case ImagePart():
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            return {"type": "image", "source": source}
        case DocumentPart():
            document = {"type": "text", "media_type": "text/plain", "data": part.text}
            return {"type": "document", "source": document, "title": part.name}
        case UnknownPart(raw):
            return dict(raw)


@dataclass(slots=True)
class _OpenBlock:
    """A block that is being streamed. Long texts are joined once, at the block's end."""

    raw: dict[str, Any]
    pieces: dict[str, list[str]] = field(default_factory=dict)

    def grow(self, key: str, piece: str) -> None:
        self.pieces.setdefault(key, [str(self.raw.get(key) or "")]).append(piece)

    def finished(self) -> dict[str, Any]:
        whole = {key: "".join(pieces) for key, pieces in self.pieces.items()}
        partial_json = whole.pop("partial_json", "")
        raw = self.raw | whole
        if partial_json:
            try:
                raw["input"] = json.loads(partial_json)
            except ValueError:
                raw["partial_json"] = partial_json  # the output limit cut the call: kept, not runnable
        return raw


class AnswerReader:
    """Reads the events of one streamed answer. Kinds of events, blocks and deltas it does not know are no error."""

    def __init__(self, model: ModelInfo) -> None:
        self._model = model
        self._served = model.id
        self._blocks: dict[Any, _OpenBlock] = {}
        self._usage: dict[str, Any] = {}
        self._stop_reason: str | None = None
        self.over = False
        """True once the answer's last event was read."""
        self.has_content = False
        """True once there is something to keep."""
        self.error: JsonObject | None = None
        """The `error` object of an error event; the stream is over then."""

    @property
    def stop_reason(self) -> str | None:
        """The provider's word once it was said; the answer is whole from then on."""
        return self._stop_reason

    def read(self, event: Mapping[str, Any]) -> list[StreamEvent]:
        """What an event means, in order; nothing for pings and unknown kinds."""
        events = self._read(event)
        self.has_content |= any(isinstance(one, TextDelta | ThinkingDelta | PartFinished) for one in events)
        return events

    def _read(self, event: Mapping[str, Any]) -> list[StreamEvent]:  # noqa: PLR0911
        match event.get("type"):
            case "message_start":
                return self._started(event.get("message") or {})
            case "content_block_start":
                block = dict(event.get("content_block") or {})
                self._blocks[event.get("index")] = _OpenBlock(block)
                return self._opening(block)
            case "content_block_delta":
                block_now = self._blocks.get(event.get("index"))
                return [] if block_now is None else self._grown(block_now, event.get("delta") or {})
            case "content_block_stop":
                finished = self._blocks.pop(event.get("index"), None)
                return [] if finished is None else self._finished(finished.finished())
            case "message_delta":
                self._stop_reason = (event.get("delta") or {}).get("stop_reason") or self._stop_reason
                return self._counted(event.get("usage") or {})
            case "message_stop":
                self.over = True
                return [Ended(self._stop_reason or "end_turn")]
            case "error":
                self.error = event.get("error") or {}
        return []

    def _started(self, message: Mapping[str, Any]) -> list[StreamEvent]:
        self._served = str(message.get("model") or self._served)
        return self._counted(message.get("usage") or {})

    def _opening(self, block: Mapping[str, Any]) -> list[StreamEvent]:
        match block:
            case {"type": "text", "text": str(text)} if text:
                return [TextDelta(text)]
            case {"type": "thinking", "thinking": str(text)} if text:
                return [ThinkingDelta(text)]
        return []

    def _grown(self, block: _OpenBlock, delta: Mapping[str, Any]) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        for key, value in delta.items():
            if key == "type":
                continue
            if key == "citation":
                block.raw["citations"] = [*(block.raw.get("citations") or ()), value]
            elif isinstance(value, str):
                block.grow(key, value)
            else:
                block.raw[key] = value
        match delta.get("type"), block.raw.get("type"):
            case "text_delta", "text":
                events.append(TextDelta(str(delta.get("text", ""))))
            case "thinking_delta", "thinking":
                events.append(ThinkingDelta(str(delta.get("thinking", ""))))
        return events

    def _finished(self, raw: dict[str, Any]) -> list[StreamEvent]:
        part = part_of(raw)
        return [] if isinstance(part, TextPart) and not part.text else [PartFinished(part)]

    def _counted(self, usage: Mapping[str, Any]) -> list[StreamEvent]:
        # reports are cumulative, and a later one may leave out what has not changed
        self._usage |= {key: value for key, value in usage.items() if value is not None}
        return [UsageReported(usage_of(self._usage, self._model), self._served)] if self._usage else []


def part_of(raw: dict[str, Any]) -> Part:
    """The part for a content block; every field of the block stands in it."""
    match raw:
        case {"type": "text", "text": str(text), **rest}:
            return TextPart(text, rest)
        case {"type": "thinking", "thinking": str(text), **rest} if isinstance(rest.get("signature", ""), str):
            return ThinkingPart(text, rest.pop("signature", "") or None, rest)
        case {"type": "tool_use", "id": str(call_id), "name": str(name), "input": dict(values), **rest}:
            return ToolCallPart(call_id, name, values, rest)
    return UnknownPart(raw)


def usage_of(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    """The API's usage object in our words, with its cost at the prices of `model`."""

    def count(source: object, key: str) -> int:
        value = source.get(key) if isinstance(source, Mapping) else None
        return value if isinstance(value, int) else 0

    written_1h = count(usage.get("cache_creation"), "ephemeral_1h_input_tokens")
    counted = Usage(
        input=count(usage, "input_tokens"),
        cache_read=count(usage, "cache_read_input_tokens"),
        cache_write=count(usage, "cache_creation_input_tokens"),
        output=count(usage, "output_tokens"),
        thinking=count(usage.get("output_tokens_details"), "thinking_tokens"),
    )
    return replace(counted, cost_usd=_cost(model, counted, written_1h))


def _cost(model: ModelInfo, usage: Usage, written_1h: int) -> float | None:
    """Dollars; `written_1h` of the tokens written to the cache live one hour and cost more."""
    cost = usage_cost(model, usage)
    dearest = usage_cost(model, usage, lifetime="1h")
    if cost is None or dearest is None or not usage.cache_write:
        return cost
    return cost + (dearest - cost) * written_1h / usage.cache_write

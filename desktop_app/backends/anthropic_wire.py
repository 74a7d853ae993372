"""Translates plans, answers and their usage to and from the JSON of the Messages API."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Final, assert_never

from desktop_app.backends.anthropic_dialect import (
    PLAIN,
    AnthropicDialect,
    as_it_came,
    cited_marks,
    marked,
    options_of,
    search_results,
)
from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.costs import usage_cost
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
    is_cited,
)
from desktop_app.core.model_catalog import WEB_SEARCH_USD, ModelInfo, find_model, is_another
from desktop_app.core.stream_events import (
    Ended,
    Notice,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
    count_in,
)

BACKEND: Final = "anthropic"


def usage_of(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    """The API's usage object in our words, with its cost at the prices of `model`.

    Where it lists what each of several samplings used (`iterations`), the sum of these is what is paid for: the fields
    above may leave some out, as those of a compaction, or of an adviser at another price.
    """
    counted = replace(_sampling(usage, model), thinking=count_in(usage.get("output_tokens_details"), "thinking_tokens"))
    if isinstance(entries := usage.get("iterations"), list) and entries:
        each = [_sampling(entry, _model_of(entry, model)) for entry in entries if isinstance(entry, Mapping)]
        whole = replace(reduce(summed, each), thinking=counted.thinking) if each else counted
        if whole.prompt + whole.output >= counted.prompt + counted.output:
            counted = whole
    if counted.cost_usd is None:
        return counted
    return replace(counted, cost_usd=counted.cost_usd + searches_of(usage) * WEB_SEARCH_USD)


def _model_of(entry: Mapping[str, Any], model: ModelInfo) -> ModelInfo:
    """Whose prices a sampling has: it may be another model's."""
    name = entry.get("model")
    return model if not isinstance(name, str) or name == model.id else find_model(BACKEND, name)


def _sampling(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    counted = Usage(
        input=count_in(usage, "input_tokens"),
        cache_read=count_in(usage, "cache_read_input_tokens"),
        cache_write=count_in(usage, "cache_creation_input_tokens"),
        output=count_in(usage, "output_tokens"),
    )
    return replace(
        counted, cost_usd=_cost(model, counted, count_in(usage.get("cache_creation"), "ephemeral_1h_input_tokens"))
    )


def searches_of(usage: Mapping[str, Any]) -> int:
    """Return how often the provider searched the web for an answer."""
    return count_in(usage.get("server_tool_use"), "web_search_requests")


def summed(before: Usage, after: Usage) -> Usage:
    """The usage of an answer that took several requests; `first_prompt` is that of the first."""
    costs = (before.cost_usd, after.cost_usd)
    return Usage(
        input=before.input + after.input,
        cache_read=before.cache_read + after.cache_read,
        cache_write=before.cache_write + after.cache_write,
        output=before.output + after.output,
        thinking=before.thinking + after.thinking,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        first_prompt=before.opening,
    )


def _cost(model: ModelInfo, usage: Usage, written_1h: int) -> float | None:
    """Dollars; `written_1h` of the tokens written to the cache live one hour and cost more."""
    cost = usage_cost(model, usage)
    dearest = usage_cost(model, usage, lifetime="1h")
    if cost is None or dearest is None or not usage.cache_write:
        return cost
    return cost + (dearest - cost) * written_1h / usage.cache_write


BLANK: Final = "(blank)"
"""Stands for a text of nothing but white space, which the API refuses. Fixed, so that cached prefixes stay equal."""


def request_body(
    plan: ContextPlan, dialect: AnthropicDialect = PLAIN, *, paused: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The body of `POST /v1/messages` for a plan, as it is sent.

    `paused`: the blocks of an answer that the provider interrupted for its own reasons, and goes on with as they came.
    """
    body: dict[str, Any] = {
        "model": plan.model.id,
        "max_tokens": plan.limits.max_output,
        "messages": _messages(plan, dialect),
        "stream": True,
        **options_of(plan, dialect),
    }
    if paused:
        body["messages"].append({"role": "assistant", "content": [dict(block) for block in paused]})
    if plan.request.system.strip():
        system: dict[str, Any] = {"type": "text", "text": plan.request.system}
        _mark(system, next((mark for mark in plan.request.marks if mark.message == -1), None))
        body["system"] = [system]
    return body


def _messages(plan: ContextPlan, dialect: AnthropicDialect) -> list[dict[str, Any]]:
    marks: dict[int, list[CacheMark]] = {}
    for mark in plan.request.marks:
        marks.setdefault(mark.message, []).append(mark)
    model = dialect.able(plan.model)
    cites = dialect.citations and plan.model.web_search  # which those have that take what a search found
    return [
        _message(message, marks.get(index, ()), model, cites=cites)
        for index, message in enumerate(plan.request.messages)
    ]


def _message(
    message: PlannedMessage, marks: list[CacheMark] | tuple[()], model: ModelInfo, *, cites: bool
) -> dict[str, Any]:
    blocks = [block_of(part) for part in message.blocks]
    for part, block in zip(message.blocks, blocks, strict=True):
        if cites and block and isinstance(part, ToolResultPart) and (found := search_results(part)):
            block["content"] = found
    content = _paired([block if block and _knows(block, model) else None for block in blocks])
    if any(block and is_thinking(block) for block in content):
        # what came after thinking is bound to what came before it, sources of a text included
        content = [_as_it_came(part, block) for part, block in zip(message.blocks, content, strict=True)]
    for mark in marks:
        # a mark may not stand on thinking, nor on a block that is not sent: the block before it is as good
        able = [block for block in content[: mark.block + 1] if block and not block["type"].endswith("thinking")]
        if able:
            _mark(able[-1], mark)
    # the API wants results before anything else
    sent = sorted((block for block in content if block), key=lambda block: block["type"] != "tool_result")
    return {"role": message.role, "content": sent or [{"type": "text", "text": BLANK}]}


def is_thinking(block: Mapping[str, Any]) -> bool:
    """Return True if a block is thinking, which goes back as it came or not at all."""
    return block["type"] in ("thinking", "redacted_thinking")


def thinking_in(body: Mapping[str, Any]) -> set[str]:
    """Return the marks of the thinking that a request sends back: signatures, or the data of what can't be read."""
    return {_name(block) for message in body["messages"] for block in message["content"] if is_thinking(block)}


def without_thinking(body: Mapping[str, Any], refused: Collection[str]) -> dict[str, Any]:
    """The request without the thinking that was refused."""
    return {**body, "messages": [_without(message, refused) for message in body["messages"]]}


def _without(message: dict[str, Any], refused: Collection[str]) -> dict[str, Any]:
    kept = [block for block in message["content"] if not is_thinking(block) or _name(block) not in refused]
    return {**message, "content": kept or [{"type": "text", "text": BLANK}]}


def _name(thinking: Mapping[str, Any]) -> str:
    return str(thinking.get("signature") or thinking.get("data"))


def _as_it_came(part: Part, block: dict[str, Any] | None) -> dict[str, Any] | None:
    if block is None or not isinstance(part, TextPart) or not is_cited(part):
        return block
    return block | {"text": as_it_came(part), "citations": part.extra["citations"]}


def _knows(block: Mapping[str, Any], model: ModelInfo) -> bool:
    """Return True if a block that another model wrote, perhaps of another server, means anything to this one."""
    if block["type"] == "redacted_thinking":
        return model.thinking != "never"
    of_provider = block["type"] == "server_tool_use" or _is_result_of_provider(block)
    return not of_provider or model.web_search


def _paired(content: list[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    """The blocks without calls of the provider's own tools that lost their results, as by a stop, nor the reverse."""
    called = {block["id"] for block in content if block and block["type"] == "server_tool_use" and "id" in block}
    answered = {block["tool_use_id"] for block in content if block and _is_result_of_provider(block)}
    if called == answered:
        return content
    return [None if block and _lonely(block, called & answered) else block for block in content]


def _is_result_of_provider(block: Mapping[str, Any]) -> bool:
    return block["type"] != "tool_result" and block["type"].endswith("_tool_result") and "tool_use_id" in block


def _lonely(block: Mapping[str, Any], paired: set[Any]) -> bool:
    if block["type"] == "server_tool_use":
        return block.get("id") not in paired
    return _is_result_of_provider(block) and block["tool_use_id"] not in paired


def _mark(block: dict[str, Any], mark: CacheMark | None) -> None:
    if mark is not None:
        block["cache_control"] = {"type": "ephemeral", "ttl": mark.lifetime}


def block_of(part: Part) -> dict[str, Any] | None:  # noqa: PLR0911
    """The content block for a part; None for what the API does not take back: unsigned thinking, a call that was cut.

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
            if part.images:
                told = [{"type": "text", "text": text}] if text else []
                return result | {"content": [*told, *map(block_of, part.images)]}
            return result | {"content": text} if text else result
        case ImagePart():
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            return {"type": "image", "source": source}
        case DocumentPart():
            return {"type": "document", "source": document_source(part), "title": part.name}
        case UnknownPart(raw):
            # one of our own kinds was cut, or has a value that the API would refuse with the whole request
            cut = "partial_json" in raw or raw.get("type") in ("text", "thinking", "tool_use", "tool_result")
            return None if cut or not isinstance(raw.get("type"), str) else dict(raw)
        case _:
            assert_never(part)


def document_source(part: DocumentPart) -> dict[str, str]:
    """The source of a document block: its text, or the file itself where its pages are pictures."""
    if (scan := scanned_pdf(part)) is not None:
        return {"type": "base64", "media_type": "application/pdf", "data": scan}
    return {"type": "text", "media_type": "text/plain", "data": part.text}


@dataclass(slots=True)
class _OpenBlock:
    """A block that is being streamed. Long texts are joined once, at the block's end."""

    raw: dict[str, Any]
    pieces: dict[str, list[str]] = field(default_factory=dict)
    told: int = 0  # characters of its text that were streamed
    held: str = ""  # white space behind them that is not yet

    def grow(self, key: str, piece: str) -> None:
        self.pieces.setdefault(key, [str(self.raw.get(key) or "")]).append(piece)

    def finished(self) -> dict[str, Any]:
        whole = {key: "".join(pieces) for key, pieces in self.pieces.items()}
        partial_json = whole.pop("partial_json", "")
        raw = self.raw | whole
        if partial_json:
            try:
                raw["input"] = json.loads(partial_json)
            except (ValueError, RecursionError):
                raw["partial_json"] = partial_json  # the output limit cut the call: kept, not runnable
        return raw


_TOLD: Final = {"text_delta": "text", "thinking_delta": "thinking"}
"""The kinds of blocks that are told while they grow, by those of their deltas."""


class AnthropicAnswerReader:
    """Reads the events of one streamed answer. Kinds of events, blocks and deltas it does not know are no error."""

    def __init__(self, model: ModelInfo, before: Usage | None = None, *, cites: bool = False) -> None:
        """`before`: what the earlier requests of the same answer used; `cites`: it may cite passages."""
        self._cites = cites
        self._model = model
        self._before = before
        self._served = model.id
        self._blocks: dict[Any, _OpenBlock] = {}
        self._open_texts: list[Any] = []
        self._ids: set[str] = set()
        self._usage: dict[str, Any] = {}
        self._first_prompt = 0
        self._stop_reason: str | None = None
        self.usage: Usage | None = None
        """All that the answer used so far, earlier requests included."""
        self.message_id = ""
        """The provider's id of the answer, once it was said."""
        self.cache_miss: JsonObject = {}
        """Why the provider could not read the prompt from its cache, where it was asked."""
        self.content: list[dict[str, Any]] = []
        """The whole blocks as they came."""
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
        """Return the meaning of an event, in order; nothing for pings, unknown kinds and what follows the last."""
        events = [] if self.over else self._read(event)
        self.has_content |= any(isinstance(one, TextDelta | ThinkingDelta | PartFinished) for one in events)
        return events

    def _read(self, event: Mapping[str, Any]) -> list[StreamEvent]:  # noqa: PLR0911
        match event.get("type"):
            case "message_start":
                return self._started(event.get("message") or {})
            case "content_block_start":
                return self._began(event.get("index"), dict(event.get("content_block") or {}))
            case "content_block_delta":
                return self._went_on(event.get("index"), event.get("delta") or {})
            case "content_block_stop":
                return self._ended(event.get("index"))
            case "message_delta":
                return self._stopped(event.get("delta") or {}) + self._counted(event.get("usage") or {})
            case "message_stop":
                self.over = True
                return [*self._ended(*self._blocks), Ended(self._stop_reason or "end_turn")]
            case "error":
                self.error = event.get("error") or {}
        return []

    def _started(self, message: Mapping[str, Any]) -> list[StreamEvent]:
        self._served = str(message.get("model") or self._served)
        if is_another(self._model.id, self._served):
            self._model = find_model(BACKEND, self._served)  # whoever answers is paid
        self.message_id = str(message.get("id") or "")
        self.cache_miss = (message.get("diagnostics") or {}).get("cache_miss_reason") or {}
        events = self._counted(message.get("usage") or {})
        self._first_prompt = self.usage.prompt if self.usage is not None and self._before is None else 0
        return events

    def _stopped(self, delta: Mapping[str, Any]) -> list[StreamEvent]:
        if (said := delta.get("stop_reason")) is not None and not isinstance(said, str):
            raise TypeError("a reason to stop that is no word")
        self._stop_reason = said or self._stop_reason
        why = (delta.get("stop_details") or {}).get("explanation")
        return [Notice("refusal", why)] if isinstance(why, str) and why else []

    def _began(self, index: Any, raw: dict[str, Any]) -> list[StreamEvent]:
        """Begins a block. Some servers end none, give one place to several, or write two at once."""
        events = self._ended(index)
        self._blocks[index] = block = _OpenBlock(raw)
        if raw.get("type") in _TOLD.values():
            self._open_texts.append(index)
        match raw:
            case {"type": "text", "text": str(text)} if text:
                return [*events, *self._told(block, text)]
            case {"type": "thinking", "thinking": str(text)} if text:
                return [*events, ThinkingDelta(text)]
        return events

    def _went_on(self, index: Any, delta: Mapping[str, Any]) -> list[StreamEvent]:
        kind = _TOLD.get(delta.get("type", ""))
        block, events = self._blocks.get(index), list[StreamEvent]()
        if kind and (block is None or block.raw.get("type") in {"text", "thinking", "tool_use"} - {kind}):
            # words of a block that was not begun, or has ended
            events, block = self._began(index, {"type": kind}), self._blocks[index]
        return events if block is None else [*events, *self._grown(block, delta)]

    def _ended(self, *places: Any) -> list[StreamEvent]:
        # the one that is being told first: a part is put in the place of what was told last
        told, self._open_texts = self._open_texts, []
        found = [self._blocks.pop(index, None) for index in dict.fromkeys((*told, *places))]
        return [event for block in found if block is not None for event in self._finished(block)]

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
                events += self._told(block, str(delta.get("text", "")))
            case "thinking_delta", "thinking":
                events.append(ThinkingDelta(str(delta.get("thinking", ""))))
        return events

    def _told(self, block: _OpenBlock, piece: str) -> list[StreamEvent]:
        if not self._cites:
            return [TextDelta(piece)]
        # marks of citations come before the white space that a text ends with
        coming = block.held + piece
        new = coming.rstrip()
        block.told, block.held = block.told + len(new), coming[len(new) :]
        return [TextDelta(new)] if new else []

    def _finished(self, block: _OpenBlock) -> list[StreamEvent]:
        raw = block.finished()
        if isinstance(part := part_of(raw), TextPart) and not part.text:
            return []
        if isinstance(part, ToolCallPart):
            if part.id in self._ids:  # a result finds its call by an id, so that one given twice serves the first
                raw["id"] = f"{part.id}_{len(self._ids)}"
                part = replace(part, id=raw["id"])
            self._ids.add(part.id)
        if "partial_json" not in raw:
            self.content.append(raw)
        if not self._cites or not isinstance(part, TextPart):
            return [PartFinished(part)]
        marks, rest = cited_marks(raw), part.text[block.told :]
        if marks:
            part = TextPart(part.text[: block.told] + marks + rest, marked(part.extra, block.told, marks))
        return [*([TextDelta(marks + rest)] if marks + rest else []), PartFinished(part)]

    def _counted(self, usage: Mapping[str, Any]) -> list[StreamEvent]:
        # reports are cumulative, and a later one may leave out what has not changed
        self._usage |= {key: value for key, value in usage.items() if value is not None}
        if not self._usage:
            return []
        now = usage_of(self._usage, self._model)
        if searches_of(self._usage) and not now.first_prompt:
            # the provider counts what it found as if it had been sent
            now = replace(now, first_prompt=self._first_prompt)
        self.usage = now if self._before is None else summed(self._before, now)
        self.usage = replace(self.usage, cache_miss=str(self.cache_miss.get("type") or ""))
        return [UsageReported(self.usage, self._served)]


def part_of(raw: dict[str, Any]) -> Part:
    """The part for a content block; every field of the block stands in it."""
    match raw:
        case {"type": "text", "text": str(text), **rest}:
            return TextPart(text, rest)
        case {"type": "thinking", "thinking": str(text), **rest} if isinstance(rest.get("signature", ""), str):
            return ThinkingPart(text, rest.pop("signature", "") or None, rest)
        case {"type": "tool_use", "id": str(call_id), "name": str(name), "input": dict(values), **rest} if (
            "partial_json" not in rest
        ):
            return ToolCallPart(call_id, name, values, rest)
    return UnknownPart(raw)

"""Translates plans, answers and their usage to and from the JSON of the Messages API: the options of a request,
citations among them, and what a refusal teaches about them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, assert_never

from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.costs import usage_cost
from desktop_app.core.context.plan import CacheMark, ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Json,
    JsonObject,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    UnknownPart,
    Usage,
    is_cited,
)
from desktop_app.core.model_catalog import WEB_SEARCH_USD, ModelInfo, find_model, is_another
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import CITED_ID
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

if TYPE_CHECKING:
    from desktop_app.core.citations import SentPassage

MARKS: Final = "marks"
"""In the `extra` of a text: where in it the ids stand that were no text of the answer, first and last character."""

_MARK: Final = rf"\[{CITED_ID}\]"


def search_results(result: ToolResultPart) -> list[dict[str, Any]]:
    """The blocks of a result that holds passages, in its order; none where it holds none."""
    if not result.extra.get("passage_ids"):
        return []
    from desktop_app.core.citations import passages_of_result, spans_of_result  # most requests hold no passages

    blocks: list[dict[str, Any]] = []
    done = 0
    for passage, (start, end) in zip(passages_of_result(result), spans_of_result(result), strict=True):
        if (begin := result.text.rfind(f"[{passage.id}]", done, start)) < 0 or end <= start:
            return []
        _add_text(blocks, result.text[done:begin])
        # behind the line with the id, so that a table's header goes along
        _, _, text = result.text[begin:end].partition("\n")
        blocks.append(_block(passage, text))
        done = end
    if blocks:
        _add_text(blocks, result.text[done:])
    return blocks


def _block(passage: SentPassage, text: str) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": passage.id,
        "title": str(passage.title),
        "content": [{"type": "text", "text": text}],
        "citations": {"enabled": True},
    }


def _add_text(blocks: list[dict[str, Any]], between: str) -> None:
    """Add the text between passages, except what their blocks say themselves."""
    from desktop_app.core.document_search import CITE

    lines = [block for block in between.strip().split("\n\n") if block and block != CITE]
    if lines and lines[-1].startswith("# "):
        lines.pop()
    if lines:
        blocks.append({"type": "text", "text": "\n\n".join(lines)})


def holds_search_results(body: Mapping[str, Any]) -> bool:
    """Return True if a request holds passages that its answer can cite."""
    return any(
        isinstance(inner, Mapping) and inner.get("type") == "search_result"
        for message in body.get("messages") or ()
        for block in message["content"]
        if isinstance(block, Mapping) and isinstance(block.get("content"), list)
        for inner in block["content"]
    )


def cited_marks(raw: Mapping[str, Any]) -> str:
    """The ids that a text block cites, in brackets; without those that its text ends with."""
    text = str(raw.get("text", "")).rstrip()
    marks = dict.fromkeys(f"[{source}]" for source in _sources(raw.get("citations")))
    return "".join(mark for mark in marks if re.fullmatch(_MARK, mark) and not text.endswith(mark))


def _sources(citations: Json) -> Iterator[str]:
    for one in citations if isinstance(citations, list | tuple) else ():
        if isinstance(one, Mapping) and one.get("type") == "search_result_location":
            yield str(one.get("source", ""))


def marked(rest: JsonObject, start: int, marks: str) -> JsonObject:
    """The `extra` of a text that got these marks at `start`."""
    return {**rest, MARKS: [start, start + len(marks)]}


def as_it_came(part: TextPart) -> str:
    """A text without the ids that were none of it."""
    place = part.extra.get(MARKS)
    match place:
        case [int(start), int(end)] | (int(start), int(end)) if 0 <= start <= end <= len(part.text):
            return part.text[:start] + part.text[end:]
    return part.text


SEARCH_TOOLS: Final = ("web_search_20260318", "web_search_20250305")
"""The provider's search of the web, newest kind first: the newest and the oldest that the SDK 2.12 names."""

MOST_SEARCHES: Final = 5
"""Searches of the web within one request; each is paid for, and what it finds fills the window."""


@dataclass(frozen=True, slots=True)
class AnthropicDialect:
    """The options that a model at one address accepts. `web_search`: the kind of the search tool ("": none)."""

    tools: bool = True
    thinking: bool = True
    thinking_off: bool = True
    effort: bool = True
    temperature: bool = True
    web_search: str = SEARCH_TOOLS[0]
    diagnostics: bool = True
    citations: bool = True

    def able(self, model: ModelInfo) -> ModelInfo:
        """The model with only those abilities that were not refused."""
        thinking = model.thinking
        if not self.thinking:
            thinking = "never"
        elif not self.thinking_off and thinking == "choice":
            thinking = "always"
        return replace(
            model,
            accepts_tools=model.accepts_tools and self.tools,
            efforts=model.efforts if self.effort else (),
            thinking=thinking,
            temperature=model.temperature and self.temperature,
            web_search=model.web_search and bool(self.web_search),
        )


PLAIN: Final = AnthropicDialect()


def options_of(plan: ContextPlan, dialect: AnthropicDialect = PLAIN) -> dict[str, Any]:
    """The fields of a request beside model, system prompt and messages, in a fixed order."""
    wishes, model = plan.request.parameters, dialect.able(plan.model)
    fields: dict[str, Any] = {}
    tools = _tools(plan.request.tools if dialect.tools else ())
    if wishes.web_search and model.web_search:
        # called by the model itself, not by code of its own, which not every model can write
        search = {"type": dialect.web_search, "name": "web_search", "max_uses": MOST_SEARCHES}
        tools.append(search if dialect.web_search == SEARCH_TOOLS[-1] else search | {"allowed_callers": ["direct"]})
    if tools:
        fields["tools"] = tools
        if plan.request.answer_now:
            fields["tool_choice"] = {"type": "none"}
    off = wishes.thinking is False and model.thinking == "choice"
    if model.thinking != "never":
        fields["thinking"] = {"type": "disabled"} if off else {"type": "adaptive", "display": "summarized"}
    if wishes.effort in model.efforts:
        fields["output_config"] = {"effort": wishes.effort}
    if wishes.temperature is not None and model.temperature and (off or model.thinking == "never"):
        fields["temperature"] = wishes.temperature
    return fields


def _tools(specs: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    return [{"name": spec.name, "description": spec.description, "input_schema": dict(spec.schema)} for spec in specs]


_REFUSED: Final = (
    r"not (?:be )?(?:support|permit|allow|available|enabled|valid|recogni)|(?:does|do|can)(?: not|n't|not)\b"
    r"|unsupported|unknown|unrecogni|unexpected|invalid|disabled|deprecated|extra |must be|should be|not match|require"
)
_CITING: Final = r"\bcitations?\b|\bsearch_results?\b"
_ABOUT: Final[Mapping[str, re.Pattern[str]]] = {
    "web_search": re.compile(r"web[_ ]?search"),
    "thinking": re.compile(r"\bthinking\b|\badaptive\b"),
    "effort": re.compile(r"output_config|\beffort\b"),
    "temperature": re.compile(r"\btemperature\b|sampling param"),
    "diagnostics": re.compile(r"\bdiagnostics?\b"),
    "citations": re.compile(_CITING),
    "tools": re.compile(r"\btools?\b(?!_)|\btool_choice\b|function call"),
}
_OF_A_MESSAGE: Final = re.compile(r"\bmessages\.\d|tool_result|tool_use`|`tool_use|signature|budget_tokens")


def taught(dialect: AnthropicDialect, body: Mapping[str, Any], status: int, message: str) -> Iterator[AnthropicDialect]:
    """The dialects that a refused request suggests, most likely first; only fields that `body` had teach anything."""
    words = message.lower()
    if not (status in (400, 403, 422) or status >= 500) or not re.search(_REFUSED, words):
        return
    if _OF_A_MESSAGE.search(words) and not re.search(_CITING, words):
        return
    for what in [what for what, about in _ABOUT.items() if about.search(words)]:
        if (status == 403 or status >= 500) and what not in ("web_search", "tools"):
            continue
        if (other := _without(what, dialect, body)) is not None:
            yield other


def _without(what: str, dialect: AnthropicDialect, body: Mapping[str, Any]) -> AnthropicDialect | None:  # noqa: PLR0911
    tools = body.get("tools") or ()
    searches = any(tool.get("type") in SEARCH_TOOLS for tool in tools)
    match what:
        case "web_search" if searches:
            later = SEARCH_TOOLS[SEARCH_TOOLS.index(dialect.web_search) + 1 :]
            return replace(dialect, web_search=next(iter(later), ""))
        case "thinking" if body.get("thinking", {}).get("type") == "disabled":
            return replace(dialect, thinking_off=False)
        case "thinking" if "thinking" in body:
            return replace(dialect, thinking=False)
        case "effort" if "output_config" in body:
            return replace(dialect, effort=False)
        case "temperature" if "temperature" in body:
            return replace(dialect, temperature=False)
        case "diagnostics" if "diagnostics" in body:
            return replace(dialect, diagnostics=False)
        case "citations" if holds_search_results(body):
            return replace(dialect, citations=False)
        case "tools" if any(tool.get("type") not in SEARCH_TOOLS for tool in tools):
            return replace(dialect, tools=False)
        case "tools" if searches:
            return replace(dialect, web_search="")
    return None


_WORDS: Final = (
    ("effort", phrase("a level of effort")),
    ("thinking_off", phrase("an answer without thinking")),
    ("temperature", phrase("a temperature")),
    ("web_search", phrase("a web search")),
)


def refused_options(before: AnthropicDialect, after: AnthropicDialect, plan: ContextPlan) -> tuple[str, ...]:
    """Return, in words, what the user asked for in the thread's parameters and `after` can't be asked for."""
    wishes = plan.request.parameters
    wished = {
        "effort": bool(wishes.effort),
        "thinking_off": wishes.thinking is False,
        "temperature": wishes.temperature is not None,
        "web_search": wishes.web_search,
    }
    lost = [(name, words) for name, words in _WORDS if getattr(before, name) and not getattr(after, name)]
    return tuple(words for name, words in lost if wished[name])


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
    return {**body, "messages": [_message_without(message, refused) for message in body["messages"]]}


def _message_without(message: dict[str, Any], refused: Collection[str]) -> dict[str, Any]:
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
    """A part's content block, without the provider's citations; None for unsigned thinking and a call that was cut."""
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
        self.stop_reason: str | None = None
        """The provider's word once it was said; the answer is whole from then on."""
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
                return [*self._ended(*self._blocks), Ended(self.stop_reason or "end_turn")]
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
        self.stop_reason = said or self.stop_reason
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
                block.raw["citations"] = cited = block.raw.get("citations") or []
                cited.append(value)
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

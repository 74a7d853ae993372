"""Builds the body of a chat completion from a plan, and turns the chunks of its answer into events."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, assert_never

from desktop_app.backends.openai.chat_failures import ChatDialect
from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.costs import usage_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage, image_note
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
)
from desktop_app.core.model_catalog import ModelInfo, find_model, is_another
from desktop_app.core.stream_events import (
    Ended,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
    cost_of,
    count_in,
)

STOP_REASONS: Final[Mapping[str, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
}
"""Ours for the words of the wire; a word that is not here is passed on."""

REASONING_DETAILS: Final = "reasoning_details"
"""The key under which the first call of an answer keeps the thinking that has to go back with it."""

GROWING: Final = ("text", "summary", "data")
"""Fields of such thinking that come in pieces."""

IMAGES_BELOW: Final = "[Its images follow in the next message.]"
IMAGES_OF: Final = "[The images of the result of {call}]"

FAILED: Final[Mapping[str, str]] = {
    "error": "the provider ended the answer with an error",
    "insufficient_system_resource": "the provider had no room to finish the answer",
}
"""Words that name a failure in the place of a reason to stop."""


@dataclass(slots=True)
class _OpenCall:
    """A tool call that is being streamed; its arguments are joined once, at the end."""

    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def finished(self) -> Part:
        whole = "".join(self.arguments)
        try:
            values = json.loads(whole) if whole.strip() else {}
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict) or not self.name:
            # the output limit cut the call: kept, not runnable
            return UnknownPart({"type": "tool_use", "id": self.id, "name": self.name, "partial_json": whole})
        return ToolCallPart(self.id, self.name, values, self.extra)


def _known(model_id: str) -> ModelInfo:
    return find_model("openai", model_id)


class ChatAnswerReader:
    """Reads the chunks of one streamed answer, or the one object of an answer that came whole."""

    def __init__(self, model: ModelInfo, *, free: bool, find: Callable[[str], ModelInfo] = _known) -> None:
        """`find` gives the prices of another model, should one answer.

        `free`: the answer costs nothing, and its model keeps the name it was asked for by (often a file's path).
        """
        self._find = find
        self._model = model
        self._free = free
        self._served = model.id
        self._calls: list[_OpenCall] = []
        self._places: dict[Any, _OpenCall] = {}
        self._ids: set[str] = set()
        self._refused = False
        self._called = False
        self._text: list[str] = []
        self._citations: list[Json] = []
        self._details: list[dict[str, Any]] = []
        self._reason: str | None = None
        self._counted = self._reported = self._another = False
        self.read_any = False
        """True once a chunk was read: whoever sent it speaks this wire."""
        self.has_content = False
        """True once there is something to keep, or to pay for."""
        self.error: Any = None
        """The error of a chunk, in whatever form it came; the stream is over then."""

    @property
    def over(self) -> bool:
        """True once nothing is missing: why it stopped and, no earlier than that, what it used."""
        return self._reason is not None and self._counted

    @property
    def stop_reason(self) -> str | None:
        """Why the answer ended, in our words, once that was said; the answer is whole from then on."""
        if self._reason == "end_turn" and self._refused:
            return "refusal"
        return "tool_use" if self._reason == "end_turn" and self._called else self._reason

    def read(self, chunk: Mapping[str, Any]) -> list[StreamEvent]:
        """Return the meaning of a chunk, in order; nothing for parts that are unknown."""
        self.read_any |= "choices" in chunk
        if error := chunk.get("error"):
            self.error = error
            return []
        if isinstance(served := chunk.get("model"), str) and served not in ("", self._served):
            self._note_served(served)
        events = [event for choice in chunk.get("choices") or () for event in self._choice(choice)]
        self.has_content |= bool(events) or bool(self._calls)
        if self._reason is not None:
            events += self._cited_text() + self._finished_calls()
        if isinstance(usage := chunk.get("usage"), Mapping) and isinstance(usage.get("prompt_tokens"), int):
            self._counted, self._reported = self._reason is not None, True
            events.append(UsageReported(usage_of(usage, self._model, free=self._free), self._served))
        return events

    def end(self) -> list[StreamEvent]:
        """Return what remains to be said once the server said that the stream is at its end."""
        if self._reason is None:
            self._reason = "end_turn"
        # some servers say who answered, and not what it took
        named = [UsageReported(Usage(), self._served)] if self._another and not self._reported else []
        return [*self._cited_text(), *self._finished_calls(), *named, Ended(self.stop_reason or "end_turn")]

    def _note_served(self, served: str) -> None:
        if another := is_another(self._model.id, served):
            self._another = True
            self._model = self._find(served)  # whoever answers is paid
        if another or not self._free:
            self._served = served

    def _choice(self, choice: Mapping[str, Any]) -> list[StreamEvent]:
        if error := choice.get("error"):
            self.error = error
            return []
        delta = choice.get("delta") or choice.get("message") or {}
        events = _told(delta)
        for detail in delta.get("reasoning_details") or ():
            if isinstance(detail, Mapping):
                self._grow_detail(detail)
        for note in delta.get("annotations") or ():
            if isinstance(note, Mapping) and isinstance(cited := note.get("url_citation"), Mapping):
                self._citations.append({"type": "url_citation", **cited})
        self._refused |= bool(_string(delta.get("refusal")))
        for event in events:
            if isinstance(event, TextDelta):
                self._text.append(event.text)
            else:
                self._text.clear()  # sources are of the last text: an earlier one has ended before the thinking
        for call in delta.get("tool_calls") or ():
            self._grow(call)
        if reason := choice.get("finish_reason"):
            if reason in FAILED:
                self.error = {"message": FAILED[reason], "code": 503}
            else:
                self._reason = STOP_REASONS.get(reason, str(reason))
        return events

    def _grow(self, call: Mapping[str, Any]) -> None:
        """Adds to the open call of the same place. Servers that give no place give whole calls, each with its id."""
        index, call_id = call.get("index"), _string(call.get("id"))
        function = call.get("function") or {}
        name = _string(function.get("name"))
        found = self._places.get(index)
        if found is None or (name and (index is None or (found.name and call_id not in ("", found.id)))):
            # a result finds its call by an id, so that one given twice serves the first
            if not call_id or call_id in self._ids:
                call_id = f"call_{secrets.token_hex(8)}"
            self._ids.add(call_id)
            found = self._places[index] = _OpenCall(call_id)
            self._calls.append(found)
            self._called = True
        found.name = found.name or name
        if arguments := function.get("arguments"):
            found.arguments.append(arguments if isinstance(arguments, str) else json.dumps(arguments))
        found.extra |= {key: value for key, value in call.items() if key not in ("index", "id", "type", "function")}

    def _cited_text(self) -> list[StreamEvent]:
        """The whole text once more, with the sources that the server found for it on the web."""
        cited, self._citations = self._citations, []
        return [PartFinished(TextPart("".join(self._text), {"citations": cited}))] if cited and self._text else []

    def _grow_detail(self, detail: Mapping[str, Any]) -> None:
        """Adds to the thinking in the form in which OpenRouter wants it back: signed or sealed, in pieces."""
        last = self._details[-1] if self._details else {}
        if not last or any(last.get(key) != detail.get(key) for key in ("type", "index")):
            self._details.append(dict(detail))
            return
        for key, value in detail.items():
            if key in GROWING and isinstance(last.get(key), str) and isinstance(value, str):
                last[key] += value
            elif value is not None:
                last[key] = value

    def _finished_calls(self) -> list[StreamEvent]:
        calls, self._calls = self._calls, []
        self._places.clear()
        if calls and self._details:
            calls[0].extra[REASONING_DETAILS], self._details = self._details, []
        if calls:
            self._text.clear()  # it has ended: sources that come later would say it a second time
        return [PartFinished(call.finished()) for call in calls]


def usage_of(usage: Mapping[str, Any], model: ModelInfo, *, free: bool) -> Usage:
    """A chunk's usage: what the cache has is not input again; its cost as the server says, else by `model`."""
    prompt = count_in(usage, "prompt_tokens")
    details = usage.get("prompt_tokens_details")
    read = min(prompt, count_in(details, "cached_tokens") or count_in(usage, "prompt_cache_hit_tokens"))
    written = min(prompt - read, count_in(details, "cache_write_tokens"))
    counted = Usage(
        input=prompt - read - written,
        cache_read=read,
        cache_write=written,
        output=count_in(usage, "completion_tokens"),
        thinking=count_in(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
    if free:
        return replace(counted, cost_usd=0.0)
    said = cost_of(usage.get("cost"))
    return replace(counted, cost_usd=usage_cost(model, counted) if said is None else said)


def _told(delta: Mapping[str, Any]) -> list[StreamEvent]:
    """The words of a delta: thinking, text, and a refusal, which is text too."""
    events: list[StreamEvent] = []
    # some servers send the thinking under both names
    if thinking := _string(delta.get("reasoning_content")) or _string(delta.get("reasoning")):
        events.append(ThinkingDelta(thinking))
    content = delta.get("content")
    for piece in content if isinstance(content, list) else [{"text": content}]:
        # Mistral's thinking models write a list: {"type": "thinking", "thinking": [{"type": "text", "text": ...}]}
        events += [ThinkingDelta(said) for one in piece.get("thinking") or () if (said := _string(one.get("text")))]
        if text := _string(piece.get("text")):
            events.append(TextDelta(text))
    if refusal := _string(delta.get("refusal")):
        events.append(TextDelta(refusal))
    return events


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


BLANK: Final = "(blank)"
"""Stands for a message of nothing that can be sent. Fixed, so that cached prefixes stay equal."""

SENT_BACK: Final = ("extra_content",)
"""Fields of a tool call that a provider wants back as they came: Gemini signs its thinking there."""

Sent = dict[str, Any]


def request_body(plan: ContextPlan, dialect: ChatDialect, extra: JsonObject | None = None) -> Sent:
    """The body of `POST /chat/completions`, as it is sent. `extra`: further fields, where the thread says nothing."""
    body: Sent = {"model": plan.model.id, "messages": messages_of(plan, dialect), "stream": True}
    body |= {**(extra or {}), **options_of(plan, dialect)}
    if dialect.output_field:
        body[dialect.output_field] = plan.limits.max_output
    if dialect.include_usage:
        body["stream_options"] = {"include_usage": True}
    return body


def options_of(plan: ContextPlan, dialect: ChatDialect) -> Sent:
    """The tools on offer, in a fixed order, and those of the thread's parameters that the model takes."""
    wishes, model = plan.request.parameters, dialect.able(plan.model)
    fields: Sent = {}
    if plan.request.tools and dialect.tools and not dialect.strict:
        fields["tools"] = [_tool(spec) for spec in plan.request.tools]
        if plan.request.answer_now:
            fields["tool_choice"] = "none"
    if wishes.thinking is False and model.thinking == "choice":
        fields["reasoning_effort"] = "none"
    elif wishes.effort in model.efforts:
        fields["reasoning_effort"] = wishes.effort
    if wishes.temperature is not None and model.temperature:
        fields["temperature"] = wishes.temperature
    if wishes.web_search and dialect.search == "plugins":
        fields["plugins"] = [{"id": "web"}]
    return fields


def _tool(spec: ToolSpec) -> Sent:
    function = {"name": spec.name, "description": spec.description, "parameters": dict(spec.schema)}
    return {"type": "function", "function": function}


def messages_of(plan: ContextPlan, dialect: ChatDialect) -> list[Sent]:
    """System prompt and messages with their roles. Parts that have no form here are left out."""
    planned = plan.request.messages
    messages = [one for index in range(len(planned)) for one in _sent(planned, index, dialect)]
    if not plan.request.system.strip():
        return messages
    if dialect.system != "user":
        return [{"role": dialect.system, "content": plan.request.system}, *messages]
    if not messages or messages[0]["role"] != "user":
        return [{"role": "user", "content": plan.request.system}, *messages]
    first = messages[0] | {"content": _joined(plan.request.system, messages[0]["content"])}
    return [first, *messages[1:]]


def _sent(planned: Sequence[PlannedMessage], index: int, dialect: ChatDialect) -> Iterator[Sent]:
    message = planned[index]
    if dialect.strict:
        yield {"role": message.role, "content": _content(message.blocks, dialect)}
        return
    paired = _paired(planned, index)
    if message.role == "assistant":
        yield _answer(message, paired, dialect)
        return
    rest: list[Part] = []
    for part in message.blocks:
        if isinstance(part, ToolResultPart) and part.call_id in paired:
            # a tool's message holds nothing but text on this wire: the user's behind it has its pictures
            note = IMAGES_BELOW if dialect.images else f"[Images that can't be sent here: {len(part.images)}]"
            text = f"{part.text}\n\n{note}".strip() if part.images else part.text
            if part.images and dialect.images:
                rest += [TextPart(IMAGES_OF.format(call=part.call_id)), *part.images]
            yield {"role": "tool", "tool_call_id": part.call_id, "content": text if text.strip() else BLANK}
        else:
            rest.append(part)
    if rest or not paired:
        yield {"role": "user", "content": _content(rest, dialect)}


def _paired(planned: Sequence[PlannedMessage], index: int) -> set[str]:
    """The calls that are answered in the message after theirs, where servers insist on it; no others are sent."""
    asking = index if planned[index].role == "assistant" else index - 1
    if asking < 0 or asking + 1 >= len(planned):
        return set()
    asked = {part.id for part in planned[asking].blocks if isinstance(part, ToolCallPart)}
    return asked & {part.call_id for part in planned[asking + 1].blocks if isinstance(part, ToolResultPart)}


def _answer(message: PlannedMessage, paired: set[str], dialect: ChatDialect) -> Sent:
    calls = [_call(part) for part in message.blocks if isinstance(part, ToolCallPart) and part.id in paired]
    if not calls:
        return {"role": "assistant", "content": _content(message.blocks, dialect)}
    texts = _texts([part for part in message.blocks if not isinstance(part, ToolCallPart)])
    answer: Sent = {"role": "assistant", "content": "\n\n".join(texts) or None, "tool_calls": calls}
    kept = (part.extra.get(REASONING_DETAILS) for part in message.blocks if isinstance(part, ToolCallPart))
    if (details := next((one for one in kept if one), None)) and dialect.reasoning_field == "reasoning":
        return answer | {REASONING_DETAILS: details}
    thoughts = [part.text for part in message.blocks if isinstance(part, ThinkingPart) and part.text]
    if thoughts and dialect.reasoning_field:
        answer[dialect.reasoning_field] = "\n\n".join(thoughts)
    return answer


def _call(part: ToolCallPart) -> Sent:
    function = {"name": part.name, "arguments": json.dumps(part.input, ensure_ascii=False)}
    kept = {key: part.extra[key] for key in SENT_BACK if key in part.extra}
    return {"id": part.id, "type": "function", "function": function, **kept}


def _content(blocks: Sequence[Part], dialect: ChatDialect) -> str | list[Sent]:
    """One text, which every server takes; a list of parts only where a picture or a scan is among them."""
    if not (dialect.images and any(isinstance(one, ImagePart) or scanned_pdf(one) is not None for one in blocks)):
        return "\n\n".join(_texts(blocks)) or BLANK
    parts: list[Sent] = []
    for part in blocks:
        if isinstance(part, ImagePart):
            url = f"data:{part.media_type};base64,{part.data}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        elif isinstance(part, DocumentPart) and (scan := scanned_pdf(part)) is not None:
            file = {"filename": part.name, "file_data": f"data:application/pdf;base64,{scan}"}
            parts.append({"type": "file", "file": file})
        else:
            parts += [{"type": "text", "text": text} for text in _texts([part])]
    return parts


def _texts(blocks: Sequence[Part]) -> list[str]:
    return [text for part in blocks if (text := _text(part)).strip()]


def _text(part: Part) -> str:
    match part:
        case TextPart(text):
            return text
        case DocumentPart(name, text):
            return f"{name}:\n\n{text}"
        case ImagePart():
            return image_note(part).text
        case ToolCallPart(_, name, values):
            return f"[called {name}] {json.dumps(values, ensure_ascii=False)}"
        case ToolResultPart(_, text, is_error):
            return f"[the call failed]\n{text}" if is_error else f"[result of the call]\n{text}"
        case ThinkingPart() | UnknownPart():
            return ""
        case _:
            assert_never(part)


def _joined(system: str, content: str | list[Sent]) -> str | list[Sent]:
    if isinstance(content, str):
        return f"{system}\n\n{content}"
    return [{"type": "text", "text": system}, *content]

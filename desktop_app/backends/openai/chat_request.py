"""Builds the body of a chat completion from a plan."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, assert_never

from desktop_app.backends.openai.chat_answer_reader import REASONING_DETAILS
from desktop_app.backends.openai.chat_failures import ChatDialect
from desktop_app.core.attachment_facts import scanned_pdf
from desktop_app.core.context.plan import ContextPlan, PlannedMessage
from desktop_app.core.context.sent_content import image_note
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    JsonObject,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    UnknownPart,
)

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
            yield {"role": "tool", "tool_call_id": part.call_id, "content": part.text if part.text.strip() else BLANK}
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
    details = next((one for one in kept if one), None)
    if details and dialect.reasoning_field == "reasoning":
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
    if not (dialect.images and any(map(_is_seen, blocks))):
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


def _is_seen(part: Part) -> bool:
    return isinstance(part, ImagePart) or scanned_pdf(part) is not None


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

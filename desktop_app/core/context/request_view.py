"""A request for people to read: blocks with their speakers, cache marks, settings; and its raw texts.

What it does not know of a format is shown as JSON, never left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from desktop_app.core.messages import Json, JsonObject

Speaker: TypeAlias = Literal["tools", "system", "user", "assistant"]
BlockKind: TypeAlias = Literal["text", "thinking", "tool", "call", "result", "image", "document", "other"]

_LABELS: Final[tuple[tuple[str, Speaker], ...]] = (("[USER]: ", "user"), ("[ASSISTANT]: ", "assistant"))
"""With these words the `claude` program's input names who speaks in a block."""

_CONVERSATION: Final = ("messages", "input", "system", "instructions", "tools")
"""The keys of a body that hold what is said; the others are settings."""


@dataclass(frozen=True, slots=True)
class RequestBlock:
    """One block of a request. `message` counts the messages from 0, so that neighbours of one message are known.

    `title` is the name of a document or a tool. `mark` is the lifetime of a cache mark behind the block ("": none).
    `size`: bytes of an image, which has no text.
    """

    speaker: Speaker
    kind: BlockKind
    text: str
    message: int
    title: str = ""
    mark: str = ""
    size: int = 0

    @property
    def said(self) -> tuple[object, ...]:
        """The fields that two blocks must share to be the same to a cache; the mark is not among them."""
        return self.speaker, self.kind, self.title, self.text, self.size


@dataclass(frozen=True, slots=True)
class RawText:
    """One text exactly as it is sent; `title` names it where there are several ("": the body)."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadableRequest:
    """A request in both readings. `settings` are the names and values beside the conversation, in their order."""

    blocks: tuple[RequestBlock, ...]
    settings: tuple[tuple[str, str], ...]
    raw: tuple[RawText, ...]

    def setting(self, name: str) -> str:
        """The value of a setting as text, "" where it is not in the request."""
        return dict(self.settings).get(name, "")


def read_request(request: JsonObject) -> ReadableRequest:
    """The request as people read it. Takes a few milliseconds per megabyte: to be called off the GUI thread."""
    stdin, system = request.get("stdin"), request.get("system")
    if isinstance(stdin, str):
        prompt = system if isinstance(system, str) else ""
        raw = (RawText("stdin", stdin), *((RawText("system", prompt),) if prompt else ()))
        return ReadableRequest(tuple(_program_blocks(stdin, prompt)), (), raw)
    body = RawText("", json.dumps(request, ensure_ascii=False, indent=2))
    settings = tuple((name, _plain(value)) for name, value in request.items() if name not in _CONVERSATION)
    return ReadableRequest(tuple(_body_blocks(request)), settings, (body,))


def _body_blocks(body: JsonObject) -> Iterator[RequestBlock]:
    """Tools, then the system prompt, then the messages: the order in which a cache reads them."""
    number = 0
    for tool in _items(body.get("tools")):
        name = tool.get("name") if isinstance(tool, Mapping) else None
        yield _marked(RequestBlock("tools", "tool", _indented(tool), number, str(name or "")), tool)
    number += 1
    for system in (body.get("system"), body.get("instructions")):
        yield from _contents(system, "system", number)
    conversation = body.get("messages", body.get("input"))
    if isinstance(conversation, str):
        conversation = [{"role": "user", "content": conversation}]
    for message in _items(conversation):
        number += 1
        if not isinstance(message, Mapping):
            yield RequestBlock("user", "other", _indented(message), number)
            continue
        role = message.get("role")
        speaker: Speaker = (
            "assistant" if role == "assistant" else "system" if role in ("system", "developer") else "user"
        )
        yield from _contents(message.get("content"), speaker, number)


def _program_blocks(stdin: str, system: str) -> Iterator[RequestBlock]:
    if system:
        yield RequestBlock("system", "text", system, 0)
    content: Json = None
    try:
        record = json.loads(stdin)
    except ValueError:
        record = None
    if isinstance(record, dict):
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
    if content is None:
        yield RequestBlock("user", "other", stdin, 1)
        return
    number, before = 0, None
    for block in _contents(content, "user", 0):
        told = _told(block)
        if told.speaker != before:
            number, before = number + 1, told.speaker
        yield replace(told, message=number)


def _told(block: RequestBlock) -> RequestBlock:
    """A labelled block without its label and the blank line behind it; the speaker says the same."""
    for label, speaker in _LABELS:
        if block.kind == "text" and block.text.startswith(label):
            return replace(block, speaker=speaker, text=block.text[len(label) :].removesuffix("\n\n"))
    return block


def _contents(content: Json, speaker: Speaker, number: int) -> Iterator[RequestBlock]:
    if isinstance(content, str):
        if content:
            yield RequestBlock(speaker, "text", content, number)
        return
    for item in _items(content):
        if isinstance(item, str):
            yield RequestBlock(speaker, "text", item, number)
        elif isinstance(item, Mapping):
            yield _marked(_block(item, speaker, number), item)
        elif item is not None:
            yield RequestBlock(speaker, "other", _indented(item), number)


def _block(item: JsonObject, speaker: Speaker, number: int) -> RequestBlock:  # noqa: PLR0911
    match item:
        case {"type": "text" | "input_text" | "output_text", "text": str(text)}:
            return RequestBlock(speaker, "text", text, number)
        case {"type": "thinking", "thinking": str(text)}:
            return RequestBlock(speaker, "thinking", text, number)
        case {"type": "tool_use", "name": str(name), "input": arguments}:
            return RequestBlock(speaker, "call", _indented(arguments), number, name)
        case {"type": "tool_result", **rest}:
            told = rest.get("content", "")
            return RequestBlock(speaker, "result", told if isinstance(told, str) else _indented(told), number)
        case {"type": "image", "source": {"media_type": str(kind), "data": str(data)}}:
            # four characters of base64 stand for three bytes; the size tells two images apart well enough to people
            return RequestBlock(speaker, "image", "", number, kind, size=len(data) * 3 // 4)
        case {"type": "document", "source": {"data": str(text)}, **rest}:
            return RequestBlock(speaker, "document", text, number, str(rest.get("title") or ""))
    unmarked = {name: value for name, value in item.items() if name != "cache_control"}
    return RequestBlock(speaker, "other", _indented(unmarked), number)


def _marked(block: RequestBlock, item: Json) -> RequestBlock:
    control = item.get("cache_control") if isinstance(item, Mapping) else None
    if not isinstance(control, Mapping):
        return block
    return replace(block, mark=str(control.get("ttl") or "5m"))


def _items(value: Json) -> Sequence[Json]:
    if isinstance(value, Mapping):
        return (value,)
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _indented(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

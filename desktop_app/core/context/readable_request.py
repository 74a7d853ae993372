"""A request for people to read: blocks with their speakers, cache marks, settings, raw texts; and two compared.

What is not known of a format is shown as JSON, never left out. The time of a comparison is bounded: what is too large
to be matched is told as taken away and added.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from desktop_app.core.messages import Json, JsonObject
from desktop_app.core.text_diff import opcodes

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
    if isinstance(conversation := body.get("messages", body.get("input")), str):
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
        if (told := _told(block)).speaker != before:
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


HunkKind: TypeAlias = Literal["same", "changed", "added", "removed"]
CacheFate: TypeAlias = Literal["kept", "rewritten", "unmarked"]
Sign: TypeAlias = Literal[" ", "+", "-"]

CONTEXT: Final = 2
"""Unchanged lines that are shown around a change inside a block."""

CACHED_SETTINGS: Final = ("model", "thinking", "reasoning")
"""A change of one of these makes the whole cached prefix worthless."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line inside a changed block; `skipped` unchanged lines before it are not shown."""

    sign: Sign
    text: str
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """Blocks in a row that had the same fate. `first` is the number of the first one, from 1.

    It counts in the later request, for `removed` in the earlier one. `block` is the block itself where there is only
    one, in its later form; `lines` are filled for `changed`, and for `added` and `removed` hold the block's text.
    """

    kind: HunkKind
    first: int
    count: int
    block: RequestBlock | None = None
    lines: tuple[DiffLine, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestDiff:
    """`same` blocks at the beginning are equal. `cache`: what became of the earlier request's cache marks.

    `block`: kept up to this block, or rewritten from this block on; both count from 1. `settings` are (name, before,
    after) of the settings that differ.
    """

    hunks: tuple[DiffHunk, ...]
    same: int
    cache: CacheFate
    block: int
    settings: tuple[tuple[str, str, str], ...] = ()


def compare_requests(before: ReadableRequest, after: ReadableRequest) -> RequestDiff:
    """Return the changes from one request to another. To be called off the GUI thread."""
    old, new = [block.said for block in before.blocks], [block.said for block in after.blocks]
    hunks: list[DiffHunk] = []
    for kind, i, i_end, j, j_end in opcodes(old, new):
        if kind == "equal":
            hunks.append(DiffHunk("same", j + 1, j_end - j))
        else:
            hunks += _changes(before.blocks[i:i_end], after.blocks[j:j_end], i, j)
    names = dict.fromkeys(name for name, _ in (*before.settings, *after.settings))
    settings = tuple(
        (name, before.setting(name), after.setting(name))
        for name in names
        if before.setting(name) != after.setting(name)
    )
    same = hunks[0].count if hunks and hunks[0].kind == "same" else 0
    spoilt = any(name in CACHED_SETTINGS for name, _, _ in settings)
    cache, block = _fate(before.blocks, 0 if spoilt else same)
    return RequestDiff(tuple(hunks), same, cache, block, settings)


def _fate(before: Sequence[RequestBlock], same: int) -> tuple[CacheFate, int]:
    """A cache holds what stands before the marks of the earlier request, and is read up to the last mark still true."""
    marked = [number for number, block in enumerate(before, 1) if block.mark]
    if not marked:
        return "unmarked", same
    held = max((number for number in marked if number <= same), default=0)
    return ("kept", held) if held == marked[-1] else ("rewritten", held + 1)


def _changes(old: Sequence[RequestBlock], new: Sequence[RequestBlock], old_at: int, new_at: int) -> Iterator[DiffHunk]:
    """Blocks of one place: those of one kind are told as changed, the rest as taken away and added."""
    paired = 0
    for before, after in zip(old, new, strict=False):
        if (before.speaker, before.kind, before.title) != (after.speaker, after.kind, after.title):
            break
        yield DiffHunk("changed", new_at + paired + 1, 1, after, tuple(line_changes(before.text, after.text)))
        paired += 1
    for number, block in enumerate(old[paired:], old_at + paired + 1):
        yield DiffHunk("removed", number, 1, block, _whole(block, "-"))
    for number, block in enumerate(new[paired:], new_at + paired + 1):
        yield DiffHunk("added", number, 1, block, _whole(block, "+"))


def _whole(block: RequestBlock, sign: Sign) -> tuple[DiffLine, ...]:
    return tuple(DiffLine(sign, line) for line in block.text.split("\n"))


def line_changes(before: str, after: str) -> Iterator[DiffLine]:
    """The lines that differ, with some unchanged ones around them."""
    old, new = before.split("\n"), after.split("\n")
    steps = list(opcodes(old, new))
    skipped = 0
    for place, (kind, i, i_end, j, j_end) in enumerate(steps):
        if kind != "equal":
            for sign, lines in (("-", old[i:i_end]), ("+", new[j:j_end])):
                for line in lines:
                    yield DiffLine("-" if sign == "-" else "+", line, skipped)
                    skipped = 0
            continue
        head = CONTEXT if place else 0
        tail = CONTEXT if place < len(steps) - 1 else 0
        if i_end - i <= head + tail:
            head, tail = i_end - i, 0
        for line in old[i : i + head]:
            yield DiffLine(" ", line)
        skipped = i_end - i - head - tail
        for line in old[i_end - tail : i_end] if tail else ():
            yield DiffLine(" ", line, skipped)
            skipped = 0

"""Reads ChatGPT's `conversations.json`: the tree of nodes becomes messages.

The format is not documented by its vendor: unknown keys are ignored, unknown content is kept whole in `UnknownPart`,
and a tree with missing parents or cycles is still read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from desktop_app.controller.formats.export_reading import (
    ExportSource,
    Found,
    Importer,
    Skipped,
    as_instant,
    as_list,
    as_object,
    as_text,
    conversation_members,
    holds_conversations,
)
from desktop_app.controller.formats.message_tree import EPOCH, cut_circles, newest_leaf, parents_first, stable_id
from desktop_app.controller.ports import ImportedThread
from desktop_app.core.messages import (
    Json,
    JsonObject,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

SOURCE = "chatgpt"

LOOK_BACK = 16
"""How many open tool calls are searched for the one that a result names."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call on the way down a branch, linked to the one before it."""

    id: str
    name: str
    before: Call | None


@dataclass(frozen=True, slots=True)
class NodeContent:
    """What a node adds to its message; no parts: nothing to show. `calls` is what its children inherit.

    `system` is the text of a visible system message; it has parts too, for where it can't be the thread's system
    prompt. `hidden` counts a message with content that ChatGPT does not show either.
    """

    role: Literal["user", "assistant"] = "assistant"
    parts: tuple[Part, ...] = ()
    created: str | None = None
    model: str | None = None
    partial: bool = False
    calls: Call | None = None
    system: str | None = None
    hidden: int = 0


def read_node(node_id: str, value: Json, calls: Call | None) -> NodeContent:
    """Reads a node's `message` (null for roots). `calls` are the tool calls on the path to it."""
    message = as_object(value)
    if message is None:
        return NodeContent(calls=calls)
    content = as_object(message.get("content")) or {}
    kind = as_text(content.get("content_type"))
    metadata = as_object(message.get("metadata")) or {}
    parts = tuple(_parts(kind, content))
    if message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation") is True:
        return NodeContent(calls=calls, hidden=int(bool(parts)))
    if kind in ("user_editable_context", "model_editable_context"):
        return NodeContent(calls=calls, hidden=1)

    author = as_object(message.get("author")) or {}
    role, recipient = as_text(author.get("role")), as_text(message.get("recipient")) or "all"
    text = _text(parts)
    system = None
    if role == "tool":
        parts = _result(as_text(author.get("name")), kind, content, parts, calls)
    elif role == "assistant" and recipient != "all" and parts:
        calls = Call(as_text(message.get("id")) or node_id, recipient, calls)
        parts = (ToolCallPart(calls.id, recipient, _arguments(kind, content, text)),)
    elif role == "system":
        system = text or None
        parts = (UnknownPart({"type": "chatgpt.system", "content": content}),) if parts else ()
    elif role == "user":
        parts = (*parts, *_attachments(metadata))
    return NodeContent(
        role="user" if role == "user" else "assistant",
        parts=parts,
        created=as_instant(message.get("create_time")),
        model=as_text(metadata.get("model_slug")) or None,
        partial=as_text(message.get("status")) in ("finished_partial_completion", "in_progress"),
        calls=calls,
        system=system,
    )


def _parts(kind: str, content: JsonObject) -> Iterator[Part]:
    """The content as parts, before the author's role is looked at; empty text gives none."""
    match kind:
        case "text" | "multimodal_text":
            for piece in as_list(content.get("parts")):
                yield from _piece(piece)
        case "code":
            if text := as_text(content.get("text")):
                language = as_text(content.get("language"))
                yield TextPart(f"```{'' if language == 'unknown' else language}\n{text}\n```")
        case "execution_output" | "system_error":
            if text := as_text(content.get("text")):
                yield TextPart(text)
        case "thoughts":
            thoughts = [as_object(thought) or {} for thought in as_list(content.get("thoughts"))]
            lines = [as_text(thought.get(name)) for thought in thoughts for name in ("summary", "content")]
            if text := "\n\n".join(line for line in lines if line):
                yield ThinkingPart(text)
        case "reasoning_recap":
            if text := as_text(content.get("content")):
                yield ThinkingPart(text)
        case _:
            if any(value for name, value in content.items() if name != "content_type"):
                yield UnknownPart({"type": f"chatgpt.{kind}", "content": content})


def _piece(piece: Json) -> Iterator[Part]:
    """One entry of `parts`: text, a transcribed voice message, or a pointer to a file of the export."""
    if isinstance(piece, str):
        if piece.strip():
            yield TextPart(piece)
    elif isinstance(piece, Mapping) and piece:
        spoken = as_text(piece.get("text"))
        if piece.get("content_type") == "audio_transcription" and spoken:
            yield TextPart(spoken)
        else:
            yield UnknownPart({"type": "chatgpt.part", "content": piece})


def _arguments(kind: str, content: JsonObject, text: str) -> JsonObject:
    """A tool call's input: the JSON object that its text is, else the text itself."""
    text = as_text(content.get("text")) if kind == "code" else text
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, Mapping):
        return parsed
    language = as_text(content.get("language"))
    return {"text": text, "language": language} if language and language != "unknown" else {"text": text}


def _result(name: str, kind: str, content: JsonObject, parts: tuple[Part, ...], calls: Call | None) -> tuple[Part, ...]:
    """A tool's answer, paired with the newest call of its name, else with the newest call at all."""
    if not parts:
        return ()
    if calls is None:
        return (UnknownPart({"type": "chatgpt.tool", "name": name, "content": content}),)
    call, candidate = calls, calls
    for _ in range(LOOK_BACK):
        if candidate.name == name:
            call = candidate
            break
        if candidate.before is None:
            break
        candidate = candidate.before
    whole = all(isinstance(part, TextPart) for part in parts)
    text = _text(parts) or as_text(content.get("text")) or as_text(content.get("result"))
    extra: JsonObject = {} if whole else {"chatgpt": content}
    return (ToolResultPart(call.id, text, kind == "system_error", extra),)


def _attachments(metadata: JsonObject) -> Iterator[Part]:
    """What was attached to a user's message, by name and size: the files themselves are not in this JSON."""
    for item in as_list(metadata.get("attachments")):
        if attachment := as_object(item):
            yield UnknownPart({"type": "chatgpt.attachment", "content": attachment})


def _text(parts: tuple[Part, ...]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))


def recognizes(source: ExportSource) -> bool:
    """True if a JSON file in it holds conversations with a mapping of nodes, or is one such conversation."""
    return holds_conversations(source, _FILE_NAME, "mapping")


def read_export(source: ExportSource) -> Iterator[Found]:
    """Every conversation with a message in it."""
    hidden = 0
    members = conversation_members(source, _FILE_NAME, "mapping")
    for member in members:
        for item in source.items(member):
            conversation = as_object(item.value)
            title = _title(conversation) if conversation is not None else ""
            what = ("" if len(members) == 1 else f"{member}, ") + f"conversation {item.number + 1}"
            what += f' "{title}"' if title else ""
            if conversation is None or not isinstance(conversation.get("mapping"), Mapping):
                source.refuse(what, f"expected an object with a mapping of nodes at {item.place}")
                continue
            reader = _TreeReader(conversation)
            thread = reader.read()
            hidden += reader.hidden
            if reader.mended:
                yield Skipped(what, f"{reader.mended} broken links between messages; they start a branch here")
            yield Skipped(what, "no messages") if thread is None else thread
    if hidden:
        yield Skipped(f"{hidden} hidden messages", "ChatGPT's own instructions, never shown there either")


def _title(conversation: JsonObject) -> str:
    return " ".join(as_text(conversation.get("title")).split())


@dataclass(slots=True)
class _NodeGroup:
    """Nodes of one turn's answer that become one message (a user's node stands alone); `last` names the message."""

    parent: _NodeGroup | None
    role: str
    nodes: list[NodeContent] = field(default_factory=list)
    last: str = ""
    created: str = EPOCH


class _TreeReader:
    """Reads one conversation in time linear to its nodes."""

    def __init__(self, conversation: JsonObject) -> None:
        self._conversation = conversation
        mapping = as_object(conversation.get("mapping")) or {}
        self._nodes: dict[str, JsonObject] = {
            node_id: node for node_id, item in mapping.items() if (node := as_object(item)) is not None
        }
        self._key = as_text(conversation.get("conversation_id")) or as_text(conversation.get("id"))
        self._key = self._key or _fingerprint(conversation)
        self._thread_id = stable_id(SOURCE, self._key)
        self.hidden = 0
        """Messages left out because ChatGPT hides them too."""
        self.mended = 0
        """Links to a missing node or in a circle that were cut."""

    def read(self) -> ImportedThread | None:
        """The thread, or None if there is no message in it."""
        parents = self._parents()
        groups, system = self._groups(parents)
        ordered = list({id(group): group for group in groups.values()}.values())
        if not ordered:
            return None
        messages = tuple(self._message(group) for group in ordered)
        tip = self._tip(parents, groups, messages)
        started = as_instant(self._conversation.get("create_time")) or messages[0].created
        thread = Thread(
            id=self._thread_id,
            title=_title(self._conversation) or " ".join(messages[0].text.split())[:80] or "Untitled",
            created=started,
            updated=as_instant(self._conversation.get("update_time")) or max(message.created for message in messages),
            tip=tip,
            seen=tip,
            system="\n\n".join(system),
            pinned=self._conversation.get("is_starred") is True,
            archived=self._conversation.get("is_archived") is True,
        )
        return ImportedThread(f"{SOURCE}:{self._key}", thread, messages)

    def _parents(self) -> dict[str, str | None]:
        """Each node's parent, with missing ones and circles cut."""
        listed = {
            child: node_id
            for node_id, node in self._nodes.items()
            for child in as_list(node.get("children"))
            if isinstance(child, str)
        }
        parents = {node_id: as_text(node.get("parent")) or listed.get(node_id) for node_id, node in self._nodes.items()}
        self.mended = cut_circles(parents)
        return parents

    def _preorder(self, parents: dict[str, str | None]) -> Iterator[str]:
        """Parents before children, siblings in the order in which their parent names them."""
        children = {
            node_id: [child for child in as_list(node.get("children")) if isinstance(child, str)]
            for node_id, node in self._nodes.items()
        }
        return parents_first(parents, children)

    def _groups(self, parents: dict[str, str | None]) -> tuple[dict[str, _NodeGroup], list[str]]:
        """The group of every kept node, in order, and the texts of visible system messages at the top."""
        kept: dict[str, NodeContent] = {}
        above: dict[str, str | None] = {}
        calls: dict[str | None, Call | None] = {None: None}
        system: list[str] = []
        for node_id in self._preorder(parents):
            parent = parents[node_id]
            kept_parent = parent if parent is None or parent in kept else above[parent]
            above[node_id] = kept_parent
            content = read_node(node_id, self._nodes[node_id].get("message"), calls[kept_parent])
            if content.system is not None and kept_parent is None:
                system.append(content.system)
            elif content.parts:
                kept[node_id] = content
                calls[node_id] = content.calls
            self.hidden += content.hidden
        fan: dict[str | None, int] = {}
        for node_id in kept:
            fan[above[node_id]] = fan.get(above[node_id], 0) + 1

        groups: dict[str, _NodeGroup] = {}
        begun = as_instant(self._conversation.get("create_time")) or EPOCH
        for node_id, content in kept.items():
            parent = above[node_id]
            group = groups[parent] if parent is not None else None
            joins = group is not None and group.role == content.role == "assistant" and fan[parent] == 1
            if group is None or not joins:
                created = content.created or (group.created if group is not None else begun)
                group = _NodeGroup(group, content.role, created=created)
            group.nodes.append(content)
            group.last = node_id
            groups[node_id] = group
        return groups, system

    def _message(self, group: _NodeGroup) -> Message:
        models = [node.model for node in group.nodes if node.model]
        return Message(
            id=stable_id(SOURCE, f"{self._key}/{group.last}"),
            thread_id=self._thread_id,
            parent_id=None if group.parent is None else stable_id(SOURCE, f"{self._key}/{group.parent.last}"),
            role="user" if group.role == "user" else "assistant",
            parts=tuple(part for node in group.nodes for part in node.parts),
            created=group.created,
            state="partial" if group.nodes[-1].partial else "complete",
            model=models[-1] if models and group.role == "assistant" else None,
        )

    def _tip(self, parents: dict[str, str | None], groups: dict[str, _NodeGroup], messages: tuple[Message, ...]) -> str:
        """The message that the visible branch ends with; without a usable `current_node` the newest leaf."""
        current: str | None = as_text(self._conversation.get("current_node"))
        while current in parents and current not in groups:
            current = parents[current]
        if current in groups:
            return stable_id(SOURCE, f"{self._key}/{groups[current].last}")
        return newest_leaf(messages)


def _fingerprint(conversation: JsonObject) -> str:
    """A key for a conversation without an id: what does not change when it goes on."""
    mapping = as_object(conversation.get("mapping")) or {}
    first = next(iter(mapping), "")
    facts = json.dumps([first, conversation.get("create_time"), as_text(conversation.get("title"))])
    return hashlib.sha256(facts.encode()).hexdigest()


_FILE_NAME = re.compile(r"conversations(-\d+)?\.json", re.IGNORECASE)

IMPORTER = Importer("ChatGPT", recognizes, read_export)

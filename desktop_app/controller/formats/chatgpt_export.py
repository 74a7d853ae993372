"""Reads ChatGPT's `conversations.json`: the tree of nodes becomes messages, the calls of its canvas artifacts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from desktop_app.controller.formats.chatgpt_nodes import SOURCE, Assets, Call, NodeContent, read_node
from desktop_app.controller.formats.export_reading import (
    EPOCH,
    ExportSource,
    Found,
    Importer,
    Skipped,
    as_instant,
    as_list,
    as_object,
    as_text,
    broken_links,
    conversation_called,
    conversation_members,
    cut_circles,
    holds_conversations,
    newest_leaf,
    objects_in,
    parents_first,
    stable_id,
)
from desktop_app.controller.formats.replayed_artifacts import NEWEST, ArtifactChange, ReplayedArtifacts
from desktop_app.controller.ports import ImportedThread
from desktop_app.core.artifacts import ArtifactKind
from desktop_app.core.messages import JsonObject, Message, Thread, ToolCallPart
from desktop_app.core.phrases import phrase
from desktop_app.core.titles import first_words

CREATE: Final = "canmore.create_textdoc"
UPDATE: Final = "canmore.update_textdoc"
_KINDS: Final[Mapping[str, tuple[ArtifactKind, str]]] = {
    "document": ("markdown", ""),
    "code/html": ("html", ""),
    "code/react": ("code", "jsx"),
}
_WHOLE: Final = (".*", "(?s).*", "^.*$", "[\\s\\S]*")
"""Patterns by which the whole text is replaced."""


def read_canvas_call(call: ToolCallPart) -> ArtifactChange | None:
    """The change that a call makes; patterns of others are not run, only those that are plain text."""
    if call.name == CREATE:
        form = as_text(call.input.get("type"))
        kind, language = _KINDS.get(form, ("code" if form.startswith("code/") else "text", form.partition("/")[2]))
        text = as_text(call.input.get("content"))
        return ArtifactChange(NEWEST, as_text(call.input.get("name")), kind, language, text, creates=True)
    if call.name != UPDATE:
        return None
    updates = objects_in(call.input.get("updates"))
    last = updates[-1] if updates else {}
    if as_text(last.get("pattern")) in _WHOLE:
        return ArtifactChange(NEWEST, text=as_text(last.get("replacement")))
    edits = []
    for update in updates:
        pattern, new = as_text(update.get("pattern")), as_text(update.get("replacement"))
        old = re.sub(r"\\([^\w\s])", r"\1", pattern)
        if not old or update.get("multiple") is True or not _is_plain(pattern):
            return ArtifactChange(NEWEST)
        edits.append((old, new))
    return ArtifactChange(NEWEST, edits=tuple(edits))


def _is_plain(pattern: str) -> bool:
    """Return True if a pattern means exactly one text: every sign that would mean more is escaped."""
    return not re.search(r"(?<!\\)(?:\\\\)*[.^$*+?{}\[\]|()]|\\\w", pattern)


_SHORT_ID = 6


def recognizes(source: ExportSource) -> bool:
    """True if a JSON file in it holds conversations with a mapping of nodes, or is one such conversation."""
    return holds_conversations(source, _FILE_NAME, "mapping")


def read_export(source: ExportSource) -> Iterator[Found]:
    """Every conversation with a message in it."""
    hidden = 0
    assets = Assets(source)
    members = conversation_members(source, _FILE_NAME, "mapping")
    for member in members:
        for item in source.items(member):
            conversation = as_object(item.value)
            title = _title(conversation) if conversation is not None else ""
            what = conversation_called(item.number + 1, title, "" if len(members) == 1 else member)
            if conversation is None or not isinstance(conversation.get("mapping"), Mapping):
                source.refuse(what, phrase("expected an object with a mapping of nodes at {place}", place=item.place))
                continue
            reader = _TreeReader(conversation, assets)
            thread = reader.read()
            hidden += reader.hidden
            if reader.mended:
                yield Skipped(what, broken_links(reader.mended))
            yield Skipped(what, phrase("no messages")) if thread is None else thread
    if hidden:
        what = phrase("{count:,} hidden messages", "1 hidden message", count=hidden)
        yield Skipped(what, phrase("ChatGPT's own instructions, hidden there too"))
    yield from assets.skipped()


def _title(conversation: JsonObject) -> str:
    return " ".join(as_text(conversation.get("title")).split())


def _project(conversation: JsonObject) -> str | None:
    """A name for its project, of which the export has no more than the id."""
    names = ("conversation_template_id", "gizmo_id")
    found = next((name for one in names if (name := as_text(conversation.get(one))).startswith("g-p-")), "")
    return phrase("ChatGPT project {id}", id=found[len("g-p-") :][:_SHORT_ID]) if found else None


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

    def __init__(self, conversation: JsonObject, assets: Assets) -> None:
        self._conversation = conversation
        self._assets = assets
        assets.begin()
        mapping = as_object(conversation.get("mapping")) or {}
        self._nodes: dict[str, JsonObject] = {
            node_id: node for node_id, item in mapping.items() if (node := as_object(item)) is not None
        }
        self._key = as_text(conversation.get("conversation_id")) or as_text(conversation.get("id"))
        self._key = self._key or _fingerprint(conversation)
        self._thread_id = stable_id(SOURCE, self._key)
        self._artifacts = ReplayedArtifacts(self._thread_id, read_canvas_call)
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
            title=_title(self._conversation) or first_words(messages[0].text) or "Untitled",
            created=started,
            updated=as_instant(self._conversation.get("update_time")) or max(message.created for message in messages),
            tip=tip,
            seen=tip,
            system="\n\n".join(dict.fromkeys(system)),
            project=_project(self._conversation),
            pinned=self._conversation.get("is_starred") is True,
            archived=self._conversation.get("is_archived") is True,
        )
        key = f"{SOURCE}:{self._key}"
        return ImportedThread(key, thread, messages, artifacts=tuple(self._artifacts.artifacts()))

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
            content = read_node(node_id, self._nodes[node_id].get("message"), calls[kept_parent], self._assets)
            if content.system is not None and kept_parent is None:
                system.append(content.system)
            elif content.parts:
                kept[node_id] = content
                calls[node_id] = content.calls
            if content.system is None or kept_parent is not None:
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
        message_id = stable_id(SOURCE, f"{self._key}/{group.last}")
        parent_id = None if group.parent is None else stable_id(SOURCE, f"{self._key}/{group.parent.last}")
        parts = tuple(part for node in group.nodes for part in node.parts)
        return Message(
            id=message_id,
            thread_id=self._thread_id,
            parent_id=parent_id,
            role="user" if group.role == "user" else "assistant",
            parts=self._artifacts.replaced(parts, message_id, parent_id, group.created),
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

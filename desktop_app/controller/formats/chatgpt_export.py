"""Reads ChatGPT's `conversations.json`: the tree of nodes becomes messages, the calls of its canvas artifacts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from desktop_app.controller.formats.export_reading import (
    EPOCH,
    NEWEST,
    ArtifactChange,
    ExportSource,
    Found,
    Importer,
    ReplayedArtifacts,
    Skipped,
    UnreadableExportError,
    as_instant,
    as_list,
    as_object,
    as_text,
    broken_links,
    conversations,
    cut_circles,
    holds_conversations,
    newest_leaf,
    objects_in,
    parents_first,
    stable_id,
)
from desktop_app.core.artifacts import ArtifactKind
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
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
from desktop_app.core.phrases import phrase, template
from desktop_app.core.stream_events import count_of, mapping_in, valid_json
from desktop_app.core.titles import first_words

MOST_OF_FILE: Final = 20 * 1024**2
"""Bytes of one picture or text."""

MOST_OF_CONVERSATION: Final = 64 * 1024**2
"""Bytes of all files of one conversation, which is in memory as a whole."""

_TEXTS: Final = ("text/", "application/json", "application/xml", "application/x-yaml", "application/javascript")
_BEGINNINGS: Final[Mapping[bytes, str]] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


class Assets:
    """The files of an export, by the ids that conversations name them with. Counts what is not taken from it."""

    def __init__(self, source: ExportSource | None) -> None:
        self._source = source
        self._left = MOST_OF_CONVERSATION
        self._names: Mapping[str, str] = {}
        self.recordings = 0
        """Recordings whose words were taken in their place."""
        self._missing = 0
        self._too_big = 0

    def begin(self) -> None:
        """Another conversation begins."""
        self._left = MOST_OF_CONVERSATION

    def named(self, metadata: JsonObject) -> Assets:
        """The same, with the names that a message's attachments have."""
        attachments = objects_in(metadata.get("attachments"))
        self._names = {as_text(one.get("id")): as_text(one.get("name")) for one in attachments}
        return self

    def image(self, pointer: JsonObject) -> Part:
        """The picture that a pointer names, else the pointer as it is."""
        name = asset_id(pointer.get("asset_pointer"))
        data = self._content(name)
        media_type = None if data is None else _image_type(data)
        if data is None or media_type is None:
            return unknown("part", pointer)
        width, height = (max(0, count_of(pointer.get(one))) for one in ("width", "height"))
        return ImagePart(self._names.get(name) or name, media_type, _base64(data), width, height)

    def attachment(self, attachment: JsonObject) -> Part:
        """A picture or text that was attached, else what is known of the file."""
        name = as_text(attachment.get("name"))
        media_type = as_text(attachment.get("mime_type")) or as_text(attachment.get("mimeType"))
        if (data := self._content(as_text(attachment.get("id")))) is None:
            return unknown("attachment", attachment)
        if (kind := _image_type(data)) is not None:
            return ImagePart(name or "image", kind, _base64(data))
        text = _asset_text(data) if media_type.startswith(_TEXTS) else ""
        if not text.strip():
            return unknown("attachment", attachment)
        return DocumentPart(name or "document.txt", text, hashlib.sha256(data).hexdigest())

    def skipped(self) -> Iterator[Skipped]:
        """Yield the assets that were not taken, and why."""
        if self._missing:
            yield Skipped(phrase("{count:,} files", "1 file", count=self._missing), phrase("not in the export"))
        if self._too_big:
            yield Skipped(
                phrase("{count:,} files", "1 file", count=self._too_big), phrase("too large to keep in a thread")
            )
        if self.recordings:
            yield Skipped(
                phrase("{count:,} recordings", "1 recording", count=self.recordings), phrase("imported as text")
            )

    def _content(self, name: str) -> bytes | None:
        if self._source is None or not name:
            return None
        if (member := self._source.asset(name)) is None:
            self._missing += 1
            return None
        try:
            data = self._source.content(member, min(self._left, MOST_OF_FILE))
        except UnreadableExportError as error:
            self._source.refuse(member, error.why)
            return None
        if data is None:
            self._too_big += 1
        else:
            self._left -= len(data)
        return data


def asset_id(pointer: Json) -> str:
    """The id in `file-service://file-ID` and `sediment://file_ID`; what a page adds behind it is left away."""
    return as_text(pointer).rpartition("://")[2].partition("#")[0].partition("?")[0]


def unknown(kind: str, content: Json, name: str | None = None) -> UnknownPart:
    """Content of a kind that has no part of its own, whole; `name`: of the tool that it comes from."""
    named = {} if name is None else {"name": name}
    return UnknownPart({"type": f"chatgpt.{kind}", **named, "content": valid_json(content)})


def _image_type(data: bytes) -> str | None:
    """By its first bytes: exports call their files as they like."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS.items() if data.startswith(beginning)), None)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _asset_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


SOURCE: Final = "chatgpt"
_MARK: Final = re.compile("\ue200[^\ue200\ue201]*\ue201|【[^【】]*】")
_SPOKEN: Final = "audio_transcription"
_RECORDINGS: Final = ("audio_asset_pointer", "real_time_user_audio_video_asset_pointer")

LOOK_BACK = 16
"""The number of open tool calls that are searched for the one that a result names."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call on the way down a branch, linked to the one before it."""

    id: str
    name: str
    before: Call | None


@dataclass(frozen=True, slots=True)
class NodeContent:
    """The parts that a node adds to its message; no parts: nothing to show. `calls` is passed on to its children.

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


def read_node(node_id: str, value: Json, calls: Call | None, assets: Assets) -> NodeContent:
    """Reads a node's `message` (null for roots). `calls` are the tool calls on the path to it."""
    if (message := as_object(value)) is None:
        return NodeContent(calls=calls)
    content = as_object(message.get("content")) or {}
    kind = as_text(content.get("content_type"))
    metadata = as_object(message.get("metadata")) or {}
    if kind in ("user_editable_context", "model_editable_context"):
        return NodeContent(calls=calls, hidden=1, system=_custom_instructions(content, metadata) or None)
    if message.get("weight") == 0 or metadata.get("is_visually_hidden_from_conversation") is True:
        return NodeContent(calls=calls, hidden=int(any(_parts(kind, content, Assets(None)))))

    links = _links(metadata)
    parts = tuple(_with_links(part, links) for part in _parts(kind, content, assets.named(metadata)))
    author = as_object(message.get("author")) or {}
    role, recipient = as_text(author.get("role")), as_text(message.get("recipient")) or "all"
    text = _text(parts)
    system = None
    if role == "tool":
        pictures = tuple(_printed(metadata, assets))
        parts = (*_result(as_text(author.get("name")), kind, content, parts, calls), *pictures)
    elif role == "assistant" and recipient != "all" and parts:
        calls = Call(as_text(message.get("id")) or node_id, recipient, calls)
        parts = (ToolCallPart(calls.id, recipient, _arguments(kind, content, text)),)
    elif role == "system":
        system = text or None
        parts = (unknown("system", content),) if parts else ()
    elif role == "user":
        parts = (*_attachments(content, metadata, assets), *parts)
    return NodeContent(
        role="user" if role == "user" else "assistant",
        parts=parts,
        created=as_instant(message.get("create_time")),
        model=as_text(metadata.get("model_slug")) or None,
        partial=as_text(message.get("status")) in ("finished_partial_completion", "in_progress"),
        calls=calls,
        system=system,
    )


def _links(metadata: JsonObject) -> Mapping[str, str]:
    """Markdown by each mark that stands in the text for pages or files, as "citeturn0search1" between private signs."""
    links: dict[str, str] = {}
    for reference in objects_in(metadata.get("content_references")):
        pages = [one for one in objects_in(reference.get("items")) or [reference] if _address(one)]
        named = ", ".join(_link(page) for page in pages)
        words = as_text(reference.get("alt")) or as_text(reference.get("name")) or as_text(reference.get("title"))
        links.setdefault(as_text(reference.get("matched_text")), f" ({named})" if named else words)
    return links


def _link(page: JsonObject) -> str:
    title = re.sub(r"([\\\[\]])", r"\\\1", " ".join(as_text(page.get("title")).split()))
    return f"[{title}](<{_address(page)}>)" if title else f"<{_address(page)}>"


def _address(page: JsonObject) -> str:
    address = as_text(page.get("url"))
    return address if re.fullmatch(r"https?://[^\s<>]+", address) else ""


def _with_links(part: Part, links: Mapping[str, str]) -> Part:
    """Marks that nothing explains are left away where they are ChatGPT's own; `【...】` are Chinese brackets too."""
    if not isinstance(part, TextPart) or not _MARK.search(part.text):
        return part
    return TextPart(_MARK.sub(lambda mark: links.get(mark[0], "" if mark[0][0] == "\ue200" else mark[0]), part.text))


def _custom_instructions(content: JsonObject, metadata: JsonObject) -> str:
    """Return what the user told ChatGPT about themselves and about how to answer; "" for what it noted itself."""
    told = mapping_in(metadata, "user_context_message_data")
    about = as_text(told.get("about_user_message")) or as_text(content.get("user_profile"))
    how = as_text(told.get("about_model_message")) or as_text(content.get("user_instructions"))
    return "\n\n".join(one.strip() for one in (about, how) if one.strip())


def _parts(kind: str, content: JsonObject, assets: Assets) -> Iterator[Part]:
    """The content as parts, before the author's role is looked at; empty text gives none."""
    match kind:
        case "text" | "multimodal_text":
            pieces = as_list(content.get("parts"))
            spoken = any(piece.get("content_type") == _SPOKEN and piece.get("text") for piece in objects_in(pieces))
            for piece in pieces:
                yield from _piece(piece, assets, spoken=spoken)
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
            if text := "\n\n".join(line for line in lines if line.strip()):
                yield ThinkingPart(text)
        case "reasoning_recap":
            if (text := as_text(content.get("content"))).strip():
                yield ThinkingPart(text)
        case _:
            if any(value for name, value in content.items() if name != "content_type"):
                yield unknown(kind, content)


def _piece(piece: Json, assets: Assets, *, spoken: bool) -> Iterator[Part]:
    """One entry of `parts`: a text, or a pointer to a file. `spoken`: another entry has a recording's words."""
    if isinstance(piece, str):
        if piece.strip():
            yield TextPart(piece)
    elif isinstance(piece, Mapping) and piece:
        kind, words = as_text(piece.get("content_type")), as_text(piece.get("text"))
        if kind == _SPOKEN and words:
            yield TextPart(words)
        elif spoken and kind in _RECORDINGS:
            assets.recordings += 1
        elif kind == "image_asset_pointer":
            yield assets.image(piece)
        else:
            yield unknown("part", piece)


def _printed(metadata: JsonObject, assets: Assets) -> Iterator[Part]:
    """The pictures that a program drew which ChatGPT ran."""
    for item in objects_in(mapping_in(metadata, "aggregate_result").get("messages")):
        if item.get("message_type") == "image":
            pointer = {"asset_pointer": item.get("image_url"), "width": item.get("width"), "height": item.get("height")}
            yield assets.image(pointer)


def _arguments(kind: str, content: JsonObject, text: str) -> JsonObject:
    """A tool call's input: the JSON object that its text is, else the text itself."""
    text = as_text(content.get("text")) if kind == "code" else text
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, Mapping):
        return as_object(valid_json(parsed)) or {}
    language = as_text(content.get("language"))
    return {"text": text, "language": language} if language and language != "unknown" else {"text": text}


def _result(name: str, kind: str, content: JsonObject, parts: tuple[Part, ...], calls: Call | None) -> tuple[Part, ...]:
    """A tool's answer, paired with the newest call of its name, else with the newest call at all."""
    if not parts:
        return ()
    if calls is None:
        return (*(part for part in parts if isinstance(part, ImagePart)), unknown("tool", content, name))
    call, candidate = calls, calls
    for _ in range(LOOK_BACK):
        if candidate.name == name:
            call = candidate
            break
        if candidate.before is None:
            break
        candidate = candidate.before
    pictures = tuple(part for part in parts if isinstance(part, ImagePart))
    whole = all(isinstance(part, TextPart | ImagePart) for part in parts)
    text = _text(parts) or as_text(content.get("text")) or as_text(content.get("result"))
    extra: JsonObject = {} if whole else {SOURCE: valid_json(content)}
    return (ToolResultPart(call.id, text, kind == "system_error", extra), *pictures)


def _attachments(content: JsonObject, metadata: JsonObject, assets: Assets) -> Iterator[Part]:
    """Yield the attachments of a user's message, without the pictures that stand in it."""
    pointers = {asset_id(piece.get("asset_pointer")) for piece in objects_in(content.get("parts"))}
    for attachment in objects_in(metadata.get("attachments")):
        if as_text(attachment.get("id")) not in pointers - {""} and attachment:
            yield assets.attachment(attachment)


def _text(parts: tuple[Part, ...]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))


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
    return holds_conversations(source, "mapping")


def read_export(source: ExportSource) -> Iterator[Found]:
    """Every conversation with a message in it."""
    hidden = 0
    assets = Assets(source)
    refusal = template("expected an object with a mapping of nodes at {place}")
    for conversation, what in conversations(source, "mapping", Mapping, _title, refusal):
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
        if not (ordered := list({id(group): group for group in groups.values()}.values())):
            return None
        messages = tuple(self._message(group) for group in ordered)
        tip = self._tip(parents, groups, messages)
        started = as_instant(self._conversation.get("create_time")) or messages[0].created
        names = ("conversation_template_id", "gizmo_id")  # of its project the export has no more
        found = next((name for one in names if (name := as_text(self._conversation.get(one))).startswith("g-p-")), "")
        thread = Thread(
            id=self._thread_id,
            title=_title(self._conversation) or first_words(messages[0].text) or "Untitled",
            created=started,
            updated=as_instant(self._conversation.get("update_time")) or max(message.created for message in messages),
            tip=tip,
            seen=tip,
            system="\n\n".join(dict.fromkeys(system)),
            project=phrase("ChatGPT project {id}", id=found[len("g-p-") :][:_SHORT_ID]) if found else None,
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


IMPORTER = Importer("ChatGPT", recognizes, read_export)

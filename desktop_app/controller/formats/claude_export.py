"""Reads a Claude.ai export: conversations with branches, tools and attachments, and projects with documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from desktop_app.controller.formats.export_reading import (
    EPOCH,
    ArtifactChange,
    ExportSource,
    Found,
    Importer,
    ReplayedArtifacts,
    Skipped,
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
from desktop_app.core.history_records import ImportedDocument, ImportedProject, ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
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
from desktop_app.core.stream_events import valid_json
from desktop_app.core.titles import first_words


def read_beside(source: ExportSource) -> Iterator[Found]:
    """Each project with its instructions and documents; what Claude remembers as a thread."""
    names: dict[str, str] = {}
    for member in sorted(filter(_holds_projects, source.members)):
        for item in source.items(member):
            project = as_object(item.value) or {}
            name = " ".join(as_text(project.get("name")).split())
            if not name or project.get("is_starter_project") is True:
                continue
            names[as_text(project.get("uuid"))] = name
            told = as_text(project.get("prompt_template")).strip()
            yield ImportedProject(name, told, tuple(_documents(project)))
    for member in sorted(one for one in source.members if one.lower().split("/")[-1] == "memories.json"):
        for item in source.items(member):
            yield from _memories(as_object(item.value) or {}, names)


def _holds_projects(member: str) -> bool:
    """`projects.json`, or a file of one project in the folder `projects`."""
    *folders, name = member.lower().split("/")
    return name == "projects.json" or (folders[-1:] == ["projects"] and name.endswith(".json"))


def _documents(project: JsonObject) -> Iterator[ImportedDocument]:
    """The documents of a project: of each there is but the text that Claude read of it."""
    given = list(objects_in(project.get("docs")))
    for key, doc in zip(_names(given), given, strict=True):
        text = as_text(doc.get("content"))
        if text.strip():
            data = text.encode("utf-8", "replace")
            name = as_text(doc.get("filename")) or "document.txt"
            yield ImportedDocument(key, name, hashlib.sha256(data).hexdigest(), len(data), data)


def _memories(memory: JsonObject, projects: dict[str, str]) -> Iterator[ImportedThread]:
    """Yield Claude's notes of the user: in general, then of each project."""
    texts = [as_text(memory.get("conversations_memory"))]
    for project, text in (as_object(memory.get("project_memories")) or {}).items():
        if as_text(text).strip():
            texts.append(f"## {projects.get(project, project)}\n\n{as_text(text)}")
    if whole := "\n\n".join(text for text in texts if text.strip()):
        key = f"memory {as_text(memory.get('account_uuid'))}"
        yield _thread(key, phrase("Claude's memory"), EPOCH, (TextPart(whole),), None)


def _thread(key: str, title: str, created: str, parts: tuple[Part, ...], project: str | None) -> ImportedThread:
    """A thread of one message; what stands in it at another import otherwise is another message."""
    thread_id = stable_id(SOURCE, key)
    said = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
    message_id = stable_id(SOURCE, f"{key}/{said}")
    message = Message(message_id, thread_id, None, "user", parts, created)
    thread = Thread(thread_id, title, created, created, tip=message_id, seen=message_id, project=project)
    return ImportedThread(f"{SOURCE}:{key}", thread, (message,))


SOURCE = "claude"

KINDS: Mapping[str, ArtifactKind] = {
    "text/markdown": "markdown",
    "text/html": "html",
    "image/svg+xml": "svg",
    "application/vnd.ant.mermaid": "mermaid",
    "application/vnd.ant.code": "code",
    "application/vnd.ant.react": "code",
}
"""Of artifacts by their media types; all else is text."""


def recognizes(source: ExportSource) -> bool:
    """True if a JSON file in it holds conversations with their messages, or is one such conversation."""
    return holds_conversations(source, "chat_messages")


def read_export(source: ExportSource) -> Iterator[Found]:
    """Projects, what Claude remembers of the user, and every conversation with a message in it."""
    yield from read_beside(source)
    refusal = template("expected an object with chat_messages at {place}")
    for conversation, what in conversations(source, "chat_messages", list, conversation_name, refusal):
        yield from read_conversation(conversation, what)


def read_conversation(conversation: JsonObject, what: str) -> Iterator[ImportedThread | Skipped]:
    """The thread, or why there is none, and what had to be mended; `what` names the conversation for people."""
    reader = _ConversationReader(conversation)
    thread = reader.read()
    if reader.mended:
        yield Skipped(what, broken_links(reader.mended))
    yield thread if thread is not None else Skipped(what, phrase("no messages"))


def conversation_name(conversation: JsonObject) -> str:
    """Its title on one line; "" where it has none."""
    return " ".join(as_text(conversation.get("name")).split())


@dataclass(slots=True)
class _ConversationReader:
    """Reads one conversation in time linear to its size."""

    conversation: JsonObject
    mended: int = 0
    _messages: list[Message] = field(default_factory=list)

    def read(self) -> ImportedThread | None:
        given = [
            one for item in as_list(self.conversation.get("chat_messages")) if (one := as_object(item)) is not None
        ]
        names = _names(given)
        by_name = dict(zip(names, given, strict=True))
        parents = self._parents(by_name)
        key = as_text(self.conversation.get("uuid")) or _fingerprint(self.conversation, names)
        thread_id = stable_id(SOURCE, key)
        model = as_text(self.conversation.get("model")) or None
        begun = as_instant(self.conversation.get("created_at"))
        artifacts = ReplayedArtifacts(thread_id, _artifact_change)
        kept: dict[str, str | None] = {}  # the nearest message that is kept, from each one upwards
        made: dict[str, Message] = {}
        for name in parents_first(parents):
            above = parents[name]
            parent = None if above is None else kept[above]
            message_id = stable_id(SOURCE, f"{key}/{name}")
            said = by_name[name]
            before = made[parent].created if parent is not None else begun or EPOCH
            created = as_instant(said.get("created_at")) or before
            parts = _parts(said, message_id)
            parts = artifacts.replaced(parts, message_id, None if parent is None else made[parent].id, created)
            if not parts:
                kept[name] = parent
                continue
            kept[name] = name
            is_user = as_text(said.get("sender")) in ("human", "user")
            made[name] = Message(
                id=message_id,
                thread_id=thread_id,
                parent_id=None if parent is None else made[parent].id,
                role="user" if is_user else "assistant",
                parts=parts,
                created=created,
                state="partial" if not is_user and as_text(said.get("stop_reason")) == "user_canceled" else "complete",
                model=None if is_user else as_text(said.get("model")) or model,
            )
        if not made:
            return None
        messages = tuple(made.values())
        leaf = as_text(self.conversation.get("current_leaf_message_uuid"))
        shown = kept.get(leaf)
        tip = made[shown].id if shown is not None else newest_leaf(messages)
        thread = Thread(
            id=thread_id,
            title=conversation_name(self.conversation) or first_words(messages[0].text) or "Untitled",
            created=begun or messages[0].created,
            updated=as_instant(self.conversation.get("updated_at")) or max(one.created for one in messages),
            tip=tip,
            seen=tip,
            system=_instructions(self.conversation),
            project=as_text((as_object(self.conversation.get("project")) or {}).get("name")).strip() or None,
            pinned=self.conversation.get("is_starred") is True,
        )
        return ImportedThread(f"{SOURCE}:{key}", thread, messages, artifacts=tuple(artifacts.artifacts()))

    def _parents(self, by_name: Mapping[str, JsonObject]) -> dict[str, str | None]:
        """Each message's parent; the one before it in an export that names none at all."""
        named = {name: as_text(said.get("parent_message_uuid")) for name, said in by_name.items()}
        if not any(parent in by_name for parent in named.values()):
            linear = [None, *by_name]
            return dict(zip(by_name, linear, strict=False))
        # A root names a parent that is in no export.
        parents: dict[str, str | None] = {name: parent if parent in by_name else None for name, parent in named.items()}
        self.mended = cut_circles(parents)
        return parents


def _names(given: list[JsonObject]) -> list[str]:
    """A name of its own for each message: its uuid, or its place where it has none or one that stands twice."""
    names: list[str] = []
    taken: set[str] = set()
    for place, said in enumerate(given):
        name = as_text(said.get("uuid")) or f"#{place}"
        name = f"{name}#{place}" if name in taken else name
        taken.add(name)
        names.append(name)
    return names


def _fingerprint(conversation: JsonObject, names: list[str]) -> str:
    """A key for a conversation without an id: what does not change when it goes on."""
    facts = json.dumps([names[:1], as_text(conversation.get("created_at")), conversation_name(conversation)])
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()


def _instructions(conversation: JsonObject) -> str:
    settings = as_object(conversation.get("settings")) or {}
    return as_text(settings.get("system_prompt")) or as_text(conversation.get("system_prompt"))


def _parts(said: JsonObject, message_id: str) -> tuple[Part, ...]:
    blocks = objects_in(said.get("content"))
    reader = _BlockReader(message_id)
    parts = [part for place, block in enumerate(blocks) for part in reader.parts(place, block)]
    text = as_text(said.get("text"))
    if not any(isinstance(part, TextPart | ToolCallPart | UnknownPart) for part in parts) and text.strip():
        parts.append(TextPart(text))
    return (*_attached(said), *parts)


@dataclass(slots=True)
class _BlockReader:
    """Reads the blocks of one message; results without an id answer the newest call."""

    message_id: str
    _open: str | None = None

    def parts(self, place: int, block: JsonObject) -> Iterator[Part]:
        kind = as_text(block.get("type"))
        match kind:
            case "text":
                yield from _text(block)
            case "thinking":
                if (text := as_text(block.get("thinking")).strip() or _summaries(block)).strip():
                    yield ThinkingPart(text, as_text(block.get("signature")) or None)
            case "tool_use":
                self._open = as_text(block.get("id")) or f"{self.message_id}-{place}"
                given = valid_json(as_object(block.get("input")) or {})
                name = as_text(block.get("name")) or "tool"
                yield ToolCallPart(self._open, name, as_object(given) or {})
            case "tool_result":
                yield from self._result(block)
            case "voice_note":
                spoken = [as_text(block.get(name)) for name in ("title", "text")]
                if text := "\n\n".join(one for one in spoken if one.strip()):
                    yield TextPart(text)
            case "token_budget" | "flag":
                pass
            case _:
                if any(value for name, value in block.items() if name != "type"):
                    yield _unknown(kind or "block", block)

    def _result(self, block: JsonObject) -> Iterator[Part]:
        call = as_text(block.get("tool_use_id")) or self._open
        if call is None:
            yield _unknown("tool_result", block)
            return
        yield ToolResultPart(call, _result_text(block), block.get("is_error") is True)


def _text(block: JsonObject) -> Iterator[Part]:
    if as_text(block.get("text")).strip():
        yield TextPart(as_text(block.get("text")))


def _summaries(block: JsonObject) -> str:
    """Return the summary kept of thinking whose text is not."""
    items = objects_in(block.get("summaries"))
    return "\n\n".join(text for item in items if (text := as_text(item.get("summary"))))


def _result_text(block: JsonObject) -> str:
    """Return a tool's answer: its texts, each page behind its title and address; anything else as JSON."""
    if isinstance(content := block.get("content"), str):
        return content
    texts: list[str] = []
    for item in as_list(content):
        if (piece := as_object(item)) is None:
            if isinstance(item, str):
                texts.append(item)
        elif isinstance(piece.get("text"), str):
            head = " · ".join(one for name in ("title", "url") if (one := as_text(piece.get(name)).strip()))
            texts.append("\n".join(one for one in (head, as_text(piece.get("text"))) if one))
        elif piece:
            texts.append(_as_json(piece))
    if not texts and block.get("structured_content"):
        texts.append(_as_json(block.get("structured_content")))
    return "\n\n".join(texts)


def _artifact_change(call: ToolCallPart) -> ArtifactChange | None:
    """Return what a call does to an artifact: create, rewrite or update it."""
    given = call.input
    if call.name != "artifacts":
        return None
    name, media_type = as_text(given.get("id")), as_text(given.get("type"))
    if as_text(given.get("command")) == "update":
        return ArtifactChange(name, edits=((as_text(given.get("old_str")), as_text(given.get("new_str"))),))
    language = as_text(given.get("language")) or ("jsx" if media_type.endswith(".react") else "")
    kind = KINDS.get(media_type, "text")
    return ArtifactChange(name, as_text(given.get("title")), kind, language, as_text(given.get("content")))


def _as_json(value: Json) -> str:
    return json.dumps(valid_json(value), ensure_ascii=False, indent=2)


def _attached(said: JsonObject) -> Iterator[Part]:
    """Attachments with the text that Claude read of them; files, which the export names without what is in them."""
    names: set[str] = set()
    for attachment in objects_in(said.get("attachments")):
        name, text = as_text(attachment.get("file_name")), as_text(attachment.get("extracted_content"))
        names.add(name)
        if text.strip():
            sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            yield DocumentPart(name or "pasted.txt", text, sha256)
        elif name:
            yield _unknown("attachment", attachment)
    for listed in ("files", "files_v2", "sync_sources"):
        for file in objects_in(said.get(listed)):
            if file and as_text(file.get("file_name")) not in names:
                names.add(as_text(file.get("file_name")) or as_text(file.get("uuid")))
                yield _unknown("file", file)


def _unknown(kind: str, content: JsonObject) -> UnknownPart:
    return UnknownPart({"type": f"{SOURCE}.{kind}", "content": valid_json(content)})


IMPORTER = Importer("Claude", recognizes, read_export)

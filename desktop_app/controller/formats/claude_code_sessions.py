"""Reads a session that Claude Code keeps as lines of JSON: a tree of messages, subagents as branches of it.

The program writes each finished block of an answer as a line of its own, under the id of the answer; forked and resumed
sessions repeat the lines they go on from. A thread is therefore known by its first line, a message by its own first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath
from typing import Final

from desktop_app.controller.formats.export_reading import (
    EPOCH,
    MOST_LOOKED_AT,
    ExportSource,
    Found,
    Importer,
    Skipped,
    as_instant,
    as_object,
    as_text,
    broken_links,
    cut_circles,
    newest_leaf,
    objects_in,
    parents_first,
    stable_id,
)
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
    Failure,
    ImagePart,
    Json,
    JsonObject,
    Message,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import cost_of, count_in, mapping_in, valid_json, valid_usage
from desktop_app.core.titles import first_words

SOURCE: Final = "claude-code"
SYNTHETIC: Final = "<synthetic>"
"""The model of what the program itself said in place of an answer."""

_NEEDED: Final = frozenset(
    {
        *("type", "parentUuid", "logicalParentUuid", "isSidechain", "isMeta", "isApiErrorMessage", "timestamp"),
        *("message", "agentId", "sourceToolAssistantUUID", "costUSD"),
    }
)
_IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_COMMAND: Final = re.compile(r"<command-(name|args)>([^<]*)</command-\1>")
_SESSION_ID: Final = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,100})"')
_LONGEST_COMMAND: Final = 100_000
_OUTPUT: Final = re.compile(r"</?local-command-(?:stdout|stderr)>")


def recognizes(source: ExportSource) -> bool:
    """True if a file of lines in it is a session, or the folder is one of sessions."""
    return any(_begins_as_session(source.beginning(one)) for one in _files(source)[:MOST_LOOKED_AT])


def read_export(source: ExportSource) -> Iterator[Found]:
    """The thread of each session; a subagent's lines, which stand in files of their own, belong to their session."""
    for session, members in _sessions(source).items():
        lines = (item.value for member in members for item in source.lines(member))
        yield from read_session(lines, phrase("session {name}", name=session))


def _files(source: ExportSource) -> list[str]:
    """The files of lines; of the program's whole folder those of its projects."""
    lines = sorted(one for one in source.members if one.lower().endswith(".jsonl"))
    return [one for one in lines if "projects" in one.split("/")[:-1]] or lines


def _sessions(source: ExportSource) -> dict[str, list[str]]:
    """The files of each session by its id, its own one first."""
    found: dict[str, list[str]] = {}
    subagents: list[tuple[str, str]] = []
    for member in _files(source):
        folder, _, name = member.rpartition("/")
        beginning = source.beginning(member)
        if not _begins_as_session(beginning):
            continue
        if name.startswith("agent-"):
            named = _SESSION_ID.search(beginning)
            subagents.append((named.group(1).decode("utf-8", "replace") if named else folder, member))
        else:
            found.setdefault(name[: -len(".jsonl")], []).insert(0, member)
    for session, member in subagents:
        found.setdefault(session, []).append(member)
    return found


def _begins_as_session(beginning: bytes) -> bool:
    return beginning.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{") and bool(
        _SESSION_ID.search(beginning) or (b'"type":"summary"' in beginning and b'"leafUuid"' in beginning)
    )


def read_session(records: Iterable[Json], what: str) -> Iterator[ImportedThread | Skipped]:
    """The thread of one session with its subagents' lines, or why there is none; `what` names it for people."""
    reader = _SessionReader()
    for record in records:
        if (line := as_object(record)) is None:
            reader.strange += 1
        else:
            reader.take(line)
    thread = reader.thread()
    if reader.strange:
        yield Skipped(what, phrase("{count:,} unreadable lines", "1 unreadable line", count=reader.strange))
    if reader.mended:
        why = broken_links(reader.mended)
        yield Skipped(what, why)
    if reader.unfinished:
        yield Skipped(what, phrase("its last answer is not finished; import it again when it is"))
    yield thread if thread is not None else Skipped(what, phrase("no messages"))


@dataclass(slots=True)
class _Group:
    """Lines that are one message; `answer` is the id that the provider gave it."""

    name: str
    role: Role
    above: _Group | None
    created: str
    answer: str = ""
    sidechain: bool = False
    parts: list[Part] = field(default_factory=list)
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    failure: Failure | None = None
    has_children: bool = False
    answered_by: _Group | None = None
    lines_end: int = 0
    """The place of its last line among all lines."""

    @property
    def only_results(self) -> bool:
        return self.role == "user" and any(isinstance(part, ToolResultPart) for part in self.parts)

    @property
    def calls(self) -> set[str]:
        return {part.id for part in self.parts if isinstance(part, ToolCallPart)}

    @property
    def results(self) -> set[str]:
        return {part.call_id for part in self.parts if isinstance(part, ToolResultPart)}


class _SessionReader:
    """Reads one session in time linear to its lines."""

    def __init__(self) -> None:
        self._lines: dict[str, JsonObject] = {}
        self._titles: dict[str, str] = {}
        self._summaries: list[tuple[str, str]] = []
        self._folder = ""
        self._places: dict[str, int] = {}
        self.strange = 0
        self.mended = 0
        self.unfinished = False

    def take(self, line: JsonObject) -> None:
        """Notes one line: what stands in the tree, and the titles."""
        kind = as_text(line.get("type"))
        name = as_text(line.get("uuid"))
        if kind == "summary":
            self._summaries.append((as_text(line.get("leafUuid")), as_text(line.get("summary"))))
        elif kind in ("custom-title", "ai-title"):
            given = as_text(line.get("customTitle")) or as_text(line.get("aiTitle")) or as_text(line.get("title"))
            self._titles[kind] = given or self._titles.get(kind, "")
        elif name and name not in self._lines:
            self._lines[name] = _needed(line)
            self._folder = self._folder or as_text(line.get("cwd"))

    def thread(self) -> ImportedThread | None:
        """The thread, or None if there is no message in it."""
        parents = self._parents()
        groups = self._groups(parents)
        if not (kept := self._finished(groups)):
            return None
        key = kept[0].name
        thread_id = stable_id(SOURCE, f"session {key}")
        messages = tuple(self._message(group, thread_id) for group in kept)
        own = [message for message, group in zip(messages, kept, strict=True) if not group.sidechain] or messages
        tip = newest_leaf(own)
        thread = Thread(
            id=thread_id,
            title=self._title() or _first_question(messages) or "Untitled",
            created=messages[0].created,
            updated=max(message.created for message in messages),
            tip=tip,
            seen=tip,
            project=_folder_name(self._folder),
        )
        return ImportedThread(f"{SOURCE}:{key}", thread, messages)

    def _parents(self) -> dict[str, str | None]:
        """Each line's parent: behind a compaction the line before it, of a subagent the call that started it."""
        parents: dict[str, str | None] = {}
        for name, line in self._lines.items():
            parent = as_text(line.get("parentUuid")) or as_text(line.get("logicalParentUuid"))
            # A session that goes on from another one may name a line that only the other one has.
            parents[name] = parent if parent in self._lines else None
        starts = self._starts()
        for name, line in self._lines.items():
            if line.get("isSidechain") is True and parents[name] is None:
                prompt = _plain_text(mapping_in(line, "message").get("content"))
                parents[name] = starts.get(as_text(line.get("agentId"))) or starts.get(f"prompt {prompt}")
                if parents[name] == name:
                    parents[name] = None
        self.mended = cut_circles(parents)
        return parents

    def _starts(self) -> dict[str, str]:
        """The line that called a subagent, by the subagent's id and by `prompt ` and what it was told."""
        calls: dict[str, str] = {}
        starts: dict[str, str] = {}
        for name, line in self._lines.items():
            content = mapping_in(line, "message").get("content")
            for block in objects_in(content if isinstance(content, list) else None):
                given = as_object(block.get("input")) or {}
                if block.get("type") == "tool_use":
                    calls[as_text(block.get("id"))] = name
                    if isinstance(given.get("prompt"), str):
                        starts[f"prompt {given['prompt']}"] = name
                elif block.get("type") == "tool_result":
                    agent = as_text(mapping_in(line, "toolUseResult").get("agentId"))
                    call = as_text(line.get("sourceToolAssistantUUID")) or calls.get(
                        as_text(block.get("tool_use_id")), ""
                    )
                    if agent and call in self._lines:
                        starts[agent] = call
        return starts

    def _groups(self, parents: Mapping[str, str | None]) -> list[_Group]:
        """The lines as messages, parents first; lines that show nothing stand for the message above them."""
        standing: dict[str, _Group | None] = {}
        groups: list[_Group] = []
        self._places = {name: place for place, name in enumerate(self._lines)}
        for name in parents_first(parents):
            parent = parents[name]
            above = None if parent is None else standing[parent]
            if (group := self._of_line(name, self._lines[name], above)) is not None and group.name == name:
                groups.append(group)
            standing[name] = group
        for group in groups:
            if group.above is not None:
                group.above.has_children = True
        return groups

    def _of_line(self, name: str, line: JsonObject, above: _Group | None) -> _Group | None:
        """The message that a line is or belongs to: a new one, or one above it; that above where it shows nothing."""
        kind = as_text(line.get("type"))
        message = as_object(line.get("message"))
        if kind not in ("user", "assistant") or message is None or line.get("isMeta") is True:
            return above
        parts = tuple(_parts(message.get("content"), user=kind == "user"))
        failure = _failure(line, parts) if kind == "assistant" else None
        parts = () if failure is not None else parts
        if not parts and failure is None:
            return above
        created = as_instant(line.get("timestamp")) or (above.created if above is not None else EPOCH)
        if kind == "assistant":
            if (group := _answer_of(as_text(message.get("id")), above)) is None:
                group = _Group(name, "assistant", above, created, answer=as_text(message.get("id")))
            _add_answer(group, line, message, parts, failure)
        else:
            if (group := _results_of(above, parts)) is None:
                group = _Group(name, "user", above, created)
            group.parts.extend(parts)
            if above is not None and group.above is above and group.only_results:
                above.answered_by = above.answered_by or group
        group.sidechain = line.get("isSidechain") is True
        group.lines_end = max(group.lines_end, self._places[name])
        return group

    def _finished(self, groups: list[_Group]) -> list[_Group]:
        """The messages without an answer at the end that is still being written, or whose tools still run.

        It would stay as it is now for good: a later look takes new messages only.
        """
        last: _Group | None = max(groups, key=lambda group: group.lines_end, default=None)
        kept = {id(group): group for group in groups}
        while last is not None and not last.has_children and _is_open(last):
            self.unfinished = True
            del kept[id(last)]
            if (above := last.above) is not None:
                above.has_children = any(one.above is above for one in kept.values())
            last = above
        return list(kept.values())

    def _message(self, group: _Group, thread_id: str) -> Message:
        return Message(
            id=stable_id(SOURCE, group.name),
            thread_id=thread_id,
            parent_id=None if group.above is None else stable_id(SOURCE, group.above.name),
            role=group.role,
            parts=tuple(group.parts),
            created=group.created,
            state="complete" if group.failure is None else "error",
            model=group.model,
            usage=group.usage,
            stop_reason=group.stop_reason,
            failure=group.failure,
        )

    def _title(self) -> str:
        """As the user named it, else as the program did; summaries also tell of other sessions than their file's."""
        own = [summary for leaf, summary in self._summaries if leaf in self._lines]
        given = self._titles.get("custom-title") or self._titles.get("ai-title") or (own[-1] if own else "")
        return " ".join(given.split())


def _needed(line: JsonObject) -> JsonObject:
    """The fields that are read later: most of a file are requests and attachments, which show nothing, and doubles."""
    agent = mapping_in(line, "toolUseResult").get("agentId")
    kept = {name: value for name, value in line.items() if name in _NEEDED}
    return kept | ({"toolUseResult": {"agentId": agent}} if agent else {})


def _answer_of(answer: str, above: _Group | None) -> _Group | None:
    """The answer that a further line of it belongs to: just above, or above the results that came in between."""
    if not answer or above is None:
        return None
    if above.answer == answer:
        return above
    if above.only_results and above.above is not None and above.above.answer == answer:
        return above.above
    return None


def _results_of(above: _Group | None, parts: tuple[Part, ...]) -> _Group | None:
    """The message that already holds results of the same answer's calls, if these are further ones."""
    results = {part.call_id for part in parts if isinstance(part, ToolResultPart)}
    known = above if above is None or above.only_results else above.answered_by
    return known if results and known is not None and not results & known.results else None


def _add_answer(
    group: _Group, line: JsonObject, message: JsonObject, parts: tuple[Part, ...], failure: Failure | None
) -> None:
    """Adds a line of an answer; the last one has the final counts."""
    group.parts.extend(parts)
    model = as_text(message.get("model"))
    group.model = model if model and model != SYNTHETIC else group.model
    group.stop_reason = as_text(message.get("stop_reason")) or group.stop_reason
    group.failure = failure or group.failure
    if model != SYNTHETIC:
        group.usage = _usage(line, message) or group.usage


def _is_open(group: _Group) -> bool:
    """Return True if a message that nothing follows is not whole yet."""
    if group.failure is not None:
        return False
    if group.only_results:
        return group.above is not None and not group.above.calls <= group.results
    if group.role == "user":
        return False
    said = any(isinstance(part, TextPart) for part in group.parts)
    return bool(group.calls) or group.stop_reason == "tool_use" or not said


def _usage(line: JsonObject, message: JsonObject) -> Usage | None:
    if not (counts := mapping_in(message, "usage")):
        return None
    return valid_usage(
        Usage(
            input=count_in(counts, "input_tokens"),
            cache_read=count_in(counts, "cache_read_input_tokens"),
            cache_write=count_in(counts, "cache_creation_input_tokens"),
            output=count_in(counts, "output_tokens"),
            cost_usd=cost_of(line.get("costUSD")),
        )
    )


def _failure(line: JsonObject, parts: tuple[Part, ...]) -> Failure | None:
    """The error that the program wrote in place of an answer."""
    if line.get("isApiErrorMessage") is not True:
        return None
    words = "\n".join(part.text for part in parts if isinstance(part, TextPart))
    return Failure("backend", words or phrase("The request failed."))


def _first_question(messages: tuple[Message, ...]) -> str:
    return next((title for one in messages if one.role == "user" and (title := first_words(one.text))), "")


def _folder_name(folder: str) -> str | None:
    """The last part of the folder that the session ran in, on any system."""
    path = PureWindowsPath(folder) if "\\" in folder else PurePosixPath(folder)
    return path.name or None


def _plain_text(content: Json) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(as_text(block.get("text")) for block in objects_in(content) if block.get("type") == "text")


def _parts(content: Json, *, user: bool) -> Iterator[Part]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in objects_in(content):
        yield from _part(block, user=user)


def _part(block: JsonObject, *, user: bool) -> Iterator[Part]:
    kind = as_text(block.get("type"))
    match kind:
        case "text":
            text = as_text(block.get("text"))
            text = _as_typed(text) if user else text
            if text.strip() and text != "(no content)":
                yield TextPart(text)
        case "thinking":
            if (text := as_text(block.get("thinking"))).strip():
                yield ThinkingPart(text, as_text(block.get("signature")) or None)
        case "tool_use":
            given = as_object(valid_json(as_object(block.get("input")) or {}))
            yield ToolCallPart(as_text(block.get("id")), as_text(block.get("name")) or "tool", given or {})
        case "tool_result":
            inner = block.get("content")
            text = inner if isinstance(inner, str) else _plain_text(inner)
            yield ToolResultPart(as_text(block.get("tool_use_id")), text, block.get("is_error") is True)
            for piece in objects_in(inner if not isinstance(inner, str) else None):
                if piece.get("type") != "text":
                    yield from _part(piece, user=user)
        case "image":
            yield _image(block)
        case "document":
            yield _document(block)
        case _:
            if any(value for name, value in block.items() if name != "type"):
                yield _unknown(block)


def _as_typed(text: str) -> str:
    """A command as it was typed, and what it printed without the program's marks."""
    command = dict(_COMMAND.findall(text[:_LONGEST_COMMAND])) if "<command-name>" in text[:_LONGEST_COMMAND] else {}
    if command:
        return f"{command.get('name', '').strip()} {command.get('args', '').strip()}".strip()
    return _OUTPUT.sub("", text) if text.startswith("<local-command-std") else text


def _image(block: JsonObject) -> Part:
    source = mapping_in(block, "source")
    media_type, data = as_text(source.get("media_type")), as_text(source.get("data"))
    if source.get("type") == "base64" and media_type in _IMAGES and _BASE64.fullmatch(data):
        return ImagePart("image", media_type, data)
    return _unknown(block)


def _document(block: JsonObject) -> Part:
    source = mapping_in(block, "source")
    text = as_text(source.get("data"))
    if source.get("type") == "text" and text.strip():
        sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return DocumentPart(as_text(block.get("title")) or "document.txt", text, sha256)
    return _unknown(block)


def _unknown(block: JsonObject) -> UnknownPart:
    """Blocks of the provider's own tools and of hidden thinking are kept as the backends keep them."""
    raw = as_object(valid_json(block)) or {}
    return UnknownPart(raw) if isinstance(raw.get("type"), str) else UnknownPart({"type": SOURCE, "content": raw})


IMPORTER = Importer("Claude Code", recognizes, read_export)

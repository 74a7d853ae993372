"""Reads conversations of the `llm` program: of its older tables, and of the newer ones with a tree of messages."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
    conversation_called,
    cut_circles,
    newest_leaf,
    objects_in,
    parents_first,
    stable_id,
)
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
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
from desktop_app.core.stream_events import count_in, mapping_in, valid_json, valid_usage
from desktop_app.core.titles import first_words
from desktop_app.storage.file_format import APPLICATION_ID
from desktop_app.storage.llm_database import UnreadableLogsError, open_llm_logs

SOURCE: Final = "llm"
_HEADER: Final = 100
_IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")


def recognizes(source: ExportSource) -> bool:
    """True if there is a SQLite database in it that is no history of ours."""
    return bool(_databases(source))


def read_export(source: ExportSource) -> Iterator[Found]:
    for member in _databases(source):
        if (path := source.local_file(member)) is None:
            source.refuse(member, phrase("it is in an archive; unpack it first"))
            continue
        try:
            with open_llm_logs(path) as logs:
                for number, conversation in enumerate(logs.conversations(), 1):
                    facts = as_object(conversation) or {}
                    title = conversation_name(facts)
                    yield from read_conversation(facts, conversation_called(number, title))
        except UnreadableLogsError as error:
            source.refuse(member, phrase("expected llm's logs.db: {why}", why=error.why))


def _databases(source: ExportSource) -> list[str]:
    some = [one for one in source.members if one.lower().endswith((".db", ".sqlite", ".sqlite3"))][:MOST_LOOKED_AT]
    beginnings = {one: source.beginning(one)[:_HEADER] for one in some}
    return [
        one
        for one, beginning in beginnings.items()
        if beginning.startswith(b"SQLite format 3\0") and beginning[68:72] != APPLICATION_ID.to_bytes(4, "big")
    ]


def read_conversation(conversation: JsonObject, what: str) -> Iterator[ImportedThread | Skipped]:
    """The thread of one conversation as `storage.llm_logs` gives it, or why there is none."""
    thread = _of_messages(conversation) if "thread" in conversation else _of_responses(conversation)
    yield thread if thread is not None else Skipped(what, phrase("no messages"))


def conversation_name(conversation: JsonObject) -> str:
    """Its title on one line; "" where it has none."""
    facts = as_object(conversation.get("thread")) or as_object(conversation.get("conversation")) or {}
    return " ".join(as_text(facts.get("name")).split())


def _of_responses(conversation: JsonObject) -> ImportedThread | None:
    """The older tables: a row for each question with its answer."""
    if not (responses := objects_in(conversation.get("responses"))):
        return None
    facts = as_object(conversation.get("conversation")) or {}
    key = as_text(facts.get("id")) or as_text(responses[0].get("conversation_id")) or as_text(responses[0].get("id"))
    beside = {
        table: _by_response(conversation.get(table))
        for table in ("prompt_attachments", "prompt_fragments", "system_fragments", "tool_calls", "tool_results")
    }
    thread_id = stable_id(SOURCE, key)
    messages: list[Message] = []
    system: list[str] = []
    names = _CallNames()
    for place, response in enumerate(responses):
        name = as_text(response.get("id")) or f"#{place}"
        said = {table: rows.get(name, []) for table, rows in beside.items()}
        created = as_instant(response.get("datetime_utc")) or (messages[-1].created if messages else EPOCH)
        for role, parts in (("user", _asked(response, said, names)), ("assistant", _answered(response, said, names))):
            if not parts:
                continue
            is_answer = role == "assistant"
            messages.append(
                Message(
                    id=stable_id(SOURCE, f"{key}/{name}/{role}"),
                    thread_id=thread_id,
                    parent_id=messages[-1].id if messages else None,
                    role="assistant" if is_answer else "user",
                    parts=parts,
                    created=created,
                    model=_model(response) if is_answer else None,
                    usage=_usage(response) if is_answer else None,
                )
            )
        for text in (*_fragment_texts(said["system_fragments"]), as_text(response.get("system"))):
            if text.strip():
                system.append(text)
    return _thread(conversation, key, messages, system)


def _asked(response: JsonObject, said: Mapping[str, list[JsonObject]], names: _CallNames) -> tuple[Part, ...]:
    parts: list[Part] = []
    for row in said["tool_results"]:
        failure = as_text(row.get("exception"))
        text = as_text(row.get("output")) or failure
        parts.append(ToolResultPart(names.of_result(row.get("tool_call_id")), text, bool(failure)))
    fragments = (as_object(row.get("fragments")) or {} for row in said["prompt_fragments"])
    parts += [part for fragment in fragments for part in _fragment(fragment)]
    attachments = (as_object(row.get("attachments")) or {} for row in said["prompt_attachments"])
    parts += [_attachment(attachment) for attachment in attachments if attachment]
    if as_text(response.get("prompt")).strip():
        parts.append(TextPart(as_text(response.get("prompt"))))
    return tuple(parts)


def _answered(response: JsonObject, said: Mapping[str, list[JsonObject]], names: _CallNames) -> tuple[Part, ...]:
    parts: list[Part] = []
    if as_text(response.get("reasoning")).strip():
        parts.append(ThinkingPart(as_text(response.get("reasoning"))))
    if as_text(response.get("response")).strip():
        parts.append(TextPart(as_text(response.get("response"))))
    for row in said["tool_calls"]:
        call_id = names.of_call(row.get("tool_call_id"))
        parts.append(ToolCallPart(call_id, as_text(row.get("name")) or "tool", _arguments(row.get("arguments"))))
    return tuple(parts)


def _of_messages(conversation: JsonObject) -> ImportedThread | None:
    """The newer tables: messages by their hash and that of their parent, calls of a model as turns beside them."""
    facts = as_object(conversation.get("thread")) or {}
    rows = {as_text(row.get("hash")): row for row in objects_in(conversation.get("messages"))}
    parents: dict[str, str | None] = {
        name: link if (link := as_text(row.get("parent_hash"))) in rows else None for name, row in rows.items()
    }
    cut_circles(parents)
    reader = _PartReader(conversation)
    turns = objects_in(conversation.get("turns"))
    asked = {as_text(turn.get("parent_message_hash")): turn for turn in reversed(turns)}
    ended = {as_text(turn.get("tip_message_hash")): turn for turn in turns}
    key = as_text(facts.get("id"))
    thread_id = stable_id(SOURCE, key)
    begun = as_instant(facts.get("datetime_utc"))
    made: dict[str, Message] = {}
    above: dict[str, str | None] = {}
    system: list[str] = []
    for name in parents_first(parents):
        parent = parents[name]
        kept: str | None = None if parent is None else above[parent]
        above[name] = kept
        role: Role = "assistant" if rows[name].get("role") == "assistant" else "user"
        parts = reader.parts(name)
        if rows[name].get("role") == "system":
            system += [part.text for part in parts if isinstance(part, TextPart)] if kept is None else []
            continue
        if not parts:
            continue
        turn = ended.get(name) or asked.get(name) or {}
        created = as_instant(turn.get("datetime_utc")) or (made[kept].created if kept is not None else begun or EPOCH)
        above[name] = name
        made[name] = Message(
            id=stable_id(SOURCE, f"{key}/{name}"),
            thread_id=thread_id,
            parent_id=None if kept is None else made[kept].id,
            role=role,
            parts=parts,
            created=created,
            model=_model(turn) if role == "assistant" else None,
            usage=_usage(turn) if role == "assistant" and name in ended else None,
        )
    last = above.get(as_text(facts.get("tip_message_hash")))
    shown = None if last is None else made[last].id
    return _thread(conversation, key, list(made.values()), system, shown)


class _PartReader:
    """Reads the parts of a conversation's messages, with the fragments and attachments that they name."""

    def __init__(self, conversation: JsonObject) -> None:
        self._fragments = {row.get("id"): row for row in objects_in(conversation.get("fragments"))}
        self._attachments = {as_text(row.get("id")): row for row in objects_in(conversation.get("attachments"))}
        self._names = _CallNames()
        self._parts: dict[str, list[JsonObject]] = {}
        for row in objects_in(conversation.get("parts")):
            self._parts.setdefault(as_text(row.get("message_hash")), []).append(row)

    def parts(self, name: str) -> tuple[Part, ...]:
        return tuple(part for row in self._parts.get(name, ()) for part in self._read(row))

    def _read(self, row: JsonObject) -> Iterator[Part]:
        payload = as_object(row.get("payload")) or {}
        match as_text(row.get("type")):
            case "text":
                yield from self._text(row, payload)
            case "reasoning":
                if (text := as_text(row.get("text")) or as_text(payload.get("text"))).strip():
                    signature = as_text(mapping_in(payload, "provider_metadata").get("signature"))
                    yield ThinkingPart(text, signature or None)
            case "tool_call":
                call_id, name = self._names.of_call(payload.get("tool_call_id")), as_text(payload.get("name"))
                yield ToolCallPart(call_id, name or "tool", _arguments(payload.get("arguments")))
            case "tool_result":
                failure = as_text(payload.get("exception"))
                text = as_text(payload.get("output")) or failure
                yield ToolResultPart(self._names.of_result(payload.get("tool_call_id")), text, bool(failure))
                yield from map(self._attached, objects_in(payload.get("attachments")))
            case "attachment":
                yield self._attached(as_object(payload.get("attachment")) or {})
            case kind:
                if payload or as_text(row.get("text")):
                    yield _unknown(kind or "part", {"text": row.get("text"), **payload})

    def _text(self, row: JsonObject, payload: JsonObject) -> Iterator[Part]:
        """The text, or the fragments and literal texts that it is put together from."""
        text = as_text(row.get("text")) or as_text(payload.get("text"))
        for piece in objects_in(payload.get("text_ref")):
            if "literal" in piece:
                text += as_text(piece.get("literal"))
            else:
                number = piece.get("fragment")
                yield from _fragment(self._fragments.get(number, {}) if isinstance(number, int) else {})
        if text.strip():
            yield TextPart(text.strip("\n"))

    def _attached(self, reference: JsonObject) -> Part:
        return _attachment(self._attachments.get(as_text(reference.get("id"))) or reference)


def _thread(
    conversation: JsonObject, key: str, messages: list[Message], system: list[str], tip: str | None = None
) -> ImportedThread | None:
    if not messages:
        return None
    shown = tip or newest_leaf(messages)
    thread = Thread(
        id=messages[0].thread_id,
        title=conversation_name(conversation) or first_words(messages[0].text) or "Untitled",
        created=min(message.created for message in messages),
        updated=max(message.created for message in messages),
        tip=shown,
        seen=shown,
        system="\n\n".join(dict.fromkeys(system)),
    )
    return ImportedThread(f"{SOURCE}:{key}", thread, tuple(messages))


@dataclass(slots=True)
class _CallNames:
    """Names calls and results that have no id, as of models that give none: the first result answers the first call."""

    calls: int = 0
    results: int = 0

    def of_call(self, given: Json) -> str:
        self.calls += not given
        return as_text(given) or f"call-{self.calls}"

    def of_result(self, given: Json) -> str:
        self.results += not given
        return as_text(given) or f"call-{self.results}"


def _by_response(rows: Json) -> dict[str, list[JsonObject]]:
    found: dict[str, list[JsonObject]] = {}
    for row in objects_in(rows):
        found.setdefault(as_text(row.get("response_id")), []).append(row)
    return found


def _model(row: JsonObject) -> str | None:
    return as_text(row.get("resolved_model")) or as_text(row.get("model")) or None


def _usage(row: JsonObject) -> Usage | None:
    """The counts of a call; those of OpenAI's form say in detail how much of the input came from the cache."""
    if row.get("input_tokens") is None and row.get("output_tokens") is None:
        return None
    details = mapping_in(row, "token_details")
    given = mapping_in(details, "prompt_tokens_details") or details
    written = mapping_in(details, "completion_tokens_details") or details
    cached = min(count_in(given, "cached_tokens"), count_in(row, "input_tokens"))
    return valid_usage(
        Usage(
            input=count_in(row, "input_tokens") - cached,
            cache_read=cached,
            output=count_in(row, "output_tokens"),
            thinking=min(count_in(written, "reasoning_tokens"), count_in(row, "output_tokens")),
        )
    )


def _arguments(value: Json) -> JsonObject:
    if isinstance(value, str):
        try:
            parsed: Json = json.loads(value)
        except (ValueError, RecursionError):
            parsed = None
        value = parsed if isinstance(parsed, Mapping) else {"text": value}
    return as_object(valid_json(as_object(value) or {})) or {}


def _fragment_texts(rows: list[JsonObject]) -> Iterator[str]:
    for row in rows:
        yield as_text((as_object(row.get("fragments")) or {}).get("content"))


def _fragment(row: JsonObject) -> Iterator[Part]:
    text = as_text(row.get("content"))
    if text.strip():
        yield _document(as_text(row.get("source")) or "fragment.txt", text)


def _attachment(row: JsonObject) -> Part:
    """A picture or text that is in the file; else what the row says of it: no other file is opened."""
    kind, data = as_text(row.get("type")), as_text(row.get("content"))
    if kind in _IMAGES and data:
        return ImagePart(as_text(row.get("path")) or "image", kind, data)
    if kind.startswith("text/") and data:
        try:
            text = base64.b64decode(data, validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            text = ""
        if text.strip():
            return _document(as_text(row.get("path")) or "attachment.txt", text)
    return _unknown("attachment", row)


def _document(source: str, text: str) -> DocumentPart:
    sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return DocumentPart(source.replace("\\", "/").rstrip("/").rpartition("/")[2] or source, text, sha256)


def _unknown(kind: str, content: JsonObject) -> UnknownPart:
    return UnknownPart({"type": f"{SOURCE}.{kind}", "content": valid_json(content)})


IMPORTER = Importer("llm", recognizes, read_export)

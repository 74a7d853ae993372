"""Plimsoll's own lossless JSON: threads with branches, drafts, choices, usage, failures and marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar, cast, get_args

from desktop_app.controller.formats.export_reading import (
    MOST_LOOKED_AT,
    ExportSource,
    Found,
    Importer,
    UnreadableExportError,
    as_object,
    as_text,
)
from desktop_app.core.context.context_choices import NO_CHOICES
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    NO_MARK,
    NO_PARAMETERS,
    PART_KINDS,
    RATINGS,
    UNKNOWN,
    BoundaryCause,
    BoundaryState,
    Failure,
    FailureCode,
    Json,
    JsonObject,
    Message,
    MessageMark,
    MessageState,
    Part,
    Rating,
    Role,
    Thread,
    UnknownPart,
    Usage,
    filled_fields,
    kind_of,
    parameters_from_json,
    parameters_to_json,
)
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import MOST_WRITTEN, valid_json, valid_usage
from desktop_app.core.thread_copy import choices_from_json, choices_to_json, without_consent


def part_to_json(part: Part) -> dict[str, Json]:
    """One part as an object with a `type`; fields at their default are left out."""
    if isinstance(part, UnknownPart):
        return {"type": UNKNOWN, "raw": part.raw}
    kind, filled = kind_of(part), filled_fields(part)
    written = kind.always_exported | filled.keys()
    written |= kind.exported_together if written & kind.exported_together else frozenset()
    names = dict.fromkeys((*kind.exported_first, *(one.name for one in kind.fields)))
    return {"type": kind.name, **{name: getattr(part, name) for name in names if name in written}}


def part_from_json(value: Json, where: str) -> Part:
    """The part that `part_to_json` wrote. `UnreadableExportError` names `where` and what was expected there."""
    fields = Fields(value, where)
    if (name := fields.text("type")) == UNKNOWN:
        return UnknownPart(fields.object("raw"))
    if name not in PART_KINDS:
        raise UnreadableExportError(f"{where}.type: expected a kind of part that this version knows, found {name!r}")
    kind = PART_KINDS[name]
    part: Part = kind.part_class(**fields.of(kind.part_class, *(one.name for one in kind.fields)))
    return part


_USAGE = ("input", "cache_read", "cache_write", "output", "thinking", "cost_usd")
_USAGE_SAID = ("first_prompt", "asked", "cache_miss")
"""Left out where nothing is said."""


def usage_to_json(usage: Usage | None) -> dict[str, Json] | None:
    """Usage in tokens with its cost in US dollars (null where unknown)."""
    if usage is None:
        return None
    said = {name: value for name in _USAGE_SAID if (value := getattr(usage, name))}
    return {name: getattr(usage, name) for name in _USAGE} | said


def usage_from_json(value: Json, where: str) -> Usage | None:
    """The usage that `usage_to_json` wrote."""
    if value is None:
        return None
    fields = Fields(value, where)
    said = (name for name in _USAGE_SAID if fields.raw(name) is not None)
    return valid_usage(Usage(**fields.of(Usage, *_USAGE, *said)))


class Fields:
    """Reads the fields of an untrusted JSON object; each error names the place and the kind that was expected."""

    def __init__(self, value: Json, where: str) -> None:
        if not isinstance(value, Mapping):
            raise UnreadableExportError(f"{where}: expected an object")
        self._value, self._where = value, where

    def raw(self, name: str) -> Json:
        """The field as it stands; None if it is missing."""
        return self._value.get(name)

    def of(self, kind: type, *names: str) -> dict[str, Any]:
        """These fields as the class has them, each read by its type there."""
        types = kind.__annotations__
        return {name: _READ[types[name]](self, name) for name in names}

    def has(self, name: str) -> bool:
        """True where the field is there, if only as null."""
        return name in self._value

    def text(self, name: str) -> str:
        if not isinstance(value := self._value.get(name), str):
            raise self._wrong(name, "a string")
        return value

    def optional_text(self, name: str) -> str | None:
        return None if self._value.get(name) is None else self.text(name)

    def object(self, name: str) -> JsonObject:
        """A missing object is an empty one."""
        if (value := self._value.get(name)) is None:
            return {}
        if not isinstance(value, Mapping):
            raise self._wrong(name, "an object")
        return value

    def list(self, name: str) -> list[Json]:
        if not isinstance(value := self._value.get(name), list):
            raise self._wrong(name, "an array")
        return value

    def flag(self, name: str) -> bool:
        """A missing flag is false."""
        if not isinstance(value := self._value.get(name, False), bool):
            raise self._wrong(name, "true or false")
        return value

    def count(self, name: str) -> int:
        """A missing count is 0. Counts fit the database's 64 bits."""
        value = self._value.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            raise self._wrong(name, "a whole number from 0")
        return value

    def optional_count(self, name: str) -> int | None:
        return None if self._value.get(name) is None else self.count(name)

    def optional_number(self, name: str) -> float | None:
        if (value := self._value.get(name)) is None:
            return None
        # The comparison is false for NaN, infinities and integers that no float can hold.
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1e18 < value < 1e18:
            raise self._wrong(name, "a number")
        return value

    def choice(self, name: str, *allowed: str) -> str:
        if not isinstance(value := self._value.get(name), str) or value not in allowed:
            raise self._wrong(name, f"one of {', '.join(allowed)}")
        return value

    def where(self, name: str) -> str:
        """The place of a field, for errors further down."""
        return f"{self._where}.{name}"

    def _wrong(self, name: str, expected: str) -> UnreadableExportError:
        return UnreadableExportError(f"{self._where}.{name}: expected {expected}")


_READ: Mapping[str, Callable[[Fields, str], Json]] = {
    "str": Fields.text,
    "str | None": Fields.optional_text,
    "bool": Fields.flag,
    "int": Fields.count,
    "int | None": Fields.optional_count,
    "float | None": Fields.optional_number,
    "JsonObject": Fields.object,
}
"""The functions that read fields, by the type that their class names."""


_Decided = TypeVar("_Decided")

FORMAT = "plimsoll"
VERSION = 5
"""Raised when a reader of this version could lose something of a newer file.

Since 2 there are a thread's choices, since 3 its parameters and the first prompt of an answer of several calls, since
4 the user's marks on messages and, where it is not the tip, what was last seen of a thread, since 5 what is deleted.
"""
READABLE = (1, 2, 3, 4, 5)

BEGINNING = f'{{"format": "{FORMAT}", "version": {VERSION}, "threads": ['
END = "\n]}\n"


def recognizes(source: ExportSource) -> bool:
    """True if there is an export of Plimsoll, of any version and name."""
    return bool(_members(source))


def write_export(threads: Iterable[tuple[Thread, Sequence[Message], Mapping[str, MessageMark]]]) -> Iterator[str]:
    """The export in pieces of text: threads with messages, parents first, and the user's marks by message id."""
    yield BEGINNING
    for index, (thread, messages, marks) in enumerate(threads):
        yield from write_thread(thread, messages, marks, first=index == 0)
    yield END


def write_thread(
    thread: Thread, messages: Sequence[Message], marks: Mapping[str, MessageMark], *, first: bool
) -> Iterator[str]:
    """The pieces of one thread, between `BEGINNING` and `END`; `first`: no other stands before it."""
    yield ("\n" if first else ",\n") + _line(_thread_to_json(thread))[:-1] + ', "messages": ['
    for index, message in enumerate(messages):
        yield f"{',' if index else ''}\n{_line(_message_to_json(message, marks.get(message.id, NO_MARK)))}"
    yield "\n]}"


def read_export(source: ExportSource) -> Iterator[Found]:
    """The threads of an export; ids and times stay as they are."""
    seen: set[str] = set()
    for member in _members(source):
        version = _object(source.sample(member)).get("version")
        if version not in READABLE or isinstance(version, bool):
            why = f"export.version: expected {VERSION}, found {version!r}; a newer Plimsoll wrote it"
            source.refuse(member, why)
            continue
        for item in source.items(member, "threads"):
            try:
                imported = _thread_from_json(item.value, f"threads[{item.number}]")
                _check_ids(imported, seen)
            except UnreadableExportError as error:
                title = as_text(_object(item.value).get("title"))
                what = phrase("thread {number}", number=item.number + 1)
                if title:
                    what = phrase('thread {number} "{title}"', number=item.number + 1, title=title)
                source.refuse(what, error.why)
            else:
                seen.add(imported.thread.id)
                yield imported


def _check_ids(imported: ImportedThread, threads: Collection[str]) -> None:
    """Messages of several threads may share an id: the history gives them another."""
    seen: set[str] = set()
    for name in (imported.thread.id, *(message.id for message in imported.messages)):
        if name in seen or name in threads:
            raise UnreadableExportError(f"id {name!r} stands more than once; expected each id once")
        seen.add(name)


def _members(source: ExportSource) -> list[str]:
    some = [one for one in source.members if one.lower().endswith(".json")][:MOST_LOOKED_AT]
    return [one for one in some if _object(source.sample(one)).get("format") == FORMAT]


def _object(value: Json) -> JsonObject:
    return as_object(value) or {}


def _line(value: JsonObject) -> str:
    return json.dumps(valid_json(value, MOST_WRITTEN), ensure_ascii=False, allow_nan=False)


_THREAD = (
    *("id", "title", "created", "updated", "backend", "model", "tip", "seen"),
    *("system", "project", "pinned", "archived", "soft_limit", "draft"),
)


def _thread_to_json(thread: Thread) -> dict[str, Json]:
    mine = without_consent(thread)
    choices, parameters = choices_to_json(mine.choices), parameters_to_json(mine.parameters)
    return {
        **{name: getattr(thread, name) for name in _THREAD if name != "seen" or thread.seen != thread.tip},
        **({"choices": choices} if choices else {}),
        **({"parameters": parameters} if parameters else {}),
    }


def _message_to_json(message: Message, mark: MessageMark) -> dict[str, Json]:
    window, failure = message.window, message.failure
    value: dict[str, Json] = {
        "id": message.id,
        "parent": message.parent_id,
        "role": message.role,
        "state": message.state,
        "created": message.created,
        "parts": [part_to_json(part) for part in message.parts],
        "backend": message.backend,
        "model": message.model,
        "usage": usage_to_json(message.usage),
        "stop_reason": message.stop_reason,
        "prefix_key": message.prefix_key,
        "window": None if window is None else _window_to_json(window),
        "failure": None if failure is None else _failure_to_json(failure),
        "mark": None if mark.empty else _mark_to_json(mark),
    }
    always = ("id", "parent", "role", "state", "created", "parts")
    return {name: field for name, field in value.items() if name in always or field is not None}


def _failure_to_json(failure: Failure) -> dict[str, Json]:
    return {
        "code": failure.code,
        "message": failure.message,
        "detail": failure.detail,
        "actions": list(failure.actions),
        "retry_after_s": failure.retry_after_s,
    }


def _mark_to_json(mark: MessageMark) -> dict[str, Json]:
    fields: dict[str, Json] = {"rating": mark.rating, "note": mark.note}
    return {name: field for name, field in fields.items() if field}


def _thread_from_json(value: Json, where: str) -> ImportedThread:
    fields = Fields(value, where)
    items = fields.list("messages")
    seen = fields.optional_text("seen" if fields.has("seen") else "tip")
    thread = Thread(
        **fields.of(Thread, *_THREAD) | {"id": _id(fields, "id"), "seen": seen},
        choices=_decided(fields.raw("choices"), f"{where}.choices", choices_from_json, NO_CHOICES),
        parameters=_decided(fields.raw("parameters"), f"{where}.parameters", parameters_from_json, NO_PARAMETERS),
    )
    places = (f"{where}.messages[{index}]" for index in range(len(items)))
    messages = tuple(_message_from_json(item, thread.id, place) for item, place in zip(items, places, strict=True))
    known: set[str] = set()
    for message in messages:
        if message.parent_id is not None and message.parent_id not in known:
            raise UnreadableExportError(f"{where}: message {message.id!r}: expected its parent to stand before it")
        known.add(message.id)
    if thread.tip is not None and thread.tip not in known:
        raise UnreadableExportError(f"{where}.tip: expected the id of one of its messages")
    return ImportedThread(f"{FORMAT}:{thread.id}", thread, messages, _marks(messages, items, where))


def _decided(value: Json, where: str, read: Callable[[Json], _Decided], nothing: _Decided) -> _Decided:
    if value is None:
        return nothing
    try:
        return read(value)
    except ValueError as error:
        raise UnreadableExportError(f"{where}: {error}") from error


def _message_from_json(value: Json, thread_id: str, where: str) -> Message:
    fields = Fields(value, where)
    parts = fields.list("parts")
    window, failure = fields.raw("window"), fields.raw("failure")
    return Message(
        id=_id(fields, "id"),
        thread_id=thread_id,
        parent_id=fields.optional_text("parent"),
        role=cast("Role", fields.choice("role", *get_args(Role))),
        parts=tuple(part_from_json(part, f"{where}.parts[{index}]") for index, part in enumerate(parts)),
        state=cast("MessageState", fields.choice("state", *get_args(MessageState))),
        usage=usage_from_json(fields.raw("usage"), fields.where("usage")),
        **fields.of(Message, "created", "backend", "model", "stop_reason", "prefix_key"),
        window=None if window is None else _window_from_json(window, fields.where("window")),
        failure=None if failure is None else _failure_from_json(failure, fields.where("failure")),
    )


def _marks(messages: Sequence[Message], items: Sequence[Json], where: str) -> dict[str, MessageMark]:
    """The user's marks in the messages' own JSON, by message id."""
    found = {}
    for index, (message, item) in enumerate(zip(messages, items, strict=True)):
        if (raw := Fields(item, where).raw("mark")) is not None:
            mark = _mark_from_json(raw, f"{where}.messages[{index}].mark")
            if not mark.empty:
                found[message.id] = mark
    return found


def _mark_from_json(value: Json, where: str) -> MessageMark:
    fields = Fields(value, where)
    rating = cast("Rating", fields.choice("rating", *RATINGS)) if fields.has("rating") else ""
    return MessageMark(rating, fields.optional_text("note") or "")


def _window_to_json(window: BoundaryState) -> dict[str, Json]:
    value: dict[str, Json] = {"first_kept": window.first_kept, "epoch": window.epoch}
    under: dict[str, Json] = {name: field for name, field in asdict(window).items() if name not in value and field}
    return value | under


def _window_from_json(value: Json, where: str) -> BoundaryState:
    fields = Fields(value, where)
    cause = fields.choice("cause", *get_args(BoundaryCause)) if fields.has("cause") else ""
    said = (name for name in ("model", "backend") if fields.raw(name) is not None)
    numbers = ("epoch", "soft", "max_messages", "max_turns")
    read = fields.of(BoundaryState, "first_kept", *numbers, *said)
    return BoundaryState(cause=cast("BoundaryCause", cause), **read)


def _failure_from_json(value: Json, where: str) -> Failure:
    fields = Fields(value, where)
    return Failure(
        code=cast("FailureCode", fields.choice("code", *get_args(FailureCode))),
        actions=tuple(str(action) for action in fields.list("actions")),
        **fields.of(Failure, "message", "detail", "retry_after_s"),
    )


def _id(fields: Fields, name: str) -> str:
    if not (value := fields.text(name)):
        raise UnreadableExportError(f"{fields.where(name)}: expected an id, found an empty string")
    return value


IMPORTER = Importer("Plimsoll", recognizes, read_export)

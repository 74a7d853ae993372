"""The definition of an import format, its sources, the checks of untrusted JSON, and the order of imported messages.

Artifacts are made of the calls by which other programs made theirs: each is a version, and the call one of our own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TypeAlias, cast

from desktop_app.core.artifacts import CREATE, UPDATE, Artifact, ArtifactKind, ArtifactVersion
from desktop_app.core.context.sent_content import ARTIFACT
from desktop_app.core.history_records import ImportedArtifact, ImportedProject, ImportedThread
from desktop_app.core.messages import Json, JsonObject, Message, Part, ToolCallPart, ToolResultPart
from desktop_app.core.phrases import Phrase, phrase
from desktop_app.system.system_clock import timestamp

MOST_LOOKED_AT = 100
"""Files of any name that a format looks into to recognize its own."""


class UnreadableExportError(Exception):
    """The data is not what its format asks for; the text says where, and what was expected there."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why  # as it was made: `str()` of an error forgets that it was a phrase


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of an export that was left out: its name for people, and the reason in words."""

    what: str
    why: str


Found: TypeAlias = ImportedThread | ImportedProject | Skipped
"""A thread whose messages stand parents first, a project before its threads, or something that is left out."""


@dataclass(frozen=True, slots=True)
class ExportItem:
    """One element of a JSON array, or one line of a file of lines: its number from 0, and where it begins."""

    number: int
    value: Json
    place: str


class ExportSource(Protocol):
    """A file, folder or archive to import from; what is in an archive within an archive is a member like the others.

    Members are relative paths with `/`. Whatever reads one raises `UnreadableExportError` if it can't be read at all;
    a fault in the middle of `items` or `lines` goes to `refuse`, and the iteration ends there.
    """

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def members(self) -> Sequence[str]:
        """The names of all files in it; a single file has its own name."""

    def beginning(self, member: str) -> bytes:
        """The first bytes of a member, 64 KB at most; empty if it can't be read."""

    def sample(self, member: str) -> Json:
        """The shape of a JSON member, from its first megabyte: what stands at its two upper levels, without depth.

        Objects and arrays of the third level are empty, elements that come later are left away. None: not JSON.
        """

    def items(self, member: str, key: str | None = None) -> Iterator[ExportItem]:
        """The elements of a JSON array one by one: the top level, or the array under `key` of an object there.

        An object at the top level is its own only element if no key is given.
        """

    def lines(self, member: str) -> Iterator[ExportItem]:
        """The values of a file with one JSON value a line; empty lines are passed over, broken ones are None.

        A last line without its end is not refused: the program that writes it is not done.
        """

    def json(self, member: str) -> Json:
        """A whole small JSON member."""

    def content(self, member: str, most: int) -> bytes | None:
        """A member's bytes; None if there are more than `most`."""

    def asset(self, asset_id: str) -> str | None:
        """The member whose file name begins with this id, None if there is none."""

    def local_file(self, member: str) -> Path | None:
        """The path of a member on this computer, None within an archive. To be read only, for SQLite and the like."""

    def refuse(self, what: str, why: str) -> None:
        """Reports something broken, by its name for people and the reason.

        Raises `UnreadableExportError`, so that the file is refused as a whole, unless only the good part is asked for:
        then what is broken is noted, and the reader goes on with the next.
        """


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that conversations come in.

    `name` is the product's, as people write it. `recognizes` looks at names of members, beginnings and samples only.
    `read` gives what it finds one by one, so that one conversation is in memory at a time; it tells `source.refuse` of
    what is broken.
    """

    name: str
    recognizes: Callable[[ExportSource], bool]
    read: Callable[[ExportSource], Iterator[Found]]


def conversation_called(number: int, title: str, member: str = "") -> str:
    """A conversation's name for people; `member`: the file it is in, where an export has several."""
    named = phrase("conversation {number}", number=number)
    if title:
        named = phrase('conversation {number} "{title}"', number=number, title=title)
    return phrase("{member}, {named}", member=member, named=named) if member else named


def broken_links(count: int) -> str:
    """Why a conversation is said to be mended."""
    return phrase(
        "{count:,} broken links between messages; each starts a branch",
        "1 broken link between messages; it starts a branch",
        count=count,
    )


_CONVERSATIONS = re.compile(r"conversations([-_]\d+)?\.json", re.IGNORECASE)
"""The file of conversations, or one of the shards that big accounts get."""


def holds_conversations(source: ExportSource, key: str) -> bool:
    """Return True if a JSON file in it, of those usually so called if any, holds objects with this key, or is one."""
    return any(_holds(source.sample(one), key) for one in _named(source) or _any_json(source))


def conversations(
    source: ExportSource, key: str, kind: type, title_of: Callable[[JsonObject], str], refusal: str
) -> Iterator[tuple[JsonObject, str]]:
    """The conversations, each with its name for people; `refusal`: the template for one without `key` of that kind."""
    members = _named(source) or [one for one in _any_json(source) if _holds(source.sample(one), key)]
    for member in members:
        for item in source.items(member):
            conversation = as_object(item.value)
            title = title_of(conversation) if conversation is not None else ""
            what = conversation_called(item.number + 1, title, "" if len(members) == 1 else member)
            if conversation is None or not isinstance(conversation.get(key), kind):
                source.refuse(what, Phrase(refusal, {"place": item.place}))
            else:
                yield conversation, what


def _named(source: ExportSource) -> list[str]:
    return sorted(one for one in source.members if _CONVERSATIONS.fullmatch(one.rpartition("/")[2]))


def _any_json(source: ExportSource) -> list[str]:
    return [one for one in source.members if one.lower().endswith(".json")][:MOST_LOOKED_AT]


def _holds(sample: Json, key: str) -> bool:
    items = as_list(sample) if isinstance(sample, list) else (sample,)
    return any(isinstance(item, Mapping) and key in item for item in items)


def as_object(value: Json) -> JsonObject | None:
    """The value as a JSON object, None if it is of another kind."""
    return value if isinstance(value, Mapping) else None


def as_list(value: Json) -> Sequence[Json]:
    """The value as a JSON array, an empty one if it is of another kind."""
    return cast("Sequence[Json]", value) if isinstance(value, list | tuple) else ()


def objects_in(value: Json) -> list[JsonObject]:
    """The objects of a JSON array; what is of another kind is left out."""
    return [one for item in as_list(value) if (one := as_object(item)) is not None]


def as_text(value: Json) -> str:
    """The value if it is a string, else the empty string."""
    return value if isinstance(value, str) else ""


def as_instant(value: Json) -> str | None:
    """Seconds since 1970 or ISO 8601 text (UTC where no zone is named) as ISO 8601 UTC; None for anything else."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            return None
        return timestamp(moment.astimezone(UTC))
    except (ValueError, OverflowError, OSError):
        return None


EPOCH = "1970-01-01T00:00:00.000Z"
"""The time of what names none."""


def cut_circles(parents: dict[str, str | None]) -> int:
    """Cuts links to missing nodes and those that close a circle, in place; how many there were."""
    cut = 0
    for node_id, parent in parents.items():
        if parent is not None and parent not in parents:
            cut += 1
            parents[node_id] = None
    settled: set[str] = set()
    for node_id in parents:
        trail: dict[str, None] = {}
        current: str | None = node_id
        while current is not None and current not in settled:
            trail[current] = None
            if (above := parents[current]) in trail:
                cut += 1
                parents[current] = above = None
            current = above
        settled.update(trail)
    return cut


def parents_first(
    parents: Mapping[str, str | None], children: Mapping[str, Iterable[str]] | None = None
) -> Iterator[str]:
    """Every node behind its parent; siblings in the order in which `children` names them, else in that of `parents`."""
    ordered: dict[str | None, dict[str, None]] = {}
    for node_id, named in (children or {}).items():
        for child in named:
            if parents.get(child) == node_id:
                ordered.setdefault(node_id, {})[child] = None
    for node_id, parent in parents.items():
        ordered.setdefault(parent, {})[node_id] = None
    waiting = list(reversed(ordered.get(None, {})))
    while waiting:
        node_id = waiting.pop()
        yield node_id
        waiting.extend(reversed(ordered.get(node_id, {})))


def newest_leaf(messages: Sequence[Message]) -> str:
    """The id of the newest message that nothing follows; of several the last."""
    inner = {message.parent_id for message in messages}
    leaves = [message for message in reversed(messages) if message.id not in inner]
    return max(leaves, key=lambda message: message.created).id


def stable_id(source: str, origin: str) -> str:
    """An id that is the same at every import: 128 bits of the origin's hash, as hexadecimal digits."""
    return hashlib.sha256(f"{source}:{origin}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


NEWEST: Final = ""
"""In place of a name: the artifact that was made or changed last."""


@dataclass(frozen=True, slots=True)
class ArtifactChange:
    """The change that a call makes to the artifact of that name: a whole new `text`, or `edits` of the old one.

    Neither: a change that can't be followed.
    """

    name: str
    title: str = ""
    kind: ArtifactKind = "text"
    language: str = ""
    text: str | None = None
    edits: tuple[tuple[str, str], ...] | None = None
    creates: bool = False


@dataclass(slots=True)
class ReplayedArtifacts:
    """Follows a thread's artifacts through its messages, each branch on its own, by the changes that `read` finds."""

    thread_id: str
    read: Callable[[ToolCallPart], ArtifactChange | None]
    _made: dict[str, Artifact] = field(default_factory=dict)
    _versions: dict[str, list[ArtifactVersion]] = field(default_factory=dict)
    _texts: dict[str | None, Mapping[str, str | None]] = field(default_factory=dict)
    """Each artifact's text behind each message (None: unknown), the newest last, by message id."""

    def replaced(
        self, parts: tuple[Part, ...], message_id: str, parent_id: str | None, created: str
    ) -> tuple[Part, ...]:
        """The parts of a message, with calls that changed an artifact as calls of our own and their results.

        Asked for parents first; `parent_id` is the message that this one stands behind. A call that can't be followed,
        as an update of a text that is not there, stays as it came.
        """
        texts = self._texts.get(parent_id, {})
        made: list[Part] = []
        answered: dict[str, ToolResultPart] = {}
        for part in parts:
            change = self.read(part) if isinstance(part, ToolCallPart) else None
            if change is not None and isinstance(part, ToolCallPart):
                call, result, texts = self._follow(part, change, texts, message_id, created)
                made.append(call)
                if result is not None:
                    answered[call.id] = result
            elif isinstance(part, ToolResultPart) and part.call_id in answered:
                made.append(answered.pop(part.call_id))
            else:
                made.append(part)
        self._texts[message_id] = texts
        return (*made, *answered.values())

    def artifacts(self) -> Iterator[ImportedArtifact]:
        """Yield the artifacts that were made, with all versions."""
        for artifact_id, artifact in self._made.items():
            versions = tuple(self._versions[artifact_id])
            yield ImportedArtifact(replace(artifact, versions=len(versions), updated=versions[-1].created), versions)

    def _follow(
        self, call: ToolCallPart, change: ArtifactChange, texts: Mapping[str, str | None], message_id: str, created: str
    ) -> tuple[ToolCallPart, ToolResultPart | None, Mapping[str, str | None]]:
        artifact_id = self._id(call, change, texts)
        before = texts.get(artifact_id)
        text = _changed(change, before)
        if text is None or not text.strip() or (change.text is None and artifact_id not in self._made):
            unknown = change.text is None and change.edits is None and artifact_id in texts
            return call, None, {**texts, artifact_id: None} if unknown else texts
        known = self._made.get(artifact_id)
        title = " ".join(change.title.split()) or change.name or "Untitled"
        artifact = known or Artifact(
            artifact_id,
            self.thread_id,
            title,
            change.kind,
            change.language if change.kind == "code" else "",
            created=created,
        )
        self._made[artifact_id] = artifact
        if not (versions := self._versions.setdefault(artifact_id, [])) or versions[-1].text != text:
            versions.append(ArtifactVersion(artifact_id, len(versions) + 1, text, "model", created, message_id))
        facts: JsonObject = {
            "id": artifact_id, "title": artifact.title, "version": len(versions), "kind": artifact.kind,
        }  # fmt: skip
        told = f"Artifact {artifact_id} has version {len(versions)} now."
        own = _own_call(call, artifact, change, first=known is None)
        after = {name: one for name, one in texts.items() if name != artifact_id} | {artifact_id: text}
        return own, ToolResultPart(call.id, told, extra={ARTIFACT: facts}), after

    def _id(self, call: ToolCallPart, change: ArtifactChange, texts: Mapping[str, str | None]) -> str:
        if change.name == NEWEST and not change.creates and texts:
            return next(reversed(list(texts)))
        return stable_id(ARTIFACT, f"{self.thread_id}/{change.name or call.id}")


def _changed(change: ArtifactChange, before: str | None) -> str | None:
    """The text after a change; None where it can't be told."""
    if (text := change.text) is None and before is not None and change.edits is not None:
        text = before
        for old, new in change.edits:
            if not old or old not in text:
                return None
            text = text.replace(old, new, 1)
    return text


def _own_call(call: ToolCallPart, artifact: Artifact, change: ArtifactChange, *, first: bool) -> ToolCallPart:
    """The call as one of our own tools', so that it looks and is sent as those do."""
    if first:
        language = {"language": artifact.language} if artifact.language else {}
        made = {"title": artifact.title, "kind": artifact.kind, **language, "text": change.text}
        return replace(call, name=CREATE.name, input=made)
    edits: list[Json] = [{"old": old, "new": new} for old, new in change.edits or ()]
    given: JsonObject = {"text": change.text} if change.text is not None else {"edits": edits}
    return replace(call, name=UPDATE.name, input={"id": artifact.id, **given})

"""The records handed to the history and back: threads, messages, calls, repairs, the trash and how long it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.messages import ImagePart, Message, MessageMark, Role, Thread, Usage
from desktop_app.core.phrases import Phrase, phrase, template

ContextEventKind: TypeAlias = Literal[
    "trimmed",
    "refused",
    "cache_rewritten",
    "limit_passed",
    "warning",
    "summarised",
    "fresh_start",
    "learned_window",
    "undone",
    "returned",
]


@dataclass(frozen=True, slots=True)
class ContextEvent:
    """Something a plan does that the user must be able to see: tokens before and after, messages concerned."""

    kind: ContextEventKind
    before: int
    after: int
    messages: int
    model: str


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One model call: who owns it (process), what it asked. `request` is kept as a manifest of blocks.

    `expected_usd`: what the plan expects it to cost (None: not known); its context events carry that price.
    """

    id: str
    thread_id: str
    user_message_id: str | None
    answer_id: str
    backend: str
    model: str
    started: str
    purpose: str = "chat"
    cost_kind: str = "money"
    expected_usd: float | None = None


KEPT_OF: Final = ":"
"""In the id of a call that kept a cache, between the id of the answer whose request it read and its own."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A finished model call that is no turn: a summary, a title, a hidden follow-up, a test. No text is kept of it.

    `purpose` is one word: summary, title, follow_up, test. `thread_id` None: of no thread, or of a private one.
    `failure` is the code of the failure it ended with ("": none). Times are ISO 8601 UTC.
    """

    id: str
    thread_id: str | None
    purpose: str
    backend: str
    model: str
    cost_kind: str
    started: str
    ended: str
    usage: Usage | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The sum of all calls of one thread, day, backend, model, purpose and kind of cost.

    `day` is the UTC date, `thread_id` None for calls of no thread; `title` is the thread's. Tokens as the provider
    counted them. `cost_usd` is the sum of the known costs, of `priced` calls out of `calls`. `unreported`: of so many,
    part of an answer came, but no count.
    """

    thread_id: str | None
    title: str
    day: str
    backend: str
    model: str
    purpose: str
    cost_kind: str
    calls: int
    input: int
    cache_read: int
    cache_write: int
    output: int
    cost_usd: float
    priced: int
    unreported: int = 0


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A context event as it happened: when, in which thread, and for a request that left, its question and answer.

    `cost_usd`: what the request was expected to cost when it was planned (None: not known).
    """

    event: ContextEvent
    at: str
    user_message_id: str | None = None
    answer_id: str | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class EventCount:
    """The times that a context event happened in a thread on a UTC day; `thread_id` None: in a private one."""

    thread_id: str | None
    day: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class ImportedArtifact:
    """An artifact of an imported thread with all of its versions, oldest first."""

    artifact: Artifact
    versions: tuple[ArtifactVersion, ...]


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document of a project of an export, which names it `key`; `data`: its bytes, until there is a copy of them."""

    key: str
    name: str
    sha256: str
    size: int
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class ImportedProject:
    """A project of an export, by its name; one that is there already keeps its own instructions."""

    name: str
    instructions: str = ""
    documents: tuple[ImportedDocument, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedThread:
    """A thread from an export, with the user's marks by message id. `key`: its origin, known at a second import."""

    key: str
    thread: Thread
    messages: tuple[Message, ...]
    marks: Mapping[str, MessageMark] = field(default_factory=dict)
    artifacts: tuple[ImportedArtifact, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportCount:
    """The result of an import: new threads and messages, and threads that were there already (some messages may be
    new).

    A deleted thread that came back counts as new, with all of its messages.
    """

    threads: int
    messages: int
    already: int


BATCH: Final = 1_000_000
"""Characters of threads that are written at once: 60 ms or so, for which other writes wait; one is never divided."""


def in_batches(threads: Iterable[ImportedThread]) -> Iterator[Sequence[ImportedThread]]:
    """The threads in groups of `BATCH` characters, each written at once."""
    batch: list[ImportedThread] = []
    size = 0
    for imported in threads:
        batch.append(imported)
        size += characters_of(imported)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def characters_of(imported: ImportedThread) -> int:
    """Return how many characters are written for a thread, except those that are the same for each message."""
    return sum(_size(message) for message in imported.messages)


def _size(message: Message) -> int:
    return len(message.text) + sum(len(part.data) for part in message.parts if isinstance(part, ImagePart))


@dataclass(frozen=True, slots=True)
class MergeCount:
    """The result of a merge from another history file: the new items here, and how many threads had nothing new.

    A deleted thread that came back counts as new. `unreadable`: messages without their text, and requests, that could
    not be read there.
    """

    threads: int = 0
    messages: int = 0
    already: int = 0
    projects: int = 0
    documents: int = 0
    prompts: int = 0
    unreadable: int = 0


ChangeKind: TypeAlias = Literal["thread", "project", "prompt", "usage", "words", "files"]
HowChanged: TypeAlias = Literal["new", "trash", "more", "back"]
"""`trash`: new, and in the trash. `more`: something is added to what is here. `back`: here it is in the trash."""


@dataclass(frozen=True, slots=True)
class ImportChange:
    """Something that an import adds or adds to, by what the user calls it; `id` "": of what has none.

    `counts` by what is counted: messages of a thread, documents, folders and threads of a project, calls, bytes.
    """

    kind: ChangeKind
    change: HowChanged
    id: str = ""
    name: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The changes that merging a stranger's file would make, and the hashes and sizes of the files that its documents
    are.

    `already`: threads that have nothing new. `consents`: threads in which the user there had accepted something.
    """

    changes: tuple[ImportChange, ...]
    already: int
    files: Mapping[str, int]
    consents: int
    earliest: str | None
    latest: str | None


@dataclass(frozen=True, slots=True)
class SearchWithin:
    """The range that a search looks in; None: not asked for. `model` is the one that served, `since` (inclusive) and
    `until` (exclusive) are ISO 8601 UTC or the beginning of such. `marked`: what the user marked it with, a rating
    or a note. `tools`: only in what tools were given or answered, where no search looks otherwise.
    """

    thread_id: str | None = None
    role: Role | None = None
    since: str | None = None
    until: str | None = None
    model: str | None = None
    marked: Literal["up", "down", "note"] | None = None
    tools: bool = False

    @property
    def of_messages(self) -> bool:
        """True where it can only mean messages: documents and artifacts have a time, and nothing else of it."""
        return replace(self, since=None, until=None) != EVERYWHERE


EVERYWHERE: Final = SearchWithin()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A message that a search found, with the passage of it that shows why.

    `snippet` is one line of some 200 characters; `marks` are the ranges of it that were looked for, start and end, in
    order. `attached`: they stand in a document or a tool's result, not in what was said; `tool`: in what a tool was
    given or answered; `noted`: in the user's own note on the message. `created` is ISO 8601 UTC.
    """

    thread_id: str
    title: str
    message_id: str
    role: Role
    created: str
    model: str | None
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    attached: bool = False
    noted: bool = False
    tool: bool = False


@dataclass(frozen=True, slots=True)
class FoundItem:
    """A document or an artifact that a search found, by a passage of it as in `SearchHit`.

    `id` is that of the passage or the artifact, `inside` that of its project or thread, which is called `place`.
    `beside`: ids of all passages found in the project.
    """

    kind: Literal["document", "artifact"]
    id: str
    inside: str
    title: str
    place: str
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a search. `more`: there are further hits. `waiting`: messages that can't be found yet, as the index
    is still catching up (0 nearly always). `after`: the `offset` of the next page.
    """

    hits: tuple[SearchHit, ...] = ()
    more: bool = False
    waiting: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class RecallHit:
    """A message that a question is about: `whole_text(message)[start:end]` says most; scores are of one question."""

    message_id: str
    start: int
    end: int
    score: float


RepairKind: TypeAlias = Literal["damaged", "texts", "index", "foreign", "emptied", "missing", "earlier"]


@dataclass(frozen=True, slots=True)
class HistoryRepair:
    """The faults of a history file, and the data that is there now.

    `kind`: damaged; only texts that backups have, or an index of it, so that nothing is lost; a file of another
    program; a file in which nothing is; no file at all; an earlier state than a backup, which has what is missing.
    `threads` and `messages` are here now, `salvaged` messages of them were read from the damaged file and are not in
    the backup. `missing` messages are known of and were not found, `unreadable` ones, or requests, are without text.
    `backup`: the one that was restored ("": there was none), made at `backup_at`; `aside`: the name that the file has
    now. `details`: what SQLite found, in its words.
    """

    kind: RepairKind
    threads: int
    messages: int
    salvaged: int = 0
    missing: int = 0
    unreadable: int = 0
    backup: str = ""
    backup_at: str | None = None
    aside: str = ""
    details: tuple[str, ...] = ()


KEPT_DAYS: Final = 30
"""So long what was deleted can be restored; then it is deleted for good."""

TrashKind = Literal["thread", "message", "project", "document", "artifact", "prompt"]


@dataclass(frozen=True, slots=True)
class TrashItem:
    """Something deleted. `title`: its own, or how a message begins; `inside`: the title of the thread, or the name of
    the project, that it is of, whose id is `inside_id`. `deleted` is ISO 8601 UTC. `rest`: ids of the other messages
    that were deleted as one turn with this one.
    """

    kind: TrashKind
    id: str
    title: str
    deleted: str
    inside: str = ""
    inside_id: str = ""
    rest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryCopy:
    """A copy of the history that still holds something that was deleted for good; `items`: how many."""

    path: str
    items: int


@dataclass(frozen=True, slots=True)
class Erased:
    """A deletion for good; `copies` still hold something; `not_compacted`: why the file is not smaller yet."""

    copies: Sequence[HistoryCopy] = ()
    not_compacted: str = ""


_FOUND: Final = {
    "damaged": template("The history file was damaged. It was repaired."),
    "texts": template("Texts in the history file were damaged. They were restored from backups; nothing is missing."),
    "index": template("An index of the history file was damaged. It was rebuilt; nothing is missing."),
    "foreign": template("The history file was not a Plimsoll history."),
    "emptied": template("The history file had been emptied."),
    "missing": template("The history file was missing."),
    "earlier": template("The history file had fallen back to an earlier state."),
}


def repair_sentences(repair: HistoryRepair) -> tuple[Phrase, ...]:
    """One sentence for each fact, the most important first."""
    said = [Phrase(_FOUND[repair.kind], {})]
    at = (repair.backup_at or "")[:16].replace("T", " ")
    if repair.kind == "earlier":
        said.append(phrase("Messages restored from the backup of {at} UTC: {count}.", count=repair.salvaged, at=at))
    elif repair.backup:
        said.append(phrase("The backup of {at} UTC was restored.", at=at))
    elif repair.kind not in ("index", "texts"):
        said.append(phrase("There was no usable backup."))
    if repair.salvaged and repair.kind not in ("index", "earlier"):
        said.append(phrase("Messages read from the damaged file: {count}.", count=repair.salvaged))
    said.append(
        phrase("Threads now: {threads}. Messages: {messages}.", threads=repair.threads, messages=repair.messages)
    )
    if repair.missing:
        said.append(phrase("Messages missing: {count}.", count=repair.missing))
    if repair.unreadable:
        said.append(phrase("Messages or requests without their text: {count}.", count=repair.unreadable))
    if repair.aside:
        said.append(phrase("The old file is kept as {name}.", name=repair.aside))
    return tuple(said)


DAILY, WEEKLY, MONTHLY = 3, 4, 3
"""Days, weeks and months back of which the newest copy of each is kept."""


class BackupEnded(Exception):  # noqa: N818  nothing is wrong
    """Whoever makes a copy, or checks a file, was told to stop."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the history. `id` is its file's name without the ending; `at` ISO 8601 UTC.

    `threads`, `messages` and `questions` are those that are not deleted; what a tool returned is a message, too.
    `verified`: SQLite found it whole when it was last looked at. `by_hand`: made by the user, or before something was
    restored (`before_restore`); kept as long as there is room. `rotates`: it is one of those that make room for others.
    """

    id: str
    path: str
    at: str
    threads: int
    messages: int
    questions: int
    bytes: int
    verified: bool
    by_hand: bool = False
    rotates: bool = True
    before_restore: bool = False


@dataclass(frozen=True, slots=True)
class BackedUpThread:
    """A thread as a backup has it."""

    id: str
    title: str
    created: str
    updated: str
    questions: int


@dataclass(frozen=True, slots=True)
class RestoreCount:
    """The result of a restore: new threads and messages, threads with nothing new, the backup of what was here."""

    backup: str
    before: str
    threads: int
    messages: int
    already: int


def is_due(backups: Sequence[Backup], now: str) -> bool:
    """True if none was made today; `now` is ISO 8601 UTC. One of the future was made under a wrong clock."""
    return not any(_day(one.at) == _day(now) for one in backups if one.rotates)


def is_worth_it(backups: Sequence[Backup], begun: str, day_ago: str) -> bool:
    """Return True if there is a day's work: the history was begun, or a backup made, before `day_ago`. All are ISO 8601
    UTC.

    The day's copy is made once; made in the first minutes of a new history it would be without all of its first day.
    """
    seconds = len("2026-11-23T08:30:00")
    times = (begun, *(one.at for one in backups if one.rotates))
    return any(at[:seconds] < day_ago[:seconds] for at in times)


def to_remove(backups: Sequence[Backup], most_bytes: int) -> Sequence[Backup]:
    """Those that make room, oldest first: what is no day's, week's or month's copy, then what is over the budget.

    The newest one stays, and so does what was not made in turn.
    """
    rotating = sorted((one for one in backups if one.rotates), key=lambda one: one.at, reverse=True)
    kept: set[str] = {one.id for one in rotating if one.by_hand}
    for most, period in ((DAILY, _day), (WEEKLY, _week), (MONTHLY, lambda at: at[:7])):
        newest: dict[object, str] = {}
        for one in rotating:
            if not one.by_hand:
                newest.setdefault(period(one.at), one.id)
        kept |= set(list(newest.values())[:most])
    room, gone = most_bytes, list[Backup]()
    for index, one in enumerate(rotating):
        room -= one.bytes
        if index and (one.id not in kept or room < 0):
            gone.append(one)
            room += one.bytes
    return gone[::-1]


def _day(at: str) -> object:
    return at[:10]


def _week(at: str) -> object:
    """The number of the week since 1970, each beginning on a Monday."""
    year, month, day = int(at[:4]), int(at[5:7]), int(at[8:10])
    year -= month <= 2  # years that begin in March, so that a leap day is their last
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    since_1970 = 365 * year + year // 4 - year // 100 + year // 400 + of_year - 719_468
    return (since_1970 + 3) // 7  # it began on a Thursday

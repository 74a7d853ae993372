"""The protocols through which the controller sees what it works on; its clock and its announcements."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.context.text_features import TokenWeights
from desktop_app.core.history_records import (
    EVERYWHERE,
    CallRecord,
    ContextEvent,
    EventCount,
    FoundItem,
    HistoryCopy,
    ImportChange,
    ImportCount,
    ImportedThread,
    LedgerRow,
    MergeCount,
    MergePreview,
    RecallHit,
    SearchPage,
    SearchWithin,
    StoredEvent,
    TrashItem,
    TurnRecord,
)
from desktop_app.core.messages import (
    Failure,
    JsonObject,
    Message,
    MessageMark,
    Part,
    RequestCount,
    Thread,
    ThreadSummary,
    Usage,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.projects import (
    ALL_DOCUMENTS,
    DocumentText,
    FollowedFolder,
    PassageHit,
    Project,
    ProjectDocument,
    SearchedDocuments,
)
from desktop_app.core.prompts import Prompt
from desktop_app.core.tool_servers import ServerLaunch, ServerReport, ToolOutcome
from desktop_app.system.system_clock import timestamp, utc_now

if TYPE_CHECKING:
    from desktop_app.core.events import Announcement


class ImportWriting(Protocol):
    """One import: of what is added nothing is seen before `finish`. To be undone unless it was finished."""

    async def add(self, threads: Sequence[ImportedThread]) -> None:
        """Writes a batch (`core.history_records.in_batches`) in one transaction."""

    async def finish(self, projects: Sequence[Project] = (), documents: Sequence[ProjectDocument] = ()) -> ImportCount:
        """Makes all of it seen, with the documents, and those of the new projects that one or a new thread is in."""

    async def undo(self) -> None:
        """Takes out what was written; what can't be is taken out at a later start. Raises nothing."""


class ImportHistory(Protocol):
    """Imports that may be bigger than memory. Threads of the same `key` are known and get only what is new."""

    async def begin(self) -> ImportWriting: ...

    async def look(self, threads: Sequence[ImportedThread]) -> Sequence[ImportChange | None]:
        """Return what an import of each of these would do; None: nothing, as all of it is here. Changes nothing."""

    async def known(self, keys: Collection[str]) -> Mapping[str, str]:
        """Of these origins, those that are there already and not deleted, with the time of the thread's last change."""


class ProjectHistory(Protocol):
    """The projects of the history file: `history.projects`. Every method may raise `UserError("store")`.

    A write is all or nothing. Unknown ids raise `UserError("usage")`. What is deleted is marked, and can be restored.
    """

    async def all(self) -> Sequence[Project]:
        """By name; archived ones too, not the deleted ones."""

    async def one(self, project_id: str) -> Project: ...

    async def find(self, name: str) -> Project | None:
        """The project of that name, whatever the case of its letters; None where there is none."""

    async def save(self, project: Project) -> None:
        """Writes a project's facts; one with its id that is there is replaced."""

    async def delete(self, project_id: str) -> None:
        """Marks it deleted; its threads stay, out of any project as long as it is."""

    async def restore(self, project_id: str) -> None: ...

    async def documents(self, project_id: str) -> Sequence[ProjectDocument]:
        """By path and name, deleted ones left out. Without texts: 10,000 are listed in a moment."""

    async def removed_documents(self, project_id: str) -> Sequence[ProjectDocument]:
        """Those that were deleted, which `restore_documents` brings back."""

    async def save_documents(self, documents: Sequence[ProjectDocument]) -> None:
        """Writes facts of documents; those with an id that is there are replaced. Their texts are not touched."""

    async def delete_documents(self, document_ids: Collection[str]) -> None: ...

    async def restore_documents(self, document_ids: Collection[str]) -> None: ...

    async def has_text(self, sha256: str) -> bool:
        """Return True if a file with this hash was read by this version, so that it need not be read again."""

    async def save_text(self, text: DocumentText) -> None:
        """Keeps a text with its passages once, whichever documents it is of, and makes it findable."""

    async def text(self, sha256: str) -> DocumentText | None: ...

    async def search_documents(
        self, project_id: str | None, question: str, within: SearchedDocuments = ALL_DOCUMENTS, *, limit: int = 60
    ) -> Sequence[PassageHit]:
        """The passages of a project's documents, `None`: of all, that say most of what is asked, best first."""

    async def passage(self, project_id: str, passage_id: str) -> PassageHit | None:
        """The passage with this id, where one of the project's documents has it, or had it before it changed."""

    async def folders(self, project_id: str) -> Sequence[FollowedFolder]: ...

    async def save_folder(self, folder: FollowedFolder) -> None: ...

    async def delete_folder(self, folder_id: str) -> None: ...

    async def search_threads(
        self, question: str, among: Collection[str], limit: int = 60
    ) -> Sequence[tuple[str, RecallHit]]:
        """Messages on current branches of `among` that say most of what is asked: thread's id and hit, best first."""


class ArtifactHistory(Protocol):
    """The artifacts, those of private threads in memory. `UserError`: "store", and "usage" for unknown ids."""

    async def of_thread(self, thread_id: str) -> Sequence[Artifact]:
        """In the order they were made, deleted ones left out."""

    async def all(self) -> Sequence[Artifact]:
        """Those of every thread that is not deleted, last updated first."""

    async def one(self, artifact_id: str) -> Artifact: ...

    async def find(self, prefix: str) -> Artifact:
        """The one whose id starts with `prefix`; `UserError("usage")` if none or several."""

    async def save(self, artifact: Artifact) -> None:
        """Writes its facts; one with its id that is there is replaced. `versions` is not written."""

    async def add_version(self, artifact: Artifact, version: ArtifactVersion) -> None:
        """Adds the next version, with the facts of its artifact; `UserError("store")` if its number is taken."""

    async def versions(self, artifact_id: str) -> Sequence[ArtifactVersion]:
        """All of them, oldest first."""

    async def delete(self, artifact_id: str) -> None: ...

    async def restore(self, artifact_id: str) -> None: ...


class DocumentExtractor(Protocol):
    """Reads files into texts with their structure, in a process apart; `below` a folder no link is followed."""

    async def extract(self, path: Path, below: Path | None = None) -> DocumentText:
        """Raises `UserError("usage")` whose words name the file and say what to do. Cancelling it ends the reading."""

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page of a PDF (from 1) as PNG, `width` pixels wide. Raises `UserError("usage")`."""


class DocumentPages(Protocol):
    """Renders PDFs in a process apart; `below` a folder no link is followed. All raise `UserError("usage")`."""

    async def page_sizes(self, path: Path, below: Path | None = None) -> Sequence[tuple[float, float]]:
        """Width and height of each page in points."""

    async def page_image(self, path: Path, page: int, width: int, below: Path | None = None) -> bytes:
        """A page (from 1) as PNG, `width` pixels wide."""

    async def text_boxes(
        self, path: Path, page: int, first: int, last: int, below: Path | None = None
    ) -> Sequence[tuple[float, float, float, float]]:
        """Return the places of the characters `first` to `last` of a page, counted without spaces: left, top, right,
        bottom.

        As shares of its width and height; none where the page is a picture.
        """


class ToolHost(Protocol):
    """The servers of tools, in a process of their own that is started with the first of them. No method raises.

    Whatever a server does (hangs, dies, prints junk, sends too much), its report says so in words.
    """

    def report(self, server: str) -> ServerReport:
        """The state of a server as known now; "off" where it was not connected."""

    async def connect(self, launch: ServerLaunch, *, fresh: bool = False) -> ServerReport:
        """Starts or asks a server and lists its tools; one that runs as `launch` says stays, but with `fresh`."""

    async def misfit(self, server: str, tool: str, arguments: JsonObject) -> str:
        """Return what is wrong with arguments by the tool's schema, for the model; "" where they fit."""

    async def call(self, server: str, tool: str, arguments: JsonObject) -> ToolOutcome:
        """Runs a tool of a connected server. Cancelling it has the server told, and waits for nothing."""

    async def log(self, server: str) -> str:
        """The last that the server wrote on its standard error, and the lines that were no messages."""

    async def end(self, server: str) -> None:
        """Ends a server with all its processes."""

    async def close(self) -> None:
        """Ends all of them."""


class TrashHistory(Protocol):
    """The trash of the history file; deletion for good."""

    async def items(self) -> Sequence[TrashItem]:
        """Return the items that can be restored, deleted last first."""

    async def restore_prompt(self, prompt_id: str) -> None: ...

    async def begin(self, items: Sequence[TrashItem]) -> None:
        """Begins to delete for good, which `step` does. All or none: `UserError("store")` where a turn runs in one."""

    async def step(self) -> bool:
        """Removes some of what is to be removed, 50 ms or so; False if nothing is."""

    async def left(self) -> int:
        """Return the number of messages still to be removed."""

    async def needs_compacting(self) -> bool:
        """Return True if the file's free space may still hold removed messages."""

    async def compact(self) -> None:
        """Rewrite the file without free space; `UserError("store")` where the disk is too full, or it is in use."""

    async def unused_files(self) -> Sequence[str]:
        """The hashes of files whose documents were deleted for good."""

    async def copies(self) -> Sequence[HistoryCopy]:
        """The copies of the history, backups or others, that still hold something that was deleted for good."""

    async def erase_in_copies(self, progress: Callable[[int, int], None] | None = None) -> Sequence[HistoryCopy]:
        """Puts copies without it in their places; those where that was not possible."""


class History(Protocol):
    """The history file behind awaitables. Every method may raise `UserError("store", ...)`; a write is all or nothing.

    Methods that take ids raise `UserError("usage", ...)` for an unknown thread.
    """

    @property
    def projects(self) -> ProjectHistory: ...

    @property
    def artifacts(self) -> ArtifactHistory: ...

    @property
    def trash(self) -> TrashHistory: ...

    @property
    def imports(self) -> ImportHistory: ...

    async def create_thread(self, thread: Thread) -> None: ...

    async def threads(self) -> Sequence[ThreadSummary]:
        """All threads, last updated first."""

    async def last_answers(self, thread_ids: Sequence[str]) -> Mapping[str, str]:
        """The text of the last answer with words of each thread, by its id; of one that is not there none."""

    async def thread(self, thread_id: str) -> Thread: ...

    async def find_thread(self, prefix: str) -> Thread:
        """The one thread whose id starts with `prefix`; `UserError("usage")` if none or several."""

    async def update_thread(self, thread: Thread, before: Thread | None = None) -> bool:
        """Writes a thread's facts but tip, draft, created and seen; False where they are not as in `before`."""

    async def move_tip(self, thread_id: str, tip: str | None, *, expected: str | None) -> None:
        """Compare-and-set of the tip; `UserError("store")` if it is not `expected` any more."""

    async def set_seen(self, thread_id: str, tip_id: str | None) -> None:
        """Notes the tip that was last shown to the user; None: nothing was, the thread is to be read again."""

    async def delete_thread(self, thread_id: str) -> None:
        """Marks the thread deleted, with its marks; `restore_thread` brings both back."""

    async def restore_thread(self, thread_id: str) -> None: ...

    async def save_draft(self, thread_id: str, text: str, *, expected: str) -> str | None:
        """Stores the draft where it was `expected`; else returns what stands there, and both have to be kept."""

    async def save_draft_count(self, thread_id: str, count: RequestCount) -> None:
        """Keeps what the provider counted for the thread's draft. A stored user message clears it."""

    async def save_attachments(self, thread_id: str, parts: Sequence[Part]) -> None:
        """Keeps what is attached to the thread's draft; () for nothing. A stored user message takes its own."""

    async def attachments(self, thread_id: str) -> tuple[Part, ...]:
        """Return the attachments of the thread's draft, in order."""

    async def messages(self, thread_id: str, *, most: int | None = None) -> Sequence[Message]:
        """The whole tree, parents before children; of each text so many characters at most."""

    async def message(self, message_id: str) -> Message: ...

    async def prepare_turn(self, thread_id: str) -> None:
        """Reads what makes the next `begin_turn` of this thread fast; called while the user types."""

    async def begin_turn(
        self,
        turn: TurnRecord,
        *,
        new_messages: Sequence[Message],
        answer: Message,
        expected_tip: str | None,
        request: JsonObject,
        events: Iterable[ContextEvent] = (),
    ) -> tuple[str, tuple[Part, ...] | None]:
        """One transaction before anything is sent. Returns the draft after it, and its attachments if any were sent.

        Stores the user message or the tools' results (`new_messages`, may be empty on a retry) and the empty partial
        answer, sets the tip to the answer, takes a stored question at the tip off the draft, with what it has attached,
        records the turn as running with this process as owner, the request manifest and the events.
        `UserError("store")` if the tip is not `expected_tip` or if a turn of a live process is running in this thread.
        """

    async def save_request(self, turn: TurnRecord, request: JsonObject) -> None:
        """Keeps what a running turn sent in another form than it began with; from then on `request` returns that."""

    async def save_partial(self, answer: Message) -> None:
        """Overwrites the parts of a partial answer (the only message that may change)."""

    async def end_turn(self, turn_id: str, answer: Message, usage: Usage | None) -> None:
        """Writes the answer's final form (complete, partial or error) and ends the turn."""

    async def save_marked(self, answer: Message) -> None:
        """Overwrites the parts of an ended answer, which say what they said: what was kept as an artifact is marked."""

    async def write_ends(self, *, wait: bool = False) -> frozenset[str]:
        """Writes what `end_turn` could not; the turns that still wait. `wait`: for another process's lock."""

    async def running_threads(self) -> Sequence[str]:
        """The ids of the threads with a running turn of this process or another one that lives; no private ones."""

    async def repair_turns(self) -> Sequence[str]:
        """Ends turns whose owner process is dead; their answers stay as partial. Returns their thread ids."""

    async def request(self, answer_id: str) -> JsonObject | None:
        """The request that was sent for an answer, equal (byte for byte in each string) to what was given."""

    async def token_weights(self, backend: str, model: str) -> TokenWeights | None: ...

    async def save_token_weights(self, backend: str, model: str, weights: TokenWeights) -> None: ...

    async def learned_windows(self) -> Mapping[tuple[str, str], int]:
        """Return the windows that overflows taught, in tokens, by backend and model (PRODUCT.md CTX-6)."""

    async def save_learned_window(self, backend: str, model: str, window: int | None) -> None:
        """Keeps a learned window; None forgets it."""

    async def record_call(self, call: CallRecord) -> None:
        """Writes a finished model call that is no turn into the ledger."""

    async def record_events(
        self,
        thread_id: str | None,
        events: Sequence[ContextEvent],
        *,
        at: str,
        turn_id: str | None = None,
        cost_usd: float | None = None,
    ) -> None:
        """Writes context events that belong to no request (a refusal, an undo), or to a turn that runs already."""

    async def events(self, thread_id: str) -> Sequence[StoredEvent]:
        """Every context event of a thread, oldest first."""

    async def ledger(self) -> Sequence[LedgerRow]:
        """Every model call ever made, turns and others, summed; see `LedgerRow`. Newest day first."""

    async def event_counts(self) -> Sequence[EventCount]:
        """Every context event that ever happened, counted by thread, day and kind. Newest day first."""

    async def recent_models(self) -> Sequence[tuple[str, str]]:
        """Backend and model of the last turns, each once, the last one first."""

    async def kept_caches(self) -> Mapping[str, str]:
        """When the requests of answers, by their ids, were read once more to keep them cached: the last times."""

    async def spent_usd(self, *, since: str, until: str = "9999", thread_id: str | None = None) -> float:
        """Dollars of all calls billed in money, started from `since` to `until` (ISO 8601 UTC); None: any thread."""

    async def search(
        self,
        query: str,
        within: SearchWithin = EVERYWHERE,
        *,
        limit: int = 20,
        offset: int = 0,
        languages: Sequence[str] = ("en",),
    ) -> SearchPage:
        """The messages that hold every word of `query`, or every phrase in quotes; the last word may go on.

        The best of the newest matches come first, the others newest first, behind them those that have other forms of
        words not in quotes, by the stems of `languages` (`de`). Deleted threads are left out. Empty where the query
        holds nothing that can be found.
        """

    async def search_items(
        self, query: str, within: SearchWithin = EVERYWHERE, *, limit: int = 100
    ) -> Sequence[FoundItem]:
        """The documents of projects, then the artifacts by their newest text, that hold every word; `limit` of each.

        None where `within` can only mean messages. Deleted ones, and those of deleted threads, are left out.
        """

    async def search_thread(
        self, thread_id: str, question: str, among: Collection[str], limit: int = 5
    ) -> Sequence[RecallHit]:
        """The messages of a thread, of those with the ids `among`, that say most of what is asked, best first."""

    async def catch_up_search(self) -> bool:
        """Indexes a slice of what can't be found yet; False if there was nothing. Done in quiet moments anyway."""

    async def prompts(self) -> tuple[Prompt, ...]:
        """The library of prompts, by title."""

    async def save_prompts(self, prompts: Sequence[Prompt]) -> None:
        """Writes prompts, all of them or none; one with an id that is there is replaced."""

    async def delete_prompt(self, prompt_id: str) -> None:
        """Marks a prompt deleted; one that is not there is gone already. Saving it, or the trash, brings it back."""

    async def marks(self, thread_id: str) -> Mapping[str, MessageMark]:
        """The user's marks on messages of a thread, by message id."""

    async def save_mark(self, thread_id: str, message_id: str, mark: MessageMark) -> None:
        """Writes the mark of a message, an empty one removes it; `UserError("usage")` if it is not in the thread."""

    async def import_threads(self, threads: Sequence[ImportedThread]) -> ImportCount:
        """Adds threads, and what is new of those with a known `key`: all or none. `imports`: for more than memory."""

    async def merge(
        self,
        path: Path,
        thread_ids: Collection[str] | None,
        progress: Callable[[int], None] | None = None,
        copies: Collection[str] | None = None,
    ) -> MergeCount:
        """Brings these threads from another history file, with all that is kept of them; None: everything.

        What is there stays and grows; a thread that was deleted is back. All or nothing. `progress` is told how many
        threads are still to be looked at. `copies`: the file may be a stranger's; documents whose hashes are not among
        these are missing here, folders not followed, nothing accepted.
        """

    async def merge_preview(self, path: Path) -> MergePreview:
        """Return what merging all of a stranger's history file would do; `UserError("store")` where it is none."""

    async def copy_to(self, path: Path) -> None:
        """Writes all of it into a new file; `UserError("store")` where it can't be read whole any more, or written."""

    async def data_version(self) -> int:
        """A number that changes when another process has written."""

    async def write_problem(self) -> Failure | None:
        """The failure that a write would meet now (read-only, full, locked, gone), checked each time; None: none."""

    async def close(self) -> None: ...


class Secrets(Protocol):
    """Keys by backend name, from the environment first, then from the system keyring."""

    def from_environment(self, backend: str) -> str | None:
        """The key in the environment, without touching the keyring (no D-Bus, cheap)."""

    async def get(self, backend: str) -> str | None: ...

    async def set(self, backend: str, key: str) -> None:
        """Stores in the system keyring; `UserError("config")` with what to do where there is none."""

    async def delete(self, backend: str) -> None: ...


@runtime_checkable
class KeyFingerprints(Protocol):
    """Short salted hashes of the keys that backends ask with, by which a key is known again."""

    def fingerprint(self, backend: str) -> str:
        """That of the key that was last read; "" where none was."""

    async def others(self, backend: str, fingerprints: Collection[str]) -> frozenset[str]:
        """Those of these that are of another key than the one that is asked with now."""


class OwnVocabulary(Protocol):
    """A model's own vocabulary, where this computer has it. Nothing is fetched."""

    @property
    def found(self) -> tuple[bool, str] | None:
        """If it can be counted with, and that in a sentence; None: the package for it is not installed."""

    async def counter(self, model: ModelInfo) -> Callable[[str], int] | None:
        """Return what counts a text's tokens, loaded when it is first asked for; None: the model has another."""

    async def close(self) -> None:
        """Ends what counts."""


class LockableSecrets(Secrets, Protocol):
    """Secrets of a keyring that may be locked, which `get` leaves as it is."""

    async def unlock(self, backend: str) -> None:
        """Has the system ask for the keyring's password: only where the user wished for it."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The system's clock. Tests derive from it."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return utc_now()

    def stamp(self) -> str:
        """The time now as messages carry it: ISO 8601 UTC with milliseconds."""
        return timestamp(self.now())

    def new_id(self) -> str:
        """A new id for a thread, message or turn: random, so that short prefixes differ."""
        return uuid.uuid4().hex


def parse_stamp(stamp: str) -> datetime | None:
    """The time an ISO 8601 text names (UTC where it names no zone); None where it is none, as in foreign imports."""
    try:
        time = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


log = logging.getLogger(__name__)

Listener: TypeAlias = "Callable[[Announcement], None]"


class Announcements:
    """Delivers each announcement at once, in the order of subscription, on the caller's event loop."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Adds a listener; the returned function removes it (calling it twice does nothing)."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def publish(self, announcement: Announcement) -> None:
        """Tells every listener. A listener's error is logged as the bug it is and does not stop the turn."""
        for listener in tuple(self._listeners):
            try:
                listener(announcement)
            except Exception:
                log.exception("a listener failed on %s", type(announcement).__name__)

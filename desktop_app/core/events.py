"""Announcements of the controller: facts in the past tense, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from desktop_app.core.context.context_choices import Summary
from desktop_app.core.context.plan import ContextPlan, TokenCount
from desktop_app.core.history_records import HistoryRepair
from desktop_app.core.messages import Failure, Message, MessageMark, Part, Thread, ToolCallPart, ToolResultPart, Usage
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import FolderChange
from desktop_app.core.sync import SyncLine, SyncStatus

QUIET_S: Final = 15.0
"""Seconds without a word of an answer, while no tool is run, from which on window and commands tell it."""

IMITATED = phrase("A line of this answer looks like a note from Plimsoll. The model wrote it, and nothing was done.")
"""The notice of an answer that imitates a line of the app."""


class Announcement:
    """Something that happened. A kind of announcement is one class below this one, and nothing else."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ThreadCreated(Announcement):
    thread: Thread


@dataclass(frozen=True, slots=True)
class ThreadChanged(Announcement):
    """Title, tip, model or any other fact of the thread changed."""

    thread: Thread


@dataclass(frozen=True, slots=True)
class ThreadDeleted(Announcement):
    thread_id: str


@dataclass(frozen=True, slots=True)
class MessageAdded(Announcement):
    """A message is safely in the history (a user message before its request leaves)."""

    message: Message


@dataclass(frozen=True, slots=True)
class TurnStarted(Announcement):
    """The request is about to leave; `message` is the still empty answer."""

    thread_id: str
    message: Message
    plan: ContextPlan


@dataclass(frozen=True, slots=True)
class AnswerGrew(Announcement):
    """Text or thinking arrived for the running answer `message_id`."""

    thread_id: str
    message_id: str
    kind: Literal["text", "thinking"]
    delta: str


@dataclass(frozen=True, slots=True)
class AnswerStirred(Announcement):
    """More of the running answer came that is shown when it is whole; not told more often than is needed."""

    thread_id: str


@dataclass(frozen=True, slots=True)
class AnswerPartFinished(Announcement):
    """A whole part (tool call, unknown block, the provider's final form of a text) stands in the answer."""

    thread_id: str
    message_id: str
    part: Part


@dataclass(frozen=True, slots=True)
class ToolAnswered(Announcement):
    """A tool call of the running answer has its result, in full as the model reads it.

    `result.extra`: `passages` (how many there are) and, where earlier messages were looked up, `messages` (for each
    passage the id of the message it was found for).
    """

    thread_id: str
    message_id: str
    call: ToolCallPart
    result: ToolResultPart


@dataclass(frozen=True, slots=True)
class TurnProgressed(Announcement):
    """The running turn has called tools so often, and cost so much (None: nothing is paid per call, or not known)."""

    thread_id: str
    calls: int
    usd: float | None


@dataclass(frozen=True, slots=True)
class TurnPaused(Announcement):
    """The running turn waits at a cap until `ChatController.answer_pause`; a `TurnResumed` follows in any case.

    `to_usd` or `to_calls`: where it would pause next, the one of which the cap was reached. `cached_until`: until when
    the provider promised to keep the turn's cache; `ends`: when it ends by itself ("": never); both ISO 8601 UTC.
    """

    thread_id: str
    calls: int
    usd: float | None
    to_usd: float = 0.0
    to_calls: int = 0
    cached_until: str = ""
    ends: str = ""


@dataclass(frozen=True, slots=True)
class ToolServersAwaited(Announcement):
    """A question waits for these servers of tools before it is stored and sent; a stop keeps it from being sent."""

    thread_id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConsentAsked(Announcement):
    """The running turn waits for the user's consent to a call, until `ChatController.answer_consent` or a stop.

    `arguments`: JSON to be read. `acts`: by the user's mark (`marked`), else by what the server says. `changed`: an
    earlier consent was given to another description or schema. `ends`: as in `TurnPaused`; a `TurnResumed` follows.
    `about`: the server's own words on the tool.
    """

    thread_id: str
    call_id: str
    server: str
    tool: str
    arguments: str
    acts: Literal["reads", "writes", "sends", "runs"]
    marked: bool = False
    changed: bool = False
    ends: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class TurnResumed(Announcement):
    """The turn waits for the user no more: it goes on, or ends."""

    thread_id: str


@dataclass(frozen=True, slots=True)
class AnswerContinued(Announcement):
    """`message` asked for tools and is stored; `results`, a user message of their results alone, goes back.

    The turn goes on: a `TurnStarted` follows with the next answer of the same turn, whose parent is `results`.
    """

    thread_id: str
    message: Message
    results: Message


@dataclass(frozen=True, slots=True)
class BranchChanged(Announcement):
    """The thread's current branch is another one, which ends with `tip` for now (None: it is empty)."""

    thread_id: str
    tip: str | None


@dataclass(frozen=True, slots=True)
class AttachmentsChanged(Announcement):
    """The attachments of the thread's draft, in order."""

    thread_id: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class AnswerReset(Announcement):
    """The announcement that the part of this answer received so far is superseded."""

    thread_id: str
    message_id: str


@dataclass(frozen=True, slots=True)
class NoticeRaised(Announcement):
    """A retry, a trim, a cache rewrite: one muted line in the thread. `code` is stable for scripts.

    `detail`: what the server said, word for word. `can_hurry`: `ChatController.retry_now` ends the pause. `secrets`:
    keyed hashes of what was taken out of the request, for `ContextEditing.decide_secrets`.
    """

    thread_id: str
    code: str
    message: str
    detail: str = ""
    can_hurry: bool = False
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UsageChanged(Announcement):
    thread_id: str
    message_id: str
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Announcement):
    """The answer is stored, whole or (`message.state` "partial") as far as it came before it was stopped."""

    thread_id: str
    message: Message


@dataclass(frozen=True, slots=True)
class AnswerSaved(Announcement):
    """An answer whose end could not be stored when its turn failed for it is in the history now."""

    thread_id: str
    message: Message


@dataclass(frozen=True, slots=True)
class TurnFailed(Announcement):
    """The answer ended with an error. `message` is the stored partial or empty answer that carries the failure."""

    thread_id: str
    message: Message
    failure: Failure


@dataclass(frozen=True, slots=True)
class SendRefused(Announcement):
    """Nothing was sent and no message was made; the draft is kept. `plan` is None if it did not come that far.

    `recounted`: the request was counted and fits, but leaves out what was not announced; sent again, it goes.
    """

    thread_id: str
    failure: Failure
    plan: ContextPlan | None
    recounted: bool = False


@dataclass(frozen=True, slots=True)
class CrossingAsked(Announcement):
    """The user has to choose first: `plan` would pass the soft limit for the first time (CTX-14). Nothing was sent."""

    thread_id: str
    plan: ContextPlan


@dataclass(frozen=True, slots=True)
class SecretsAsked(Announcement):
    """The user decides about secrets, which `message` names, before anything is sent; `secrets`: their keyed hashes.

    `tokens`: those of the request with them.
    """

    thread_id: str
    message: str
    secrets: tuple[str, ...]
    tokens: TokenCount


@dataclass(frozen=True, slots=True)
class SummaryStarted(Announcement):
    """A summary of `messages` messages is being written; `summary_id` is what it will be known by."""

    thread_id: str
    summary_id: str
    messages: int


@dataclass(frozen=True, slots=True)
class SummaryEnded(Announcement):
    """The summary stands (`summary`, in the thread's choices already), or `problem` says in a sentence why not."""

    thread_id: str
    summary_id: str
    summary: Summary | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DraftSaved(Announcement):
    thread_id: str
    text: str


@dataclass(frozen=True, slots=True)
class MarkChanged(Announcement):
    """The user's mark on a message is this one now; an empty one was taken away."""

    thread_id: str
    message_id: str
    mark: MessageMark


@dataclass(frozen=True, slots=True)
class PromptsChanged(Announcement):
    """The library of prompts changed here: one was added, written, or taken away."""


@dataclass(frozen=True, slots=True)
class ProjectsChanged(Announcement):
    """A project was made, written, archived, deleted or restored here."""


@dataclass(frozen=True, slots=True)
class ProjectDocumentsChanged(Announcement):
    """The documents of a project, or the folders that it follows, are others now."""

    project_id: str


@dataclass(frozen=True, slots=True)
class ReadingProgressed(Announcement):
    """`done` of `total` documents of a project have been read; `name` is the one being read, "" at the end."""

    project_id: str
    done: int
    total: int
    name: str


@dataclass(frozen=True, slots=True)
class FolderChangesFound(Announcement):
    """The changes in the followed folders of a project that wait for the user; () where there are none."""

    project_id: str
    changes: tuple[FolderChange, ...]


@dataclass(frozen=True, slots=True)
class ArtifactChanged(Announcement):
    """An artifact was made, got a version, or was written, deleted or restored."""

    thread_id: str
    artifact_id: str


@dataclass(frozen=True, slots=True)
class TrashChanged(Announcement):
    """Something was restored from the trash, or deleted for good."""


@dataclass(frozen=True, slots=True)
class BackupsChanged(Announcement):
    """A backup of the history was made."""


@dataclass(frozen=True, slots=True)
class HistoryDamaged(Announcement):
    """The check of the history found damage; `detail` in SQLite's words. The next opening repairs it."""

    detail: str


@dataclass(frozen=True, slots=True)
class HistoryRepaired(Announcement):
    """The announcement that messages missing in the history came back while it is open."""

    repair: HistoryRepair


@dataclass(frozen=True, slots=True)
class HistoryChangedElsewhere(Announcement):
    """Another process or machine wrote to the history; views should be read again. `threads`: None: any may differ."""

    threads: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class WritingChanged(Announcement):
    """The history can't be written any more, for `problem`; None: it can be again."""

    problem: Failure | None


@dataclass(frozen=True, slots=True)
class ToolServerListed(Announcement):
    """A server of tools was asked for its list, or one of its tools was used."""

    server: str


@dataclass(frozen=True, slots=True)
class SettingsChanged(Announcement):
    """settings.toml was read again or written; `problems` are sentences that name the wrong keys."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SyncChanged(Announcement):
    """Something about syncing is otherwise now."""

    status: SyncStatus


@dataclass(frozen=True, slots=True)
class SyncArrived(Announcement):
    """Changes of another machine were merged into these threads."""

    threads: frozenset[str]
    lines: tuple[SyncLine, ...]

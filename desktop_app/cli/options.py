"""Options of each subcommand, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, TypeAlias

from desktop_app.controller.formats import ArtifactFormat, ExportFormat

__all__ = [
    "AskOptions",
    "ChatOptions",
    "Command",
    "ContextOptions",
    "DoctorOptions",
    "ExportOptions",
    "ImportOptions",
    "Invocation",
    "ModelsOptions",
    "ProjectOptions",
    "SearchOptions",
    "ShowOptions",
    "ThreadsOptions",
    "TurnOptions",
    "UsageOptions",
]


FEWEST_TOKENS: Final = 100
"""A part of a document has at least so many tokens: with less, nothing but the mark of what is left out may remain."""


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """`ask` and `chat`: where a message goes. `thread` (id or prefix) None: a new thread, in the project `project`.

    `attach`: files that go with the first message; `first_tokens`: the tokens of each document that are sent (None:
    all). `send_anyway`: a message is sent though it might be too long, where the estimate itself fits. `full_context`:
    every context line of a chat tells all messages. `no_turn_cap`: a turn does not end at its cap.
    `allow_secret`: what looks like a secret in the request may leave with this thread's requests.
    """

    thread: str | None = None
    backend: str | None = None
    model: str | None = None
    system: str | None = None
    json: bool = False
    attach: tuple[str, ...] = ()
    first_tokens: int | None = None
    send_anyway: bool = False
    project: str | None = None
    full_context: bool = False
    no_turn_cap: bool = False
    allow_secret: bool = False


@dataclass(frozen=True, slots=True)
class AskOptions:
    """`text` None or "-": read standard input to its end."""

    turn: TurnOptions
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ChatOptions:
    turn: TurnOptions


@dataclass(frozen=True, slots=True)
class ThreadsOptions:
    json: bool = False


@dataclass(frozen=True, slots=True)
class ShowOptions:
    """`whole_tree`: all branches, not only the current one."""

    thread: str
    whole_tree: bool = False
    json: bool = False


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """`limit`: the most hits to print, at least 1. `since` and `until` are the first and the last day."""

    query: str
    limit: int = 20
    json: bool = False
    thread: str | None = None
    role: Literal["user", "assistant"] | None = None
    model: str | None = None
    since: date | None = None
    until: date | None = None
    marked: Literal["up", "down", "note"] | None = None


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """`draft` as if it were sent now, None: the thread's own; `request`: the exact request too.

    `events`: only what happened to the thread's context. `undo` takes its newest step back, `return_` sends again what
    the step left out and what fits now, `soft_limit` sets its own limit in tokens (0: the setting's). `what_if`: only
    the choices that there are.
    """

    thread: str | None = None
    draft: str | None = None
    backend: str | None = None
    model: str | None = None
    request: bool = False
    json: bool = False
    events: bool = False
    undo: bool = False
    soft_limit: int | None = None
    return_: bool = False
    what_if: bool = False

    @property
    def changes(self) -> bool:
        """True if the thread is changed, and not only looked at."""
        return self.undo or self.return_ or self.soft_limit is not None


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """`preview`: only look. `partial`: what is not broken."""

    files: tuple[str, ...]
    json: bool = False
    preview: bool = False
    partial: bool = False


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """`threads` None: all threads. `details` (None: as is usual for the format) and `attached` as in `ExportContents`.

    `everything`: one archive of all there is, of no `format`.
    """

    threads: tuple[str, ...] | None
    format: ExportFormat | None
    output: str
    details: bool | None = None
    attached: bool = False
    everything: bool = False


@dataclass(frozen=True, slots=True)
class ArtifactListOptions:
    """`thread` None: those of all threads."""

    thread: str | None = None
    json: bool = False


@dataclass(frozen=True, slots=True)
class ArtifactShowOptions:
    """`version` None: the newest."""

    artifact: str
    version: int | None = None
    json: bool = False


@dataclass(frozen=True, slots=True)
class ArtifactExportOptions:
    """`version` None: the newest."""

    artifact: str
    format: ArtifactFormat
    output: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class BackupOptions:
    """`act`: now, list or restore; `backup` None: the newest good one, `thread` None: all threads."""

    act: Literal["now", "list", "restore"]
    backup: str | None = None
    thread: str | None = None
    json: bool = False


@dataclass(frozen=True, slots=True)
class UsageOptions:
    json: bool = False


@dataclass(frozen=True, slots=True)
class ModelsOptions:
    """`backend` None: the one that would be chosen."""

    backend: str | None = None
    json: bool = False


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    json: bool = False


ProjectAct: TypeAlias = Literal["list", "create", "add", "remove", "show", "follow"]


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """`project ACT`: `name` is the project's ("" for `list`), `files` the files, folders or documents it is about.

    `always`: what is added goes into every request, instead of being searched when needed.
    """

    act: ProjectAct
    name: str = ""
    files: tuple[str, ...] = ()
    instructions: str = ""
    always: bool = False
    json: bool = False


Command: TypeAlias = (
    AskOptions
    | ChatOptions
    | ThreadsOptions
    | ShowOptions
    | SearchOptions
    | ContextOptions
    | ImportOptions
    | ExportOptions
    | ArtifactListOptions
    | BackupOptions
    | ArtifactShowOptions
    | ArtifactExportOptions
    | UsageOptions
    | DoctorOptions
    | ModelsOptions
    | ProjectOptions
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A subcommand and the data folder it works in (None: as for the window)."""

    data_dir: str | None
    command: Command

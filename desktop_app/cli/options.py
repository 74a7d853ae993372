"""Options of each subcommand, as values: each field says how it is given and what for, from which `parser` follows."""

from __future__ import annotations

import argparse
from dataclasses import MISSING, dataclass, field
from datetime import date
from typing import Any, Final, Literal, TypeAlias

from desktop_app.controller.formats import ARTIFACT_FORMATS, EXPORT_FORMATS, ArtifactFormat, ExportFormat
from desktop_app.core.settings import find_key

FEWEST_TOKENS: Final = 100
"""A part of a document has at least so many tokens: with less, nothing but the mark of what is left out may remain."""

MOST_HITS: Final = 10_000
"""The largest value of `search --limit`."""


def given(
    flag: str,
    words: str | None = None,
    *,
    default: Any = None,
    group: str = "",
    kw_only: bool = False,
    start: Any = None,
    **how: Any,
) -> Any:
    """A field that the argument `flag` sets, with `how` as argparse takes it. Of a `group` only one is given.

    `default` is the field's where nothing is given; argparse holds `start` then.
    """
    metadata = {"flag": flag, "group": group, "how": {"help": words, "default": start, **how}}
    return field(default=default, kw_only=kw_only, metadata=metadata)


def needed(flag: str, words: str | None = None, **how: Any) -> Any:
    """A field that has to be given."""
    return given(flag, words, default=MISSING, **how)


def on(flag: str, words: str, **how: Any) -> Any:
    """A field that is True where its argument stands."""
    return given(flag, words, default=False, action="store_true", **how)


def _json(words: str = "print JSON") -> Any:
    return on("--json", words)


def _backend() -> Any:
    return given(
        "--backend",
        "the connection to use: anthropic, claude-cli, openai, local or the name of a server (default: as in the "
        "settings)",
        metavar="B",
        start=argparse.SUPPRESS,
    )


def count(text: str) -> int:
    """A number of hits, or of a version."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= MOST_HITS:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_HITS:,}, got {text!r}")
    return number


def _tokens_of_a_part(text: str) -> int:
    plain = text.replace(",", "").replace("_", "")
    number = int(plain) if plain.isascii() and plain.isdigit() else 0
    if number < FEWEST_TOKENS:
        raise argparse.ArgumentTypeError(f"expected a number of at least {FEWEST_TOKENS}, got {text!r}")
    return number


def _server_and_tool(text: str) -> str:
    server, _, tool = text.partition("/")
    if not (server.strip() and tool.strip()):
        raise argparse.ArgumentTypeError(f"expected SERVER/TOOL, got {text!r}")
    return text


def _soft_limit(text: str) -> int:
    if text == "default":
        return 0
    plain = text.replace(",", "").replace("_", "")
    key = find_key(("context", "soft_limit"))
    number = int(plain) if plain.isascii() and plain.isdigit() else 0
    if key is None or not key.accepts(number):
        allowed = "" if key is None else key.allowed
        raise argparse.ArgumentTypeError(f"expected {allowed}, or default, got {text!r}")
    return number


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-03-31, got {text!r}") from None


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """`ask` and `chat`: where a message goes, and what goes along. `thread` is an id or its beginning."""

    thread: str | None = given("--thread", "continue this thread (default: a new one)", metavar="ID")
    project: str | None = given("--project", "start the new thread in this project", metavar="NAME", kw_only=True)
    backend: str | None = _backend()
    model: str | None = given("--model", "a model of that connection", metavar="M")
    system: str | None = given("--system", "the thread's system prompt", metavar="TEXT")
    attach: tuple[str, ...] = given(
        "--attach",
        "attach this text, document or image to the first message; can be repeated",
        default=(),
        metavar="FILE",
        action="append",
    )
    first_tokens: int | None = given(
        "--first-tokens",
        "send only the first N tokens of each attached document; the model can search the rest",
        metavar="N",
        type=_tokens_of_a_part,
    )
    # where the estimate itself fits
    send_anyway: bool = on("--send-anyway", "send even if the message is so close to the limit that it may be too long")
    allow_secret: bool = on(
        "--allow-secret",
        "let what looks like a secret leave with this thread's requests (else it is replaced by [removed])",
    )
    no_turn_cap: bool = on(
        "--no-turn-cap",
        "go on where a turn's tools reach the cap on cost or calls in the settings (else it ends there, status 7)",
    )
    tools: tuple[str, ...] = given(
        "--tools",
        "let the model use the tools of this server, beside those that are on; can be repeated",
        default=(),
        metavar="SERVER",
        action="append",
    )
    allow: tuple[str, ...] = given(
        "--allow",
        "let the model call this tool without being asked, as nobody is there to ask; can be repeated",
        default=(),
        metavar="SERVER/TOOL",
        action="append",
        type=_server_and_tool,
    )
    json: bool = _json("one JSON object a line: context, deltas, notices, usage, and last done or error")
    full_context: bool = False
    """Every context line of a chat tells all messages."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """`text` None or "-": read standard input to its end."""

    turn: TurnOptions
    text: str | None = given("text", "the message; - or nothing reads standard input", nargs="?", metavar="TEXT")


@dataclass(frozen=True, slots=True)
class ChatOptions:
    turn: TurnOptions


@dataclass(frozen=True, slots=True)
class ThreadsOptions:
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class ShowOptions:
    thread: str = needed("thread", metavar="THREAD")
    whole_tree: bool = on("--all", "all branches, not only the current one")
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class SearchOptions:
    query: str = given(
        "query",
        "words to find, all of them; quote a phrase; without words, the newest first",
        default="",
        metavar="QUERY",
        nargs="?",
    )
    limit: int = given("--limit", "at most N messages (default 20)", default=20, metavar="N", type=count)
    thread: str | None = given("--thread", "only this thread", metavar="THREAD")
    role: Literal["user", "assistant"] | None = given(
        "--role", "only messages by you, or by the assistant", choices=("user", "assistant")
    )
    model: str | None = given("--model", "only answers of this model", metavar="M")
    since: date | None = given("--since", "from this day on (YYYY-MM-DD, UTC)", metavar="DAY", type=_day)
    until: date | None = given("--until", "up to the end of this day", metavar="DAY", type=_day)
    marked: Literal["up", "down", "note"] | None = given(
        "--marked", "only messages rated up, rated down or with a note", choices=("up", "down", "note")
    )
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """`soft_limit` 0: that of the settings."""

    thread: str | None = given("thread", "default: a new thread", nargs="?", metavar="THREAD")
    draft: str | None = given("--draft", "the message to count (default: the thread's draft)", metavar="TEXT")
    backend: str | None = _backend()
    model: str | None = given("--model", "a model of that connection", metavar="M")
    request: bool = on("--request", "also print the exact request", group="shown")
    what_if: bool = on(
        "--what-if", "compare with a step now, a higher limit, a summary and other models", group="shown"
    )
    events: bool = on("--events", "list what happened to THREAD's context", group="of a thread")
    undo: bool = on("--undo", "undo the newest step that left messages out", group="of a thread")
    return_: bool = on(
        "--return",
        "send again what was left out under another limit, cap, model or backend, and fits now",
        group="of a thread",
    )
    soft_limit: int | None = given(
        "--soft-limit",
        "leave out older messages of THREAD above N tokens (default: from the settings)",
        group="of a thread",
        metavar="N",
        type=_soft_limit,
    )
    json: bool = _json()

    @property
    def changes(self) -> bool:
        """True if the thread is changed, and not only looked at."""
        return self.undo or self.return_ or self.soft_limit is not None


@dataclass(frozen=True, slots=True)
class ImportOptions:
    files: tuple[str, ...] = needed("files", "a JSON file, a zip archive or a folder", nargs="+", metavar="FILE")
    preview: bool = on("--preview", "show what would be imported; change nothing")
    partial: bool = on("--partial", "import the readable chats of a damaged file")
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """`threads` None: all threads. `details` (None: as is usual for the format) and `attached` as in `ExportContents`.

    `everything`: one archive of all there is, of no `format`.
    """

    threads: tuple[str, ...] | None
    format: ExportFormat | None = needed(
        "--format",
        "markdown, html, pdf: the current branch, to read; json: whole threads, to import again",
        choices=EXPORT_FORMATS,
    )
    output: str = needed("--output", "a file, or a folder for a file per thread", metavar="PATH", required=True)
    details: bool | None = given(
        "--details",
        "include thinking, tool calls and their results (default for html)",
        action=argparse.BooleanOptionalAction,
    )
    attached: bool = on("--attached", "include the text of attached documents")
    everything: bool = False


@dataclass(frozen=True, slots=True)
class ArtifactListOptions:
    thread: str | None = given("--thread", "only this thread", metavar="THREAD")
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class _ArtifactOptions:
    artifact: str = needed("artifact", "the artifact's ID or its first characters", metavar="ID")
    version: int | None = given("--version", "the version (default: the newest)", metavar="N", type=count)


@dataclass(frozen=True, slots=True)
class ArtifactShowOptions(_ArtifactOptions):
    json: bool = _json()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactExportOptions(_ArtifactOptions):
    format: ArtifactFormat = needed(
        "--format", "file: as it is, such as code or a picture", choices=ARTIFACT_FORMATS, required=True, kw_only=True
    )
    output: str = needed("--output", "a file, or a folder", metavar="PATH", required=True, kw_only=True)


@dataclass(frozen=True, slots=True)
class BackupOptions:
    """`backup` None: the newest good one, `thread` None: all threads."""

    act: Literal["now", "list", "restore"]
    backup: str | None = None
    thread: str | None = None
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class UsageOptions:
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class ModelsOptions:
    """`backend` None: the one that would be chosen."""

    backend: str | None = _backend()
    json: bool = _json()


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    json: bool = _json()


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


ToolsAct: TypeAlias = Literal["list", "add", "remove", "test"]


@dataclass(frozen=True, slots=True)
class ToolsOptions:
    """`tools ACT`: `server` "" is every one. `program`: what is started, with its arguments, where there is no `url`.

    `secrets`: names of variables or headers, whose values are asked for.
    """

    act: ToolsAct
    server: str = ""
    project: str | None = None
    secrets: tuple[str, ...] = ()
    url: str = ""
    program: tuple[str, ...] = ()
    json: bool = False


SyncAct: TypeAlias = Literal["setup", "now", "status", "pause", "resume", "leave", "revoke"]


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """`sync ACT`: `device` is the name of this one, or the id of the one that is removed (`revoke`)."""

    act: SyncAct
    place: str = ""
    device: str = ""
    passphrase_file: str | None = None
    accept_store: bool = False
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
    | SyncOptions
    | ToolsOptions
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A subcommand and the data folder it works in (None: as for the window)."""

    data_dir: str | None
    command: Command

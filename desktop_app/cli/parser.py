"""The grammar of the command line and its help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NoReturn

from desktop_app import __version__
from desktop_app.cli.options import (
    FEWEST_TOKENS,
    ArtifactExportOptions,
    ArtifactListOptions,
    ArtifactShowOptions,
    AskOptions,
    BackupOptions,
    ChatOptions,
    Command,
    ContextOptions,
    DoctorOptions,
    ExportOptions,
    ImportOptions,
    Invocation,
    ModelsOptions,
    ProjectAct,
    ProjectOptions,
    SearchOptions,
    ShowOptions,
    ThreadsOptions,
    TurnOptions,
    UsageOptions,
)
from desktop_app.cli.window_arguments import add_data_dir, add_window_options, is_text, window_options
from desktop_app.controller.formats import ARTIFACT_FORMATS, EXPORT_FORMATS
from desktop_app.core.settings import find_key
from desktop_app.window_options import WindowOptions

BAD_USAGE = 2
NARROWING = ("thread", "role", "model", "since", "until", "marked")
"""Options with which `search` needs no words."""
OF_A_THREAD = ("events", "undo", "return_", "soft_limit")
"""Options of `context` that need a thread."""
TEXTS = (
    *("text", "draft", "system", "thread", "backend", "model", "open", "query"),
    *("of_thread", "artifact", "project", "project_name", "instructions", "backup_id"),
)
"""Arguments that have to be valid UTF-8."""
MOST_HITS = 10_000
"""The largest value of `search --limit`."""

DESCRIPTION = """\
Plimsoll is a chat client that shows what the model will see before you send.
Without a command it opens the window."""

EPILOGUE = """\
THREAD is a thread's ID or its first characters, if no other thread starts
with them; `plimsoll threads` lists the threads.

Exit status: 0 done, 2 bad usage, 3 no connection is set up, 4 too long for
the model, 5 the provider failed, 6 the history can't be read or written,
7 the turn reached its cap (the answer so far is kept),
130 interrupted (the answer so far is kept)."""


def parse(arguments: Sequence[str]) -> WindowOptions | Invocation:
    """Return what the arguments ask for. Prints help or the error and raises `SystemExit` (0 or 2) where that is
    all.
    """
    parser = grammar()
    values = parser.parse_args(arguments)
    for name in TEXTS:
        if (value := getattr(values, name, None)) is not None and not is_text(value):
            parser.error(f"{name}: expected valid UTF-8 text")
    if getattr(values, "project", None) is not None and values.thread is not None:
        parser.error("--project is for a new thread; --thread goes on with one. Leave one of them out")
    if getattr(values, "query", "") is None and all(getattr(values, name) is None for name in NARROWING):
        parser.error("search: QUERY is required, or an option that narrows the search")
    if getattr(values, "thread", "") is None and any(getattr(values, n, None) is not None for n in OF_A_THREAD):
        parser.error("context: THREAD is required with --events, --undo, --return and --soft-limit")
    command: Callable[[argparse.Namespace], Command] | None = getattr(values, "command", None)
    if command is not None:
        return Invocation(values.data_dir, command(values))
    return window_options(values)


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USAGE, f"plimsoll: {message}\nSee {self.prog} --help.\n")


def grammar() -> argparse.ArgumentParser:
    """The whole grammar with its help texts."""
    parser = _Parser(prog="plimsoll", description=DESCRIPTION, epilog=EPILOGUE)
    parser.add_argument(
        "--version", action="version", version=f"plimsoll {__version__}", help="print the version and exit"
    )
    add_data_dir(parser, None)
    add_window_options(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _add_turns(commands)
    _add_reading(commands)
    _add_transfer(commands)
    _add_artifacts(commands)
    _add_backups(commands)
    _add_projects(commands)
    return parser


def _add_turns(commands: Any) -> None:
    ask = _command(
        commands,
        "ask",
        "send one message and print the answer",
        lambda values: AskOptions(_turn(values), values.text),
    )
    _add_turn_options(ask)
    ask.add_argument("text", nargs="?", metavar="TEXT", help="the message; - or nothing reads standard input")
    chat = _command(
        commands,
        "chat",
        "send each line of standard input and print the answers",
        lambda values: ChatOptions(_turn(values)),
    )
    _add_turn_options(chat)
    chat.add_argument(
        "--full-context",
        action="store_true",
        help="with --json, list all messages in every context line, not only those changed since the one before",
    )


def _add_turn_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--thread", metavar="ID", help="continue this thread (default: a new one)")
    parser.add_argument("--project", metavar="NAME", help="start the new thread in this project")
    _add_choice(parser)
    parser.add_argument("--system", metavar="TEXT", help="the thread's system prompt")
    parser.add_argument(
        "--attach",
        metavar="FILE",
        action="append",
        default=[],
        help="attach this text, document or image to the first message; can be repeated",
    )
    parser.add_argument(
        "--first-tokens",
        metavar="N",
        type=_tokens_of_a_part,
        help="send only the first N tokens of each attached document; the model can search the rest",
    )
    parser.add_argument(
        "--send-anyway",
        action="store_true",
        help="send even if the message is so close to the limit that it may be too long",
    )
    parser.add_argument(
        "--allow-secret",
        action="store_true",
        help="let what looks like a secret leave with this thread's requests (else it is replaced by [removed])",
    )
    parser.add_argument(
        "--no-turn-cap",
        action="store_true",
        help="go on where a turn's tools reach the cap on cost or calls in the settings (else it ends there, status 7)",
    )
    _add_json(parser, "one JSON object a line: context, deltas, notices, usage, and last done or error")


def _add_reading(commands: Any) -> None:
    threads = _command(commands, "threads", "list the threads", lambda values: ThreadsOptions(values.json))
    _add_json(threads)
    show = _command(
        commands, "show", "print a thread", lambda values: ShowOptions(values.thread, values.all, values.json)
    )
    show.add_argument("thread", metavar="THREAD")
    show.add_argument("--all", action="store_true", help="all branches, not only the current one")
    _add_json(show)
    search = _command(
        commands,
        "search",
        "find messages by their text",
        _search,
    )
    search.add_argument(
        "query",
        metavar="QUERY",
        nargs="?",
        help="words to find, all of them; quote a phrase; without words, the newest first",
    )
    search.add_argument("--limit", metavar="N", type=_count, default=20, help="at most N messages (default 20)")
    search.add_argument("--thread", metavar="THREAD", help="only this thread")
    search.add_argument("--role", choices=("user", "assistant"), help="only messages by you, or by the assistant")
    search.add_argument("--model", metavar="M", help="only answers of this model")
    search.add_argument("--since", metavar="DAY", type=_day, help="from this day on (YYYY-MM-DD, UTC)")
    search.add_argument("--until", metavar="DAY", type=_day, help="up to the end of this day")
    search.add_argument(
        "--marked", choices=("up", "down", "note"), help="only messages rated up, rated down or with a note"
    )
    _add_json(search)
    context = _command(
        commands,
        "context",
        "show the context of the next request without sending anything",
        lambda values: ContextOptions(
            values.thread,
            values.draft,
            values.backend,
            values.model,
            values.request,
            values.json,
            events=bool(values.events),
            undo=bool(values.undo),
            soft_limit=values.soft_limit,
            return_=bool(values.return_),
            what_if=bool(values.what_if),
        ),
    )
    context.add_argument("thread", nargs="?", metavar="THREAD", help="default: a new thread")
    context.add_argument("--draft", metavar="TEXT", help="the message to count (default: the thread's draft)")
    _add_choice(context)
    shown = context.add_mutually_exclusive_group()
    shown.add_argument("--request", action="store_true", help="also print the exact request")
    shown.add_argument(
        "--what-if", action="store_true", help="compare with a step now, a higher limit, a summary and other models"
    )
    of_thread = context.add_mutually_exclusive_group()
    of_thread.add_argument("--events", action="store_true", default=None, help="list what happened to THREAD's context")
    of_thread.add_argument(
        "--undo", action="store_true", default=None, help="undo the newest step that left messages out"
    )
    of_thread.add_argument(
        "--return",
        dest="return_",
        action="store_true",
        default=None,
        help="send again what was left out under another limit, cap, model or backend, and fits now",
    )
    of_thread.add_argument(
        "--soft-limit",
        metavar="N",
        type=_soft_limit,
        help="leave out older messages of THREAD above N tokens (default: from the settings)",
    )
    _add_json(context)
    models = _command(
        commands,
        "models",
        "list the models of a connection with their limits and prices",
        lambda values: ModelsOptions(values.backend, values.json),
    )
    _add_backend(models)
    _add_json(models)
    usage = _command(commands, "usage", "show usage and cost", lambda values: UsageOptions(values.json))
    _add_json(usage)
    doctor = _command(
        commands, "doctor", "check this installation and its connections", lambda v: DoctorOptions(v.json)
    )
    _add_json(doctor)


def _count(text: str) -> int:
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


def _search(values: argparse.Namespace) -> SearchOptions:
    return SearchOptions(
        values.query or "",
        values.limit,
        values.json,
        thread=values.thread,
        role=values.role,
        model=values.model,
        since=values.since,
        until=values.until,
        marked=values.marked,
    )


def _add_transfer(commands: Any) -> None:
    bring = _command(
        commands,
        "import",
        "import chats from ChatGPT, Claude and other exports, or from Plimsoll",
        lambda values: ImportOptions(tuple(values.files), values.json, values.preview, values.partial),
    )
    bring.add_argument("files", nargs="+", metavar="FILE", help="a JSON file, a zip archive or a folder")
    bring.add_argument("--preview", action="store_true", help="show what would be imported; change nothing")
    bring.add_argument("--partial", action="store_true", help="import the readable chats of a damaged file")
    _add_json(bring)
    export = _command(
        commands,
        "export",
        "write threads to files",
        lambda values: ExportOptions(
            None if values.all else tuple(values.threads),
            values.format,
            values.output,
            values.details,
            values.attached,
            values.everything,
        ),
    )
    which = export.add_mutually_exclusive_group(required=True)
    which.add_argument("threads", nargs="*", metavar="THREAD", default=[])
    which.add_argument("--all", action="store_true", help="every thread")
    which.add_argument(
        "--everything",
        action="store_true",
        help="one zip of threads, projects with their files, artifacts, prompts and settings (never keys), which "
        "import restores elsewhere; needs no --format",
    )
    export.add_argument(
        "--format",
        choices=EXPORT_FORMATS,
        help="markdown, html, pdf: the current branch, to read; json: whole threads, to import again",
    )
    export.add_argument("--output", metavar="PATH", required=True, help="a file, or a folder for a file per thread")
    export.add_argument(
        "--details",
        action=argparse.BooleanOptionalAction,
        help="include thinking, tool calls and their results (default for html)",
    )
    export.add_argument("--attached", action="store_true", help="include the text of attached documents")


def _add_artifacts(commands: Any) -> None:
    summary = "list, print and export artifacts"
    parser = commands.add_parser("artifact", help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
    # asked for again by each command below it
    inner = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=True)
    listing = _command(
        inner, "list", "list the artifacts", lambda values: ArtifactListOptions(values.of_thread, values.json)
    )
    listing.add_argument("--thread", dest="of_thread", metavar="THREAD", help="only this thread")
    _add_json(listing)
    show = _command(
        inner,
        "show",
        "print an artifact",
        lambda values: ArtifactShowOptions(values.artifact, values.at_version, values.json),
    )
    _add_artifact(show)
    _add_json(show)
    export = _command(
        inner,
        "export",
        "write an artifact to a file",
        lambda values: ArtifactExportOptions(values.artifact, values.format, values.output, values.at_version),
    )
    _add_artifact(export)
    export.add_argument(
        "--format", choices=ARTIFACT_FORMATS, required=True, help="file: as it is, such as code or a picture"
    )
    export.add_argument("--output", metavar="PATH", required=True, help="a file, or a folder")


def _add_backups(commands: Any) -> None:
    summary = "back up the history, list backups and restore them"
    parser = commands.add_parser("backup", help=summary, description=f"{summary[:1].upper()}{summary[1:]}.")
    inner = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=True)
    now = _command(inner, "now", "make a backup", lambda values: BackupOptions("now", json=values.json))
    _add_json(now)
    listing = _command(inner, "list", "list the backups", lambda values: BackupOptions("list", json=values.json))
    _add_json(listing)
    restore = _command(
        inner,
        "restore",
        "restore from a backup what the history lacks; nothing is removed",
        lambda values: BackupOptions("restore", values.backup_id, values.of_thread, values.json),
    )
    restore.add_argument(
        "backup_id", metavar="ID", nargs="?", help="the backup's ID or its first characters (default: the newest)"
    )
    restore.add_argument("--thread", dest="of_thread", metavar="THREAD", help="only this thread")
    _add_json(restore)


def _add_artifact(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("artifact", metavar="ID", help="the artifact's ID or its first characters")
    parser.add_argument(
        "--version", dest="at_version", metavar="N", type=_count, help="the version (default: the newest)"
    )


def _add_projects(commands: Any) -> None:
    project: argparse.ArgumentParser = commands.add_parser(
        "project",
        help="list, create and change projects and their documents",
        description="Projects: instructions and documents that their threads share.",
    )
    acts = project.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=True)

    def act(name: ProjectAct, summary: str, *, named: bool = True, json: bool = False) -> argparse.ArgumentParser:
        def chosen(values: argparse.Namespace) -> ProjectOptions:
            return ProjectOptions(
                name,
                getattr(values, "project_name", ""),
                tuple(getattr(values, "files", ())),
                getattr(values, "instructions", ""),
                always=getattr(values, "always", False),
                json=getattr(values, "json", False),
            )

        parser = _command(acts, name, summary, chosen)
        if named:
            parser.add_argument("project_name", metavar="NAME")
        if json:
            _add_json(parser)
        return parser

    act("list", "list the projects", named=False, json=True)
    create = act("create", "create a project")
    create.add_argument("--instructions", metavar="TEXT", default="", help="instructions for all its threads")
    add = act("add", "add files to a project, creating it if needed")
    add.add_argument("files", nargs="+", metavar="FILE", help="a document, or a folder for the documents in it")
    add.add_argument("--always", action="store_true", help="send them with every request (default: search them)")
    remove = act("remove", "remove documents from a project; the files stay")
    remove.add_argument("files", nargs="+", metavar="FILE", help="a document's name, path or ID")
    act("show", "show a project with its documents and threads", json=True)
    follow = act("follow", "add a folder to a project and follow its changes")
    follow.add_argument("files", nargs=1, metavar="FOLDER")


def _command(
    commands: Any, name: str, summary: str, command: Callable[[argparse.Namespace], Command]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}."
    )
    parser.set_defaults(command=command)
    # Not set unless given, so that a --data-dir before the subcommand counts.
    add_data_dir(parser, argparse.SUPPRESS)
    return parser


def _add_choice(parser: argparse.ArgumentParser) -> None:
    _add_backend(parser)
    parser.add_argument("--model", metavar="M", help="a model of that connection")


def _add_backend(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--backend",
        metavar="B",
        default=argparse.SUPPRESS,
        help="the connection to use: anthropic, claude-cli, openai, local or the name of a server (default: as in the "
        "settings)",
    )


def _add_json(parser: argparse.ArgumentParser, words: str = "print JSON") -> None:
    parser.add_argument("--json", action="store_true", help=words)


def _turn(values: argparse.Namespace) -> TurnOptions:
    return TurnOptions(
        values.thread,
        values.backend,
        values.model,
        values.system,
        values.json,
        attach=tuple(values.attach),
        first_tokens=values.first_tokens,
        send_anyway=values.send_anyway,
        project=values.project,
        full_context=getattr(values, "full_context", False),
        no_turn_cap=values.no_turn_cap,
        allow_secret=values.allow_secret,
    )

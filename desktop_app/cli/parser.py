"""The grammar of the command line: its commands, their summaries and arguments, the fields of `options`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, NoReturn, TypeVar

from desktop_app import __version__
from desktop_app.cli.options import (
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
    SyncAct,
    SyncOptions,
    ThreadsOptions,
    ToolsAct,
    ToolsOptions,
    TurnOptions,
    UsageOptions,
)
from desktop_app.cli.window_arguments import add_data_dir, add_window_options, is_text, window_options
from desktop_app.window_options import WindowOptions

BAD_USAGE = 2
NARROWING = ("thread", "role", "model", "since", "until", "marked")
"""Options with which `search` needs no words."""
PLACES = ("data_dir", "output", "passphrase_file")
"""Arguments that name a place on the disk, and so need not be valid UTF-8."""
NEVER_EMPTY = ("attach", "backend", "files", "output", "passphrase_file", "place")
"""Arguments that a variable which is not set would make the current folder, or any server."""

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

Values = argparse.Namespace
R = TypeVar("R")


def parse(arguments: Sequence[str]) -> WindowOptions | Invocation:
    """Return what the arguments ask for. Prints help or the error and raises `SystemExit` (0 or 2) if that is all."""
    parser = grammar()
    arguments, program = _without_program(arguments)
    values = parser.parse_args(arguments)
    for name, value in vars(values).items():
        if isinstance(value, str) and name not in PLACES and not is_text(value):
            parser.error(f"{name}: expected valid UTF-8 text")
        if name in NEVER_EMPTY and "" in (value if isinstance(value, list) else (value,)):
            parser.error(f"{name}: found an empty argument. Name what is meant, or leave it out")
    if getattr(values, "project", None) is not None and getattr(values, "thread", None) is not None:
        parser.error("--project is for a new thread; --thread goes on with one. Leave one of them out")
    if getattr(values, "query", "") is None and all(getattr(values, name) is None for name in NARROWING):
        parser.error("search: QUERY is required, or an option that narrows the search")
    make: Callable[[Values], Command] | None = getattr(values, "command", None)
    if make is None:
        return window_options(values)
    values.program = program
    command = make(values)
    if isinstance(command, ToolsOptions) and command.act == "add" and bool(command.url) == bool(program):
        parser.error("tools add: expected either --url URL or -- COMMAND [ARG...]")
    if isinstance(command, ContextOptions) and command.thread is None and (command.events or command.changes):
        parser.error("context: THREAD is required with --events, --undo, --return and --soft-limit")
    return Invocation(values.data_dir, command)


def _without_program(arguments: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """The arguments up to `--`, and the program of a server behind it, whose own look like ours."""
    if "--" in arguments and "tools" in arguments[: (end := list(arguments).index("--"))]:
        return arguments[:end], list(arguments[end + 1 :])
    return arguments, []


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
    ask = _command(
        commands,
        "ask",
        "send one message and print the answer",
        lambda values: _made(AskOptions, values, turn=_made(TurnOptions, values)),
    )
    _add(ask, TurnOptions)
    _add(ask, AskOptions)
    summary = "send each line of standard input and print the answers"
    chat = _command(commands, "chat", summary, lambda values: ChatOptions(_made(TurnOptions, values)))
    _add(chat, TurnOptions)
    chat.add_argument(
        "--full-context",
        action="store_true",
        help="with --json, list all messages in every context line, not only those changed since the one before",
    )
    _of(commands, "threads", "list the threads", ThreadsOptions)
    _of(commands, "show", "print a thread", ShowOptions)
    _of(commands, "search", "find messages by their text", SearchOptions)
    _of(commands, "context", "show the context of the next request without sending anything", ContextOptions)
    _of(commands, "models", "list the models of a connection with their limits and prices", ModelsOptions)
    _of(commands, "usage", "show usage and cost", UsageOptions)
    _of(commands, "doctor", "check this installation and its connections", DoctorOptions)
    _of(commands, "import", "import chats from ChatGPT, Claude and other exports, or from Plimsoll", ImportOptions)
    export = _command(
        commands,
        "export",
        "write threads to files",
        lambda values: _made(ExportOptions, values, threads=None if values.all else tuple(values.threads)),
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
    _add(export, ExportOptions)
    inner = _inner(commands, "artifact", "list, print and export artifacts")
    _of(inner, "list", "list the artifacts", ArtifactListOptions)
    _of(inner, "show", "print an artifact", ArtifactShowOptions)
    _of(inner, "export", "write an artifact to a file", ArtifactExportOptions)
    inner = _inner(commands, "backup", "back up the history, list backups and restore them")
    _of(inner, "now", "make a backup", BackupOptions, act="now")
    _of(inner, "list", "list the backups", BackupOptions, act="list")
    summary = "restore from a backup what the history lacks; nothing is removed"
    restore = _command(inner, "restore", summary, partial(_made, BackupOptions, act="restore"))
    restore.add_argument(
        "backup", metavar="ID", nargs="?", help="the backup's ID or its first characters (default: the newest)"
    )
    restore.add_argument("--thread", metavar="THREAD", help="only this thread")
    _add(restore, BackupOptions)
    _add_projects(commands)
    _add_tools(commands)
    _add_sync(commands)
    return parser


def _add_sync(commands: Any) -> None:
    acts = _inner(
        commands,
        "sync",
        "sync threads with your other machines through a folder or an S3 store",
        "Threads on every machine you own, encrypted before they leave it. Nothing is synced until it is set up.",
    )

    def act(inner: Any, name: SyncAct, summary: str, *flags: str) -> argparse.ArgumentParser:
        parser = _command(inner, name, summary, partial(_made, SyncOptions, act=name))
        for flag in flags:
            parser.add_argument(flag, action="store_true", help=words[flag])
        return parser

    words = {
        "--json": "print JSON",
        "--accept-store": "use the place even if it was emptied, or is not the one it was",
    }
    setup = act(acts, "setup", "sync with a place; the first device makes the space, others join it", *words)
    place = "a folder, or s3://bucket/prefix (with ?endpoint=URL for servers other than Amazon's)"
    setup.add_argument("place", metavar="PLACE", help=place)
    setup.add_argument("--device", metavar="NAME", help="the name of this device (default: the computer's)")
    now = act(acts, "now", "exchange all that is there now", *words)
    act(acts, "status", "show place, devices and what waits", "--json")
    act(acts, "pause", "pause sync on this device")
    act(acts, "resume", "go on after a pause")
    act(acts, "leave", "end sync on this device; its threads stay, and so does the place")
    devices = _inner(acts, "devices", "remove a device")
    revoke = act(devices, "revoke", "remove a device: it gets nothing that comes after")
    revoke.add_argument("device", metavar="ID", help="as `plimsoll sync status` lists it")
    for parser, about in (
        (setup, "a file with the passphrase"),
        (revoke, "a file with a new passphrase; without a keyring the current one is on its second line"),
        (now, "a file with the passphrase, where there is no keyring to keep the key"),
    ):
        parser.add_argument("--passphrase-file", metavar="FILE", required=parser is not now, help=about)


def _add_tools(commands: Any) -> None:
    acts = _inner(
        commands,
        "tools",
        "list, add, remove and test servers of tools (MCP)",
        "Servers of tools (MCP). A server is off until it is switched on, for all threads or a project, in the window.",
    )

    def act(name: ToolsAct, summary: str, usage: str | None = None) -> argparse.ArgumentParser:
        parser = _command(acts, name, summary, partial(_made, ToolsOptions, act=name))
        parser.usage = usage
        parser.add_argument("--json", action="store_true", help="print JSON")
        return parser

    act("list", "list the servers with their tools, and what these weigh in a request")
    usage = "plimsoll tools add SERVER [--project P] [--secret KEY]... (--url URL | -- COMMAND [ARG...])"
    add = act("add", "add a server by its address, or by the command that starts it", usage)
    add.add_argument("server", metavar="SERVER", help="the name that you give it")
    add.add_argument("--project", metavar="P", help="switch it on for this project")
    add.add_argument(
        "--secret",
        dest="secrets",
        metavar="KEY",
        action="append",
        help="a variable, or header, whose value is read from standard input or asked for, and kept in the keyring; "
        "can be repeated",
    )
    add.add_argument("--url", metavar="URL", help="the server's address (streamable HTTP)")
    remove = act("remove", "remove a server with its secrets")
    remove.add_argument("server", metavar="SERVER")
    test = act("test", "start or ask a server, and list its tools")
    test.add_argument("server", metavar="SERVER", nargs="?", help="default: each of them")


def _add_projects(commands: Any) -> None:
    acts = _inner(
        commands,
        "project",
        "list, create and change projects and their documents",
        "Projects: instructions and documents that their threads share.",
    )

    def act(name: ProjectAct, summary: str, *, named: bool = True, json: bool = False) -> argparse.ArgumentParser:
        parser = _command(acts, name, summary, partial(_made, ProjectOptions, act=name))
        if named:
            parser.add_argument("name", metavar="NAME")
        if json:
            parser.add_argument("--json", action="store_true", help="print JSON")
        return parser

    act("list", "list the projects", named=False, json=True)
    create = act("create", "create a project")
    create.add_argument("--instructions", metavar="TEXT", help="instructions for all its threads")
    add = act("add", "add files to a project, creating it if needed")
    add.add_argument("files", nargs="+", metavar="FILE", help="a document, or a folder for the documents in it")
    add.add_argument("--always", action="store_true", help="send them with every request (default: search them)")
    remove = act("remove", "remove documents from a project; the files stay")
    remove.add_argument("files", nargs="+", metavar="FILE", help="a document's name, path or ID")
    act("show", "show a project with its documents and threads", json=True)
    follow = act("follow", "add a folder to a project and follow its changes")
    follow.add_argument("files", nargs=1, metavar="FOLDER")


def _made(kind: Callable[..., R], values: Values, **known: Any) -> R:
    """The options with all that was given; what was not has its default."""
    for one in fields(kind):  # type: ignore[arg-type]  # a class of options
        value = getattr(values, one.name, None)
        if one.name not in known and (value is not None or one.default is MISSING):
            known[one.name] = tuple(value) if isinstance(value, list) else value
    return kind(**known)


def _of(commands: Any, name: str, summary: str, kind: Callable[..., Command], **known: Any) -> None:
    """A command whose arguments are the fields of its options."""
    _add(_command(commands, name, summary, partial(_made, kind, **known)), kind)


def _add(parser: argparse.ArgumentParser, kind: Callable[..., Any]) -> None:
    """Adds the arguments that the fields name. Those of one group exclude each other."""
    groups: dict[str, Any] = {"": parser}
    for one in fields(kind):  # type: ignore[arg-type]  # a class of options
        if not one.metadata:
            continue
        flag, group = one.metadata["flag"], one.metadata["group"]
        if group not in groups:
            groups[group] = parser.add_mutually_exclusive_group()
        named = {"dest": one.name} if flag.startswith("-") else {}
        groups[group].add_argument(flag, **named, **one.metadata["how"])


def _inner(commands: Any, name: str, summary: str, description: str = "") -> Any:
    # asked for again by each command below it
    parser = commands.add_parser(name, help=summary, description=description or _sentence(summary))
    return parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=True)


def _command(commands: Any, name: str, summary: str, make: Callable[[Values], Command]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=_sentence(summary))
    parser.set_defaults(command=make)
    # Not set unless given, so that a --data-dir before the subcommand counts.
    add_data_dir(parser, argparse.SUPPRESS)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."

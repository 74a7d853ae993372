"""Writes the manual page plimsoll(1) from the grammar of the command line. Knows nothing of packages."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any, Final

from desktop_app import __version__
from desktop_app.cli.parser import DESCRIPTION, grammar

ENVIRONMENT: Final = {
    "PLIMSOLL_HOME": "the data folder, if --data-dir is not given",
    "ANTHROPIC_API_KEY": "the key of the Anthropic API, if none is saved in the system's keyring",
    "ANTHROPIC_BASE_URL": "another address of the Anthropic API",
    "OPENAI_API_KEY": "the key of the OpenAI-compatible server, if none is saved",
    "OPENAI_BASE_URL": "the address of that server",
    "PLIMSOLL_CLAUDE": "the path of the claude program",
    "NO_COLOR": "set to anything: no colors in the terminal",
}
FILES: Final = {
    "~/.local/share/plimsoll/history.db": "all threads",
    "~/.local/share/plimsoll/settings.toml": "the settings; you can edit this file",
    "~/.local/share/plimsoll/backups/": "backups of the history",
    "~/.local/share/plimsoll/logs/": "logs, without keys or message text",
}


def man_page(day: str) -> str:
    """The page in roff; `day` is that of the version, such as 2026-11-22."""
    parser = grammar()
    lines = [f'.TH PLIMSOLL 1 "{day}" "plimsoll {__version__}" "User Commands"']
    lines += [".SH NAME", r"plimsoll \- chat client that shows what the model will read before you send"]
    lines += [".SH SYNOPSIS", r".B plimsoll", r"[\fIoptions\fR]", ".br", ".B plimsoll"]
    lines += [r"\fICOMMAND\fR [\fIoptions\fR]"]
    lines += [".SH DESCRIPTION", *_prose(DESCRIPTION), ".SH OPTIONS", *_options(parser)]
    lines += [".SH COMMANDS"]
    for name, command in _commands(parser).items():
        lines += [f".SS plimsoll {name}", *_prose(command.description or ""), *_options(command)]
    epilogue = [*_prose(parser.epilog or "")]
    lines += [".SH NOTES", *epilogue]
    lines += [".SH ENVIRONMENT", *_table(ENVIRONMENT), ".SH FILES", *_table(FILES)]
    return "\n".join(lines) + "\n"


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(commands.choices)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.help is argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        yield ".TP"
        yield _heading(action)
        yield _plain(_help(action)) or "see below"


def _heading(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        value = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, action.choices or ()))
    if not action.option_strings:
        return rf"\fI{_plain(value)}\fR"
    names = ", ".join(rf"\fB{_plain(name)}\fR" for name in action.option_strings)
    return rf"{names} \fI{_plain(value)}\fR" if value else names


def _help(action: argparse.Action) -> str:
    if not action.help:
        return "a thread's id, or its first characters" if action.metavar == "THREAD" else ""
    known: dict[str, Any] = {**vars(action), "prog": "plimsoll"}
    return action.help % known


def _table(rows: dict[str, str]) -> Iterator[str]:
    for name, told in rows.items():
        yield from (".TP", rf"\fB{_plain(name)}\fR", _plain(told))


def _prose(text: str) -> Iterable[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield _plain(" ".join(paragraph.split()))


def _plain(text: str) -> str:
    """Text that roff takes as it is: a hyphen that can be copied, no escapes, no request at a line's start."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("`", r"\(ga")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped

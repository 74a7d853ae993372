"""Command-line arguments of the window.

It stands apart from the grammar of the subcommands because the window's start would pay for their parsers and values:
25 ms of processor time (11 dataclasses, 8 parsers).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from desktop_app.window_options import WindowOptions


def parse_window(arguments: Sequence[str]) -> WindowOptions | None:
    """Return the window's options; None where the arguments ask for anything else, or are wrong.

    Prints nothing and never ends the program: `parser.parse`, which is asked then, says what is wrong.
    """
    # A formatter is made for every option. With a width it does not import shutil, that is zlib, bz2 and lzma: 4 ms.
    formatter = partial(argparse.HelpFormatter, width=80)
    parser = _WindowParser(add_help=False, allow_abbrev=False, formatter_class=formatter)
    add_data_dir(parser, None)
    add_window_options(parser)
    try:
        values = parser.parse_args(arguments)
    except _NotTheWindowError:
        return None
    named = (values.backend, values.open)
    return window_options(values) if all(is_text(name) for name in named if name is not None) else None


def add_window_options(parser: argparse.ArgumentParser) -> None:
    """The group "the window"; `add_data_dir` is separate, as every subcommand has that, too."""
    window = parser.add_argument_group("the window")
    window.add_argument(
        "--backend", metavar="NAME", help="the connection to use: anthropic, claude-cli, openai or local"
    )
    window.add_argument("--open", metavar="THREAD[/MESSAGE]", help="show this thread, or this message of it")
    window.add_argument("--quick", action="store_true", help="open only the quick window")
    window.add_argument("--safe-mode", action="store_true", help="start with default settings and no restored state")
    window.add_argument("--reset-layout", action="store_true", help="reset the window's size and panes")
    # for those who build the window, not for its users


def add_data_dir(parser: argparse.ArgumentParser, default: str | None) -> None:
    """The option that the window and every subcommand have."""
    parser.add_argument(
        "--data-dir",
        metavar="DIR",
        default=default,
        type=_folder,
        help="store all data in this folder (also PLIMSOLL_HOME)",
    )


def window_options(values: argparse.Namespace) -> WindowOptions:
    """The parsed options as a value."""
    return WindowOptions(
        data_dir=values.data_dir,
        backend=values.backend,
        open_thread=values.open,
        quick=values.quick,
        safe_mode=values.safe_mode,
        reset_layout=values.reset_layout,
    )


def is_text(value: str) -> bool:
    """False where an argument held bytes that are no UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeError:
        return False
    return True


def _folder(value: str) -> str:
    if not value:
        raise argparse.ArgumentTypeError("expected a folder, found an empty argument")
    return value


class _NotTheWindowError(Exception):
    """The whole grammar has to look at the arguments."""


class _WindowParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _NotTheWindowError(message)

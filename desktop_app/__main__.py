"""The command `plimsoll`: parses the command line, then opens the window or runs a subcommand.

Imports nothing heavy by itself; Qt is not imported for a subcommand.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from desktop_app import __version__
from desktop_app.system.own_processes import (
    CHECK_SPELLING,
    COUNT_TOKENS,
    HOST_TOOLS,
    PRINT_PDF,
    READ_DOCUMENTS,
    READ_PROJECTS,
    SEAL_BY_PASSPHRASE,
    SERVE_LOCAL_MODEL,
    TYPESET_FORMULAS,
)

_PARTS: Final[Mapping[str, str]] = {
    SERVE_LOCAL_MODEL: "desktop_app.backends.local.llama_server",
    READ_DOCUMENTS: "desktop_app.documents.reading_worker",
    READ_PROJECTS: "desktop_app.documents.project_worker",
    CHECK_SPELLING: "desktop_app.ui.spelling.spelling_worker",
    TYPESET_FORMULAS: "desktop_app.ui.transcript.formulas.formula_typesetter",
    PRINT_PDF: "desktop_app.ui.printing.pdf_pages",
    HOST_TOOLS: "desktop_app.backends.tool_host_process",
    COUNT_TOKENS: "desktop_app.backends.openai.known_models",
    SEAL_BY_PASSPHRASE: "desktop_app.storage.passphrase_sealing",
}
"""The modules whose `main` are processes of the app."""

if TYPE_CHECKING:
    from desktop_app.cli.options import Invocation


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (None: the process's own) and returns its exit status. Bad usage raises `SystemExit`."""
    if (arguments := list(sys.argv[1:] if argv is None else argv)) == ["--version"]:
        sys.stdout.write(f"plimsoll {__version__}\n")
        return 0
    if (part := _part_of_the_app(arguments[:1])) is not None:
        return part(arguments[1:])

    # Whatever this process writes, Qt's own files included, is for this user only (HIS-6).
    os.umask(0o077)
    from desktop_app.window_options import WindowOptions

    options: WindowOptions | Invocation | None = WindowOptions()
    if arguments:  # a grammar takes 4 ms, which most starts of the window have no use for
        from desktop_app.cli.window_arguments import parse_window

        options = parse_window(arguments)
    if options is None:
        from desktop_app.cli.parser import parse

        options = parse(arguments)
    if isinstance(options, WindowOptions):
        from desktop_app.app import main as open_window

        return open_window(options, _load_command_service)

    from desktop_app.cli.command_runner import run

    return run(options)


def _load_command_service() -> Callable[..., Awaitable[None]]:
    from desktop_app.cli.window_runs import serve_command

    return serve_command


def _part_of_the_app(first: list[str]) -> Callable[[Sequence[str]], int] | None:
    """Return the function to run where the app starts itself as one of its processes; None where somebody starts it."""
    module = _PARTS.get(first[0]) if first else None
    if module is None:
        return None
    main: Callable[[Sequence[str]], int] = import_module(module).main
    return main


if __name__ == "__main__":
    sys.exit(main())

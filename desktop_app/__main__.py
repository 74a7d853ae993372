"""The command `plimsoll`: parses the command line, then opens the window or runs a subcommand.

Imports nothing heavy by itself; Qt is not imported for a subcommand.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop_app import __version__
from desktop_app.child_processes import (
    CHECK_SPELLING,
    PRINT_PDF,
    READ_DOCUMENTS,
    READ_PROJECTS,
    SERVE_LOCAL_MODEL,
    TYPESET_FORMULAS,
)

if TYPE_CHECKING:
    from desktop_app.cli.options import Invocation


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (None: the process's own) and returns its exit status. Bad usage raises `SystemExit`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments == ["--version"]:
        sys.stdout.write(f"plimsoll {__version__}\n")
        return 0
    part = _part_of_the_app(arguments[:1])
    if part is not None:
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

        return open_window(options)

    from desktop_app.cli.command_runner import run

    return run(options)


def _part_of_the_app(first: list[str]) -> Callable[[Sequence[str]], int] | None:
    """What runs where the app starts itself as one of its processes; None where it is started by somebody."""
    if first == [SERVE_LOCAL_MODEL]:
        from desktop_app.backends.local.llama_server_process import main as serve

        return serve
    if first == [READ_DOCUMENTS]:
        from desktop_app.documents.reading_worker import main as read_documents

        return read_documents
    if first == [READ_PROJECTS]:
        from desktop_app.documents.project_worker import main as read_projects

        return read_projects
    if first == [CHECK_SPELLING]:
        from desktop_app.ui.spelling.spelling_worker import main as check_spelling

        return check_spelling
    if first == [TYPESET_FORMULAS]:
        from desktop_app.ui.transcript.formulas.formula_worker import main as typeset_formulas

        return typeset_formulas
    if first == [PRINT_PDF]:
        from desktop_app.ui.artifacts.pdf_worker import main as print_pdf

        return print_pdf
    return None


if __name__ == "__main__":
    sys.exit(main())

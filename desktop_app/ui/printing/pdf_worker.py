"""Lays documents out as PDF, in a process of its own that needs no screen: hundreds of pages take seconds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from desktop_app.system.own_processes import PRINT_PDF, own_command
from desktop_app.system.worker_loop import serve


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(PRINT_PDF, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return serve(_answer, nice=5)  # the window comes first


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    """Prints the pieces in the file `source`, a line of JSON each, into `output`; `pages`: how many it has.

    `title` is that of the document, `style` its style sheet.
    """
    from desktop_app.ui.printing.pdf_pages import print_pages

    pieces = _pieces(Path(order["source"]))
    return {"pages": print_pages(pieces, Path(order["output"]), title=str(order["title"]), style=str(order["style"]))}


def _pieces(source: Path) -> Iterator[dict[str, Any]]:
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)

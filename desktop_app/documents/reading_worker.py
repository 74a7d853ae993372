"""Reads files in a worker process: whatever a hostile file brings down is this process."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_app.core.phrases import to_json
from desktop_app.documents.file_opening import (
    LOCKED_PDF,
    MEMORY_LIMIT,
    TIME_LIMIT_S,
    TOO_DEMANDING,
    LockedPdfError,
    UnreadableError,
)
from desktop_app.system.own_processes import READ_DOCUMENTS, own_command
from desktop_app.system.worker_loop import serve


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(READ_DOCUMENTS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(answer_to, memory=MEMORY_LIMIT, cpu_s=TIME_LIMIT_S)


def answer_to(order: dict[str, Any]) -> dict[str, Any]:
    """Return the facts read of an attachment, or why they could not be read."""
    return told(order["name"], lambda: _attached(order))


def told(name: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the facts read, or `error`: a sentence for the user; `detail` tells the kind of a fault that nobody
    expected.

    The note or error stands beside it as a phrase.
    """
    try:
        answer = read()
    except UnreadableError as error:
        detail = type(error.__cause__).__name__ if error.__cause__ else ""
        detail = LOCKED_PDF if isinstance(error, LockedPdfError) else detail
        answer = {"error": error.sentence(name), "detail": detail}
    except (MemoryError, RecursionError) as error:
        answer = {"error": UnreadableError(TOO_DEMANDING).sentence(name), "detail": type(error).__name__}
    return {**answer, "phrase": to_json(answer.get("error") or answer.get("note", ""))}


def _attached(order: dict[str, Any]) -> dict[str, Any]:
    # imported with the first order, not while the limits are being set
    from desktop_app.documents.text_extraction import facts_of_file, facts_of_image, facts_of_text

    match order["read"]:
        case "file":
            facts = facts_of_file(Path(order["path"]), order.get("password", ""))
        case "image":
            facts = facts_of_image(base64.b64decode(order["data"]))
        case _:
            facts = facts_of_text(order["data"], order["name"])
    return asdict(facts)

"""Owns the process that reads files: one order a line from standard input, one answer a line. Knows no conversation.

It holds itself to limits of time and memory, and ends as soon as standard input does, which is when the app has ended
in any way. Whatever a hostile file brings down is this process.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from desktop_app.child_processes import READ_DOCUMENTS, own_command
from desktop_app.core.phrases import to_json
from desktop_app.documents.reading_errors import MEMORY_LIMIT, TIME_LIMIT_S, TOO_DEMANDING, UnreadableError


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(READ_DOCUMENTS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    sys.dont_write_bytecode = True  # no file may be written, and it could not be
    limit_memory(MEMORY_LIMIT)
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with answer_channel() as answers:
        threading.Thread(target=take_orders, args=(orders,), daemon=True).start()
        while True:
            order = json.loads(orders.get())
            with _limited_time():
                answer = _answer(order)
            answer["phrase"] = to_json(answer.get("error") or answer.get("note", ""))
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    """What was read, or `error`: a sentence for the user; `detail` tells the kind of a fault that nobody expected."""
    # imported with the first order, not while the limits are being set
    from desktop_app.documents.file_facts import facts_of_file, facts_of_image, facts_of_text

    name = order["name"]
    try:
        match order["read"]:
            case "file":
                facts = facts_of_file(Path(order["path"]))
            case "image":
                facts = facts_of_image(base64.b64decode(order["data"]))
            case _:
                facts = facts_of_text(order["data"], name)
        return asdict(facts)
    except UnreadableError as error:
        return {"error": error.sentence(name), "detail": type(error.__cause__).__name__ if error.__cause__ else ""}
    except (MemoryError, RecursionError) as error:
        return {"error": UnreadableError(TOO_DEMANDING).sentence(name), "detail": type(error).__name__}


def take_orders(orders: queue.SimpleQueue[bytes]) -> None:
    """Reads on while an order is carried out, so that the end of the app is noticed at once."""
    for line in sys.stdin.buffer:
        orders.put(line)
    os._exit(0)


@contextmanager
def answer_channel() -> Iterator[BinaryIO]:
    """A private copy of standard output; whatever a library prints goes nowhere, for it may quote the file."""
    channel = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    with channel:
        yield channel


def limit_memory(most: int) -> None:
    """So many bytes of address space, no files written, no memory image of a crash; where systems have such limits."""
    if sys.platform != "win32":
        import resource

        for kind, bound in ((resource.RLIMIT_AS, most), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):  # a lower limit is set already, or the system has none of this kind
                resource.setrlimit(kind, (bound, bound))


@contextmanager
def _limited_time() -> Iterator[None]:
    """Lets the kernel end this process when one order has taken too much of the processor, should nobody else."""
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + TIME_LIMIT_S) + 1
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    yield

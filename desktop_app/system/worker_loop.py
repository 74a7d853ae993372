"""Runs a worker process: one order a line of JSON from standard input, one answer a line.

It holds itself to limits, and ends as soon as standard input does, which is when the app has ended in any way.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from desktop_app.system.own_processes import BROKEN, FAILED

Answer: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


def serve(answer: Answer, *, memory: int | None = None, cpu_s: float | None = None, nice: int = 0) -> int:
    """Answers orders until standard input ends.

    `memory`: bytes of address space; a process that has such a limit may write no file either (but on Windows).
    `cpu_s`: what one order may take of the processor, before the kernel ends the process.
    """
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is for the app, with which this ends
    if nice:
        _step_back(nice)
    if memory is not None:
        _limit_memory(memory)
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with answer_channel() as answers:
        threading.Thread(target=_take_orders, args=(orders,), daemon=True).start()
        while True:
            order = json.loads(orders.get())
            if cpu_s is not None:
                _limit_time(cpu_s)
            try:
                said = answer(order)
            except ImportError as error:
                said = {BROKEN: error.name or "", "where": _places(error)}
            except Exception as error:  # noqa: BLE001  whatever it is, who asked is told, and the next order carried out
                said = {FAILED: type(error).__name__, "where": _places(error)}
            answers.write(json.dumps(said, separators=(",", ":")).encode() + b"\n")
            answers.flush()


def _places(error: Exception) -> str:
    """The traceback without its messages, which may quote what was read."""
    import traceback  # not before it is needed

    return " > ".join(
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<")
    )


def _take_orders(orders: queue.SimpleQueue[bytes]) -> None:
    """Reads on while an order is carried out, so that the end of the app is noticed at once."""
    for line in sys.stdin.buffer:
        orders.put(line)
    os._exit(0)


@contextmanager
def answer_channel() -> Iterator[BinaryIO]:
    """A private copy of standard output; whatever a library prints goes nowhere, for it may quote what it read."""
    channel = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    with channel:
        yield channel


if sys.platform == "win32":
    from functools import cache

    from desktop_app.system.process_owner import Job

    @cache
    def _job() -> Job:
        return Job.over(os.getpid()) or Job()

    def _step_back(nice: int) -> None:
        import ctypes

        below_normal = 0x4000 if nice < 19 else 0x40  # or idle
        ctypes.windll.kernel32.SetPriorityClass(ctypes.c_void_p(-1), below_normal)

    def _limit_memory(most: int) -> None:
        _job().limit(memory=most)

    def _limit_time(seconds: float) -> None:
        _job().limit(user_s=os.times().user + seconds)

else:
    import resource

    def _step_back(nice: int) -> None:
        os.nice(nice)

    def _limit_memory(most: int) -> None:
        """So many bytes of address space, no files written, no memory image of a crash."""
        for kind, bound in ((resource.RLIMIT_AS, most), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):  # a lower limit is set already, or the system has none of this kind
                resource.setrlimit(kind, (bound, bound))

    def _limit_time(seconds: float) -> None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        used = resource.getrusage(resource.RUSAGE_SELF)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))

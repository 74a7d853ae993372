"""The worker process that typesets formulas. Never imports Qt.

It runs apart because the library works in Python alone, 5-40 ms for a formula, which would hold up the window, and
because formulas are untrusted: it holds itself to limits of time and memory, and may write no file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Final

from desktop_app.child_processes import TYPESET_FORMULAS, own_command
from desktop_app.worker_loop import serve

CPU_LIMIT_S: Final = 0.4
"""Seconds of processor time that one formula may take; a matrix of 10 x 10 takes 0.1 s."""
MEMORY_LIMIT: Final = 512 * 2**20
"""Address space in bytes; at work it has 60 MB of it."""


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(TYPESET_FORMULAS, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    return serve(answer_to, memory=MEMORY_LIMIT, nice=5)  # the window comes first


def answer_to(order: dict[str, Any]) -> dict[str, Any]:
    """The outlines of the formula in `tex`, or `failed`: what was in the way. Without `tex` it only gets ready."""
    from desktop_app.ui.transcript.formulas import EM, NotTypesetError
    from desktop_app.ui.transcript.formulas import formula_outline as outline
    from desktop_app.ui.transcript.formulas import ziamath_adapter as library

    if "tex" not in order:
        library.drawn("x", size=EM, display=True)
        return {"failed": "nothing asked"}
    try:
        with _limited_time(CPU_LIMIT_S):
            return asdict(outline.outline(order["tex"], display=order["display"]))
    except (NotTypesetError, MemoryError, RecursionError) as error:
        return {"failed": str(error) or type(error).__name__}
    except _TooLongError:
        return {"failed": "time"}


class _TooLongError(BaseException):
    """The formula has used up its time; no library takes it for an error of its own."""


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    """Raises `_TooLongError` after so much time of the processor, where the system can tell."""
    if sys.platform == "win32":
        yield
    else:
        import signal

        def stop(*_: object) -> None:
            raise _TooLongError

        signal.signal(signal.SIGPROF, stop)
        # again and again: where it is raised first it may get lost, as in a finaliser
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 8)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

"""What only Unix has: pipes with a name, terminals, limits. Elsewhere the test that asks for one is skipped."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class TimeUsedUpError(Exception):
    """The block of `limited_time` has used up its time."""


def make_pipe(path: Path) -> None:
    """A named pipe: whoever opens it waits for the other end."""
    if sys.platform == "win32":
        pytest.skip("there are no named pipes here")
    else:
        os.mkfifo(path)


def is_open(pipe: Path) -> bool:
    """Whether somebody reads a named pipe."""
    reader = None
    if sys.platform != "win32":
        with suppress(OSError):
            reader = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            os.close(reader)
    return reader is not None


def unix_socket() -> socket.socket:
    """A socket that is bound to a path."""
    if sys.platform == "win32":
        pytest.skip("there are no sockets of this kind here")
    else:
        return socket.socket(socket.AF_UNIX)


def open_terminal() -> tuple[int, int]:
    """Both ends of a terminal, the first of them ours."""
    if sys.platform == "win32":
        pytest.skip("there are no terminals of this kind here")
    else:
        return os.openpty()


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Raises `TimeUsedUpError` in the block after so much time of the processor."""
    if sys.platform == "win32":
        pytest.skip("there is no clock of the process here")
    else:
        import signal

        def give_up(*_: object) -> None:
            raise TimeUsedUpError

        before = signal.signal(signal.SIGVTALRM, give_up)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Within the block no file grows over `size` bytes, as on a disk that is full."""
    if sys.platform == "win32":
        pytest.skip("there is no such limit here")
    else:
        import resource

        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

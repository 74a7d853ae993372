"""Runs one `claude` program: its pipes and their lines, its end, and that it never outlives us."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desktop_app.system.process_owner import ParentDeathGuard, dying_with_parent, end_with_parent

MOST_WAITING = 16
"""Pieces of standard output that wait to be read, of 256 KB at most: the program then waits, too."""

KEPT_STDERR = 8 * 1024
"""Bytes of standard error that are kept, the last ones: enough for a message with a stack trace."""

MOST_BRIEF = 1 << 20
"""Bytes of a short command's output that are read."""

STOP_STEPS_S = (0.025, 0.015, 0.01)
"""Seconds that the interrupt, SIGINT and SIGTERM each get before the next step; then the process is killed.

Measured: an interrupted answer is given up after 20 ms, the process ends by itself after 65 to 120 ms, and a kill
takes 25 ms (it has 200 MB). A stop has to be done within 100 ms. Nothing is lost by the kill: the answer is over by
then, and the program stores no conversation.
"""


class ProgramProcess(asyncio.SubprocessProtocol):
    """A child process in its own session, with pipes for all three streams. Made by `start`, ended by `stop`."""

    def __init__(self) -> None:
        self._output: asyncio.Queue[bytes] = asyncio.Queue()
        self._errors = bytearray()
        self._exited = asyncio.Event()
        self._silent = asyncio.Event()
        self._stopping = False
        self._transport: asyncio.SubprocessTransport | None = None
        self._parent_guard: ParentDeathGuard | None = None

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        guard: Sequence[str],
        environ: Mapping[str, str],
        folder: Path,
        handed: Sequence[int] = (),
    ) -> ProgramProcess:
        """Starts `command` in `folder` with nothing but `environ`; OSError where it cannot be started.

        `handed` are open files that the program gets under the same numbers (not on Windows).

        `guard` is the command that makes the kernel end the process with us (see `program`). Where there is none,
        the same call is made between fork and exec, which Python allows but does not love in a process with threads.
        The kernel means the thread that forks, not the process: call this from a thread that lives as long as we do,
        as that of the event loop does. One that is killed before the call is made leaves a program whose standard
        input has ended, and which ends of that.
        """
        loop = asyncio.get_running_loop()
        options: dict[str, Any] = {"env": dict(environ), "cwd": folder, "start_new_session": True}
        options["pass_fds"] = tuple(handed)
        if not guard and sys.platform == "linux":
            options["preexec_fn"] = dying_with_parent()
        _, process = await loop.subprocess_exec(cls, *guard, *command, **options)
        try:
            process._parent_guard = await end_with_parent(process.pid)
        except BaseException:
            await process.stop()
            raise
        if process.ended:
            process._let_go()
        return process

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._output.put_nowait(data)
            pipe = self._running().get_pipe_transport(1)
            if self.waiting >= MOST_WAITING and isinstance(pipe, asyncio.ReadTransport):
                pipe.pause_reading()
        else:
            self._errors += data
            del self._errors[:-KEPT_STDERR]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._output.put_nowait(b"")
        elif fd == 2:
            self._silent.set()

    def process_exited(self) -> None:
        self._exited.set()
        self._let_go()
        if self._stopping:
            self._running().close()

    def _let_go(self) -> None:
        if self._parent_guard is not None:
            self._parent_guard.release()
            self._parent_guard = None

    # what the backend calls

    @property
    def pid(self) -> int:
        return self._running().get_pid()

    @property
    def exit_code(self) -> int | None:
        """Negative: ended by that signal. None while it runs."""
        return self._running().get_returncode()

    @property
    def waiting(self) -> int:
        """Pieces of standard output that were not read yet."""
        return self._output.qsize()

    @property
    def ended(self) -> bool:
        return self._exited.is_set()

    @property
    def stderr(self) -> str:
        """The end of what it said on standard error."""
        return self._errors.decode("utf-8", errors="replace").strip()

    async def read(self) -> bytes:
        """The next piece of standard output; empty at its end (ask no more then)."""
        data = await self._output.get()
        pipe = self._running().get_pipe_transport(1)
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            pipe.resume_reading()
        await asyncio.sleep(0)  # what waits is taken without waiting, and nobody else would have a turn
        return data

    def write(self, data: bytes) -> None:
        """Queues bytes of any length for standard input; lost, without an error, if nobody reads there any more."""
        if (pipe := self._stdin()) is not None and not pipe.is_closing():
            pipe.write(data)

    def close_stdin(self) -> None:
        """Tells the program that no more turns follow: it ends by itself after the one that runs."""
        if (pipe := self._stdin()) is not None and pipe.can_write_eof() and not pipe.is_closing():
            pipe.write_eof()

    async def wait(self, seconds: float) -> bool:
        """True once the process has ended and standard error is read, False if that takes longer."""
        try:
            async with asyncio.timeout(seconds):
                await self._exited.wait()
                await self._silent.wait()
        except TimeoutError:
            return False
        return True

    async def stop(self, interrupt: bytes = b"") -> None:
        """Ends the process, politely if it hears, and returns when it is gone.

        `interrupt` is what to write on standard input first; without it the first step is left out.
        """
        steps: list[tuple[Callable[[], None], float]] = [
            (lambda: self._signal(signal.SIGINT), STOP_STEPS_S[1]),
            (lambda: self._signal(signal.SIGTERM), STOP_STEPS_S[2]),
        ]
        if interrupt:
            steps.insert(0, (lambda: self._interrupt(interrupt), STOP_STEPS_S[0]))
        self._stopping = True
        try:
            for step, seconds in steps:
                if self._exited.is_set():
                    break
                step()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._exited.wait()
        finally:
            # also where this wait is itself cancelled
            self._kill()
        await self._exited.wait()

    def _kill(self) -> None:
        """Kills the whole session of a process that still runs; lets go of the pipes of one that has ended.

        (Closing the transport of a running process would have asyncio wait for its end in two places at once.)
        """
        if self._exited.is_set():
            self._running().close()
        elif sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        else:
            self._running().kill()

    def _interrupt(self, line: bytes) -> None:
        self.write(line)
        self.close_stdin()

    def _signal(self, number: signal.Signals) -> None:
        if sys.platform != "win32":  # there are no signals there; the kill follows
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)  # the transport's own way asks for the exit code, which asyncio then misses

    def _running(self) -> asyncio.SubprocessTransport:
        assert self._transport is not None, "made by start()"
        return self._transport

    def _stdin(self) -> asyncio.WriteTransport | None:
        pipe = self._running().get_pipe_transport(0)
        assert pipe is None or isinstance(pipe, asyncio.WriteTransport)
        return pipe


async def run_briefly(
    command: Sequence[str], *, guard: Sequence[str], environ: Mapping[str, str], folder: Path, seconds: float
) -> tuple[int | None, str]:
    """Runs a command that prints little: its exit code (None: it took longer and was ended) and standard output."""
    process = await ProgramProcess.start(command, guard=guard, environ=environ, folder=folder)
    output = bytearray()
    try:
        process.close_stdin()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (data := await process.read()) and len(output) < MOST_BRIEF:
                    output += data
                await process.wait(seconds)
        return process.exit_code, output.decode("utf-8", errors="replace")
    finally:
        await process.stop()


LONGEST_LINE: Final = 64 << 20
"""Bytes of a line; no answer comes near it."""


class LineTooLongError(Exception):
    """The program writes a line without an end."""


class LineFramer:
    """Takes bytes in any pieces, gives whole lines. Linear in the bytes also where a line comes in many pieces."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._length = 0
        self._open: list[bytes] = []

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without line ends; empty ones are left out.

        Only whole lines are decoded, so a character may be split over two pieces. Bytes that are not UTF-8 become
        U+FFFD. `LineTooLongError` where one is longer than any can be.
        """
        first, *others = data.split(b"\n")
        self._open.append(first)
        self._length += len(first)
        if self._length > self._longest:
            raise LineTooLongError(f"a line of more than {self._longest:,} bytes")
        lines: list[bytes] = []
        for piece in others:
            lines.append(b"".join(self._open))
            self._open, self._length = [piece], len(piece)
        return [text for line in lines if (text := _text(line))]

    def end(self) -> list[str]:
        """The last line where the stream ended without a line end."""
        rest, self._open = _text(b"".join(self._open)), []
        return [rest] if rest else []


def record_of(line: str) -> Mapping[str, Any]:
    """The JSON object of a line; an empty one for a line that is something else."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _text(line: bytes) -> str:
    return line.strip(b"\r").decode("utf-8", errors="replace")

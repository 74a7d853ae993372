"""Ends a program with us: by the kernel's signal on Linux, else by a watchdog or a job object.

The watchdog is tested on Linux but meant for macOS, where nobody has run it yet; the job object of Windows was written
from its documentation and never run.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Protocol

_PR_SET_PDEATHSIG = 1
_SCRIPT = 'read -r _ || kill -s KILL -- "-$0"'
"""A line means that the program has ended; the end of the pipe that we are gone, and the program's group is killed."""


def dying_with_parent() -> Callable[[], object]:
    """Makes, before a fork, the call with which a process has the kernel kill it when its parent ends.

    The call does nothing where the kernel has no such signal, which is everywhere but on Linux.
    """
    call: Callable[[], object] = lambda: None  # noqa: E731
    if sys.platform == "linux":
        import ctypes

        call = partial(ctypes.CDLL(None, use_errno=True).prctl, _PR_SET_PDEATHSIG, signal.SIGKILL)
    return call


class ParentDeathGuard(Protocol):
    """A guard that makes a program end when we do."""

    def release(self) -> None:
        """Called when the program has ended."""
        ...


async def end_with_parent(pid: int) -> ParentDeathGuard | None:
    """Ties the process `pid`, the leader of its own group, to us; None where the kernel does it or nothing can."""
    held: ParentDeathGuard | None = None
    if sys.platform == "win32":
        held = _job(pid)
    elif sys.platform == "darwin":
        held = await Watchdog.over(pid)
    return held


class Watchdog(asyncio.SubprocessProtocol):
    """A shell that waits at a pipe of ours, which the kernel closes when we die, however that happens."""

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def over(cls, pid: int) -> Watchdog:
        """Watches over the process group `pid`."""
        loop = asyncio.get_running_loop()
        nowhere = asyncio.subprocess.DEVNULL
        transport, watchdog = await loop.subprocess_exec(
            cls, "/bin/sh", "-c", _SCRIPT, str(pid), stdout=nowhere, stderr=nowhere, start_new_session=True
        )
        watchdog._transport = transport
        return watchdog

    def release(self) -> None:
        """Sends it home. Closing the pipe alone would have it kill a group whose number may be somebody else's."""
        pipe = self._transport.get_pipe_transport(0) if self._transport is not None else None
        if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
            pipe.write(b"\n")
            pipe.close()

    def process_exited(self) -> None:
        if self._transport is not None:
            self._transport.close()


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; of its fields we set but the flags."""

        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("working_set", ctypes.c_size_t * 2),
            ("active", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("io", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        )

    class Job:
        """A job object that holds one process, and ends it when its last handle is closed: by us, or with us."""

        def __init__(self, handle: int) -> None:
            self._handle = handle

        def release(self) -> None:
            ctypes.windll.kernel32.CloseHandle(self._handle)

    def _job(pid: int) -> Job | None:
        kernel = ctypes.windll.kernel32
        kernel.CreateJobObjectW.restype = kernel.OpenProcess.restype = wintypes.HANDLE
        job = kernel.CreateJobObjectW(None, None)
        limits = _Limits(flags=0x2000)  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        process = kernel.OpenProcess(0x0101, False, pid)  # PROCESS_SET_QUOTA | PROCESS_TERMINATE
        held = (
            job
            and process
            and kernel.SetInformationJobObject(wintypes.HANDLE(job), 9, ctypes.byref(limits), ctypes.sizeof(limits))
            and kernel.AssignProcessToJobObject(wintypes.HANDLE(job), wintypes.HANDLE(process))
        )
        if process:
            kernel.CloseHandle(wintypes.HANDLE(process))
        return Job(job) if held else None

"""Tells whether the process that began a turn still lives, from wherever one looks; ends programs with us, hears
signals, and finds the line to the window.

A process number alone is not enough, since numbers are used again: the start time of the process and, where the system
has one, the name of this boot belong to it.

A process of another machine, or of another container, has a number that says nothing here; its lock does.

A program ends with us by the kernel's signal on Linux, else by a watchdog or a job object. The watchdog is tested on
Linux but meant for macOS, where nobody has run it yet; the job object of Windows was run under Wine only.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from desktop_app.system.own_processes import socket_name
from desktop_app.system.private_files import lock, make_private_folder, unlock_and_remove

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_STARTED_FIELD = 19
"""Place of the start time (clock ticks since boot) in /proc/PID/stat, counted behind the name in brackets."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process: its number, its start time in the system's own words, the boot it runs in ("" where unknown)."""

    pid: int
    started: str
    boot: str


def this_process() -> Owner:
    """The process we are."""
    pid = os.getpid()
    return Owner(pid, _started(pid) or "", _boot())


def is_alive(owner: Owner) -> bool:
    """Return True if that very process still runs on this computer."""
    if owner.boot != _boot():
        return False
    return (started := _started(owner.pid)) is not None and started == owner.started


def _boot() -> str:
    try:
        return _BOOT_ID.read_text("ascii").strip() + _numbers_of()
    except OSError:
        return ""  # not Linux: start times there are wall clock times and differ between boots


def _numbers_of() -> str:
    """Names whose process numbers these are, where the system has several sets of them, as with containers."""
    try:
        return f" {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """When process `pid` started, None if there is no such process (a zombie counts as none)."""
    if sys.platform == "win32":
        started = _started_windows(pid)
    elif _BOOT_ID.exists():
        started = _started_linux(pid)
    else:
        started = started_posix(pid)
    return started


def _started_linux(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    after_name = stat.rpartition(b")")[2].split()
    return None if after_name[0] in {b"Z", b"X"} else after_name[_STARTED_FIELD].decode("ascii")


def started_posix(pid: int) -> str | None:
    """macOS and the BSDs: `ps` is part of every one of them."""
    answer = subprocess.run(
        ["/bin/ps", "-o", "lstart=", "-p", str(pid)],
        env={"LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
        timeout=5,
    )
    return answer.stdout.strip() or None


if sys.platform == "win32":

    def _started_windows(pid: int) -> str | None:
        import ctypes
        from ctypes import wintypes

        query_limited, still_active = 0x1000, 259
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        if (handle := wintypes.HANDLE(kernel.OpenProcess(query_limited, False, pid))).value is None:
            return None
        try:
            code = wintypes.DWORD()
            times = [wintypes.FILETIME() for _ in range(4)]
            if not kernel.GetExitCodeProcess(handle, ctypes.byref(code)) or code.value != still_active:
                return None
            if not kernel.GetProcessTimes(handle, *(ctypes.byref(one) for one in times)):
                return None
            return f"{times[0].dwHighDateTime}.{times[0].dwLowDateTime}"
        finally:
            kernel.CloseHandle(handle)


_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""A pipe would keep us waiting."""


class OwnerLocks:
    """One empty file for each process, in a folder beside the history; where locks can't be had nothing is known.

    Without a folder nobody else has the history, and nothing is locked.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._held: tuple[Path, int] | None = None

    def hold(self, owner: Owner) -> None:
        """Takes the lock of this process, until `release` or its end."""
        if self._held is not None or self._folder is None:
            return
        path = self._path(self._folder, owner)
        try:
            make_private_folder(self._folder)
            handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError:
            return
        try:
            lock(handle)
        except OSError:  # a file system without locks: a file would say that its process is dead
            os.close(handle)
        else:
            self._held = path, handle

    def is_held(self, owner: Owner) -> bool | None:
        """Return True if that process holds its lock; None: it has none, and its number has to tell."""
        if self._folder is None:
            return None
        path = self._path(self._folder, owner)
        try:
            handle = os.open(path, os.O_RDONLY | _AT_ONCE)
        except OSError:
            return None
        try:
            lock(handle)
        except OSError as error:
            os.close(handle)
            return True if isinstance(error, BlockingIOError) else None
        unlock_and_remove(handle, path)  # left behind by a process that was killed
        return False

    def release(self) -> None:
        """Called last."""
        if self._held is None:
            return
        path, handle = self._held
        self._held = None
        unlock_and_remove(handle, path)
        with contextlib.suppress(OSError):  # others' locks are there
            path.parent.rmdir()

    @staticmethod
    def _path(folder: Path, owner: Owner) -> Path:
        name = f"{owner.boot} {owner.pid} {owner.started}"
        return folder / hashlib.sha256(name.encode()).hexdigest()[:32]


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


async def end_with_parent(pid: int) -> ParentDeathGuard | None:
    """Ties the process `pid`, the leader of its own group, to us; None where the kernel does it or nothing can."""
    held: ParentDeathGuard | None = None
    if sys.platform == "win32":
        held = Job.over(pid)
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


async def line_to_window(data_dir: Path, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    """A connection to the window's socket if that is of this user alone; `limit`: bytes of a line. Raises `OSError`."""
    from tempfile import gettempdir

    if sys.platform == "win32":
        loop = asyncio.get_running_loop()
        assert isinstance(loop, asyncio.ProactorEventLoop)
        reader = asyncio.StreamReader(limit)
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.create_pipe_connection(lambda: protocol, rf"\\.\pipe\{socket_name(data_dir)}")
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        if _is_of_this_user(transport.get_extra_info("pipe").handle):
            return reader, writer
        writer.close()
    else:
        path = Path(gettempdir()) / socket_name(data_dir)  # Qt puts a name into the folder for temporary files
        found = await asyncio.to_thread(path.lstat)
        if stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            return await asyncio.open_unix_connection(str(path), limit=limit)
    return None


def hear_signals(loop: asyncio.AbstractEventLoop, heard: Callable[[int], object]) -> Callable[[], None]:
    """Calls `heard` in the loop with the exit status that goes with SIGINT or SIGTERM; returns what ends that."""
    before: dict[signal.Signals, Any] = {}
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        try:
            loop.add_signal_handler(number, heard, 128 + number)
        except NotImplementedError:
            # Windows' loops have no such thing; there the handler runs between two bytecodes and wakes the loop.
            before[number] = signal.signal(number, lambda came, _: loop.call_soon_threadsafe(heard, 128 + came))

    def end() -> None:
        for number in numbers:
            if number in before:
                signal.signal(number, before[number])
            else:
                loop.remove_signal_handler(number)

    return end


if sys.platform == "win32":
    import ctypes

    class _Limits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = (
            ("user_time", ctypes.c_int64),  # of each process, in 100 ns
            ("job_time", ctypes.c_int64),
            ("flags", ctypes.c_uint32),
            ("working_set", ctypes.c_size_t * 2),
            ("active", ctypes.c_uint32),
            ("affinity", ctypes.c_size_t),
            ("classes", ctypes.c_uint32 * 2),
            ("io", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t),  # of each process
            ("others", ctypes.c_size_t * 3),
        )

    class Job:
        """A job object: what is in it keeps to its limits, and ends when its last handle, ours, is closed."""

        def __init__(self) -> None:
            self._kernel = ctypes.WinDLL("kernel32")
            self._kernel.CreateJobObjectW.restype = self._kernel.OpenProcess.restype = ctypes.c_void_p
            self._handle = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
            self._limits = _Limits(flags=0x2400)  # KILL_ON_JOB_CLOSE, and no question of the system after a crash

        @classmethod
        def over(cls, pid: int) -> Job | None:
            """A job with this process and those it will start; None where the system refuses."""
            job = cls()
            process = ctypes.c_void_p(job._kernel.OpenProcess(0x0101, False, pid))  # PROCESS_SET_QUOTA | _TERMINATE
            held = job.limit() and job._kernel.AssignProcessToJobObject(job._handle, process)
            job._kernel.CloseHandle(process)
            if held:
                return job
            job.release()
            return None

        def limit(self, *, memory: int | None = None, user_s: float | None = None) -> bool:
            """Bounds the bytes of each process, and its time of the processor since it began; what is None stays."""
            if memory is not None:
                self._limits.memory, self._limits.flags = memory, self._limits.flags | 0x100
            if user_s is not None:
                self._limits.user_time, self._limits.flags = int(user_s * 10_000_000), self._limits.flags | 2
            size = ctypes.sizeof(self._limits)
            return bool(self._kernel.SetInformationJobObject(self._handle, 9, ctypes.byref(self._limits), size))

        def release(self) -> None:
            self._kernel.CloseHandle(self._handle)

    def _is_of_this_user(pipe: int) -> bool:
        """Return True if this user owns an open pipe: anybody may have taken its name."""
        kernel, rights = ctypes.windll.kernel32, ctypes.windll.advapi32
        owner, said, token = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        user = (ctypes.c_void_p * 32)()  # TOKEN_USER, which begins with where the name is
        kernel_object, owner_only, query, token_user = 6, 1, 8, 1
        where = ctypes.byref(owner), None, None, None, ctypes.byref(said)
        if rights.GetSecurityInfo(ctypes.c_void_p(pipe), kernel_object, owner_only, *where):
            return False
        try:
            size = ctypes.c_uint32(ctypes.sizeof(user))
            return bool(
                rights.OpenProcessToken(ctypes.c_void_p(-1), query, ctypes.byref(token))
                and rights.GetTokenInformation(token, token_user, user, size, ctypes.byref(size))
                and rights.EqualSid(owner, ctypes.c_void_p(user[0]))
            )
        finally:
            kernel.CloseHandle(token)
            kernel.LocalFree(said)

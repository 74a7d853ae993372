"""Starts a part of the app as a process (its command, its environment), finds the window's socket, hears signals.

Such a part runs apart because it is untrusted, slow, or both; each has a module with a `main`.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio

SERVE_LOCAL_MODEL: Final = "--serve-local-model"
READ_DOCUMENTS: Final = "--read-documents"
READ_PROJECTS: Final = "--read-projects"
CHECK_SPELLING: Final = "--check-spelling"
TYPESET_FORMULAS: Final = "--typeset-formulas"
PRINT_PDF: Final = "--print-pdf"
HOST_TOOLS: Final = "--host-tools"
"""First arguments with which the frozen app becomes one of its processes; not for people."""

BROKEN: Final = "broken"
FAILED: Final = "failed"
"""Stand in a process's answer for a module of the program that is missing, and the kind of a fault that nobody foresaw;
`where` tells the way to it.
"""

_NEEDED: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "APPDATA"),
)


def own_command(argument: str, module: str) -> list[str]:
    """The command that runs `main` of a module, for a checkout or an installed package and for the frozen app."""
    if getattr(sys, "frozen", False):
        return [sys.executable, argument]
    # -P: no module of the folder the app was started in; not -m, which complains about a module imported before
    return [sys.executable, "-P", "-c", f"from {module} import main; raise SystemExit(main())"]


def bare_environment(*further: str) -> dict[str, str]:
    """Return the variables that a Python needs to start and those named besides, nothing else: no key, no token."""
    kept = {name: value for name in (*_NEEDED, *further) if (value := os.environ.get(name)) is not None}
    return finding_the_package(kept)


def finding_the_package(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that finds this package also where it is not installed."""
    here = str(Path(__file__).parents[2])
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, [here, environment.get("PYTHONPATH")]))}


MAX_MESSAGE: Final = 1_000_000
"""Bytes; longer messages are not ours."""
LONGEST_PATH: Final = 100
"""The kernel takes 107 bytes of a socket's path."""


def socket_name(data_dir: Path) -> str:
    """The socket's path in the data folder; a short name made from it where paths are too long or not possible."""
    path = str(data_dir.resolve() / "instance.sock")
    if sys.platform != "win32" and len(path.encode()) <= LONGEST_PATH:
        return path
    import hashlib  # loads OpenSSL, which few starts need before the first paint

    return "plimsoll-" + hashlib.sha256(path.encode()).hexdigest()[:24]


async def line_to_window(data_dir: Path, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    """A connection to the window's socket if that is of this user alone; `limit`: bytes of a line. Raises `OSError`."""
    import asyncio  # not before the first paint
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

"""The start of a `claude` program for one answer, also ahead, while the user types."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.backends.claude_cli.invocation import McpToolServer, arguments, encoded, lifetime
from desktop_app.backends.claude_cli.program_finder import Program, answer_environment
from desktop_app.backends.claude_cli.program_process import LineFramer, LineTooLongError, ProgramProcess, record_of
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import ToolSpec


@dataclass(frozen=True, slots=True)
class Launch:
    """Everything that a start depends on. Equal ones may stand in for each other: none holds a word said."""

    program: Program
    folder: Path
    model: str
    system: str
    environ: Mapping[str, str]
    tools: tuple[ToolSpec, ...] = ()
    effort: str = ""
    thinks: bool = True

    @classmethod
    def of(cls, plan: ContextPlan, program: Program, folder: Path, environ: Mapping[str, str]) -> Launch:
        """The start that an answer to `plan` needs."""
        tools, wished, model = plan.request.tools, plan.request.parameters, plan.model
        own = answer_environment(environ, lifetime=lifetime(plan), max_output=plan.limits.max_output, tools=bool(tools))
        effort = wished.effort if wished.effort in model.efforts else ""
        thinks = wished.thinking is not False or model.thinking != "choice"
        return cls(program, folder, model.id, plan.request.system, own, tools, effort, thinks)

    async def start(self) -> Launched:
        """A running program; OSError where it cannot be started."""
        system_file = SystemFile(self.system)
        own = arguments(system_file.path, self.model, tools=self.tools, effort=self.effort, thinks=self.thinks)
        try:
            process = await ProgramProcess.start(
                (str(self.program.path), *own),
                guard=self.program.guard,
                environ=self.environ,
                folder=self.folder,
                handed=system_file.handed,
            )
        except BaseException:
            system_file.forget()
            raise
        system_file.started()
        return Launched(process, system_file, McpToolServer(self.tools))


class SystemFile:
    """The system prompt in a file that only we can read: as an argument it would be seen by all and limited.

    On Linux the file has no name: the program inherits it open, and nothing of it can be left behind. Elsewhere it has
    one until the program has read it.
    """

    def __init__(self, system: str) -> None:
        nameless = sys.platform == "linux"
        handle, name = tempfile.mkstemp(prefix="plimsoll-", suffix=".txt")
        self._named = Path(name)
        with os.fdopen(handle, "wb", closefd=not nameless) as file:
            if nameless:
                self._named.unlink()
            file.write(encoded(system))
        self.handed: tuple[int, ...] = (handle,) if nameless else ()
        if nameless:
            os.lseek(handle, 0, os.SEEK_SET)

    @property
    def path(self) -> Path:
        """The file that the program is told to read."""
        return Path(f"/dev/fd/{self.handed[0]}") if self.handed else self._named

    def started(self) -> None:
        """The program has its own copy of the open file."""
        for handle in self.handed:
            os.close(handle)
        self.handed = ()

    def forget(self) -> None:
        """Called as soon as the program has read it, so that a crash of ours leaves nothing behind."""
        self.started()
        self._named.unlink(missing_ok=True)


class Launched:
    """A started program with its system file, and what is left of an output line that was read in part."""

    def __init__(self, process: ProgramProcess, system_file: SystemFile, tool_server: McpToolServer) -> None:
        self.process = process
        self.tool_server = tool_server
        self.framer = LineFramer()
        self.ready = asyncio.Event()
        """Set where a program that was started ahead has said that it waits."""
        self._system_file = system_file

    def greet(self) -> None:
        """Asks it to say when it waits, and names the tools that it may call; once, before anything else is said."""
        self.process.write(self.tool_server.greeting)

    def hear(self, line: str) -> Mapping[str, Any]:
        """The record of a line, empty where it is none; what it wants to know of our tools is answered."""
        record = record_of(line)
        if reply := self.tool_server.hear(record):
            self.process.write(reply)
        return record

    def forget_system(self) -> None:
        """See `SystemFile.forget`."""
        self._system_file.forget()

    async def stop(self, interrupt: bytes = b"") -> None:
        """`ProgramProcess.stop`; the system file is gone at once."""
        self.forget_system()
        await self.process.stop(interrupt)


log = logging.getLogger(__name__)

IDLE_S = 60.0
"""Seconds that a prepared program may wait; it holds 200 MB."""


class PrewarmedProgram:
    """At most one idle program. Another system prompt, model, set of tools or lifetime of the cache starts another.

    A program that has started before it is needed gives its first request after 0.1 s in place of 0.65 s.
    """

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._launch: Launch | None = None
        self.held: Launched | None = None
        self._watch: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._closed = False

    async def hold(self, launch: Launch) -> None:
        """Starts a program for `launch`, or lets the one that is held wait on; of a failure the answer will speak."""
        async with self._lock:
            held = self._release() if self.fits(launch) else None
            if held is None:
                self._end(self._release())
                if self._closed:
                    return
                try:
                    held = await launch.start()
                except OSError as error:
                    log.info("no program could be started ahead: %s", error.strerror)
                    return
                held.greet()
            self._launch, self.held = launch, held
            self._watch = asyncio.get_running_loop().create_task(self._watched(held))

    async def take(self, launch: Launch) -> Launched | None:
        """The program held for `launch`, from now on the caller's; None where there is none. Another one is ended."""
        async with self._lock:
            if self.fits(launch):
                return self._release()
            self._end(self._release())
            return None

    async def close(self) -> None:
        """Ends what is held, and returns when it is gone."""
        self._closed = True
        async with self._lock:
            self._end(self._release())
        await asyncio.gather(*self._ending, return_exceptions=True)

    def fits(self, launch: Launch) -> bool:
        return self.held is not None and self._launch == launch and not self.held.process.ended

    def _release(self) -> Launched | None:
        held, self.held, self._launch = self.held, None, None
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        return held

    def _end(self, held: Launched | None) -> None:
        """In a task: nobody who wants to send waits for the end of a program that does not fit."""
        if held is not None:
            held.forget_system()
            task = asyncio.get_running_loop().create_task(held.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _watched(self, held: Launched) -> None:
        """Reads its readiness, after which the system file is not needed; ends it where nothing comes to do."""
        with contextlib.suppress(TimeoutError, LineTooLongError):
            async with asyncio.timeout(self._idle_s):
                while data := await held.process.read():
                    for line in held.framer.feed(data):
                        if held.hear(line).get("type") == "control_response":
                            held.forget_system()
                            held.ready.set()
        if self.held is held:
            self._watch = None  # this task: it ends by itself
            self._end(self._release())

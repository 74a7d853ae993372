"""The start of a `claude` program for one answer: its command, environment and system file."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_app.backends.claude_cli.framing import LineFramer, record_of
from desktop_app.backends.claude_cli.invocation import arguments, encoded, lifetime
from desktop_app.backends.claude_cli.mcp_tools import McpToolServer
from desktop_app.backends.claude_cli.program_environment import answer_environment
from desktop_app.backends.claude_cli.program_finder import Program
from desktop_app.backends.claude_cli.program_process import ProgramProcess
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.tool_spec import ToolSpec


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

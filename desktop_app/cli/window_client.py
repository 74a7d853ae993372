"""Hands a command's turn to the window that is open for its data folder, and prints what that sends."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from desktop_app import __version__
from desktop_app.cli.ask_command import ChatInput, message_of, tell_failure
from desktop_app.cli.interruption import Interruption
from desktop_app.cli.options import ChatOptions, TurnOptions
from desktop_app.cli.output import Output
from desktop_app.cli.window_protocol import PROTOCOL, environment_digest, socket_path
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.instance_socket import MAX_MESSAGE
from desktop_app.paths import DataPaths

ANSWER_WITHIN_S: Final = 5.0
"""A window that says nothing for so long before the turn has begun is left alone."""
LARGEST_LINE: Final = 1 << 26
"""Bytes of what the window sends at once: the plan of a long thread is some megabytes."""

WINDOW_ENDED: Final = (
    "The Plimsoll window ended before this answer was complete. The text so far is kept in the thread; nothing "
    "was sent again."
)


class Window:
    """The window that may be open for a data folder, asked as from this environment; `thread` is the last turn's."""

    def __init__(
        self, paths: DataPaths, environ: Mapping[str, str], output: Output, interruption: Interruption
    ) -> None:
        self._root = paths.root
        self._environ = environ
        self._output = output
        self._interruption = interruption
        self._chat: str | None = None
        self.thread: str | None = None

    async def ask(self, options: TurnOptions, text: str, *, goes_on: bool = False) -> int | None:
        """The exit status of a turn that the window ran; None: there is none that would run it as this command does.

        Once the window was told to go this command never sends by itself.
        """
        async with _connected(self._root) as line:
            more = {"goes_on": goes_on, "chat": self._chat}
            if line is None or not await line.is_accepted(self._environ, options, text, more):
                return None
            line.thread = options.thread
            status = await line.run(options, self._output, self._interruption)
            self.thread = line.thread
            return status

    async def chat(self, options: ChatOptions, given: ChatInput) -> int | None:
        """Has the window run each line's turn; the exit status.

        None: it would not run this one, which waits in `given` then; `thread` is where the chat goes on.
        """
        async with _connected(self._root) as line:
            if line is None:
                return None
        self._chat = token_hex(8)
        turn, files = options.turn, options.turn.attach
        async for written in given.each():
            try:
                text, named, first = message_of(written, json_line=turn.json)
            except PlimsollError as error:
                given.status = tell_failure(error.failure, self.thread, self._output, json=turn.json)
                continue
            here = replace(turn, attach=(*files, *named), first_tokens=first or turn.first_tokens)
            if self.thread is not None:
                here = replace(here, thread=self.thread, project=None)
            if not here.attach:
                here = replace(here, first_tokens=None)
            ended = await self.ask(here, text, goes_on=self.thread is not None)
            if ended is None:
                given.waiting = written
                return None
            files, given.status = (), ended or given.status
            if self._interruption.wished:
                break
        return given.status if self._interruption.status is None else self._interruption.status


@asynccontextmanager
async def _connected(root: Path) -> AsyncIterator[_Line | None]:
    line = None
    with suppress(OSError, TimeoutError):
        line = await _line_to(socket_path(root))
    try:
        yield line
    finally:
        if line is not None:
            line.close()


async def _line_to(path: Path) -> _Line | None:
    line = None
    if sys.platform != "win32":  # nobody has written it for that system
        found = await asyncio.to_thread(path.lstat)
        if stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            opening = asyncio.open_unix_connection(str(path), limit=LARGEST_LINE)
            line = _Line(*await asyncio.wait_for(opening, ANSWER_WITHIN_S))
    return line


class _Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.thread: str | None = None

    def close(self) -> None:
        self._writer.close()

    async def is_accepted(
        self, environ: Mapping[str, str], options: TurnOptions, text: str, more: Mapping[str, Any]
    ) -> bool:
        """Return True if the window will run the turn once it is told to go."""
        self._send({"protocol": PROTOCOL})
        hello = await self._receive(ANSWER_WITHIN_S)
        if hello is None or (hello.get("protocol"), hello.get("version")) != (PROTOCOL, __version__):
            return False
        environment = environment_digest(environ, str(hello.get("nonce")))
        if not self._send({"ask": _asked(options), "text": text, "environment": environment, **more}):
            return False
        return await self._receive(ANSWER_WITHIN_S) == {"accepted": True}

    async def run(self, options: TurnOptions, output: Output, interruption: Interruption) -> int:
        """Prints what comes until the end of the turn, which a wish to stop brings about."""
        self._send({"go": True})
        stopping = asyncio.ensure_future(self._stop(interruption))
        try:
            while (message := await self._receive()) is not None:
                match message:
                    case {"out": str(text)}:
                        output.text(text)
                    case {"err": str(text)}:
                        output.tell(text.removesuffix("\n"))
                    case {"thread": str(thread)}:
                        self.thread = thread
                    case {"status": int(status)}:
                        return status
        finally:
            stopping.cancel()
        if not options.json:
            output.end_line()
        return tell_failure(Failure("store", WINDOW_ENDED), self.thread, output, json=options.json)

    async def _stop(self, interruption: Interruption) -> None:
        await interruption.until_wished()
        self._send({"stop": interruption.status})

    def _send(self, message: dict[str, Any]) -> bool:
        line = json.dumps(message).encode() + b"\n"
        if len(line) <= MAX_MESSAGE:
            self._writer.write(line)
        return len(line) <= MAX_MESSAGE

    async def _receive(self, within_s: float | None = None) -> dict[str, Any] | None:
        """The next message; None where there is none any more."""
        try:
            line = await asyncio.wait_for(self._reader.readline(), within_s)
            message = json.loads(line)
        except (OSError, TimeoutError, ValueError, RecursionError):
            return None
        return message if isinstance(message, dict) else None


def _asked(options: TurnOptions) -> dict[str, Any]:
    """The options as they mean the same from another working folder."""
    return {**asdict(options), "attach": [str(Path(one).absolute()) for one in options.attach]}

"""Hands a command's turn to the window that is open for its data folder, and prints what that sends."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desktop_app import __version__
from desktop_app.cli.exit_codes import EXIT_STATUS
from desktop_app.cli.interruption import Interruption
from desktop_app.cli.json_shapes import error_shape
from desktop_app.cli.options import TurnOptions
from desktop_app.cli.output import Output
from desktop_app.core.messages import Failure
from desktop_app.instance_socket import MAX_MESSAGE, PROTOCOL, environment_digest, socket_path
from desktop_app.paths import DataPaths

ANSWER_WITHIN_S: Final = 5.0
"""A window that says nothing for so long before the turn has begun is left alone."""
LARGEST_LINE: Final = 1 << 26
"""Bytes of what the window sends at once: the plan of a long thread is some megabytes."""

WINDOW_ENDED: Final = (
    "The Plimsoll window ended before this answer was complete. What had come is kept in the thread; nothing was sent "
    "again."
)


async def ask_window(
    paths: DataPaths,
    environ: Mapping[str, str],
    options: TurnOptions,
    text: str,
    *,
    output: Output,
    interruption: Interruption,
) -> int | None:
    """The exit status of a turn that the window ran; None: there is none that would run it as this command does.

    Once the window was told to go this command never sends by itself.
    """
    async with _connected(paths.root) as line:
        if line is None or not await line.is_accepted(environ, options, text):
            return None
        return await line.run(options, output, interruption)


@asynccontextmanager
async def _connected(root: Path) -> AsyncIterator[_Line | None]:
    if sys.platform == "win32":  # nobody has written it for that system
        yield None
        return
    path = socket_path(root)
    try:
        found = path.lstat()
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            yield None
            return
        opening = asyncio.open_unix_connection(str(path), limit=LARGEST_LINE)
        reader, writer = await asyncio.wait_for(opening, ANSWER_WITHIN_S)
    except (OSError, TimeoutError):
        yield None
        return
    try:
        yield _Line(reader, writer)
    finally:
        writer.close()


class _Line:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def is_accepted(self, environ: Mapping[str, str], options: TurnOptions, text: str) -> bool:
        """Whether the window will run the turn once it is told to go."""
        self._send({"protocol": PROTOCOL})
        hello = await self._receive(ANSWER_WITHIN_S)
        if hello is None or (hello.get("protocol"), hello.get("version")) != (PROTOCOL, __version__):
            return False
        environment = environment_digest(environ, str(hello.get("nonce")))
        if not self._send({"ask": _asked(options), "text": text, "environment": environment}):
            return False
        return await self._receive(ANSWER_WITHIN_S) == {"accepted": True}

    async def run(self, options: TurnOptions, output: Output, interruption: Interruption) -> int:
        """Prints what comes until the end of the turn, which a wish to stop brings about."""
        self._send({"go": True})
        stopping = asyncio.ensure_future(self._stop(interruption))
        thread = options.thread
        try:
            while (message := await self._receive()) is not None:
                match message:
                    case {"out": str(text)}:
                        thread = _thread_of(text) or thread if options.json else thread
                        output.text(text)
                    case {"err": str(text)}:
                        output.tell(text.removesuffix("\n"))
                    case {"status": int(status)}:
                        return status
        finally:
            stopping.cancel()
        failure = Failure("store", WINDOW_ENDED)
        if options.json:
            output.json(error_shape(failure, thread))
        else:
            output.end_line()
            output.tell(failure.message)
        return EXIT_STATUS[failure.code]

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


def _thread_of(line: str) -> str | None:
    """The thread that the line of JSON which begins a turn names."""
    if not line.startswith('{"type": "context"'):
        return None
    thread = json.loads(line).get("thread")
    return thread if isinstance(thread, str) else None

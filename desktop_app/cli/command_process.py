"""A command as a process: its surroundings, its two streams, its exit status, and what stops it from outside.

Answers and JSON go to standard output, all else to standard error. Answers, titles, names and errors may hold what
steers a terminal (its title, its clipboard, what stands above). On a terminal such characters are shown as signs; into
a pipe or file every text goes as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

from desktop_app.controller.preferences import Preferences
from desktop_app.core.errors import HistoryDamagedError
from desktop_app.core.history_records import HistoryRepair, repair_sentences
from desktop_app.core.messages import FailureCode, Json
from desktop_app.core.redaction import Redaction
from desktop_app.core.stream_events import MOST_WRITTEN, valid_json
from desktop_app.history_opening import ReadServices, open_for_reading
from desktop_app.paths import DataPaths
from desktop_app.storage.reading_copy import copied_bytes
from desktop_app.system.process_owner import hear_signals

DONE = 0
BUG = 1
"""Not a failure anybody planned for: a crash report was written."""

CAPPED = 7
"""A turn ended at its cap; what there is of the answer is kept."""

EXIT_STATUS: Mapping[FailureCode, int] = {
    "usage": 2,
    "config": 3,
    "context_limit": 4,
    "auth": 5,
    "not_found": 5,
    "rate_limited": 5,
    "overloaded": 5,
    "network": 5,
    "backend": 5,
    "store": 6,
    "interrupted": 130,
}


_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""C0 without newline and tab, DEL, C1 (8-bit escape sequences), and the overrides of the writing direction."""

_CONTROL_PICTURES: Final = 0x2400
"""Unicode's signs for the C0 controls stand in their order from here; the one for DEL follows them."""


def _sign(found: re.Match[str]) -> str:
    if (code := ord(found.group())) < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else f"<U+{code:04X}>"


_STEERING_IN_JSON: Final = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""The characters that `json.dumps` leaves as they are, and a terminal obeys."""


class Output:
    """Writes UTF-8. When the reader of standard output has gone, `on_reader_gone` is called once, then all is dropped.

    Half surrogates, which no encoding holds, come out as their escape, which in JSON reads back as what it was.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None, *, plain: bool = False) -> None:
        """`plain`: no colour or weight, whatever standard output is."""
        self._plain = plain
        self._out = _utf8(sys.stdout) if out is None else out
        self._err = _utf8(sys.stderr) if err is None else err
        self.reader_gone = False
        self.on_reader_gone: Callable[[], None] = lambda: None
        self._line_open = False

    def text(self, text: str) -> None:
        """Writes to standard output at once."""
        self._write(_for(self._out, text))

    def end_line(self) -> None:
        """Ends the line on standard output if it is open."""
        if self._line_open:
            self.text("\n")

    def line(self, text: str) -> None:
        self.text(f"{text}\n")

    def marked_line(self, pieces: Iterable[tuple[str, bool]]) -> None:
        """A line of pieces, the marked ones in bold where standard output is a terminal that a person reads."""
        bold = "\x1b[1m{}\x1b[0m" if self._out.isatty() and not self._plain else "{}"
        shown = ((_for(self._out, text), marked) for text, marked in pieces)
        self._write("".join(bold.format(text) if marked else text for text, marked in shown) + "\n")

    def json(self, value: Mapping[str, Json] | list[dict[str, Json]], *, ours: bool = False) -> None:
        """A JSON value on one line; what could steer a terminal is escaped. `ours`: all of it was made just now."""
        try:
            line = _json(value if ours else valid_json(value, MOST_WRITTEN))
        except ValueError:
            # what an older version stored may be no number; one value must not cost the rest of what was asked for
            line = _json(valid_json(value, MOST_WRITTEN))
        self._write(_STEERING_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", line) + "\n")

    def tell(self, text: str) -> None:
        """One line on standard error; nobody reading it is no reason to stop."""
        try:
            self._err.write(f"{_for(self._err, text)}\n")
            self._err.flush()
        except (OSError, ValueError):
            return

    def aside(self, text: str) -> None:
        """One line on standard error in the midst of an answer."""
        self.tell(("\n" if self._line_open else "") + text)

    def rule(self) -> None:
        """A rule on standard error: what stands above it is superseded."""
        self.tell(("\n" if self._line_open else "") + "─" * 20)
        self._line_open = False

    def close(self) -> None:
        """Called last: what can't be written any more must not be complained about when the program ends."""
        if self.reader_gone:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)

    def _write(self, text: str) -> None:
        if not text or self.reader_gone:
            return
        self._line_open = not text.endswith("\n")
        try:
            self._out.write(text)
            self._out.flush()
        except BrokenPipeError:
            self.reader_gone = True
            self.on_reader_gone()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def counted(number: int, noun: str) -> str:
    """`1 thread`, `2 threads`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _for(stream: TextIO, text: str) -> str:
    return _STEERING.sub(_sign, text.replace("\r\n", "\n")) if stream.isatty() else text


def _utf8(stream: TextIO) -> TextIO:
    """The standard stream, whatever the locale says; lines end as they are written."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    return stream


INTERRUPTED = 130


class Interruption:
    """The wish to stop, with the exit status that goes with it. The first wish counts; a second one is impatience."""

    def __init__(self) -> None:
        self.status: int | None = None
        self._wished = asyncio.Event()
        self._working: asyncio.Task[int] | None = None

    @property
    def wished(self) -> bool:
        return self._wished.is_set()

    async def until_wished(self) -> None:
        """Returns once somebody wished to stop."""
        await self._wished.wait()

    def wish(self, status: int) -> None:
        """Asks for the stop; asking again ends the work without waiting for its good end."""
        if self.wished and self._working is not None:
            self._working.cancel()
        if self.status is None:
            self.status = status
        self._wished.set()

    async def run(self, work: Coroutine[Any, Any, int]) -> int:
        """Runs a command that takes heed of `wished` itself; its status, or the wish's where it was cut."""
        self._working = asyncio.create_task(work)
        try:
            return await self._working
        except asyncio.CancelledError:
            if self.status is None:
                raise
            return self.status
        finally:
            self._working = None

    async def cut(self, work: Coroutine[Any, Any, int]) -> int:
        """Runs a command that can be ended anywhere; the wish cancels it."""
        task = asyncio.ensure_future(work)
        waiting = asyncio.ensure_future(self.until_wished())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
        if task.cancelled() and self.status is not None:
            return self.status
        return task.result()


@contextlib.asynccontextmanager
async def signals() -> AsyncIterator[Interruption]:
    """An interruption that SIGINT and SIGTERM wish for as long as the block runs."""
    interruption = Interruption()
    end = hear_signals(asyncio.get_running_loop(), interruption.wish)
    try:
        yield interruption
    finally:
        end()


LARGE: Final = 200_000_000
"""Bytes of a history; copying them takes a while."""


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The surroundings that a command runs in: the data folder, the environment, the streams it writes to."""

    paths: DataPaths
    environ: Mapping[str, str]
    output: Output
    redaction: Redaction = field(default_factory=Redaction)

    async def opened(self) -> ReadServices:
        """The history alone, with what is told by `composed`."""
        self.tell_of_copy()
        services = await open_for_reading(self.paths, environ=self.environ, redaction=self.redaction)
        self.tell_problems(services.paths, services.preferences, services.repair)
        return services

    def tell_of_copy(self) -> None:
        """Tell of a copy that is made to read the history, where that takes a while."""
        if (size := copied_bytes(self.paths.history)) > LARGE:
            self.output.tell(f"The history can't be written, so a copy of {size / 1e9:,.1f} GB is made to read it.")

    def tell_problems(self, paths: DataPaths, preferences: Preferences, repair: HistoryRepair | None) -> None:
        """Tell what is wrong with the settings, and what was with the history."""
        repaired = () if repair is None else repair_sentences(repair)
        for problem in (*repaired, *paths.set_aside, *preferences.problems):
            self.output.tell(problem)


async def twice_if_damaged(look: Callable[[], Awaitable[int]]) -> int:
    """Looks again where the history was found damaged: that is noted, so that it is repaired before it is opened."""
    try:
        return await look()
    except HistoryDamagedError:
        return await look()

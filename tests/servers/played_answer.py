"""Owns how the steps of an answer are played that are the same on every wire: waiting, cutting, pieces of bytes.

Knows only its handler's pipe and no API.
"""

from __future__ import annotations

import threading
from typing import Any, NoReturn, Protocol

from tests.servers.messages_script import Answer, CapturedRequest, Drop, Pause, Stall, Step, Text, Wait


class ClientGoneError(Exception):
    """The client or the server went away before the answer's end."""


class AnswerCutError(Exception):
    """The script said that the answer ends here."""


class Pipe(Protocol):
    """What an answer needs of its connection."""

    captured: CapturedRequest

    def begin_stream(self) -> None: ...

    def chunk(self, data: bytes) -> None:
        """Sends one piece of the body; no data ends it."""
        ...

    def json(self, status: int, body: Any) -> None: ...

    def hold(self, gate: threading.Event | None, seconds: float | None = None) -> None: ...

    def cut(self, *, reset: bool) -> None: ...


class PlayedAnswer:
    """One answer; a subclass takes the steps that its wire has words for and hands the others on to `take`."""

    def __init__(self, pipe: Pipe, answer: Answer) -> None:
        self.pipe, self.answer = pipe, answer

    def take_all(self) -> None:
        for step in self.answer.steps:
            self.take(Text(step) if isinstance(step, str) else step)

    def take(self, step: Step) -> None:
        match step:
            case Wait(gate):
                self.pipe.hold(gate)
            case Pause(seconds):
                self.pipe.hold(None, seconds)
            case Stall():
                self.pipe.hold(None)
            case Drop(reset):
                self.pipe.cut(reset=reset)
                raise AnswerCutError
            case _:
                pass  # an answer that is not streamed has no pings, raw bytes or events

    def send(self, data: bytes) -> None:
        """A piece of a stream, in as many parts as the script asks for."""
        size = self.answer.drip or len(data)
        for start in range(0, len(data), size):
            self.pipe.chunk(data[start : start + size])

    def break_off(self) -> NoReturn:
        """Ends a stream before its end, as after an error in it."""
        self.pipe.chunk(b"")
        raise AnswerCutError

"""Owns how the loopback Messages API plays an answer, whole or as server-sent events. Knows only its handler's pipe."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from tests.servers.messages_script import (
    Answer,
    Block,
    CapturedRequest,
    Drop,
    Emit,
    ErrorEvent,
    Pause,
    Ping,
    Raw,
    Stall,
    Step,
    Text,
    Think,
    ToolUse,
    Wait,
    deltas,
    opening,
    whole,
)
from tests.servers.tokens import CountText


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


class WholeAnswer:
    """An answer as one JSON message; also the bookkeeping that streaming shares."""

    def __init__(
        self, pipe: Pipe, answer: Answer, message_id: str, prompt_usage: Mapping[str, Any], count_text: CountText
    ) -> None:
        self.pipe, self.answer, self.count_text = pipe, answer, count_text
        self.prompt_usage = prompt_usage
        self.message: dict[str, Any] = {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": answer.model or pipe.captured.body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
        }
        self.output = 0
        self.thinking = 0

    def play(self) -> None:
        """Answers the request."""
        for step in self.answer.steps:
            self.take(Text(step) if isinstance(step, str) else step)
        self.end()

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
            case Text() | Think() | ToolUse() | Block():
                self.count(step)
                self.join(whole(step))
            case _:
                pass  # pings, raw bytes and events exist only in a stream

    def join(self, block: dict[str, Any]) -> None:
        content = self.message["content"]
        if content and block["type"] == "text" == content[-1]["type"]:
            content[-1]["text"] += block["text"]
        else:
            content.append(block)

    def count(self, step: Text | Think | ToolUse | Block) -> None:
        tokens = self.count_text(step.text if isinstance(step, Text | Think) else json.dumps(whole(step)))
        self.output += tokens
        if isinstance(step, Think):
            self.thinking += tokens

    def usage(self, output: int) -> dict[str, Any]:
        """Usage as far as it is known, with what the test wants instead."""
        usage: dict[str, Any] = {**self.prompt_usage, "output_tokens": output}
        if self.thinking:
            usage["output_tokens_details"] = {"thinking_tokens": self.thinking}
        return usage | dict(self.answer.usage)

    def ending(self) -> dict[str, Any]:
        return {"stop_reason": self.answer.stop_reason, "stop_sequence": self.answer.stop_sequence}

    def end(self) -> None:
        self.pipe.json(200, self.message | self.ending() | {"usage": self.usage(self.output)})


class StreamedAnswer(WholeAnswer):
    """An answer as server-sent events."""

    open: Text | Think | None = None
    index = -1

    def play(self) -> None:
        self.pipe.begin_stream()
        first_usage = self.usage(0) | {"output_tokens": 1}
        self.emit("message_start", {"message": self.message | {"usage": first_usage}})
        self.emit("ping", {})
        super().play()

    def take(self, step: Step) -> None:
        match step:
            case Text() | Think():
                self.count(step)
                if type(self.open) is not type(step):
                    self.close_block()
                    self.open_block(step)
                self.open = step
                self.deltas(step)
            case ToolUse() | Block():
                self.count(step)
                self.close_block()
                self.open_block(step)
                self.deltas(step)
                self.emit("content_block_stop", {"index": self.index})
            case Ping():
                self.emit("ping", {})
            case Emit(event, data):
                self.emit(event, data)
            case Raw(data):
                self.send(data)
            case ErrorEvent(kind, message):
                self.emit("error", {"error": {"type": kind, "message": message}, "request_id": "req_loopback"})
                self.pipe.chunk(b"")
                raise AnswerCutError
            case _:
                super().take(step)

    def open_block(self, step: Text | Think | ToolUse | Block) -> None:
        self.index += 1
        self.emit("content_block_start", {"index": self.index, "content_block": opening(step)})

    def close_block(self) -> None:
        if isinstance(self.open, Think):
            self.delta({"type": "signature_delta", "signature": self.open.signature})
        if self.open is not None:
            self.emit("content_block_stop", {"index": self.index})
        self.open = None

    def deltas(self, step: Text | Think | ToolUse | Block) -> None:
        for delta in deltas(step):
            self.delta(delta)

    def delta(self, delta: Mapping[str, Any]) -> None:
        self.emit("content_block_delta", {"index": self.index, "delta": delta})

    def end(self) -> None:
        self.close_block()
        self.emit("message_delta", {"delta": self.ending(), "usage": self.usage(self.output)})
        self.emit("message_stop", {})
        self.pipe.chunk(b"")

    def emit(self, event: str, data: Mapping[str, Any]) -> None:
        self.send(f"event: {event}\ndata: {json.dumps({'type': event, **data}, ensure_ascii=False)}\n\n".encode())

    def send(self, data: bytes) -> None:
        size = self.answer.drip or len(data)
        for start in range(0, len(data), size):
            self.pipe.chunk(data[start : start + size])

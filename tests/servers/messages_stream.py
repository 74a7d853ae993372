"""Owns how the loopback Messages API plays an answer, whole or as server-sent events. Knows only its handler's pipe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.servers.messages_script import (
    Answer,
    Block,
    Emit,
    ErrorEvent,
    Ping,
    Raw,
    Step,
    Text,
    Think,
    ToolUse,
    deltas,
    opening,
    whole,
)
from tests.servers.played_answer import Pipe, PlayedAnswer
from tests.servers.tokens import CountText


class WholeAnswer(PlayedAnswer):
    """An answer as one JSON message; also the bookkeeping that streaming shares."""

    def __init__(
        self, pipe: Pipe, answer: Answer, message_id: str, prompt_usage: Mapping[str, Any], count_text: CountText
    ) -> None:
        super().__init__(pipe, answer)
        self.prompt_usage, self.count_text = prompt_usage, count_text
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
        self.take_all()
        self.end()

    def take(self, step: Step) -> None:
        match step:
            case Text() | Think() | ToolUse() | Block():
                self.count(step)
                self.join(whole(step))
            case _:
                super().take(step)

    def join(self, block: dict[str, Any]) -> None:
        if (content := self.message["content"]) and block["type"] == "text" == content[-1]["type"]:
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
                self.break_off()
            case _:
                super().take(step)

    def open_block(self, step: Text | Think | ToolUse | Block) -> None:
        self.index += 1
        self.emit("content_block_start", {"index": self.index, "content_block": opening(step)})

    def close_block(self) -> None:
        if isinstance(self.open, Think):
            self.delta({"type": "signature_delta", "signature": self.open.signature or ""})
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

"""Owns the behaviours that a loopback Messages API can be told to show, and the captured requests. Knows no sockets.

What each does is told in `messages_api`, which is where tests import them from.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Thinking; without a `signature` the server makes one of its own."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class ToolUse:
    name: str
    input: Mapping[str, Any]
    id: str = "toolu_01"


@dataclass(frozen=True, slots=True)
class Block:
    """A content block of any kind: `raw` opens it, `deltas` follow as they are."""

    raw: Mapping[str, Any]
    deltas: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Wait:
    gate: threading.Event


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Emit:
    event: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Raw:
    data: bytes


@dataclass(frozen=True, slots=True)
class Ping:
    pass


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    type: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True, slots=True)
class Drop:
    """Cuts the connection in the middle of the stream; with `reset` as a TCP reset."""

    reset: bool = False


@dataclass(frozen=True, slots=True)
class Stall:
    pass


Step: TypeAlias = str | Text | Think | ToolUse | Block | Wait | Pause | Emit | Raw | Ping | ErrorEvent | Drop | Stall


@dataclass(frozen=True, slots=True, init=False)
class Answer:
    """One answered call; see the module's docstring. Without steps it is an answer without content."""

    steps: tuple[Step, ...]
    stop_reason: str
    stop_sequence: str | None
    usage: Mapping[str, Any]
    model: str | None
    drip: int

    def __init__(
        self,
        *steps: Step,
        stop_reason: str = "end_turn",
        stop_sequence: str | None = None,
        usage: Mapping[str, Any] | None = None,
        model: str | None = None,
        drip: int = 0,
    ) -> None:
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "stop_reason", stop_reason)
        object.__setattr__(self, "stop_sequence", stop_sequence)
        object.__setattr__(self, "usage", usage or {})
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "drip", drip)


@dataclass(frozen=True, slots=True)
class HttpError:
    """An error response. `body` replaces the whole JSON body (bytes: whatever a gateway may answer)."""

    status: int
    type: str | None = None
    message: str = "The loopback server was told to answer so."
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class NoReply:
    pass


@dataclass(frozen=True, slots=True)
class HangUp:
    pass


@dataclass(frozen=True, slots=True)
class HeadOnly:
    pass


Misbehaviour: TypeAlias = HttpError | NoReply | HangUp | HeadOnly
Behaviour: TypeAlias = Answer | Misbehaviour


def too_long(tokens: int = 213_462, maximum: int = 200_000) -> HttpError:
    """The 400 of a request that does not fit into the model's window."""
    return HttpError(400, message=f"prompt is too long: {tokens} tokens > {maximum} maximum")


def rate_limited(seconds: float | None = None) -> HttpError:
    """A 429, with `retry-after` where `seconds` is given."""
    headers = {} if seconds is None else {"retry-after": f"{seconds:g}"}
    return HttpError(429, message="This request would exceed your rate limit.", headers=headers)


@dataclass(slots=True)
class CapturedRequest:
    """One request as it arrived, and how its answer ended."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    raw: bytes
    body: Any
    status: int = 0
    disconnected: bool = False
    client_port: int = 0
    ended: threading.Event = field(default_factory=threading.Event)


def echo(request: CapturedRequest) -> Answer:
    """Answers with the roles and texts that were sent, one paragraph each, so that a test can see the history."""
    lines = []
    for message in request.body["messages"]:
        content = message["content"]
        parts = [content] if isinstance(content, str) else [block.get("text", block["type"]) for block in content]
        lines.append(f"{message['role']}: {' | '.join(parts)}")
    return Answer("\n\n".join(lines))


def opening(step: Text | Think | ToolUse | Block) -> dict[str, Any]:
    """The block of `content_block_start`."""
    match step:
        case Text():
            return {"type": "text", "text": ""}
        case Think():
            return {"type": "thinking", "thinking": "", "signature": ""}
        case ToolUse():
            return {"type": "tool_use", "id": step.id, "name": step.name, "input": {}}
        case Block():
            return dict(step.raw)


def deltas(step: Text | Think | ToolUse | Block) -> tuple[Mapping[str, Any], ...]:
    """What follows the opening of a block; the signature of thinking comes when its block is closed."""
    match step:
        case Text():
            return ({"type": "text_delta", "text": step.text},)
        case Think():
            return ({"type": "thinking_delta", "thinking": step.text},)
        case ToolUse():
            whole = json.dumps(step.input)
            half = len(whole) // 2
            return tuple(
                {"type": "input_json_delta", "partial_json": part} for part in ("", whole[:half], whole[half:])
            )
        case Block():
            return step.deltas


def whole(step: Text | Think | ToolUse | Block) -> dict[str, Any]:
    """The finished block, as in an answer that is not streamed."""
    match step:
        case Text():
            return {"type": "text", "text": step.text}
        case Think():
            return {"type": "thinking", "thinking": step.text, "signature": step.signature or ""}
        case ToolUse():
            return opening(step) | {"input": dict(step.input)}
        case Block():
            return dict(step.raw)

"""A backend for tests and pictures: it plays a file of events, or echoes what it was sent.

The file has one JSON object a line: `{"text": ...}`, `{"thinking": ...}`, `{"tool": {"id", "name", "input"}}`,
`{"block": {...}}`, `{"usage": {"input", "cache_read", "cache_write", "output", "thinking", "cost_usd"}}`,
`{"notice": ...}` (with `"code"`, `"detail"`), `{"error": {"code", "message", "detail", "actions"}}`, `{"reset": true}`,
`{"delay_ms": n}`, `{"end": "end_turn"}`. `end` and `error` end a turn; each `stream` plays the next turn, and after the
last one the first again. Empty lines and lines that begin with `#` are left out.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_args

from desktop_app.backends.backend_protocol import Availability, CostKind
from desktop_app.core.backend_descriptors import SCRIPTED
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure, FailureCode, JsonObject, Part, TextPart, ToolCallPart, UnknownPart, Usage
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.stream_events import (
    Ended,
    Failed,
    Notice,
    PartFinished,
    Reset,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)

MODEL = "scripted"

BYTES_PER_TOKEN = 4
"""The echo's count of tokens: bytes of UTF-8 by this, rounded up."""


@dataclass(frozen=True, slots=True)
class Delay:
    seconds: float


Step: TypeAlias = StreamEvent | Delay


class ScriptedBackend:
    """A backend that plays `script`; None: echoes. The file is read again for each answer."""

    name = SCRIPTED.name
    title = SCRIPTED.title
    cost_kind: CostKind = "free"
    overhead = Overhead()
    default_model = MODEL

    def __init__(self, *, script: Path | None) -> None:
        self._script = script
        self._turn = 0

    async def availability(self) -> Availability:
        """Always, for this backend needs nothing."""
        return Availability(True, "Echoes what it is sent." if self._script is None else f"Plays {self._script.name}.")

    async def models(self) -> Sequence[ModelInfo]:
        return (self.model(MODEL),)

    def model(self, model_id: str) -> ModelInfo:
        return find_model(self.name, model_id)

    def request(self, plan: ContextPlan) -> JsonObject:
        """System prompt and messages as blocks of text; what the echo is made of."""
        messages: list[JsonObject] = [
            {"role": message.role, "content": [_shown(part) for part in message.blocks]}
            for message in plan.request.messages
        ]
        return {"model": plan.model.id, "system": plan.request.system, "messages": messages}

    async def stream(self, plan: ContextPlan) -> AsyncGenerator[StreamEvent, None]:
        """The next turn of the script, or the echo. A line that can not be played is a `config` failure."""
        try:
            steps = self._next_turn() if self._script is not None else _echo(self.request(plan), plan.model.id)
        except UserError as error:
            yield Failed(error.failure)
            return
        for step in steps:
            if isinstance(step, Delay):
                await asyncio.sleep(step.seconds)
            else:
                yield step

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        return _tokens(json.dumps(self.request(plan), ensure_ascii=False))

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        """Nothing is to be made ready."""

    async def close(self) -> None:
        """Nothing is held."""

    def _next_turn(self) -> Sequence[Step]:
        assert self._script is not None
        try:
            turns = read_script(self._script.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError("config", f"The script {self._script} can not be read.", detail=str(error)) from error
        turn = turns[self._turn % len(turns)]
        self._turn += 1
        return turn


def read_script(text: str) -> tuple[tuple[Step, ...], ...]:
    """The turns of a script, each ending with `Ended` or `Failed`. `UserError("config")` names the first bad line."""
    turns: list[tuple[Step, ...]] = []
    turn: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            step = _step(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            message = f"Line {number} of the script can not be played: {error}"
            raise UserError("config", message) from error
        turn.append(step)
        if isinstance(step, Ended | Failed):
            turns.append(tuple(turn))
            turn.clear()
    if turn or not turns:
        turns.append((*turn, Ended("end_turn")))
    return tuple(turns)


def _step(line: Any) -> Step:  # noqa: PLR0911 - one return for each kind of line
    match line:
        case {"text": str(text)}:
            return TextDelta(text)
        case {"thinking": str(text)}:
            return ThinkingDelta(text)
        case {"tool": {"name": str(name), "input": dict(values), **tool}}:
            return PartFinished(ToolCallPart(str(tool.get("id", "tool_1")), name, values))
        case {"block": dict(raw)}:
            return PartFinished(UnknownPart(raw))
        case {"usage": dict(usage)} if all(isinstance(count, int | float) for count in usage.values()):
            return UsageReported(Usage(**usage), str(line.get("model", MODEL)))
        case {"notice": str(message)}:
            return Notice(str(line.get("code", "notice")), message, str(line.get("detail", "")))
        case {"error": dict(error)}:
            return Failed(_failure(error))
        case {"reset": True}:
            return Reset()
        case {"delay_ms": int() | float() as milliseconds}:
            return Delay(milliseconds / 1000)
        case {"end": str(stop_reason)}:
            return Ended(stop_reason)
    raise ValueError("it is none of text, thinking, tool, block, usage, notice, error, reset, delay_ms, end")


def _failure(error: Mapping[str, Any]) -> Failure:
    code: FailureCode = error["code"]
    if code not in get_args(FailureCode):
        raise ValueError(f"there is no error code {code!r}")
    wait = error.get("retry_after_s")
    return Failure(code, str(error["message"]), str(error.get("detail", "")), tuple(error.get("actions", ())), wait)


def _echo(request: JsonObject, model: str) -> Sequence[Step]:
    """Tells what was sent, message by message, so that a reader or a test can see the history."""
    system, messages = request["system"], request["messages"]
    assert isinstance(messages, list)
    count = len(messages)
    paragraphs = [f"I was sent {count} message{'' if count == 1 else 's'}."]
    if system:
        paragraphs.append(f"system: {system}")
    for number, message in enumerate(messages, 1):
        paragraphs.append(f"{number}. {message['role']}: " + " | ".join(message["content"]))
    text = "\n\n".join(paragraphs)
    usage = Usage(input=_tokens(json.dumps(request, ensure_ascii=False)), output=_tokens(text), cost_usd=0.0)
    # words as deltas, so that it streams
    words = [word + " " for word in text.split(" ")]
    words[-1] = words[-1][:-1]
    return (*map(TextDelta, words), UsageReported(usage, model), Ended("end_turn"))


def _shown(part: Part) -> str:
    return part.text if isinstance(part, TextPart) else f"[{type(part).__name__.removesuffix('Part').lower()}]"


def _tokens(text: str) -> int:
    return -(-len(text.encode()) // BYTES_PER_TOKEN)

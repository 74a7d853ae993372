"""Owns the translation between plans and answers and the JSON of llama.cpp's server. Knows no process, no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desktop_app.core.context.plan import ContextPlan, PlannedMessage
from desktop_app.core.messages import DocumentPart, Failure, Part, TextPart, ToolResultPart, Usage
from desktop_app.core.stream import Ended, StreamEvent, TextDelta, ThinkingDelta, UsageReported

STOP_REASONS: Final[Mapping[str, str]] = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}

_BLANK: Final = "(blank)"

_SAMPLING: Final[Mapping[str, Mapping[str, float]]] = {"smollm2-135m": {"temperature": 0.5, "repeat_penalty": 1.1}}
"""Tried out: so small a model rambles at llama.cpp's own 0.8, and repeats itself below. Other files: the defaults."""


def request_body(plan: ContextPlan) -> dict[str, Any]:
    """The body of `POST /v1/chat/completions` for a plan, as it is sent: every role, every text."""
    return {
        "model": plan.model.id,
        "messages": messages_of(plan),
        "max_tokens": plan.limits.max_output,
        "stream": True,
        "stream_options": {"include_usage": True},
        **_SAMPLING.get(plan.model.id, {}),
    }


def messages_of(plan: ContextPlan) -> list[dict[str, str]]:
    """System prompt and messages with their roles; parts that a model of text can not read are left out."""
    system = [{"role": "system", "content": plan.system}] if plan.system.strip() else []
    return [*system, *({"role": one.role, "content": _content(one)} for one in plan.request_messages)]


def _content(message: PlannedMessage) -> str:
    texts = [text for part in message.blocks if (text := _text(part)).strip()]
    return "\n\n".join(texts) or _BLANK


def _text(part: Part) -> str:
    match part:
        case TextPart(text) | ToolResultPart(text=text):
            return text
        case DocumentPart(name, text):
            return f"{name}:\n\n{text}"
        case _:
            return ""


class AnswerReader:
    """Reads the chunks of one streamed answer."""

    def __init__(self, model_id: str) -> None:
        self._model_id = model_id
        self._stop_reason: str | None = None
        self.has_content = False
        self.over = False
        self.error: Mapping[str, Any] | None = None

    def read(self, chunk: Mapping[str, Any]) -> list[StreamEvent]:
        """What a chunk means. The answer is over with the chunk that holds the usage, which is the last one."""
        if error := chunk.get("error"):
            self.error = error
            return []
        events: list[StreamEvent] = []
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            if thinking := delta.get("reasoning_content"):
                events.append(ThinkingDelta(thinking))
            if text := delta.get("content"):
                events.append(TextDelta(text))
            if reason := choice.get("finish_reason"):
                self._stop_reason = STOP_REASONS.get(reason, reason)
        self.has_content |= bool(events)
        if usage := chunk.get("usage"):
            events.append(UsageReported(_usage(usage), self._model_id))
        if usage and self._stop_reason is not None:
            self.over = True
            events.append(Ended(self._stop_reason))
        return events


def _usage(usage: Mapping[str, Any]) -> Usage:
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return Usage(
        input=usage.get("prompt_tokens", 0) - cached,
        cache_read=cached,
        output=usage.get("completion_tokens", 0),
        cost_usd=0.0,
    )


def failure_of(status: int, error: Mapping[str, Any]) -> Failure:
    """What an error of the server means to the user."""
    detail = f"HTTP {status} {error.get('type', '')}: {error.get('message', '')}"
    if error.get("type") == "exceed_context_size_error":
        tokens, context = error.get("n_prompt_tokens", 0), error.get("n_ctx", 0)
        message = (
            f"This conversation is too long for the local model: {tokens:,} tokens, and it takes {context:,}. "
            "Start a new thread or choose another model."
        )
        return Failure("context_limit", message, detail, ("new_thread", "switch_model"))
    message = "The local model could not answer this. Try again, or choose another model."
    return Failure("backend", message, detail, ("retry", "switch_model"))

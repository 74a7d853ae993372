"""Turns the chunks of a streamed chat completion into events."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from desktop_app.core.context.costs import usage_cost
from desktop_app.core.messages import Json, Part, TextPart, ToolCallPart, UnknownPart, Usage
from desktop_app.core.model_catalog import ModelInfo, find_model, is_another
from desktop_app.core.stream_events import (
    Ended,
    PartFinished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    UsageReported,
    cost_of,
    count_in,
)

STOP_REASONS: Final[Mapping[str, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
}
"""Ours for the words of the wire; a word that is not here is passed on."""

REASONING_DETAILS: Final = "reasoning_details"
"""The key under which the first call of an answer keeps the thinking that has to go back with it."""

GROWING: Final = ("text", "summary", "data")
"""Fields of such thinking that come in pieces."""

FAILED: Final[Mapping[str, str]] = {
    "error": "the provider ended the answer with an error",
    "insufficient_system_resource": "the provider had no room to finish the answer",
}
"""Words that name a failure in the place of a reason to stop."""


@dataclass(slots=True)
class _OpenCall:
    """A tool call that is being streamed; its arguments are joined once, at the end."""

    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def finished(self) -> Part:
        whole = "".join(self.arguments)
        try:
            values = json.loads(whole) if whole.strip() else {}
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict) or not self.name:
            # the output limit cut the call: kept, not runnable
            return UnknownPart({"type": "tool_use", "id": self.id, "name": self.name, "partial_json": whole})
        return ToolCallPart(self.id, self.name, values, self.extra)


def _known(model_id: str) -> ModelInfo:
    return find_model("openai", model_id)


class ChatAnswerReader:
    """Reads the chunks of one streamed answer, or the one object of an answer that came whole."""

    def __init__(self, model: ModelInfo, *, free: bool, find: Callable[[str], ModelInfo] = _known) -> None:
        """`find` gives the prices of another model, should one answer.

        `free`: the answer costs nothing, and its model keeps the name it was asked for by (often a file's path).
        """
        self._find = find
        self._model = model
        self._free = free
        self._served = model.id
        self._calls: list[tuple[Any, _OpenCall]] = []
        self._refused = False
        self._called = False
        self._text: list[str] = []
        self._citations: list[Json] = []
        self._details: list[dict[str, Any]] = []
        self._reason: str | None = None
        self._counted = False
        self.read_any = False
        """True once a chunk was read: whoever sent it speaks this wire."""
        self.has_content = False
        """True once there is something to keep, or to pay for."""
        self.error: Any = None
        """The error of a chunk, in whatever form it came; the stream is over then."""

    @property
    def over(self) -> bool:
        """True once nothing is missing: why it stopped and, no earlier than that, what it used."""
        return self._reason is not None and self._counted

    @property
    def stop_reason(self) -> str | None:
        """Why the answer ended, in our words, once that was said; the answer is whole from then on."""
        if self._reason == "end_turn" and self._refused:
            return "refusal"
        return "tool_use" if self._reason == "end_turn" and self._called else self._reason

    def read(self, chunk: Mapping[str, Any]) -> list[StreamEvent]:
        """Return the meaning of a chunk, in order; nothing for parts that are unknown."""
        self.read_any |= "choices" in chunk
        if error := chunk.get("error"):
            self.error = error
            return []
        if isinstance(served := chunk.get("model"), str) and served not in ("", self._served):
            self._note_served(served)
        events = [event for choice in chunk.get("choices") or () for event in self._choice(choice)]
        self.has_content |= bool(events) or bool(self._calls)
        if self._reason is not None:
            events += self._cited_text() + self._finished_calls()
        usage = chunk.get("usage")
        if isinstance(usage, Mapping) and isinstance(usage.get("prompt_tokens"), int):
            self._counted = self._reason is not None
            events.append(UsageReported(usage_of(usage, self._model, free=self._free), self._served))
        return events

    def end(self) -> list[StreamEvent]:
        """Return what remains to be said once the server said that the stream is at its end."""
        if self._reason is None:
            self._reason = "end_turn"
        return [*self._cited_text(), *self._finished_calls(), Ended(self.stop_reason or "end_turn")]

    def _note_served(self, served: str) -> None:
        another = is_another(self._model.id, served)
        if another:
            self._model = self._find(served)  # whoever answers is paid
        if another or not self._free:
            self._served = served

    def _choice(self, choice: Mapping[str, Any]) -> list[StreamEvent]:
        if error := choice.get("error"):
            self.error = error
            return []
        delta = choice.get("delta") or choice.get("message") or {}
        events: list[StreamEvent] = []
        # some servers send the thinking under both names
        if thinking := _string(delta.get("reasoning_content")) or _string(delta.get("reasoning")):
            events.append(ThinkingDelta(thinking))
        for detail in delta.get("reasoning_details") or ():
            if isinstance(detail, Mapping):
                self._grow_detail(detail)
        if text := _string(delta.get("content")):
            self._text.append(text)
            events.append(TextDelta(text))
        for note in delta.get("annotations") or ():
            if isinstance(note, Mapping) and isinstance(cited := note.get("url_citation"), Mapping):
                self._citations.append({"type": "url_citation", **cited})
        if refusal := _string(delta.get("refusal")):
            self._refused = True
            events.append(TextDelta(refusal))
        for call in delta.get("tool_calls") or ():
            self._grow(call)
        if reason := choice.get("finish_reason"):
            if reason in FAILED:
                self.error = {"message": FAILED[reason], "code": 503}
            else:
                self._reason = STOP_REASONS.get(reason, str(reason))
        return events

    def _grow(self, call: Mapping[str, Any]) -> None:
        """Adds to the open call of the same place. Servers that give no place give whole calls, each with its id."""
        index, call_id = call.get("index"), _string(call.get("id"))
        function = call.get("function") or {}
        name = _string(function.get("name"))
        found = next((one for place, one in reversed(self._calls) if place == index), None)
        if found is None or (name and (index is None or (found.name and call_id not in ("", found.id)))):
            found = _OpenCall(call_id or f"call_{secrets.token_hex(8)}")
            self._calls.append((index, found))
            self._called = True
        found.name = found.name or name
        arguments = function.get("arguments")
        if arguments:
            found.arguments.append(arguments if isinstance(arguments, str) else json.dumps(arguments))
        found.extra |= {key: value for key, value in call.items() if key not in ("index", "id", "type", "function")}

    def _cited_text(self) -> list[StreamEvent]:
        """The whole text once more, with the sources that the server found for it on the web."""
        cited, self._citations = self._citations, []
        return [PartFinished(TextPart("".join(self._text), {"citations": cited}))] if cited and self._text else []

    def _grow_detail(self, detail: Mapping[str, Any]) -> None:
        """Adds to the thinking in the form in which OpenRouter wants it back: signed or sealed, in pieces."""
        last = self._details[-1] if self._details else {}
        if not last or any(last.get(key) != detail.get(key) for key in ("type", "index")):
            self._details.append(dict(detail))
            return
        for key, value in detail.items():
            if key in GROWING and isinstance(last.get(key), str) and isinstance(value, str):
                last[key] += value
            elif value is not None:
                last[key] = value

    def _finished_calls(self) -> list[StreamEvent]:
        calls, self._calls = self._calls, []
        if calls and self._details:
            calls[0][1].extra[REASONING_DETAILS], self._details = self._details, []
        return [PartFinished(call.finished()) for _, call in calls]


def usage_of(usage: Mapping[str, Any], model: ModelInfo, *, free: bool) -> Usage:
    """The usage of a chunk in our words: what was read from or written to the cache is not counted as input again.

    The cost is the one that the server names, else at the prices of `model`.
    """
    prompt = count_in(usage, "prompt_tokens")
    details = usage.get("prompt_tokens_details")
    read = min(prompt, count_in(details, "cached_tokens") or count_in(usage, "prompt_cache_hit_tokens"))
    written = min(prompt - read, count_in(details, "cache_write_tokens"))
    counted = Usage(
        input=prompt - read - written,
        cache_read=read,
        cache_write=written,
        output=count_in(usage, "completion_tokens"),
        thinking=count_in(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
    if free:
        return replace(counted, cost_usd=0.0)
    said = cost_of(usage.get("cost"))
    return replace(counted, cost_usd=usage_cost(model, counted) if said is None else said)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""

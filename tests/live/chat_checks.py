"""What the loopback server of chat completions takes for granted, asked of OpenAI's own. Knows nothing of the app's."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from desktop_app.backends.openai.chat_wire import usage_of
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.messages import Usage
from desktop_app.core.model_catalog import ModelInfo, find_model, is_another
from tests.live.findings import CannotTellError, NotReadyError, assumption, hold
from tests.live.messages_checks import OVERFLOWING, SENTENCE
from tests.live.wire import Budget, Reply, Wire

PATH: Final = "chat/completions"
LOOK: Final = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Looks a word up in the dictionary.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}
CACHED_FROM: Final = 1_024
"""Tokens from which on OpenAI caches prompts by itself."""


def user(words: str) -> dict[str, Any]:
    return {"role": "user", "content": words}


def paid(usage: Mapping[str, Any], model: ModelInfo) -> Usage:
    return usage_of(usage, model, free=False)


class ChatChecks:
    """One run against one address; every answer is streamed, as the app takes it."""

    title = "OpenAI's chat completions"

    def __init__(self, base_url: str, key: str, model_id: str, budget: Budget) -> None:
        address = base_url.rstrip("/") + "/"
        self._wire = Wire(address, {"authorization": f"Bearer {key}"}, budget, paid)
        self._model = find_model("openai", model_id)
        self._run = uuid.uuid4().hex

    def close(self) -> None:
        self._wire.close()

    def ready(self) -> None:
        """Raises `NotReadyError` where no check could be made."""
        if self._listed.status in (401, 403):
            raise NotReadyError("OpenAI does not accept the key in OPENAI_API_KEY.")

    def _body(self, *messages: Any, most: int = 300, **more: Any) -> dict[str, Any]:
        still = {"reasoning_effort": "none"} if self._model.thinking == "choice" else {}
        streamed = {"stream": True, "stream_options": {"include_usage": True}}
        body = {"model": self._model.id, "max_completion_tokens": most, "messages": list(messages)}
        return {**body, **still, **streamed, **more}

    def _ask(self, *messages: Any, most: int = 300, **more: Any) -> Reply:
        return self._wire.post(PATH, self._body(*messages, most=most, **more), self._model)

    @cached_property
    def _listed(self) -> Reply:
        return self._wire.get("models")

    @cached_property
    def _plain(self) -> Reply:
        return self._ask(user("Reply with the single word: ok"))

    def _choices(self, reply: Reply) -> list[dict[str, Any]]:
        return [choice for event in reply.served().events for choice in event.get("choices") or ()]

    def _reason(self, reply: Reply) -> Any:
        return next((one["finish_reason"] for one in self._choices(reply) if one.get("finish_reason")), None)

    def _used(self, reply: Reply) -> dict[str, Any]:
        return next((event["usage"] for event in reply.served().events if event.get("usage")), {})

    @assumption
    def _models(self) -> str:
        """The list of models has an id for each."""
        entries = self._listed.served().body.get("data") or []
        hold(entries and all(entry.get("id") for entry in entries), f"it is {entries[:1]}")
        return f"{len(entries)} models"

    @assumption
    def _end(self) -> None:
        """An answer that is whole ends with stop."""
        reason = self._reason(self._plain)
        hold(reason == "stop", f"it ended with {reason!r}")

    @assumption
    def _usage(self) -> None:
        """The last chunk has the usage and no choices, where it was asked for."""
        last = self._plain.served().events[-1]
        hold(last.get("usage") and last.get("choices") == [], f"the last chunk is {last}")
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        hold(all(isinstance(last["usage"].get(name), int) for name in names), f"usage is {last['usage']}")

    @assumption
    def _served_model(self) -> str:
        """Each chunk names the model that answers: the one that was asked for, with or without a date."""
        named = {str(event.get("model")) for event in self._plain.served().events if event.get("choices")}
        hold(len(named) == 1, f"named are {sorted(named)}")
        hold(not is_another(self._model.id, next(iter(named))), f"{named} answered for {self._model.id}")
        return next(iter(named))

    @assumption
    def _cut(self) -> None:
        """An answer that is cut by max_completion_tokens ends with length."""
        reason = self._reason(self._ask(user("Count from 1 to 100."), most=16))
        hold(reason == "length", f"it ended with {reason!r}")

    @assumption
    def _called(self) -> None:
        """A call comes in pieces: id and name first, then its arguments, and ends with tool_calls."""
        reply = self._ask(user("Call the tool look with the word harbour."), tools=[LOOK])
        pieces = [call for one in self._choices(reply) for call in (one.get("delta") or {}).get("tool_calls") or ()]
        if not pieces:
            raise CannotTellError(f"{self._model.id} called no tool")
        first = pieces[0]
        hold(first.get("id") and first.get("function", {}).get("name") == "look", f"the first piece is {first}")
        whole = "".join(piece.get("function", {}).get("arguments") or "" for piece in pieces)
        try:
            hold(isinstance(json.loads(whole), dict), f"the arguments are {whole}")
        except ValueError:
            hold(False, f"the arguments are {whole}")
        hold(self._reason(reply) == "tool_calls", f"it ended with {self._reason(reply)!r}")

    @assumption
    def _cache(self) -> str:
        """Cached tokens are among prompt_tokens: the same long prompt again is as long, and has some."""
        prompt = f"Run {self._run}. " + SENTENCE * (2 * CACHED_FROM // 20) + "Reply with the single word: ok"
        first, second = self._used(self._ask(user(prompt))), self._used(self._ask(user(prompt)))
        hold(first.get("prompt_tokens") == second.get("prompt_tokens"), f"usage is {first}, then {second}")
        cached = (second.get("prompt_tokens_details") or {}).get("cached_tokens")
        hold(cached is not None and cached <= second["prompt_tokens"], f"usage is {second}")
        if not cached:
            raise CannotTellError("nothing was cached yet: the second request may have met another server")
        return f"{cached} of {second['prompt_tokens']} tokens"

    @assumption
    def _output_field(self) -> str:
        """A model that thinks refuses max_tokens and names max_completion_tokens."""
        if self._model.thinking == "never":
            raise CannotTellError(f"{self._model.id} does not think")
        body = self._body(user("ok"))
        body["max_tokens"] = body.pop("max_completion_tokens")
        return self._wire.post(PATH, body, self._model).refused(400, "'max_tokens'", "'max_completion_tokens'")

    @assumption
    def _lonely(self) -> str:
        """A call without its result is refused."""
        call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"word": "ship"}'}}
        asked = {"role": "assistant", "content": None, "tool_calls": [call]}
        return self._ask(user("Look."), asked, user("And?"), tools=[LOOK]).refused(
            400, "must be followed by tool messages"
        )

    @assumption
    def _fields(self) -> str:
        """An argument that is not known is refused by its name."""
        return self._ask(user("ok"), unheard_of=1).refused(400, "unheard_of")

    @assumption
    def _overflow(self) -> str:
        """A prompt over the window is refused with code context_length_exceeded, in words that name the window."""
        words = int(self._model.window * OVERFLOWING)
        reply = self._wire.post(PATH, self._body(user("a " * words), most=16), self._model, tokens=words)
        message = reply.refused(400)
        hold(
            reply.error.get("code") == "context_length_exceeded", f"its code is {reply.error.get('code')!r}: {message}"
        )
        said = read_overflow(message)
        hold(said.window is not None, f"the app reads no window in: {message}")
        return message

    @assumption
    def _unknown(self) -> None:
        """A model that does not exist is a 404."""
        self._wire.post(PATH, self._body(user("ok")) | {"model": "no-such-model"}, None).refused(404, "no-such-model")

    @assumption
    def _keyless(self) -> None:
        """Without a key the answer is a 401."""
        self._wire.without_key(PATH, self._body(user("ok"))).refused(401)

"""What the loopback Messages API takes for granted, asked of the real one. Knows nothing of the app's own requests."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from desktop_app.backends.anthropic_wire import usage_of
from desktop_app.core.context.overflow_report import read_overflow
from desktop_app.core.model_catalog import ModelInfo, find_model, is_another
from tests.live.findings import CannotTellError, NotReadyError, assumption, hold
from tests.live.wire import Budget, Pause, Reply, Wire

PATH: Final = "/v1/messages"
COUNT: Final = "/v1/messages/count_tokens"
VERSION: Final = {"anthropic-version": "2023-06-01"}
MARK: Final = {"cache_control": {"type": "ephemeral"}}
HOUR: Final = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
LOOK: Final = {
    "name": "look",
    "description": "Looks a word up in the dictionary.",
    "input_schema": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
}
SENTENCE: Final = "The harbour master writes down each ship, its draught, its cargo and the hour at which it came in. "
OVERFLOWING: Final = 1.15
"""What is sent to overflow a window is this many times as long, at one token for each short word."""


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": [text(one) if isinstance(one, str) else one for one in content]}


def assistant(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


class MessagesChecks:
    """One run against one address. Replies that several checks look at are asked for once."""

    title = "Anthropic's Messages API"

    def __init__(self, base_url: str, key: str, model_id: str, budget: Budget, pause: Pause) -> None:
        self._pause = pause
        self._wire = Wire(base_url, {"x-api-key": key, **VERSION}, budget, usage_of)
        self._model = find_model("anthropic", model_id)
        self._run = uuid.uuid4().hex

    def close(self) -> None:
        self._wire.close()

    def ready(self) -> None:
        """Raises `NotReadyError` where no check could be made."""
        if self._listed.status in (401, 403):
            raise NotReadyError("Anthropic does not accept the key in ANTHROPIC_API_KEY.")

    # what is asked

    def _body(self, *messages: Any, max_tokens: int = 300, **more: Any) -> dict[str, Any]:
        still = {"thinking": {"type": "disabled"}} if self._model.thinking == "choice" else {}
        return {"model": self._model.id, "max_tokens": max_tokens, "messages": list(messages), **still, **more}

    def _ask(self, *messages: Any, **more: Any) -> Reply:
        return self._wire.post(PATH, self._body(*messages, **more), self._model)

    def _prefix(self, name: str, bytes_per_token: float = 8) -> str:
        """A text that no request had before, by default longer than what is cached at least."""
        size = int(self._model.min_cache_tokens * bytes_per_token)
        return f"Run {self._run}, {name}. " + (SENTENCE * (size // len(SENTENCE) + 1))[:size]

    @cached_property
    def _listed(self) -> Reply:
        return self._wire.get("/v1/models")

    @cached_property
    def _plain(self) -> Reply:
        return self._ask(user("Reply with the single word: ok"))

    @cached_property
    def _marked(self) -> dict[str, Any]:
        return user(text(self._prefix("marked"), **MARK), "Reply with the single word: ok")

    @cached_property
    def _written(self) -> Reply:
        return self._ask(self._marked).served()

    @cached_property
    def _thinking(self) -> dict[str, Any]:
        return {"thinking": {"type": "adaptive"}, "max_tokens": 4_000}

    @cached_property
    def _puzzle(self) -> dict[str, Any]:
        return user(
            f"({self._run}) Three boxes are labelled apples, oranges and mixed, and every label is wrong. You may take "
            "one fruit from one box. Think it through: from which box, and why? Answer in one sentence."
        )

    @cached_property
    def _thought(self) -> list[dict[str, Any]]:
        """The content of an answer that has thinking in it."""
        content = list(self._ask(self._puzzle, system="Be exact.", **self._thinking).served().body["content"])
        if not any(block["type"] == "thinking" for block in content):
            raise CannotTellError(f"{self._model.id} answered without thinking; try another model")
        return content

    def _go_on(self, content: list[Any], *, system: str = "Be exact.", mark: Mapping[str, Any] | None = None) -> Reply:
        puzzle = self._puzzle
        if mark is not None:
            puzzle = user(text(puzzle["content"][0]["text"], **mark))
        turns = (puzzle, assistant(content), user("Are you sure? Answer yes or no."))
        return self._ask(*turns, system=system, **self._thinking)

    # what is assumed

    @assumption
    def _models(self) -> str:
        """The list of models has id, max_input_tokens and max_tokens."""
        entries = self._listed.served().body.get("data") or []
        hold(entries, "it is empty")
        for field in ("id", "max_input_tokens", "max_tokens"):
            hold(all(entry.get(field) for entry in entries), f"some model has no {field}")
        return f"{len(entries)} models"

    @assumption
    def _usage(self) -> None:
        """usage has input_tokens, cache_read_input_tokens, cache_creation_input_tokens and output_tokens."""
        usage = self._plain.served().usage
        names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
        hold(all(isinstance(usage.get(name), int) for name in names), f"usage is {usage}")

    @assumption
    def _counted(self) -> str:
        """count_tokens says what usage says of the same request, and takes no max_tokens."""
        body = self._body(user("Reply with the single word: ok"))
        del body["max_tokens"]
        counted = self._wire.post(COUNT, body, None).served().body.get("input_tokens")
        used = self._plain.served().usage.get("input_tokens")
        hold(counted == used, f"counted {counted}, used {used}")
        return f"{counted} tokens"

    @assumption
    def _end(self) -> None:
        """An answer that is whole stops with end_turn."""
        reason = self._plain.served().body.get("stop_reason")
        hold(reason == "end_turn", f"it stopped with {reason!r}")

    @assumption
    def _cut(self) -> None:
        """An answer that is cut by max_tokens stops with max_tokens."""
        reason = self._ask(user("Count from 1 to 100."), max_tokens=8).served().body.get("stop_reason")
        hold(reason == "max_tokens", f"it stopped with {reason!r}")

    @assumption
    def _called(self) -> None:
        """A call of a tool stops with tool_use, and has id, name and input."""
        body = self._ask(user("Call the tool look with the word harbour."), tools=[LOOK]).served().body
        calls = [block for block in body["content"] if block["type"] == "tool_use"]
        if not calls:
            raise CannotTellError(f"{self._model.id} called no tool")
        hold(body["stop_reason"] == "tool_use", f"it stopped with {body['stop_reason']!r}")
        hold(all({"id", "name", "input"} <= call.keys() for call in calls), f"the call is {calls[0]}")

    @assumption
    def _streamed(self) -> None:
        """A stream begins with message_start and its usage, and ends with message_delta, its usage, message_stop."""
        reply = self._ask(user("Reply with the single word: ok"), stream=True).served()
        kinds = [event.get("type") for event in reply.events if event.get("type") != "ping"]
        hold(kinds[:1] == ["message_start"] and kinds[-2:] == ["message_delta", "message_stop"], f"events: {kinds}")
        hold("input_tokens" in reply.events[0]["message"]["usage"], "the first event has no input_tokens")
        last = next(event for event in reversed(reply.events) if event.get("type") == "message_delta")
        hold(last.get("usage", {}).get("output_tokens"), "message_delta has no output_tokens")
        hold(last["delta"].get("stop_reason"), "message_delta has no stop_reason")

    @assumption
    def _writes(self) -> str:
        """A mark writes everything up to its block to the cache, for five minutes."""
        usage = self._written.usage
        written, read = usage.get("cache_creation_input_tokens", 0), usage.get("cache_read_input_tokens", 0)
        hold(written >= self._model.min_cache_tokens and not read, f"written {written}, read {read}")
        for_5m = (usage.get("cache_creation") or {}).get("ephemeral_5m_input_tokens")
        hold(for_5m == written, f"{for_5m} of {written} for five minutes")
        return f"{written} tokens"

    @assumption
    def _reads(self) -> None:
        """The same request again reads all that was written, and writes nothing."""
        written = self._written.usage["cache_creation_input_tokens"]
        usage = self._ask(self._marked).served().usage
        now, read = usage.get("cache_creation_input_tokens"), usage.get("cache_read_input_tokens")
        hold((now, read) == (0, written), f"written {now}, read {read} of {written}")

    @assumption
    def _grows(self) -> None:
        """A longer request reads the earlier prefix and writes only what is new up to its last mark."""
        written = self._written.usage["cache_creation_input_tokens"]
        more = user(text("Now reply with the single word: yes", **MARK))
        usage = self._ask(self._marked, assistant([text("ok")]), more).served().usage
        now, read = usage.get("cache_creation_input_tokens", 0), usage.get("cache_read_input_tokens")
        hold(read == written and 0 < now < written, f"written {now}, read {read} of {written}")

    @assumption
    def _tools_first(self) -> None:
        """Another set of tools makes the whole prefix new."""
        self._written.served()
        usage = self._ask(self._marked, tools=[LOOK]).served().usage
        now, read = usage.get("cache_creation_input_tokens", 0), usage.get("cache_read_input_tokens")
        hold(read == 0 and now, f"written {now}, read {read}")

    @assumption
    def _unmarked(self) -> None:
        """Without a mark nothing is written."""
        usage = self._ask(user(self._prefix("unmarked"), "Reply with the single word: ok")).served().usage
        hold(not usage.get("cache_creation_input_tokens"), f"written {usage.get('cache_creation_input_tokens')}")

    @assumption
    def _short(self) -> None:
        """A prefix below the model's least number of tokens is not written."""
        short = text(self._prefix("short", 1), **MARK)
        usage = self._ask(user(short, "Reply with the single word: ok")).served().usage
        hold(not usage.get("cache_creation_input_tokens"), f"written {usage.get('cache_creation_input_tokens')}")

    @assumption
    def _hour(self) -> None:
        """A mark with ttl 1h is counted by itself."""
        usage = self._ask(user(text(self._prefix("hour"), **HOUR), "Reply with the single word: ok")).served().usage
        hours = (usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens")
        hold(hours and hours == usage.get("cache_creation_input_tokens"), f"usage is {usage}")

    @assumption
    def _filled(self) -> str:
        """With max_tokens 0 the cache is filled and kept, and nothing is answered."""
        marked = user(text(self._prefix("filled"), **MARK), "Reply with the single word: ok")
        first, again = (self._ask(marked, max_tokens=0).served() for _ in range(2))
        written = first.usage.get("cache_creation_input_tokens", 0)
        read = again.usage.get("cache_read_input_tokens")
        hold(written >= self._model.min_cache_tokens and read == written, f"written {written}, read {read}")
        hold(not first.body.get("content") and not first.usage.get("output_tokens"), f"it answered {first.usage}")
        return f"{written} tokens"

    @assumption
    def _lives(self) -> str:
        """A cache lives five minutes, and a request that reads it, with max_tokens 0 too, gives it five more."""
        self._pause(0)
        marked = user(text(self._prefix("lives"), **MARK), "Reply with the single word: ok")
        written = self._ask(marked).served().usage.get("cache_creation_input_tokens", 0)
        for most in (0, 300):
            self._pause(4.5)
            read = self._ask(marked, max_tokens=most).served().usage.get("cache_read_input_tokens")
            hold(written and read == written, f"read {read} of {written} after four and a half minutes")
        self._pause(6)
        if self._ask(marked).served().usage.get("cache_read_input_tokens"):
            return "and longer than that: it was read after six minutes"
        return "and no longer than six minutes"

    @assumption
    def _lives_an_hour(self) -> None:
        """A mark with ttl 1h is read after more than five minutes."""
        self._pause(0)
        marked = user(text(self._prefix("lives an hour"), **HOUR), "Reply with the single word: ok")
        written = self._ask(marked).served().usage.get("cache_creation_input_tokens", 0)
        self._pause(10)
        read = self._ask(marked).served().usage.get("cache_read_input_tokens")
        hold(written and read == written, f"read {read} of {written} after ten minutes")

    @assumption
    def _served_model(self) -> str:
        """An answer names the model that gave it: the one that was asked for, with or without a date."""
        named = str(self._plain.served().body.get("model"))
        hold(not is_another(self._model.id, named), f"{self._model.id} was asked, {named} answered")
        return named

    @assumption
    def _diagnosed(self) -> str:
        """diagnostics.previous_message_id is taken, and a changed system prompt is named as the reason of a miss."""
        first = self._written.served().body["id"]
        reply = self._ask(self._marked, system="Be kind.", diagnostics={"previous_message_id": first}).served()
        told = reply.body.get("diagnostics")
        reason = ((told or {}).get("cache_miss_reason") or {}).get("type")
        hold(reason in (None, "system_changed", "previous_message_not_found", "unavailable"), f"it says {reason}")
        return str(reason or "it says nothing")

    @assumption
    def _thinking_returns(self) -> None:
        """Thinking is taken back behind what it came behind; cache marks make no difference."""
        self._go_on(self._thought, mark=MARK).served()

    @assumption
    def _thinking_is_bound(self) -> str:
        """Thinking behind another system prompt is refused as bound to a different conversation."""
        if (reply := self._go_on(self._thought, system="Be brief.")).status == 200:
            raise CannotTellError("it was taken: accounts made before 2026-08-31, and older models, do not refuse it")
        return reply.refused(400, "Invalid `signature` in `thinking` block", "bound to a different conversation")

    @assumption
    def _thinking_may_stay(self) -> None:
        """The same without its thinking is taken."""
        content = [block for block in self._thought if block["type"] != "thinking"]
        self._go_on(content, system="Be brief.").served()

    @assumption
    def _overflow(self) -> str:
        """A request over the window is refused as too long, with its tokens and the most that is taken."""
        model, window = self._smallest
        body = {"model": model.id, "max_tokens": 10, "messages": [user("a " * int(window * OVERFLOWING))]}
        reply = self._wire.post(PATH, body, model, tokens=int(window * OVERFLOWING))
        message = reply.refused(400, "prompt is too long")
        said = read_overflow(message)
        hold(said.window == window and (said.sent or 0) > window, f"the app reads {said} in: {message}")
        return message

    @property
    def _smallest(self) -> tuple[ModelInfo, int]:
        """The listed model with the smallest window, of those whose prices are known."""
        entries = self._listed.served().body.get("data") or []
        sized = [(find_model("anthropic", entry["id"]), int(entry.get("max_input_tokens") or 0)) for entry in entries]
        known = [(model, window) for model, window in sized if window and model.prices is not None]
        if not known:
            raise CannotTellError("no listed model has a window and a known price")
        return min(known, key=lambda one: (one[1], one[0].prices.input if one[0].prices else 0.0))

    @assumption
    def _blank(self) -> str:
        """A text of white space is refused."""
        return self._ask(user("\n\n")).refused(400, "text content blocks must contain non-whitespace text")

    @assumption
    def _fields(self) -> str:
        """A field that is not known is refused by its name."""
        return self._ask(user("ok"), unheard_of=1).refused(400, "unheard_of: Extra inputs are not permitted")

    @assumption
    def _marks(self) -> str:
        """More than four marks are refused."""
        return self._ask(user(*(text("ok", **MARK) for _ in range(5)))).refused(400, "A maximum of 4 blocks")

    @assumption
    def _lonely(self) -> str:
        """A call without its result is refused."""
        call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"word": "ship"}}
        reply = self._ask(user("Look."), assistant([call]), user("And?"), tools=[LOOK])
        return reply.refused(400, "`tool_use` ids were found without `tool_result` blocks immediately after")

    @assumption
    def _prefill(self) -> str:
        """A request does not end with the assistant's words."""
        return self._ask(user("Hello"), assistant([text("Hel")])).refused(400, "assistant message prefill")

    @assumption
    def _unknown(self) -> None:
        """A model that does not exist is a 404 of type not_found_error."""
        reply = self._wire.post(PATH, self._body(user("ok")) | {"model": "no-such-model"}, None)
        reply.refused(404, "no-such-model")
        hold(reply.error.get("type") == "not_found_error", f"its type is {reply.error.get('type')!r}")

    @assumption
    def _keyless(self) -> None:
        """Without a key the answer is a 401 of type authentication_error, with a request id."""
        reply = self._wire.without_key(PATH, self._body(user("ok")))
        reply.refused(401)
        hold(reply.error.get("type") == "authentication_error", f"its type is {reply.error.get('type')!r}")
        hold(reply.headers.get("request-id"), "there is no request-id")

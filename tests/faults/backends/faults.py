"""Owns the list of everything that a provider, or the way to it, can do wrong. Knows no backend and no words of ours.

Each fault is played by a loopback server in the two languages that the backends speak: the Messages API (`anthropic`
and the `claude` program) and chat completions (`openai` and the local model).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tests.servers.messages_script import (
    Answer,
    Behaviour,
    Block,
    CapturedRequest,
    Drop,
    Emit,
    ErrorEvent,
    HangUp,
    HeadOnly,
    HttpError,
    NoReply,
    Pause,
    Raw,
    Stall,
    Step,
    rate_limited,
    too_long,
)

HALF: Final = "Half an answer"
"""What has come when an answer breaks."""
WHOLE: Final = "Grüße, 世界 🌍."
"""Characters of one to four bytes."""
SOON: Final = {"retry-after-ms": "1"}
"""Lets a client that listens to it try again at once."""
LARGE: Final = 300_000
"""Bytes of one delta."""


class Wire(Protocol):
    """What the same fault looks like in one of the two languages."""

    def half_call(self) -> tuple[Step, ...]:
        """Text, then a tool call of which half the arguments came."""
        ...

    def stop_reason(self) -> Step:
        """The provider says why it stopped; what follows is only the end of the stream."""
        ...

    def unknown(self) -> tuple[Step, ...]:
        """Events and blocks that nobody has heard of."""
        ...

    def overflow(self) -> HttpError:
        """The 400 of a request that is longer than the model takes."""
        ...


class MessagesWire:
    """The Messages API."""

    def half_call(self) -> tuple[Step, ...]:
        call = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}
        return (
            HALF,
            Emit("content_block_stop", {"index": 0}),
            Emit("content_block_start", {"index": 1, "content_block": call}),
            Emit("content_block_delta", {"index": 1, "delta": _json('{"query": "Ham')}),
        )

    def stop_reason(self) -> Step:
        ending = {"stop_reason": "end_turn", "stop_sequence": None}
        return Emit("message_delta", {"delta": ending, "usage": {"output_tokens": 3}})

    def unknown(self) -> tuple[Step, ...]:
        return Emit("brand_new", {"x": 1}), Raw(b": a comment\n\n"), Block({"type": "container_upload", "file_id": "f"})

    def overflow(self) -> HttpError:
        return too_long()


class ChatWire:
    """Chat completions."""

    def half_call(self) -> tuple[Step, ...]:
        function = {"name": "search", "arguments": '{"query": "Ham'}
        return HALF, self._chunk({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]})

    def stop_reason(self) -> Step:
        return self._chunk({}, "stop")

    def unknown(self) -> tuple[Step, ...]:
        return Emit("brand_new", {"x": 1}), Raw(b": a comment\n\n"), self._chunk({"hologram": {"depth": 1}})

    def overflow(self) -> HttpError:
        message = (
            "This model's maximum context length is 200000 tokens. However, your messages resulted in 213462 tokens."
        )
        error = {"message": message, "type": "exceed_context_size_error", "code": "context_length_exceeded"}
        # the last two as llama.cpp says it
        body = {"error": error | {"n_prompt_tokens": 213_462, "n_ctx": 200_000}}
        return HttpError(400, body=json.dumps(body).encode())

    def _chunk(self, delta: Mapping[str, Any], reason: str | None = None) -> Step:
        return Emit("", {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})


def _json(piece: str) -> Mapping[str, Any]:
    return {"type": "input_json_delta", "partial_json": piece}


@dataclass(frozen=True, slots=True)
class Fault:
    """`name` stands in the table and in the names of tests. `play`: what the server does, every time it is asked.

    `kept`: the text that came and must be in the history afterwards. `silent`: nothing more will come, so the client's
    longest patience is made short for it. `unstreamed`: the same for a request that wants no stream, with which the
    `claude` program goes on when a stream broke; None: as `play`.
    """

    name: str
    play: Callable[[Wire], Behaviour]
    kept: str = ""
    silent: bool = False
    unstreamed: Behaviour | None = None

    def server(self, wire: Wire) -> Callable[[CapturedRequest], Behaviour]:
        """What makes a loopback server play this."""
        streamed = self.play(wire)

        def behave(request: CapturedRequest) -> Behaviour:
            return streamed if self.unstreamed is None or request.body.get("stream") else self.unstreamed

        return behave


def _same(behaviour: Behaviour) -> Callable[[Wire], Behaviour]:
    return lambda wire: behaviour


def _page(status: int) -> HttpError:
    headers = {"content-type": "text/html; charset=utf-8", **SOON}
    return HttpError(status, headers=headers, body=b"<html><h1>Sign in to this network</h1></html>")


BREAK: Final = Pause(0.05)
"""Lets what came before be read before the rest follows."""
BROKEN: Final = Raw(b"event: content_block_delta\ndata: {\n\n")

FAULTS: Final = (
    Fault("401", _same(HttpError(401))),
    Fault("402", _same(HttpError(402))),
    Fault("403", _same(HttpError(403))),
    Fault("404", _same(HttpError(404))),
    Fault("413", _same(HttpError(413))),
    Fault("400, too long", lambda wire: wire.overflow()),
    Fault("400, another reason", _same(HttpError(400))),
    Fault("429, again soon", _same(rate_limited(0.01))),
    Fault("429, again in an hour", _same(rate_limited(3600))),
    Fault("500", _same(HttpError(500, headers=SOON))),
    Fault("529", _same(HttpError(529, headers=SOON))),
    Fault("error event before any text", _same(Answer(ErrorEvent())), unstreamed=HttpError(529)),
    Fault("error event in the text", _same(Answer(HALF, BREAK, ErrorEvent())), HALF, unstreamed=HttpError(529)),
    Fault("connection lost before the answer", _same(HangUp())),
    Fault("connection lost in the text", _same(Answer(HALF, BREAK, Drop())), HALF),
    Fault("connection reset in the text", _same(Answer(HALF, BREAK, Drop(reset=True))), HALF),
    Fault("connection lost in a tool call", lambda wire: Answer(*wire.half_call(), BREAK, Drop()), HALF),
    Fault(
        "connection lost after the stop reason", lambda wire: Answer(WHOLE, wire.stop_reason(), BREAK, Drop()), WHOLE
    ),
    Fault("silence before the answer", _same(NoReply()), silent=True),
    Fault("silence after the headers", _same(HeadOnly()), silent=True),
    Fault("silence in the text", _same(Answer(HALF, Stall())), HALF, silent=True),
    Fault("an event that is not JSON", _same(Answer(HALF, BREAK, BROKEN)), HALF, unstreamed=_page(200)),
    Fault("every byte by itself", _same(Answer(WHOLE, drip=1)), WHOLE),
    Fault("a delta of 300 KB", _same(Answer("x" * LARGE)), "x" * LARGE),
    Fault("unknown events and blocks", lambda wire: Answer(*wire.unknown(), WHOLE), WHOLE),
    Fault("a piece every 50 ms", _same(Answer("Grüße, ", BREAK, "世界 ", BREAK, "🌍.")), WHOLE),
    Fault("an empty answer", _same(Answer())),
    Fault("a web page, 200", _same(_page(200))),
    Fault("a web page, 502", _same(_page(502))),
    Fault("another type of content", _same(HttpError(200, headers={"content-type": "text/plain"}, body=b"hi"))),
    Fault("a redirect", _same(HttpError(302, headers={"location": "http://127.0.0.1:1/"}))),
)
"""In the order of the table."""

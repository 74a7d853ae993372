"""Owns a loopback server that speaks the wire of chat completions. Knows nothing of the program under test.

It is scripted with the behaviours of `messages_script` and started as `messages_api` is::

    async with ChatApi() as api:
        api.script(HttpError(503), Answer("Hel", "lo"))
        ...                                    # a client with base_url=api.url
        assert api.answers[0].body["messages"][0]["role"] == "user"
        assert api.violations == []

Each `POST /v1/chat/completions` takes the next behaviour; without one it gets `default`, an answer with the text
"Hello from the loopback server.". Of an `Answer` the steps are played as chunks: `Think` as `reasoning_field`,
`ToolUse` in pieces, `Emit` with any chunk (its event's name is sent too), `ErrorEvent` as an error object.
`stop_reason` is the wire's own word (the default: `stop`, after calls `tool_calls`; "": none). Usage counts one token
per 4 bytes, `usage` replaces single keys of it.

How the server differs from others is set on it: `usage_sent` ("asked": as `include_usage` says, "always", "never",
"each": with every chunk), `refuses_options` (a 400 for `stream_options`), `output_field` (any other one is refused;
None: both serve), `strict`, `system_role` False (a template without one), `done` False (no `[DONE]`), `keyed` False
(no key is asked for). `models` are the entries of `GET /v1/models`; `others` answers other paths: a JSON body by path.
A request that a real server would refuse gets its 400 without using up a behaviour, and is noted in `violations`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from json import dumps
from typing import Any, Literal

from tests.servers.chat_rules import violation
from tests.servers.loopback import ScriptedHandler, ScriptedServer
from tests.servers.messages_script import (
    Answer,
    Behaviour,
    Block,
    CapturedRequest,
    Emit,
    ErrorEvent,
    HttpError,
    Misbehaviour,
    Ping,
    Raw,
    Step,
    Text,
    Think,
    ToolUse,
)
from tests.servers.played_answer import PlayedAnswer
from tests.servers.tokens import by_bytes

HELLO = "Hello from the loopback server."


class ChatApi(ScriptedServer):
    """The server; see the module's docstring."""

    answer_path = "/v1/chat/completions"

    def __init__(self, *, default: Behaviour | Callable[[CapturedRequest], Behaviour] | None = None) -> None:
        super().__init__(default or Answer(HELLO))
        self.models: list[dict[str, Any]] = [{"id": "test-model", "object": "model", "created": 1, "owned_by": "me"}]
        self.others: dict[str, Any] = {}
        self.usage_sent: Literal["asked", "always", "never", "each"] = "asked"
        self.refuses_options = False
        self.output_field: str | None = None
        self.strict = False
        self.system_role = True
        self.done = True
        self.keyed = True
        self.reasoning_field = "reasoning_content"

    @property
    def url(self) -> str:
        """The base URL as the SDK takes it."""
        return f"{self.root}/v1"

    def refusal(self, request: CapturedRequest) -> HttpError | None:
        """The error that a real server would answer with; a request no server takes is noted in `violations`."""
        if self.keyed and not request.headers.get("authorization", "").startswith("Bearer "):
            return HttpError(401, message="You didn't provide an API key.")
        body = request.body
        if self.refuses_options and "stream_options" in body:
            return HttpError(400, message="Unrecognized request argument supplied: stream_options")
        for field in ("max_tokens", "max_completion_tokens"):
            if self.output_field not in (None, field) and field in body:
                message = (
                    f"Unsupported parameter: '{field}' is not supported with this model. "
                    f"Use '{self.output_field}' instead."
                )
                return HttpError(400, message=message)
        if not self.system_role and body["messages"][0]["role"] == "system":
            return HttpError(400, message="System role not supported")
        problem = violation(body, strict=self.strict) if self.validate else None
        if problem is None:
            return None
        if not self.strict:
            self.violations.append(problem)
        return HttpError(400, message=problem)


class _Handler(ScriptedHandler):
    id_header = {"x-request-id": "req_loopback"}  # noqa: RUF012

    @property
    def api(self) -> ChatApi:
        assert isinstance(self.server.api, ChatApi)
        return self.server.api

    def _get(self) -> None:
        path = self.captured.path
        if isinstance(behaviour := self.api.behaviour(self.captured), Misbehaviour):
            self._misbehave(behaviour)
        elif path in self.api.others:
            self.json(200, self.api.others[path])
        elif path == "/v1/models":
            self.json(200, {"object": "list", "data": self.api.models})
        else:
            self._send(404, b"404 page not found", {"content-type": "text/plain"})

    def _post(self) -> None:
        if self.captured.path != self.api.answer_path:
            self._get()
            return
        if refusal := self.api.refusal(self.captured):
            self._error(refusal)
            return
        if isinstance(behaviour := self.api.behaviour(self.captured), Misbehaviour):
            self._misbehave(behaviour)
        elif isinstance(behaviour, Answer):
            _Stream(self, behaviour).play()

    def _error(self, error: HttpError) -> None:
        kind = error.type or "invalid_request_error"
        body = {"error": {"message": error.message, "type": kind, "param": None, "code": error.type}}
        self._send(error.status, dumps(body).encode() if error.body is None else error.body, error.headers)


ChatApi.handler = _Handler


class _Stream(PlayedAnswer):
    """One answer as chunks."""

    def __init__(self, pipe: _Handler, answer: Answer) -> None:
        super().__init__(pipe, answer)
        self.api = pipe.api
        self.body: Mapping[str, Any] = pipe.captured.body
        self.output = 0
        self.calls = 0

    def play(self) -> None:
        self.pipe.begin_stream()
        self.delta({"role": "assistant", "content": None})
        self.take_all()
        if reason := self.reason():
            self.delta({}, reason)
        wanted = (self.body.get("stream_options") or {}).get("include_usage")
        if self.api.usage_sent == "always" or (self.api.usage_sent == "asked" and wanted):
            self.chunk([], usage=self.usage())
        if self.api.done:
            self.send(b"data: [DONE]\n\n")
        self.pipe.chunk(b"")

    def reason(self) -> str:
        """The wire's word for why the answer ends: what the script says, if it says anything."""
        if self.answer.stop_reason != "end_turn":
            return self.answer.stop_reason
        return "tool_calls" if self.calls else "stop"

    def take(self, step: Step) -> None:
        match step:
            case Text(text):
                self.output += by_bytes(text)
                self.delta({"content": text})
            case Think(text):
                self.output += by_bytes(text)
                self.delta({self.api.reasoning_field: text})
            case ToolUse():
                self.call(step)
            case Block(raw):
                self.delta(dict(raw))
            case Ping():
                self.send(b": keep-alive\n\n")
            case Raw(data):
                self.send(data)
            case Emit(event, data):
                named = f"event: {event}\n" if event else ""
                self.send(f"{named}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode())
            case ErrorEvent(kind, message):
                self.send(f"data: {dumps({'error': {'message': message, 'type': kind, 'code': None}})}\n\n".encode())
                self.break_off()
            case _:
                super().take(step)

    def call(self, step: ToolUse) -> None:
        whole = json.dumps(step.input)
        half = len(whole) // 2
        opening = {"index": self.calls, "id": step.id, "type": "function"}
        self.delta({"tool_calls": [opening | {"function": {"name": step.name, "arguments": ""}}]})
        for piece in (whole[:half], whole[half:]):
            self.delta({"tool_calls": [{"index": self.calls, "function": {"arguments": piece}}]})
        self.calls += 1
        self.output += by_bytes(whole)

    def delta(self, delta: Mapping[str, Any], reason: str | None = None) -> None:
        usage = {"usage": self.usage()} if self.api.usage_sent == "each" else {}
        self.chunk([{"index": 0, "delta": delta, "finish_reason": reason}], **usage)

    def chunk(self, choices: list[Any], **fields: Any) -> None:
        model = self.answer.model or self.body["model"]
        head = {"id": "chatcmpl-loopback", "object": "chat.completion.chunk", "created": 1, "model": model}
        if self.api.usage_sent == "asked" and self.body.get("stream_options"):
            head["usage"] = None
        self.send(f"data: {json.dumps({**head, 'choices': choices, **fields}, ensure_ascii=False)}\n\n".encode())

    def usage(self) -> dict[str, Any]:
        prompt = sum(4 + by_bytes(dumps(message.get("content"))) for message in self.body["messages"])
        counted = {"prompt_tokens": prompt, "completion_tokens": self.output, "total_tokens": prompt + self.output}
        return counted | dict(self.answer.usage)

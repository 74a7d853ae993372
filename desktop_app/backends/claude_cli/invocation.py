"""Puts a `ContextPlan` and the app's tools to the `claude` program: arguments, input, control lines, MCP. Pure."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, assert_never

from desktop_app.backends.anthropic_wire import document_source
from desktop_app.core.context.plan import CacheLifetime, CacheMark, ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage, labelled
from desktop_app.core.messages import (
    DocumentPart,
    ImagePart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    UnknownPart,
)

FLAGS = (
    "--print",
    # blocks instead of one text: the provider's cache matches at block boundaries, and `client_composed` is possible
    *("--input-format", "stream-json", "--output-format", "stream-json"),
    "--verbose",  # without it the program ends with code 1 and says nothing on standard output
    "--include-partial-messages",
    *("--tools", ""),
    "--strict-mcp-config",
    *("--setting-sources", ""),
    "--disable-slash-commands",
    "--no-session-persistence",
    *("--settings", '{"permissions":{"deny":["Read"]}}'),
)

SERVER: Final = "plimsoll"
"""The name by which the program refers to the server of our tools."""

_TOOL_PREFIX: Final = f"mcp__{SERVER}__"

EFFORTS: Final = ("low", "medium", "high", "xhigh", "max")
"""The values that `--effort` takes, according to the program's help; it ignores any other word."""

INTERRUPT = b'{"type":"control_request","request_id":"stop","request":{"subtype":"interrupt"}}\n'
"""The control line that ends the running answer; a `result` line follows after about 20 ms."""

READY = b'{"type":"control_request","request_id":"ready","request":{"subtype":"initialize"}}\n'
"""The control line that a program answers once it has started and read its system prompt; it changes no request."""


def arguments(
    system_file: Path, model: str, *, tools: Sequence[ToolSpec] = (), effort: str = "", thinks: bool = True
) -> tuple[str, ...]:
    """Everything after the program's name. The conversation is not among it: arguments are seen by all users.

    `tools` may be called without a question, and nothing else can be. `effort`: empty leaves it to the program.
    `thinks` False turns thinking off. Values stand in the form with an equals sign, so that no setting can pass for
    another flag.
    """
    more = [f"--allowedTools={','.join(tool_name(tool.name) for tool in tools)}"] if tools else []
    more += [f"--effort={effort}"] if effort in EFFORTS else []
    more += [] if thinks else ["--thinking=disabled"]
    return (*FLAGS, *more, "--system-prompt-file", str(system_file), f"--model={model}")


def tool_name(name: str) -> str:
    """The name that the model knows a tool of ours by."""
    return f"{_TOOL_PREFIX}{name}"


def plain_name(name: str) -> str:
    """Our name for a tool that the model called; the name itself where it is none of ours."""
    return name.removeprefix(_TOOL_PREFIX)


def lifetime(plan: ContextPlan) -> CacheLifetime:
    """Return how long the plan's marks live; 5m without one."""
    return next((mark.lifetime for mark in plan.request.marks if mark.message >= 0), "5m")


def encoded(text: str) -> bytes:
    """UTF-8. A lone surrogate, which JSON and a plan may hold but UTF-8 may not, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def stdin_line(plan: ContextPlan) -> str:
    """The one line that carries the conversation, with its line end.

    Content blocks of history and pending message in order, each text block being label + text + blank line. The bytes
    of the blocks depend on nothing that follows them, so they stay the same from turn to turn.
    """
    return user_line(plan.request.messages, plan.request.marks)


def user_line(messages: Sequence[PlannedMessage], marks: Sequence[CacheMark]) -> str:
    """`stdin_line` for messages and marks that belong to no plan."""
    record = {
        "type": "user",
        "message": {"role": "user", "content": content_blocks(messages, marks)},
        "parent_tool_use_id": None,
        "session_id": "",
        "client_composed": True,  # no `@path` in the text is read, no `/command` run
    }
    return encoded(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").decode()


def content_blocks(messages: Sequence[PlannedMessage], marks: Sequence[CacheMark]) -> list[dict[str, Any]]:
    """The content blocks of that line, each with our cache mark where it has one."""
    lifetimes = {(mark.message, mark.block): mark.lifetime for mark in marks}
    content: list[dict[str, Any]] = []
    for at, message in enumerate(messages):
        for index, part in enumerate(message.blocks):
            if (block := _block(part, message.role)) is not None:
                content.append(block)
            if (at, index) in lifetimes and content:
                # on a part that is not sent the mark falls back on the block before it
                content[-1]["cache_control"] = {"type": "ephemeral", "ttl": lifetimes[at, index]}
    return content


def _block(part: Part, role: Role) -> dict[str, Any] | None:
    """The content block of a part; None for what only the provider that made it can read (thinking, foreign blocks)."""
    match part:
        case TextPart(text) | ToolResultPart(text=text):
            return {"type": "text", "text": labelled(text, role)}
        case ImagePart():
            source = {"type": "base64", "media_type": part.media_type, "data": part.data}
            return {"type": "image", "source": source}
        case DocumentPart():
            return {"type": "document", "source": document_source(part), "title": part.name}
        case ThinkingPart() | ToolCallPart() | UnknownPart():
            return None
        case _:
            assert_never(part)


PROTOCOL: Final = "2025-11-25"
"""The version of MCP that version 2.1.330 asks for; with another one it shakes hands over control lines."""

MOST_CHARACTERS: Final = 400_000
"""A longer result is an error: above 500,000 the program writes it to a file in the user's home, and shows its begin.

(That is the most it accepts in `anthropic/maxResultSizeChars`; without that field it does so above 50,000. Measured.)
"""

CALL_TIMEOUT_MS: Final = 600_000
"""Milliseconds that the program waits for one call: far longer than any of ours takes."""

NO_RESULT: Final = "The tool gave no result."
TOO_LONG: Final = "The result is too long to be read. Ask for less."

_UNKNOWN_METHOD = -32601


@dataclass(frozen=True, slots=True)
class McpToolCall:
    """A call that the program waits for. `call_id` is the model's, empty where the program does not tell it."""

    request_id: str
    rpc_id: Any
    call_id: str
    name: str
    input: Mapping[str, Any]

    def is_for(self, call: ToolCallPart) -> bool:
        """Return True if this is the call that the model wrote."""
        if self.call_id:
            return self.call_id == call.id
        return self.name == call.name and dict(self.input) == dict(call.input)


class McpToolServer:
    """The server's side of one program's life. Reads its control records and says what to write back."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tuple(tools)
        self._asked: deque[McpToolCall] = deque()

    @property
    def open(self) -> bool:
        """True if there is a tool behind it."""
        return bool(self._tools)

    @property
    def greeting(self) -> bytes:
        """The control line to write before the conversation: it names our server, and is answered when it is up.

        With what the handshake would say in it, there is none: a start with tools takes 30 ms longer instead of 60.
        """
        if not self._tools:
            return READY
        manifest = {"initializeResult": self._hello(PROTOCOL), "toolsListResult": self._list()}
        request = {
            "subtype": "initialize",
            "sdkMcpServers": [SERVER],
            "sdkMcpServerConfigs": {SERVER: {"timeout": CALL_TIMEOUT_MS, "disableAutoBackground": True}},
            "sdkMcpServerManifests": {SERVER: manifest},
        }
        return _line({"type": "control_request", "request_id": "ready", "request": request})

    def hear(self, record: Mapping[str, Any]) -> bytes:
        """Return the answer to give at once to a record of the program's; empty where there is nothing to say, or a
        call to run.

        A request of any other kind, such as one for a permission, is refused.
        """
        if record.get("type") == "control_cancel_request":
            self._asked = deque(one for one in self._asked if one.request_id != record.get("request_id"))
        if record.get("type") != "control_request":
            return b""
        request_id, request = str(record.get("request_id")), _object(record.get("request"))
        message = _object(request.get("message"))
        if request.get("subtype") != "mcp_message" or request.get("server_name") != SERVER:
            response = {"subtype": "error", "request_id": request_id, "error": "not supported"}
            return _line({"type": "control_response", "response": response})
        if message.get("method") == "tools/call":
            return self._called(request_id, message)
        return _reply(request_id, message.get("id"), self._result(message))

    def next_call(self) -> McpToolCall | None:
        """The call that waits longest; None where none does."""
        return self._asked[0] if self._asked else None

    def answer(self, asked: McpToolCall, result: ToolResultPart | None) -> bytes:
        """The control line that gives the program a call's result; None is an error result."""
        if asked in self._asked:
            self._asked.remove(asked)
        text, failed = (NO_RESULT, True) if result is None else (result.text, result.is_error)
        if len(text) > MOST_CHARACTERS:
            text, failed = TOO_LONG, True
        images = () if result is None else result.images
        said = _said(text or ("" if images else NO_RESULT), failed, images)
        return _reply(asked.request_id, asked.rpc_id, {"result": said})

    def _called(self, request_id: str, message: Mapping[str, Any]) -> bytes:
        given = _object(message.get("params"))
        call_id = _object(given.get("_meta")).get("claudecode/toolUseId")
        asked = McpToolCall(
            request_id,
            message.get("id"),
            call_id if isinstance(call_id, str) else "",
            str(given.get("name")),
            _object(given.get("arguments")),
        )
        if asked.name not in (tool.name for tool in self._tools):
            return _reply(request_id, asked.rpc_id, {"result": _said(f"There is no tool {asked.name}.", True)})
        self._asked.append(asked)
        return b""

    def _result(self, message: Mapping[str, Any]) -> dict[str, Any]:
        match message.get("method"):
            case "initialize":
                wished = _object(message.get("params")).get("protocolVersion")
                return {"result": self._hello(wished if isinstance(wished, str) else PROTOCOL)}
            case "tools/list":
                return {"result": self._list()}
            case "ping" | "notifications/initialized" | "notifications/cancelled":
                return {"result": {}}
            case method:
                return {"error": {"code": _UNKNOWN_METHOD, "message": f"{method} is not supported"}}

    def _hello(self, protocol: str) -> dict[str, Any]:
        return {
            "protocolVersion": protocol,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": SERVER, "version": "1"},
        }

    def _list(self) -> dict[str, Any]:
        return {"tools": [_described(tool) for tool in self._tools]}


def _described(tool: ToolSpec) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": dict(tool.schema),
        "annotations": {"readOnlyHint": tool.reads_only},
        "_meta": {
            # told to the model from the first request on: one that is searched for first would change the prefix
            "anthropic/alwaysLoad": True,
            "anthropic/maxResultSizeChars": 500_000,
        },
    }


def _said(text: str, failed: bool, images: Sequence[ImagePart] = ()) -> dict[str, Any]:
    told: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    pictures = [{"type": "image", "data": one.data, "mimeType": one.media_type} for one in images]
    return {"content": [*told, *pictures], "isError": failed}


def _reply(request_id: str, rpc_id: Any, outcome: Mapping[str, Any]) -> bytes:
    message = {"jsonrpc": "2.0", **({} if rpc_id is None else {"id": rpc_id}), **outcome}
    response = {"subtype": "success", "request_id": request_id, "response": {"mcp_response": message}}
    return _line({"type": "control_response", "response": response})


def _line(record: Mapping[str, Any]) -> bytes:
    return encoded(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}

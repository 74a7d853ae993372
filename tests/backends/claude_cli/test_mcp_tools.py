"""What the program asks of the server of our tools is answered, and nothing else is granted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_app.backends.claude_cli.invocation import MOST_CHARACTERS, READY, McpToolServer
from desktop_app.core.messages import ToolCallPart, ToolResultPart
from tests.backends.claude_cli.plans import SEARCH


def asked(method: str, rpc_id: int | None = 3, *, server: str = "plimsoll", **params: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if rpc_id is not None:
        message["id"] = rpc_id
    request = {"subtype": "mcp_message", "server_name": server, "message": message}
    return {"type": "control_request", "request_id": "r1", "request": request}


def call(call_id: str | None = "t1", name: str = SEARCH.name, query: str = "q") -> dict[str, Any]:
    meta = {} if call_id is None else {"claudecode/toolUseId": call_id}
    return asked("tools/call", name=name, arguments={"query": query}, _meta=meta)


def message_of(line: bytes) -> dict[str, Any]:
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    record = json.loads(line)
    assert record["type"] == "control_response"
    assert record["response"]["subtype"] == "success"
    assert record["response"]["request_id"] == "r1"
    message: dict[str, Any] = record["response"]["response"]["mcp_response"]
    return message


def test_without_tools_the_greeting_asks_for_readiness_alone() -> None:
    assert McpToolServer(()).greeting == READY
    assert not McpToolServer(()).open


def test_the_greeting_names_the_server_and_saves_the_handshake() -> None:
    request = json.loads(McpToolServer([SEARCH]).greeting)["request"]

    assert request["subtype"] == "initialize"
    assert request["sdkMcpServers"] == ["plimsoll"]
    (tool,) = request["sdkMcpServerManifests"]["plimsoll"]["toolsListResult"]["tools"]
    assert (tool["name"], tool["description"], tool["inputSchema"]) == (
        SEARCH.name,
        SEARCH.description,
        SEARCH.schema,
    )
    assert tool["_meta"]["anthropic/alwaysLoad"] is True


def test_a_program_that_shakes_hands_all_the_same_is_answered() -> None:
    tool_server = McpToolServer([SEARCH])

    hello = message_of(tool_server.hear(asked("initialize", protocolVersion="2024-11-05")))
    listed = message_of(tool_server.hear(asked("tools/list")))

    assert hello["id"] == 3
    assert hello["result"]["protocolVersion"] == "2024-11-05"
    assert "tools" in hello["result"]["capabilities"]
    assert [tool["name"] for tool in listed["result"]["tools"]] == [SEARCH.name]
    assert message_of(tool_server.hear(asked("notifications/initialized", None)))["result"] == {}
    assert message_of(tool_server.hear(asked("resources/read", uri="file:///etc/hostname")))["error"]["code"] == -32601


def test_a_call_waits_for_its_result() -> None:
    tool_server = McpToolServer([SEARCH])
    assert tool_server.hear(call("t1")) == b""
    assert tool_server.hear(call("t2")) == b""
    first = tool_server.next_call()
    assert first is not None
    assert first.is_for(ToolCallPart("t1", SEARCH.name, {}))

    reply = message_of(tool_server.answer(first, ToolResultPart("t1", "ça\nva", is_error=True)))

    assert reply["id"] == 3
    assert reply["result"] == {"content": [{"type": "text", "text": "ça\nva"}], "isError": True}
    second = tool_server.next_call()
    assert second is not None
    assert second.call_id == "t2"


def test_a_call_whose_id_is_not_told_is_known_by_what_it_asks() -> None:
    tool_server = McpToolServer([SEARCH])
    tool_server.hear(call(None, query="a"))
    waiting = tool_server.next_call()

    assert waiting is not None
    assert waiting.is_for(ToolCallPart("t9", SEARCH.name, {"query": "a"}))
    assert not waiting.is_for(ToolCallPart("t9", SEARCH.name, {"query": "b"}))
    assert not waiting.is_for(ToolCallPart("t9", "another", {"query": "a"}))


def test_a_call_that_is_taken_back_is_forgotten() -> None:
    tool_server = McpToolServer([SEARCH])
    tool_server.hear(call("t1"))

    tool_server.hear({"type": "control_cancel_request", "request_id": "r1"})

    assert tool_server.next_call() is None


@pytest.mark.parametrize("result", [None, ToolResultPart("t1", "x" * (MOST_CHARACTERS + 1)), ToolResultPart("t1", "")])
def test_the_program_always_hears_something_short_enough(result: ToolResultPart | None) -> None:
    tool_server = McpToolServer([SEARCH])
    tool_server.hear(call("t1"))
    waiting = tool_server.next_call()
    assert waiting is not None

    said = message_of(tool_server.answer(waiting, result))["result"]

    assert 0 < len(said["content"][0]["text"]) < 100
    assert said["isError"] is (result is None or bool(result.text))
    assert tool_server.next_call() is None


def test_another_tool_is_refused_at_once() -> None:
    tool_server = McpToolServer([SEARCH])

    said = message_of(tool_server.hear(call(name="Bash")))["result"]

    assert said["isError"] is True
    assert tool_server.next_call() is None


@pytest.mark.parametrize(
    "record",
    [
        {"type": "control_request", "request_id": "r1", "request": {"subtype": "can_use_tool", "tool_name": "Bash"}},
        {"type": "control_request", "request_id": "r1", "request": {"subtype": "hook_callback"}},
        {"type": "control_request", "request_id": "r1", "request": None},
        asked("tools/call", server="other", name=SEARCH.name),
    ],
)
def test_nothing_else_is_granted(record: dict[str, Any]) -> None:
    tool_server = McpToolServer([SEARCH])

    response = json.loads(tool_server.hear(record))["response"]

    assert response["subtype"] == "error"
    assert response["request_id"] == "r1"
    assert tool_server.next_call() is None


@pytest.mark.parametrize("record", [{}, {"type": "assistant"}, {"type": "control_response"}])
def test_other_records_are_none_of_its_business(record: dict[str, Any]) -> None:
    assert McpToolServer([SEARCH]).hear(record) == b""

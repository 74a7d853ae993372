"""The loopback server refuses what real servers of chat completions refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.servers.chat_rules import violation

USER, CALLS = (
    {"role": "user", "content": "a"},
    [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
)
CALLED, RESULT = (
    {"role": "assistant", "content": None, "tool_calls": CALLS},
    {"role": "tool", "tool_call_id": "c", "content": "r"},
)


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages), "stream": True, **more}


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (None, "could not parse"),
        ({"messages": [USER]}, "model parameter"),
        (body(), "empty array"),
        (body(USER, system="x"), "Unrecognized request argument supplied: system"),
        (body(USER, max_tokens=0), "integer below minimum"),
        (body(USER, max_tokens=5, max_completion_tokens=5), "at the same time"),
        (body(USER) | {"stream": False, "stream_options": {}}, "only allowed when 'stream'"),
        (body({"role": "robot", "content": "x"}), "Invalid value: 'robot'"),
        (body({"role": "user", "content": None}), "got null"),
        (body({"role": "user", "content": "x", "thinking": "y"}), "'thinking' was unexpected"),
        (body({"role": "user", "content": [{"type": "document"}]}), "a part of type document"),
        (
            body({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png,x"}}]}),
            "base64",
        ),
        (body(USER, RESULT), "must be a response to a preceding message"),
        (body(USER, CALLED, USER), "did not have response messages: c"),
        (body(USER, CALLED), "must be followed by tool messages"),
    ],
)
def test_what_no_server_takes(refused: Any, words: str) -> None:
    problem = violation(refused)
    assert problem is not None
    assert words in problem


def test_what_a_server_takes() -> None:
    assert violation(body({"role": "system", "content": "s"}, USER, CALLED, RESULT, USER, max_tokens=5)) is None
    assert violation(body(USER, CALLED, RESULT), strict=True) is not None
    assert (
        violation(
            body({"role": "system", "content": "s"}, USER, {"role": "assistant", "content": "b"}, USER), strict=True
        )
        is None
    )
    assert (
        violation(body(USER, USER), strict=True)
        == "Conversation roles must alternate user/assistant/user/assistant/..."
    )

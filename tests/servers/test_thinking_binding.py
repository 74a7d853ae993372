"""The loopback server takes thinking back as the provider's documentation of prefix checks says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.servers.messages_script import Answer, Text, Think, ToolUse
from tests.servers.thinking_binding import ThinkingBindings

QUESTION = {"role": "user", "content": [{"type": "text", "text": "Find it."}]}
CALL = {"type": "tool_use", "id": "t1", "name": "find", "input": {}}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "found"}]}
MARKED = {
    "role": "user",
    "content": [{"type": "text", "text": "Find it.", "cache_control": {"type": "ephemeral"}}],
}


def body(*messages: Any, system: str = "Be brief.", model: str = "claude-sonnet-5-5", **more: Any) -> dict[str, Any]:
    return {"model": model, "system": system, "messages": list(messages), **more}


def thought(text: str, signature: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": signature}


@pytest.fixture
def bindings() -> ThinkingBindings:
    """After a request that was answered with two thoughts and a call."""
    made = ThinkingBindings()
    made.signed(Answer(Think("one", "a"), Text("Hm. "), Think("two", "b"), ToolUse("find", {}, "t1")), body(QUESTION))
    return made


ANSWER = [thought("one", "a"), {"type": "text", "text": "Hm. "}, thought("two", "b"), CALL]


def answered(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


def test_each_signature_is_its_own() -> None:
    steps = ThinkingBindings().signed(Answer(Think("one"), Text("x"), Think("two")), body(QUESTION)).steps
    signatures = {step.signature for step in steps if isinstance(step, Think)}
    assert len(signatures) == 2


@pytest.mark.parametrize(
    "request_body",
    [
        pytest.param(body(QUESTION, answered(*ANSWER), RESULT), id="as it came"),
        pytest.param(body(QUESTION, answered(*ANSWER[1:]), RESULT), id="leading thinking left out"),
        pytest.param(body(QUESTION, answered(ANSWER[1], CALL), RESULT), id="all thinking left out"),
        pytest.param(
            body({"role": "user", "content": "Find it."}, answered(*ANSWER), RESULT), id="a text instead of its block"
        ),
        pytest.param(body(MARKED, answered(*ANSWER), RESULT), id="a mark"),
        pytest.param(body(QUESTION, answered(*ANSWER), RESULT, tool_choice={"type": "none"}), id="another tool choice"),
        pytest.param(
            body(QUESTION, answered(*ANSWER), RESULT, system="Else.", model="claude-haiku-4-5"), id="an older model"
        ),
    ],
)
def test_is_taken_back(bindings: ThinkingBindings, request_body: dict[str, Any]) -> None:
    assert bindings.violation(request_body) is None


@pytest.mark.parametrize(
    ("request_body", "where"),
    [
        pytest.param(body(QUESTION, answered(*ANSWER), RESULT, system="Be long."), "1.content.0", id="system"),
        pytest.param(body(QUESTION, answered(*ANSWER), RESULT, tools=[{"name": "find"}]), "1.content.0", id="tools"),
        pytest.param(
            body({**QUESTION, "content": "Find that."}, answered(*ANSWER), RESULT), "1.content.0", id="a message"
        ),
        pytest.param(body(QUESTION, answered(ANSWER[0], *ANSWER[2:]), RESULT), "1.content.1", id="a text left out"),
        pytest.param(
            body(QUESTION, answered(thought("uno", "a"), *ANSWER[1:]), RESULT), "1.content.0", id="a changed thought"
        ),
        pytest.param(body(QUESTION, answered(ANSWER[2], *ANSWER[1:2], CALL), RESULT), "1.content.0", id="moved"),
        pytest.param(body(QUESTION, answered(thought("x", "z"), CALL), RESULT), "1.content.0", id="not from here"),
    ],
)
def test_is_refused(bindings: ThinkingBindings, request_body: dict[str, Any], where: str) -> None:
    problem = bindings.violation(request_body)
    assert problem is not None
    assert problem.startswith(f"messages.{where}: Invalid `signature` in `thinking` block")


def test_none_between_two_others_may_be_left_out(bindings: ThinkingBindings) -> None:
    first = body(QUESTION, answered(*ANSWER), RESULT)
    bindings.signed(Answer(Think("three", "c"), Text("Done.")), first)
    last = (answered(thought("three", "c"), {"type": "text", "text": "Done."}), QUESTION)
    assert bindings.violation(body(*first["messages"], *last)) is None
    without = body(QUESTION, answered(ANSWER[0], ANSWER[1], CALL), RESULT, *last)
    assert "bound to a different conversation" in str(bindings.violation(without))

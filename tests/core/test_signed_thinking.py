"""Thinking of a running turn is part of a plan only behind the prefix that it came behind, and weighs nothing else."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.messages import Message, Part, ThinkingPart, ToolCallPart, ToolResultPart, UnknownPart
from tests.core.paths import message, plan_for, words

THOUGHT = words(400)
REDACTED: Part = UnknownPart({"type": "redacted_thinking", "data": "secret"})


def running(*thought: Part, key: str | None) -> tuple[Message, ...]:
    called = message(1, "assistant", *thought, ToolCallPart("c", "find", {"query": "q"}))
    answered = message(2, "user", ToolResultPart("c", "found"))
    return message(0, "user", "Find it."), replace(called, prefix_key=key, backend="anthropic"), answered


def blocks(plan: ContextPlan) -> list[Part]:
    return [block for one in plan.request.messages for block in one.blocks]


def test_what_came_behind_another_prefix_is_neither_sent_nor_weighed() -> None:
    thought = ThinkingPart(THOUGHT, "sig")
    key = plan_for(running(thought, key=None)).request.prefix_key
    bound = plan_for(running(thought, REDACTED, key=key))
    assert [block for block in blocks(bound) if block in (thought, REDACTED)] == [thought, REDACTED]
    unbound = plan_for(running(thought, REDACTED, key="another"))
    assert not any(block in (thought, REDACTED) for block in blocks(unbound))
    never = plan_for(running(key="another"))
    assert blocks(unbound) == blocks(never)
    assert abs(unbound.tokens.total - never.tokens.total) <= 1
    assert bound.tokens.total - unbound.tokens.total > 300


def test_thinking_without_a_signature_is_bound_to_nothing() -> None:
    """Some servers want the reasoning of a loop back, and sign nothing."""
    thought = ThinkingPart(THOUGHT)
    plan = plan_for(running(thought, key="another"))
    assert thought in blocks(plan)


def test_thinking_of_an_answer_that_came_behind_nobody_knows_what_goes_back() -> None:
    """The provider says whether it is bound to something else; what it refuses goes again without."""
    thought = ThinkingPart(THOUGHT, "sig")
    plan = plan_for(running(thought, key=None))
    assert thought in blocks(plan)

"""What is told of one message: names first, the id where it says more."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.messages import Message, TextPart, Usage
from desktop_app.ui.conversation.message_actions import details

ANSWER = Message(
    "a", "t", "q", "assistant", (TextPart("Yes."),), "2026-01-01T00:00:00.000Z", model="claude-opus-4-5-20251101"
)


def test_a_model_has_its_name_and_its_id_a_line_of_its_own() -> None:
    told = dict(details(ANSWER, "Claude Opus 4.5", "Anthropic", None))
    assert told["Model"] == "Claude Opus 4.5 · Anthropic"
    assert told["Model ID"] == "claude-opus-4-5-20251101"


def test_an_id_that_is_the_name_is_not_said_twice() -> None:
    told = dict(details(ANSWER, "claude-opus-4-5-20251101", "", None))
    assert told["Model"] == "claude-opus-4-5-20251101"
    assert "Model ID" not in told


def test_the_model_that_was_asked_for_is_told_where_another_one_answered() -> None:
    answer = replace(ANSWER, usage=Usage(asked="claude-sonnet-4-5"))
    assert dict(details(answer, "Claude Opus 4.5", "", None))["Asked for"] == "Claude Sonnet 4.5"
    assert "Asked for" not in dict(details(replace(ANSWER, usage=Usage()), "Claude Opus 4.5", "", None))

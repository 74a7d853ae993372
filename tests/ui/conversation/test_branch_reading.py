"""Which versions of a message there are to go to."""

from __future__ import annotations

from desktop_app.core.conversation import Conversation
from desktop_app.core.messages import Message, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop_app.ui.conversation.branches_presenter import versions

CREATED = "2026-01-01T00:00:00.000Z"


def message(name: str, parent: str | None, role: Role, *parts: Part) -> Message:
    return Message(name, "t", parent, role, parts, CREATED)


def test_versions_stand_in_the_order_in_which_they_came() -> None:
    words = TextPart("x")
    talk = Conversation(
        [
            message("q", None, "user", words),
            message("a1", "q", "assistant", words),
            message("a2", "q", "assistant", words),
            message("q2", "a1", "user", words),
            message("q3", "a1", "user", words),
        ]
    )
    assert versions(talk, talk.path("q3")) == {"a1": ("a1", "a2"), "q3": ("q2", "q3")}
    assert versions(talk, talk.path("a2")) == {"a2": ("a1", "a2")}


def test_beginnings_have_versions_too() -> None:
    talk = Conversation([message("q", None, "user", TextPart("x")), message("p", None, "user", TextPart("y"))])
    assert versions(talk, talk.path("p")) == {"p": ("q", "p")}


def test_an_answer_of_which_nothing_came_is_no_version_unless_it_is_shown() -> None:
    talk = Conversation(
        [
            message("q", None, "user", TextPart("x")),
            message("a1", "q", "assistant"),
            message("a2", "q", "assistant", TextPart("y")),
        ]
    )
    assert versions(talk, talk.path("a2")) == {}
    assert versions(talk, talk.path("a1")) == {"a1": ("a1", "a2")}


def test_results_of_tools_are_nobodys_version() -> None:
    talk = Conversation(
        [
            message("q", None, "user", TextPart("x")),
            message("a1", "q", "assistant", ToolCallPart("c", "search", {})),
            message("r1", "a1", "user", ToolResultPart("c", "found")),
            message("q2", "a1", "user", TextPart("never mind")),
        ]
    )
    assert versions(talk, talk.path("q2")) == {}
    assert versions(talk, talk.path("r1")) == {}

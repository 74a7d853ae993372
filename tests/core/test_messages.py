"""What a message says as one text."""

from __future__ import annotations

from desktop_app.core.messages import Message, Part, TextPart, ThinkingPart, ToolCallPart, uncut

CITED = {"citations": [{"url": "https://example.org"}]}


def said(*parts: Part) -> str:
    return Message("m", "t", None, "assistant", parts, "2026-01-01T00:00:00Z").text


def test_parts_stand_apart_by_a_blank_line() -> None:
    assert said(TextPart("Let me look."), ToolCallPart("c", "search", {}), TextPart("Found.")) == (
        "Let me look.\n\nFound."
    )
    assert said(ThinkingPart("hm"), TextPart("One."), TextPart("Two.")) == "One.\n\nTwo."


def test_a_text_that_its_sources_cut_is_one() -> None:
    parts = (
        TextPart("The tide is "),
        TextPart("at noon", CITED),
        TextPart(", they say."),
        TextPart("Another thought."),
    )
    assert said(*parts) == "The tide is at noon, they say.\n\nAnother thought."


def test_nothing_written_is_no_text() -> None:
    assert said() == said(ThinkingPart("hm")) == ""


def test_uncut_parts_keep_everything_else_in_its_place() -> None:
    call, note = ToolCallPart("c", "search", {}), ThinkingPart("hm")
    parts = (note, TextPart("a "), TextPart("b", CITED), call, TextPart("c", CITED), TextPart("d"), TextPart("e"))
    assert uncut(parts) == (note, TextPart("a b"), call, TextPart("cd"), TextPart("e"))
    assert uncut(()) == ()


def test_the_input_of_a_call_reads_as_the_program_that_it_is_else_as_json() -> None:
    assert ToolCallPart("c", "python", {"text": "print(1)\n"}).input_text == ("print(1)\n", "python")
    assert ToolCallPart("c", "run", {"code": "ls", "language": "bash"}).input_text == ("ls", "bash")
    assert ToolCallPart("c", "run", {"code": "ls", "in": "/"}).input_text == (
        '{\n  "code": "ls",\n  "in": "/"\n}',
        "json",
    )

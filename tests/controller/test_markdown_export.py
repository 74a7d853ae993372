from __future__ import annotations

from desktop_app.controller.formats.markdown_export import write_branch
from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.messages import (
    DocumentPart,
    Failure,
    ImagePart,
    Json,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)


def written(*parts: Part, **facts: object) -> str:
    thread = Thread("t1", "Ships", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", system="Be brief.\nAlways.")
    question = Message("m1", "t1", None, "user", (TextPart("How deep?"),), "2026-01-01")
    answer = Message("m2", "t1", "m1", "assistant", parts, "2026-01-01", model="claude-x", **facts)  # type: ignore[arg-type]
    return write_branch(thread, (question, answer))


def test_a_branch_reads_as_a_conversation() -> None:
    assert written(TextPart("To the *line*.\n")) == (
        "# Ships\n\n*2026-01-01T00:00:00.000Z · 2 messages*\n\n## System\n\n> Be brief.\n> Always.\n\n"
        "## You\n\nHow deep?\n\n## Assistant (claude-x)\n\nTo the *line*.\n"
    )


def test_tools_thinking_and_attachments_are_named() -> None:
    text = written(
        ThinkingPart("Hm.\n\nYes."),
        ToolCallPart("c", "search", {"q": "ü"}),
        ToolResultPart("c", "```\ncode\n```"),
        ToolResultPart("c", "no net", is_error=True),
        ImagePart("ship.png", "image/png", "AAAA"),
        DocumentPart("log.txt", "a long text", "00"),
        UnknownPart({"type": "chatgpt.part"}),
    )
    assert "> Thinking:\n>\n> Hm.\n>\n> Yes.\n" in text
    assert '*Used search:*\n\n```json\n{\n  "q": "ü"\n}\n```\n' in text
    assert "*The tool answered:*\n\n````\n```\ncode\n```\n````\n" in text
    assert "*The tool failed:*" in text
    named = "[image] ship.png\n\n[document] log.txt\n\n```\na long text\n```\n\n[chatgpt.part: kept in the JSON export]"
    assert named in text


def test_an_answer_that_did_not_end_says_so() -> None:
    assert "interrupted" in written(TextPart("To"), state="partial")
    assert "*Connection lost.*" in written(state="error", failure=Failure("network", "Connection lost."))


def test_a_summary_is_noted_before_the_first_message_that_it_stands_for() -> None:
    path = tuple(
        Message(f"m{index}", "t", f"m{index - 1}" if index else None, "user", (TextPart(f"text {index}"),), "2026")
        for index in range(5)
    )
    summaries = (
        Summary("s1", ("m1", "m2", "elsewhere"), "What was\ndecided.", "claude-x", "2026"),
        Summary("s2", ("m4",), "My words.", "", "2026", edited=True),
        Summary("s3", ("elsewhere",), "Of another branch.", "claude-x", "2026"),
    )
    text = write_branch(Thread("t", "Ships", "2026", "2026", choices=ContextChoices(summaries=summaries)), path)
    first = (
        "text 0\n\n"
        "*Conversation summary by claude-x. The model reads it in place of 2 messages from here on.*\n\n"
        "> What was\n> decided.\n\n## You\n\ntext 1"
    )
    second = (
        "text 3\n\n*Conversation summary by you. The model reads it in place of the next message.*\n\n"
        "> My words.\n\n## You\n\ntext 4"
    )
    assert first in text
    assert second in text
    assert "another branch" not in text


def test_citations_are_footnotes_that_are_listed_at_the_end() -> None:
    passage = "3f2a1b9c04-12"
    places: Json = [{"document": "spec.pdf", "heading": "Fees", "page": 4, "start": 0, "end": 4}]
    text = written(
        ToolCallPart("c", "search_documents", {"query": "fees"}),
        ToolResultPart("c", "Nine crowns.", extra={"passage_ids": [passage], "places": places}),
        TextPart(f"Nine [{passage}].\n"),
    )
    assert text.endswith("\n\nNine [^1].\n\n[^1]: spec.pdf, Fees, page 4\n")

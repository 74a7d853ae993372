"""A session of Claude Code as a thread: answers in one piece, tools between them, subagents as branches."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from desktop_app.controller.formats.claude_code_sessions import read_session
from desktop_app.controller.formats.export_reading import Skipped
from desktop_app.core.conversation import Conversation
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    ImagePart,
    JsonObject,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
    Usage,
)
from tests.builders.claude_code_sessions import SESSION, answered, asked, call, line, result, sessions


def only(*lines: Any) -> ImportedThread:
    (thread,) = (one for one in read_session(lines, "it") if isinstance(one, ImportedThread))
    return thread


def branch(imported: ImportedThread) -> tuple[Message, ...]:
    return Conversation(imported.messages).path(imported.thread.tip)


def test_the_lines_of_one_answer_are_one_message_and_results_stand_between_answers() -> None:
    imported = only(
        {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION},
        asked("q", None, "Read the log", timestamp="2026-03-01T09:59:00.000Z"),
        line("attachment", "x", "q", attachment={"type": "date"}),
        answered("a1", "x", {"type": "thinking", "thinking": "Hm.", "signature": "s"}, answer="m", stop_reason=None),
        answered("a2", "a1", "Reading.", answer="m", stop_reason=None),
        answered("a3", "a2", call("t1", file_path="/log"), answer="m", usage={"input_tokens": 1, "output_tokens": 9}),
        asked("r", "a3", [result("t1", [{"type": "text", "text": "Land ahoy"}])], toolUseResult={"file": "…"}),
        answered("b", "r", "It says land ahoy.", timestamp="2026-03-01T10:00:09.000Z"),
    )
    question, first, results, last = branch(imported)
    assert (question.role, question.text) == ("user", "Read the log")
    assert first.parts == (
        ThinkingPart("Hm.", "s"),
        TextPart("Reading."),
        ToolCallPart("t1", "Read", {"file_path": "/log"}),
    )
    assert (first.model, first.usage, first.stop_reason) == ("claude-opus-4-6", Usage(1, output=9), "tool_use")
    assert (results.role, results.parts) == ("user", (ToolResultPart("t1", "Land ahoy"),))
    assert last.text == "It says land ahoy."
    thread = imported.thread
    assert (imported.key, thread.title, thread.project) == ("claude-code:q", "Read the log", "voyage")
    assert (thread.created, thread.updated) == ("2026-03-01T09:59:00.000Z", "2026-03-01T10:00:09.000Z")


@pytest.mark.parametrize("second_parent", ["a1", "a2", "r1"])
def test_results_of_calls_side_by_side_are_one_message(second_parent: str) -> None:
    imported = only(
        asked("q", None, "Both"),
        answered("a1", "q", call("t1"), answer="m"),
        answered("a2", "a1", call("t2"), answer="m"),
        asked("r1", "a1", [result("t1", "one")]),
        asked("r2", second_parent, [result("t2", "two")]),
        answered("b", "r2", "Done."),
    )
    _, calls, results, last = branch(imported)
    assert len(imported.messages) == 4
    assert [part.id for part in calls.parts if isinstance(part, ToolCallPart)] == ["t1", "t2"]
    assert sorted(results.parts, key=str) == [ToolResultPart("t1", "one"), ToolResultPart("t2", "two")]
    assert last.text == "Done."


def test_a_block_written_behind_the_first_result_still_belongs_to_its_answer() -> None:
    imported = only(
        asked("q", None, "Both"),
        answered("a1", "q", call("t1"), answer="m"),
        asked("r1", "a1", [result("t1")]),
        answered("a2", "r1", call("t2"), answer="m"),
        asked("r2", "a2", [result("t2")]),
        answered("b", "r2", "Done."),
    )
    assert [len(message.parts) for message in branch(imported)] == [1, 2, 2, 1]


def test_a_question_that_was_asked_otherwise_is_a_branch() -> None:
    imported = only(
        asked("q", None, "Hello"),
        answered("a", "q", "Hi"),
        asked("x", "a", "First"),
        answered("y", "x", "one"),
        asked("z", "a", "Second", timestamp="2026-03-01T11:00:00.000Z"),
    )
    assert [one.text for one in branch(imported)] == ["Hello", "Hi", "Second"]
    assert len(imported.messages) == 5


def test_a_subagent_is_a_branch_behind_the_call_that_started_it() -> None:
    main = [
        asked("q", None, "Use two"),
        answered("a", "q", call("t1", "Task", prompt="Look left"), answer="m"),
        answered("a2", "a", call("t2", "Agent", prompt="Look right"), answer="m"),
        asked(
            "r", "a2", [result("t1"), result("t2")], toolUseResult={"agentId": "right"}, sourceToolAssistantUUID="a2"
        ),
        answered("b", "r", "Nothing there."),
    ]
    later = "2026-03-01T12:00:00.000Z"
    left = [
        asked("s1", None, "Look left", isSidechain=True),
        answered("s2", "s1", "Sea.", isSidechain=True, timestamp=later),
    ]
    right = [asked("s3", None, [{"type": "text", "text": "…"}], isSidechain=True, agentId="right")]
    imported = only(*main, *left, *right)
    assert [one.text for one in branch(imported)] == ["Use two", "", "", "Nothing there."]
    calling = imported.messages[1]
    beside = [one for one in imported.messages if one.parent_id == calling.id]
    assert sorted(one.text for one in beside) == ["", "Look left", "…"]


def test_compaction_does_not_cut_a_session_in_two() -> None:
    imported = only(
        asked("q", None, "Hello"),
        answered("a", "q", "Hi"),
        line("system", "c", None, subtype="compact_boundary", content="Conversation compacted", logicalParentUuid="a"),
        asked("s", "c", "This session is being continued: Hello, Hi.", isCompactSummary=True),
        asked("m", "s", "<local-command-caveat>hidden</local-command-caveat>", isMeta=True),
        asked("n", "m", "<command-name>/compact</command-name>\n<command-args>keep it short</command-args>"),
        asked("o", "n", "<local-command-stdout>Compacted</local-command-stdout>"),
    )
    texts = [one.text for one in branch(imported)]
    assert texts == [
        "Hello",
        "Hi",
        "This session is being continued: Hello, Hi.",
        "/compact keep it short",
        "Compacted",
    ]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([], "Where to?"),
        ([{"type": "summary", "summary": "Of another", "leafUuid": "z"}], "Where to?"),
        ([{"type": "summary", "summary": "A course", "leafUuid": "a"}], "A course"),
        ([{"type": "ai-title", "aiTitle": "By the program"}], "By the program"),
        (
            [{"type": "custom-title", "customTitle": "By me"}, {"type": "ai-title", "aiTitle": "By the program"}],
            "By me",
        ),
    ],
)
def test_the_title_is_the_users_else_the_programs_else_the_first_words(lines: list[Any], title: str) -> None:
    assert only(*lines, asked("q", None, "Where to?"), answered("a", "q", "North")).thread.title == title


def test_an_error_of_the_program_is_no_answer() -> None:
    failed = answered(
        "a", "q", "Prompt is too long", isApiErrorMessage=True, message={"model": "<synthetic>", "usage": {}}
    )
    _, answer = only(asked("q", None, "?"), failed).messages
    assert (answer.state, answer.model, answer.usage) == ("error", None, None)
    assert answer.failure is not None
    assert answer.failure.message == "Prompt is too long"
    assert answer.parts == ()


@pytest.mark.parametrize(
    "unfinished",
    [
        [answered("b", "r", call("t2"))],
        [answered("b", "r", "Now the", stop_reason="tool_use")],
        [answered("b", "r", {"type": "thinking", "thinking": "Hm"})],
        [answered("b", "r", call("t2"), call("t3")), asked("s", "b", [result("t2")])],
    ],
)
def test_an_answer_that_is_still_written_waits_for_the_next_look(unfinished: list[Any]) -> None:
    lines = [asked("q", None, "?"), answered("a", "q", call("t1")), asked("r", "a", [result("t1")])]
    told, imported = read_session([*lines, *unfinished], "session 1")
    assert isinstance(told, Skipped)
    assert "not finished" in told.why
    assert isinstance(imported, ImportedThread)
    assert [len(one.parts) for one in imported.messages] == [1, 1, 1]
    more = [*lines, *unfinished, answered("c", unfinished[-1]["uuid"], "Done.")]
    later = only(*more)
    assert [one.id for one in later.messages][:3] == [one.id for one in imported.messages]
    assert later.messages[-1].text == "Done."


def test_a_session_that_goes_on_from_another_is_the_same_thread() -> None:
    first = [asked("q", None, "Hello"), answered("a", "q", "Hi")]
    copied = [one | {"sessionId": "another"} for one in first]
    original, fork = only(*first, asked("x", "a", "One")), only(*copied, asked("y", "a", "Two"))
    assert original.key == fork.key
    assert original.thread.id == fork.thread.id
    assert [one.id for one in original.messages][:2] == [one.id for one in fork.messages][:2]


def test_pictures_and_unknown_blocks_are_kept() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
    web: JsonObject = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    imported = only(
        asked("q", None, [picture, web, {"type": "text", "text": "What is it?"}]), answered("a", "q", "Sea")
    )
    shown, kept, text = imported.messages[0].parts
    assert shown == ImagePart("image", "image/png", "QUJD")
    assert kept == UnknownPart(web)
    assert text == TextPart("What is it?")


@given(sessions())
@pytest.mark.slow
def test_any_session_gives_a_sound_thread(lines: list[Any]) -> None:
    found = list(read_session(lines, "it"))
    assert found == list(read_session(lines, "it"))
    for imported in found:
        if isinstance(imported, Skipped):
            assert imported.why
            continue
        seen = {imported.thread.id}
        for message in imported.messages:
            assert message.parts or message.failure
            assert message.id not in seen
            assert message.parent_id is None or message.parent_id in seen - {imported.thread.id}
            seen.add(message.id)
        assert imported.thread.tip in seen

"""One conversation of a Claude.ai export as a thread: every known shape of blocks, branches and artifacts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from desktop_app.controller.formats.claude_export import read_conversation
from desktop_app.controller.formats.export_reading import Skipped
from desktop_app.core.artifacts import ArtifactVersion
from desktop_app.core.conversation import Conversation
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import (
    DocumentPart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from tests.builders.claude_export import artifact_call, conversation, conversations, said

ROOT = "00000000-0000-4000-8000-000000000000"


def only(data: Any) -> ImportedThread:
    (thread,) = (one for one in read_conversation(data, "it") if isinstance(one, ImportedThread))
    return thread


def branch(imported: ImportedThread) -> tuple[Message, ...]:
    return Conversation(imported.messages).path(imported.thread.tip)


def test_keeps_facts_and_times_and_links_an_old_export_in_its_order() -> None:
    imported = only(
        conversation(
            said("q", "human", "Hello"),
            said("a", "assistant", "Hi", created_at="2025-03-01T10:00:03+00:00"),
            said("q2", "human", created_at="2025-03-01T10:01:00", text="No blocks here"),
            project={"uuid": "p", "name": "Voyage"},
            is_starred=True,
        )
    )
    thread = imported.thread
    assert imported.key == "claude:c1"
    assert (thread.title, thread.project, thread.pinned) == ("A talk", "Voyage", True)
    assert (thread.created, thread.updated) == ("2025-03-01T09:59:00.000Z", "2025-03-01T11:00:00.000Z")
    assert [(one.role, one.text) for one in branch(imported)] == [
        ("user", "Hello"), ("assistant", "Hi"), ("user", "No blocks here"),
    ]  # fmt: skip
    assert [one.created[11:] for one in imported.messages] == ["10:00:00.000Z", "10:00:03.000Z", "10:01:00.000Z"]


def test_branches_hang_on_their_parents_and_a_foreign_parent_is_a_root() -> None:
    messages = (
        said("q", "human", "Name a color", parent=ROOT),
        said("a1", "assistant", "red", parent="q", created_at="2025-03-01T10:00:09Z"),
        said("a2", "assistant", "blue", parent="q", created_at="2025-03-01T10:00:05Z"),
    )
    imported = only(conversation(*messages))
    tree = Conversation(imported.messages)
    (root,) = tree.children(None)
    assert [tree[one].text for one in tree.children(root)] == ["blue", "red"], "oldest first, as on every machine"
    assert branch(imported)[-1].text == "red"  # the newest
    assert branch(only(conversation(*messages, current_leaf_message_uuid="a2")))[-1].text == "blue"


def test_an_unnamed_conversation_is_called_by_its_first_words() -> None:
    assert only(conversation(said("q", "human", "Where to?"), name="")).thread.title == "Where to?"


def test_blocks_become_parts() -> None:
    answer = said(
        "a",
        "assistant",
        {"type": "thinking", "thinking": "Let me see.", "summaries": [{"summary": "Looked"}], "signature": "sig"},
        {"type": "tool_use", "name": "web_search", "input": {"query": "cats"}, "id": None},
        {
            "type": "tool_result",
            "name": "web_search",
            "is_error": False,
            "content": [{"type": "knowledge", "title": "Cats", "url": "https://cats.example", "text": "Three."}],
        },
        {"type": "voice_note", "title": "Note", "text": "Spoken"},
        {"type": "token_budget"},
        {"type": "hologram", "data": 1},
        "There are three.",
    )
    _, read = branch(only(conversation(said("q", "human", "Find cats"), answer)))
    thinking, call, result, note, unknown, text = read.parts
    assert thinking == ThinkingPart("Let me see.", "sig")
    assert isinstance(call, ToolCallPart)
    assert (call.name, call.input) == ("web_search", {"query": "cats"})
    assert result == ToolResultPart(call.id, "Cats · https://cats.example\nThree.")
    assert note == TextPart("Note\n\nSpoken")
    assert unknown == UnknownPart({"type": "claude.hologram", "content": {"type": "hologram", "data": 1}})
    assert text == TextPart("There are three.")


def test_a_result_answers_the_call_it_names() -> None:
    calls: list[dict[str, Any]] = [
        {"type": "tool_use", "name": name, "id": name, "input": {}} for name in ("one", "two")
    ]
    results = [{"type": "tool_result", "tool_use_id": name, "content": name} for name in ("one", "two")]
    lonely = {"type": "tool_result", "tool_use_id": None, "content": "of nothing"}
    (first, second) = only(
        conversation(said("a", "assistant", *calls, *results), said("b", "assistant", lonely))
    ).messages
    assert first.parts[2:] == (ToolResultPart("one", "one"), ToolResultPart("two", "two"))
    assert isinstance(second.parts[0], UnknownPart)


def test_attachments_are_documents_and_files_are_named() -> None:
    question = said(
        "q",
        "human",
        "Read this",
        attachments=[
            {"file_name": "a.txt", "file_type": "txt", "file_size": 3, "extracted_content": "abc"},
            {"file_name": "b.bin", "file_size": 3, "extracted_content": ""},
        ],
        files=[{"file_name": "photo.png", "file_uuid": "f"}, {"file_name": "a.txt"}],
    )
    (read,) = only(conversation(question)).messages
    document, nothing, file, text = read.parts
    assert isinstance(document, DocumentPart)
    assert (document.name, document.text) == ("a.txt", "abc")
    assert isinstance(nothing, UnknownPart)
    assert nothing.raw["type"] == "claude.attachment"
    assert isinstance(file, UnknownPart)
    assert file.raw["type"] == "claude.file"
    assert text == TextPart("Read this")


def test_calls_for_artifacts_become_artifacts_with_versions_on_each_branch() -> None:
    made = artifact_call("create", type="application/vnd.ant.code", language="python", title="Poem", content="a = 1\n")
    imported = only(
        conversation(
            said("q", "human", "Write", parent=ROOT),
            said("a", "assistant", made, {"type": "tool_result", "content": [{"text": "OK"}]}, parent="q"),
            said("b", "assistant", artifact_call("update", old_str="1", new_str="2"), parent="a"),
            said("c", "assistant", artifact_call("update", old_str="1", new_str="3"), parent="a"),
            said("d", "assistant", artifact_call("rewrite", content="b = 0\n"), parent="c"),
            said("e", "assistant", artifact_call("update", old_str="not there", new_str="x"), parent="d"),
        )
    )
    (one,) = imported.artifacts
    artifact = one.artifact
    assert (artifact.title, artifact.kind, artifact.language, artifact.versions) == ("Poem", "code", "python", 4)
    assert artifact.thread_id == imported.thread.id
    assert [version.text for version in one.versions] == ["a = 1\n", "a = 2\n", "a = 3\n", "b = 0\n"]
    assert isinstance(one.versions[0], ArtifactVersion)
    _, a, b, _, _, e = imported.messages
    call, result = a.parts
    assert isinstance(call, ToolCallPart)
    assert call.name == "create_artifact"
    assert call.input["text"] == "a = 1\n"
    assert isinstance(result, ToolResultPart)
    assert result.call_id == call.id
    assert result.extra["artifact"] == {"id": artifact.id, "title": "Poem", "version": 1, "kind": "code"}
    assert isinstance(b.parts[0], ToolCallPart)
    assert b.parts[0].input["edits"] == [{"old": "1", "new": "2"}]
    assert isinstance(e.parts[0], ToolCallPart)
    assert e.parts[0].name == "artifacts"


def test_the_model_of_a_capture_stands_on_its_answers() -> None:
    question, answer = only(conversation(said("q", "human", "?"), said("a", "assistant", "!"), model="m")).messages
    assert (question.model, answer.model) == (None, "m")


def test_what_is_empty_is_skipped_and_said() -> None:
    assert list(read_conversation(conversation(), "conversation 1")) == [Skipped("conversation 1", "no messages")]
    empty = said("e", "assistant", parent="q")
    imported = only(conversation(said("q", "human", "1", parent=ROOT), empty, said("q2", "human", "2", parent="e")))
    assert [one.text for one in branch(imported)] == ["1", "2"]


def test_circles_are_cut_and_told() -> None:
    found = list(
        read_conversation(
            conversation(said("a", "human", "1", parent="b"), said("b", "assistant", "2", parent="a")), "it"
        )
    )
    assert isinstance(found[0], Skipped)
    assert "1 broken link" in found[0].why
    assert isinstance(found[1], ImportedThread)
    assert len(found[1].messages) == 2


def test_ids_are_stable_while_a_conversation_grows() -> None:
    messages = [said("q", "human", "1"), said("a", "assistant", "2"), said("q2", "human", "3")]
    first, later = only(conversation(*messages[:2])), only(conversation(*messages))
    assert [one.id for one in first.messages] == [one.id for one in later.messages][:2]
    assert first.thread.id == later.thread.id


@given(conversations())
@pytest.mark.slow
def test_any_conversation_gives_a_sound_thread(data: dict[str, Any]) -> None:
    for imported in read_conversation(data, "it"):
        if isinstance(imported, Skipped):
            continue
        seen = {imported.thread.id}
        for message in imported.messages:
            assert message.parts
            assert message.id not in seen
            assert message.parent_id is None or message.parent_id in seen
            seen.add(message.id)
        assert imported.thread.tip in seen
        for one in imported.artifacts:
            assert [version.number for version in one.versions] == list(range(1, one.artifact.versions + 1))

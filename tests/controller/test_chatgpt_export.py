from __future__ import annotations

import gc
import json
from typing import Any

import pytest
from hypothesis import given

from desktop_app.controller.formats import chatgpt_export
from desktop_app.controller.formats.export_reading import UnreadableExportError
from desktop_app.core.conversation import Conversation
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart, UnknownPart
from tests.builders.chatgpt_export import conversation, conversations, node, said
from tests.builders.export_source import ReadExport, read_all, source_of
from tests.counted_calls import CountedCalls


def read(data: Any, *, only_good: bool = False) -> ReadExport:
    return read_all(chatgpt_export.IMPORTER, source_of({"conversations.json": data}, only_good=only_good))


def only(data: Any) -> ImportedThread:
    (thread,) = read(data).threads
    return thread


def branch(imported: ImportedThread) -> tuple[Message, ...]:
    return Conversation(imported.messages).path(imported.thread.tip)


def linear(*messages: dict[str, Any]) -> dict[str, Any]:
    """A conversation whose messages follow each other."""
    names = [f"n{index}" for index in range(len(messages))]
    nodes = [
        node(name, names[index - 1] if index else None, message, *names[index + 1 : index + 2])
        for index, (name, message) in enumerate(zip(names, messages, strict=True))
    ]
    return conversation(*nodes, current=names[-1])


def test_keeps_facts_times_and_the_model_of_each_answer() -> None:
    data = conversation(
        node("root", None, None, "q"),
        node("q", "root", said("user", "Hello", create_time=1_700_000_001.25), "a"),
        node("a", "q", said("assistant", "Hi", metadata={"model_slug": "gpt-5"}, create_time="2023-11-14T22:13:30Z")),
        current="a",
        is_starred=True,
        is_archived=True,
    )
    imported = only([data])
    thread, (question, answer) = imported.thread, imported.messages
    assert imported.key == "chatgpt:c1"
    assert (thread.title, thread.pinned, thread.archived) == ("A talk", True, True)
    assert (thread.created, thread.updated) == ("2023-11-14T22:13:20.500Z", "2023-11-14T22:15:00.000Z")
    assert (question.role, question.text, question.created) == ("user", "Hello", "2023-11-14T22:13:21.250Z")
    assert (answer.role, answer.text, answer.model) == ("assistant", "Hi", "gpt-5")
    assert answer.created == "2023-11-14T22:13:30.000Z"
    assert (question.parent_id, answer.parent_id, thread.tip) == (None, question.id, answer.id)


def test_branches_stay_siblings_in_their_order_and_the_current_node_is_the_tip() -> None:
    data = conversation(
        node("q", None, said("user", "Name a colour"), "a1", "a2", "a3"),
        node("a3", "q", said("assistant", "blue")),
        node("a1", "q", said("assistant", "red"), "q2"),
        node("a2", "q", said("assistant", "green")),
        node("q2", "a1", said("user", "Another")),
        current="a2",
    )
    imported = only(data)
    tree = Conversation(imported.messages)
    (root,) = tree.children(None)
    assert [tree[one].text for one in tree.children(root)] == ["red", "green", "blue"]
    assert [message.text for message in branch(imported)] == ["Name a colour", "green"]


def test_an_answer_that_branches_half_way_keeps_both_ends_apart() -> None:
    data = conversation(
        node("q", None, said("user", "?"), "start"),
        node("start", "q", said("assistant", "Once"), "good", "bad"),
        node("good", "start", said("assistant", "and well")),
        node("bad", "start", said("assistant", "and badly")),
        current="bad",
    )
    imported = only(data)
    assert [message.text for message in branch(imported)] == ["?", "Once", "and badly"]
    assert [message.text for message in imported.messages] == ["?", "Once", "and well", "and badly"]


def test_without_a_current_node_the_newest_leaf_is_shown() -> None:
    data = conversation(
        node("q", None, said("user", "?", create_time=1.0), "a1", "a2"),
        node("a1", "q", said("assistant", "newer", create_time=9.0)),
        node("a2", "q", said("assistant", "older", create_time=5.0)),
    )
    assert branch(only(data))[-1].text == "newer"


@pytest.mark.parametrize(
    "skipped",
    [
        None,
        said("assistant", "hidden", weight=0),
        said("system", "", metadata={"is_visually_hidden_from_conversation": True}),
        said("user", {"content_type": "user_editable_context", "user_profile": "me", "user_instructions": "be brief"}),
        said("user", {"content_type": "text", "parts": [None, "", " "]}),
    ],
)
def test_what_is_not_shown_is_skipped_and_its_children_hang_one_higher(skipped: dict[str, Any] | None) -> None:
    data = conversation(
        node("q", None, said("user", "Before"), "gone"),
        node("gone", "q", skipped, "a"),
        node("a", "gone", said("assistant", "After")),
        current="a",
    )
    assert [message.text for message in branch(only(data))] == ["Before", "After"]


def test_the_steps_of_one_answer_become_parts_of_one_message() -> None:
    call = said("assistant", {"content_type": "code", "language": "json", "text": '{"q": "cats"}'}, recipient="search")
    data = linear(
        said("user", "Find cats"),
        said("assistant", {"content_type": "thoughts", "thoughts": [{"summary": "Plan", "content": "Search first."}]}),
        call | {"id": "call-1"},
        said("tool", {"content_type": "execution_output", "text": "3 cats"}, name="search"),
        said("assistant", "There are three."),
        said("user", "Thanks"),
    )
    question, answer, thanks = branch(only(data))
    assert answer.parts == (
        ThinkingPart("Plan\n\nSearch first."),
        ToolCallPart("call-1", "search", {"q": "cats"}),
        ToolResultPart("call-1", "3 cats"),
        TextPart("There are three."),
    )
    assert (question.text, thanks.text) == ("Find cats", "Thanks")
    assert thanks.parent_id == answer.id


def test_results_are_paired_with_the_call_of_their_name() -> None:
    data = linear(
        said("assistant", "print(1)", recipient="python", id="first"),
        said("assistant", "not json", recipient="browser", id="second"),
        said("tool", {"content_type": "execution_output", "text": "1"}, name="python"),
        said("tool", {"content_type": "system_error", "text": "offline"}, name="browser"),
    )
    (answer,) = branch(only(data))
    assert answer.parts[1] == ToolCallPart("second", "browser", {"text": "not json"})
    assert answer.parts[2:] == (ToolResultPart("first", "1"), ToolResultPart("second", "offline", is_error=True))


def test_what_has_no_part_of_its_own_is_kept_as_it_is() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"}
    webpage = {"content_type": "sonic_webpage", "url": "https://example.org", "text": "page"}
    attached = {"id": "file-2", "name": "notes.txt", "size": 3}
    data = linear(
        said(
            "user",
            {"content_type": "multimodal_text", "parts": ["Look", picture]},
            metadata={"attachments": [attached]},
        ),
        said("assistant", webpage),
    )
    question, answer = branch(only(data))
    kept = [part.raw["content"] for part in (*question.parts, *answer.parts) if isinstance(part, UnknownPart)]
    assert question.text == "Look"
    assert kept == [attached, picture, webpage]


def test_marks_of_sources_become_links_with_titles() -> None:
    marks = [f"\ue200cite\ue202turn0search{one}\ue201" for one in range(4)]
    references: list[dict[str, Any]] = [
        {
            "matched_text": marks[0],
            "items": [{"title": "Tides [1]", "url": "https://a.org/t_(x)"}, {"url": "https://b.org"}],
        },
        {"matched_text": marks[1], "title": "A page", "url": "https://c.org"},
        {"matched_text": marks[2], "items": [{"title": "Bad", "url": "javascript:alert(1)"}], "alt": "a word"},
        {"matched_text": "【3†L1】", "type": "file", "name": "notes.pdf"},
        {"matched_text": " ", "type": "sources_footnote"},
    ]
    text = f"High{marks[0]}, low{marks[1]}, {marks[2]}, gone{marks[3]}, 【3†L1】 and 【题】."
    (answer,) = only(linear(said("assistant", text, metadata={"content_references": references}))).messages
    assert answer.text == (
        r"High ([Tides \[1\]](<https://a.org/t_(x)>), <https://b.org>), low ([A page](<https://c.org>)), a word, gone, "
        "notes.pdf and 【题】."
    )


def test_thoughts_without_words_are_left_away() -> None:
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": " ", "content": "\n"}]}
    (answer,) = only(linear(said("assistant", thoughts), said("assistant", "Yes"))).messages
    assert answer.parts == (TextPart("Yes"),)


def test_a_visible_system_message_becomes_the_system_prompt() -> None:
    imported = only(linear(said("system", "Answer in verse."), said("user", "Hello")))
    assert imported.thread.system == "Answer in verse."
    assert [message.text for message in imported.messages] == ["Hello"]


def test_broken_links_are_cut_told_and_nothing_is_lost() -> None:
    data = conversation(
        node("a", "b", said("user", "one"), "b"),
        node("b", "a", said("assistant", "two"), "a"),
        node("c", "missing", said("user", "three")),
    )
    export = read([data])
    assert sorted(message.text for message in export.threads[0].messages) == ["one", "three", "two"]
    assert any("2 broken links" in skip.why for skip in export.skipped)


def test_a_broken_conversation_is_named_and_refused_unless_the_good_ones_are_asked_for() -> None:
    data = [conversation(node("q", None, said("user", "Hi"))), {"mapping": 3}, "x", conversation()]
    with pytest.raises(UnreadableExportError, match=r"conversation 2: expected an object with a mapping .* byte \d+"):
        read(data)
    export = read(data, only_good=True)
    assert len(export.threads) == 1
    assert [one.what for one in export.broken] == ["conversation 2", "conversation 3"]
    assert [one.what for one in export.skipped] == ['conversation 4 "A talk"']


def test_ids_are_stable_while_a_conversation_grows() -> None:
    first = only(linear(said("user", "1"), said("assistant", "2")))
    later = only(linear(said("user", "1"), said("assistant", "2"), said("user", "3")))
    assert [message.id for message in first.messages] == [message.id for message in later.messages][:2]
    assert first.thread.id == later.thread.id


@given(conversations())
@pytest.mark.slow
def test_any_tree_gives_a_sound_thread(data: dict[str, Any]) -> None:
    for imported in read([data]).threads:
        seen = {imported.thread.id}
        for message in imported.messages:
            assert message.parts
            assert message.id not in seen
            assert message.parent_id is None or message.parent_id in seen
            seen.add(message.id)
        assert imported.thread.tip in seen
        assert branch(imported)[-1].id == imported.thread.tip


@given(conversations())
@pytest.mark.slow
def test_every_visible_text_is_in_exactly_one_message(data: dict[str, Any]) -> None:
    marked = 0
    for name, item in data["mapping"].items():
        if (message := item["message"]) is not None and message["weight"] != 0 and not message["metadata"]:
            message["content"] = {"content_type": "text", "parts": [f"<{name}>"]}
            marked += 1
    threads = read([data]).threads
    system = threads[0].thread.system if threads else ""
    whole = system + json.dumps([repr(message.parts) for thread in threads for message in thread.messages])
    if threads:
        assert whole.count("<n") == marked
        assert all(whole.count(f"<{name}>") <= 1 for name in data["mapping"])


@pytest.mark.slow
def test_work_grows_with_the_size_and_not_with_its_square() -> None:
    """A chain, and a comb in which every node of an answer has a second child: both by the thousand."""

    def calls(size: int) -> int:
        chain = linear(*(said("assistant" if index % 3 else "user", "x") for index in range(size)))
        comb: list[dict[str, Any]] = []
        for index in range(size):
            comb.append(node(f"s{index}", f"s{index - 1}" if index else None, said("assistant", "s")))
            comb.append(node(f"t{index}", f"s{index}", said("assistant", "t")))
        # the collector looks at everything that other tests left behind, which is no cost of the reading
        gc.collect()
        gc.disable()
        try:
            with CountedCalls() as work:
                read([chain, conversation(*comb)])
            return work.calls
        finally:
            gc.enable()

    small, large = calls(400), calls(2400)
    assert large < 6 * 1.1 * small

"""What of documents, images, artifacts and JSON-encoded messages is sent, and the app's notes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.context.sent_content import SYSTEM_NOTE, content_of, imitates_note
from desktop_app.core.messages import DocumentPart, ImagePart, Part, TextPart, ToolCallPart, ToolResultPart, UnknownPart
from tests.core.paths import MODEL_200K, message, plan_for, prepare, sent_and_answered, small_model, talk, words

REPORT = DocumentPart("report.pdf", "the report " * 300, "ab")
AGAIN = TextPart("[Document attached above: report.pdf]")
PHOTO = ImagePart("photo.png", "image/png", "aGk=", 600, 500)


def blocks(plan: ContextPlan) -> list[Part]:
    return [block for m in plan.request.messages for block in m.blocks]


def test_a_second_attachment_is_a_reference_also_in_the_draft() -> None:
    first = prepare(()).plan([REPORT, TextPart("read")])
    path = (message(0, "user", REPORT, "read"), message(1, "assistant", "done"))
    again = prepare(path).plan([REPORT, TextPart("again")])
    assert blocks(again) == [REPORT, TextPart("read"), TextPart("done"), AGAIN, TextPart("again")]
    assert again.tokens.documents < first.tokens.documents * 1.05
    assert (first.request.system, again.request.system) == (SYSTEM_NOTE, SYSTEM_NOTE), (
        "told of from the first request on"
    )
    assert prepare(()).plan([TextPart("read")]).request.system == ""
    uncached = prepare((), overhead=Overhead()).plan([REPORT, TextPart("read")])
    assert uncached.request.system == "", "where nothing is cached, the line comes with the first note"
    stored = (*path, message(2, "user", REPORT, "again"), message(3, "assistant", "yes"))
    later = plan_for(stored, "x")
    assert blocks(later)[: len(blocks(again))] == blocks(again)
    assert later.request.prefix_key == again.request.prefix_key
    assert [p.state for p in later.placement.messages] == ["whole", "whole", "annotated", "whole"]


def test_a_reference_becomes_whole_when_its_document_is_left_out() -> None:
    filler = [words(300)] * 4
    path = talk("begin", "ok", "x", "y", *filler, "z", "w", *filler)
    path = tuple(replace(m, parts=(REPORT, TextPart("read"))) if m.id in ("m2", "m8") else m for m in path)
    whole = plan_for(path, "next", model=MODEL_200K)
    assert blocks(whole).count(REPORT) == 1
    tight = plan_for(path, "next", model=MODEL_200K, soft_limit=whole.tokens.total - 100)
    assert tight.decision == "trim"
    if "m8" in [p.id for p in tight.placement.messages if p.tokens]:
        assert REPORT in tight.request.history[-5].blocks or blocks(tight).count(REPORT) == 1
    assert AGAIN not in blocks(tight)


def test_a_picture_in_an_answer_is_a_line() -> None:
    """An imported one that another program drew: no provider takes it back."""
    path = (message(0, "user", "draw"), message(1, "assistant", "Here:", PHOTO))
    assert blocks(plan_for(path, "thanks"))[1:3] == [TextPart("Here:"), TextPart("[Image sent: photo.png]")]


def test_an_image_is_sent_until_the_next_step() -> None:
    path = talk("begin", "ok", *[words(300)] * 12, "look", "seen")
    path = (*path[:-2], replace(path[-2], parts=(PHOTO, TextPart("look"))), path[-1])
    before = plan_for(path, "next")
    assert PHOTO in blocks(before)
    step = plan_for(path, "next", soft_limit=before.tokens.total - 50)
    assert PHOTO not in blocks(step)
    assert TextPart("[Image sent: photo.png]") in blocks(step)
    assert step.tokens.total < before.tokens.total
    after = sent_and_answered(path, step, "next", "done")
    newer = prepare(after, soft_limit=before.tokens.total - 50).plan([PHOTO, TextPart("and this")])
    assert blocks(newer)[: len(blocks(step))] == blocks(step)
    assert PHOTO in blocks(newer)


def test_artifacts_become_one_line_in_the_answer_that_made_them() -> None:
    carried = TextPart("def f(): ...", {"artifact": {"title": "plot.py", "version": 2}})
    tagged = 'Here: <antArtifact identifier="p" title="Plan" version="3">\nlong\nbody</antArtifact> done'
    call = ToolCallPart("c", "create_artifact", {"title": "Map", "content": "x" * 500, "version": 1})
    path = (
        message(0, "user", "make it"),
        message(1, "assistant", "Here.", carried),
        message(2, "user", "and"),
        message(3, "assistant", tagged),
        message(4, "user", carried),
        message(5, "assistant", call),
        message(6, "user", ToolResultPart("c", "stored")),
        message(7, "assistant", "Done."),
    )
    plan = plan_for(path, "x")
    assert plan.request.history[1].blocks == (TextPart("Here."), TextPart("[created artifact] plot.py v2"))
    assert plan.request.history[3].blocks == (TextPart("Here: [created artifact] Plan v3 done"),)
    assert plan.request.history[4].blocks == (TextPart("def f(): ..."),) or plan.request.history[4].blocks == (carried,)
    assert plan.request.history[5].blocks == (TextPart("[created artifact] Map v1"), TextPart("Done."))
    assert plan.request.system == SYSTEM_NOTE


def test_json_encoded_messages_follow_the_same_rules() -> None:
    called = json.dumps(
        [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "t1", "name": "search_documents", "input": {"query": "pricing"}},
        ]
    )
    found = json.dumps([{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "p " * 99}]}])
    path = talk("cost?", called, found, "It costs 3.")
    plan = plan_for(path, "next")
    assert [m.role for m in plan.request.messages] == ["user", "assistant", "user"]
    assert plan.request.history[1].blocks == (
        TextPart("Let me look."),
        TextPart('[searched documents] "pricing"'),
        TextPart("It costs 3."),
    )
    again = prepare(path, previous=prepare(path[:3])).plan([TextPart("next")])
    assert again == plan


@pytest.mark.parametrize("text", ['[{"type":"text","text":"hi"}]', '[{"type":"novel"}]', "[1, 2]", '[{"type":"text"'])
def test_json_that_was_typed_here_stays_as_it_was_typed(text: str) -> None:
    assert blocks(plan_for((), text)) == [TextPart(text)]
    path = talk(text, "answer")
    served = (path[0], replace(path[1], backend="anthropic"))
    assert blocks(plan_for(served, "x"))[0] == TextPart(text)


@pytest.mark.parametrize(
    ("text", "imitates"),
    [
        ('[searched documents] "x" -> 3 passages from a.pdf', True),
        ("Sure.\n  [performed an action] send_mail", True),
        ("> [38 earlier messages left out]", True),
        ("[Conversation Summary]\nAll is well", True),
        ("I searched documents [1] and performed an action.", False),
        ("See [created artifact](link) in the text", False),
        ("", False),
    ],
)
def test_an_answer_that_imitates_a_note_is_told(text: str, imitates: bool) -> None:
    assert imitates_note(text) is imitates


def test_growth_is_linear_in_what_tools_return() -> None:
    """P11: what a tool returned is sent in its own turn only."""

    def total(size: int) -> int:
        path = (
            message(0, "user", "find"),
            message(1, "assistant", ToolCallPart("c", "search_documents", {"query": "q"})),
            message(2, "user", ToolResultPart("c", words(size))),
            message(3, "assistant", "found"),
        )
        return plan_for(path, "next", model=small_model(60_000)).tokens.total

    assert total(10) == total(10_000)


def test_a_search_of_the_providers_own_is_a_line_after_its_turn_and_whole_within_it() -> None:
    query = UnknownPart({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "tide"}})
    found = UnknownPart({"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"url": "x" * 9_000}]})
    hidden = UnknownPart({"type": "redacted_thinking", "data": "c2VjcmV0"})
    strange = UnknownPart({"type": "something_new", "data": 1})
    answer = replace(message(1, "assistant", hidden, query, found, "At noon.", strange), backend="anthropic")
    over = content_of(answer, {}, backend="anthropic", labels=False, running=False)
    assert over.blocks == (TextPart("[performed an action] web_search"), TextPart("At noon."), strange)
    assert over.annotated
    running = content_of(answer, {}, backend="anthropic", labels=False, running=True)
    assert running.blocks == answer.parts
    elsewhere = content_of(answer, {}, backend="openai", labels=False, running=False)
    assert elsewhere.blocks == (TextPart("[performed an action] web_search"), TextPart("At noon."))

"""The newest version of an artifact goes with the turn that needs it, and is its note ever after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.context.plan_questions import refusal_remedies
from desktop_app.core.context.token_counting import ArtifactContext, observation_after
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import DocumentPart, Message, Part, TextPart, ToolCallPart, ToolResultPart, Usage
from tests.core.paths import MODEL_200K, message, prepare, sent_and_answered, small_model, talk, words

BRD = ArtifactContext("a1", "Order BRD", 12, "# Order BRD\n\nThe door is blue.")


def plan_of(
    path: tuple[Message, ...], said: str, *artifacts: ArtifactContext, overhead: Overhead | None = None
) -> ContextPlan:
    prepared = prepare(path, artifacts=artifacts, overhead=overhead, system="Brief.")
    return prepared.plan([TextPart(said)] if said else [])


def sent_whole(plan: ContextPlan) -> list[str]:
    """The names of what is sent in full."""
    return [b.name for m in plan.request.messages for b in m.blocks if isinstance(b, DocumentPart)]


@pytest.mark.parametrize(
    ("said", "is_sent"),
    [
        ("Change the order brd: the door is green.", True),
        ("In “Order  BRD”, section 2?", True),
        ("Which orders come first?", False),
        ("Reorder BRDs", False),
        ("", False),
    ],
)
def test_an_artifact_that_is_named_goes_along_in_full_behind_the_question(said: str, is_sent: bool) -> None:
    plan = plan_of(talk("one", "two"), said, BRD)
    assert sent_whole(plan) == (["Order BRD v12"] if is_sent else [])
    if is_sent:
        assert plan.request.pending is not None
        assert plan.request.pending.blocks[0] == TextPart(said)
        assert plan.request.pending.blocks[1:] == (
            DocumentPart("Order BRD v12", BRD.text, "artifact/a1/12", "text/markdown"),
        )
        assert (plan.request.of_turn, plan.request.pending.sources[-1]) == (1, None)


def test_a_pinned_one_goes_with_every_question_and_with_none_of_the_earlier_ones() -> None:
    pinned = replace(BRD, pinned=True)
    first = plan_of((), "one", pinned)
    path = sent_and_answered((), first, "one", "yes")
    second = plan_of(path, "two", replace(pinned, version=13, text="# Order BRD\n\nThe door is green."))
    assert sent_whole(first) == ["Order BRD v12"]
    assert sent_whole(second) == ["Order BRD v13"]
    assert second.request.messages[0].blocks == (TextPart("one"),)
    assert not second.advice.events, "what is gone with its turn is no rewritten cache"


def test_nothing_goes_while_nothing_is_asked() -> None:
    plan = plan_of(talk("one", "two"), "", replace(BRD, pinned=True))
    assert (plan.request.pending, sent_whole(plan)) == (None, [])


def test_a_question_that_waits_takes_it_along_as_it_was_planned() -> None:
    planned = plan_of(talk("one", "two"), "the order BRD?", BRD)
    stored = plan_of((*talk("one", "two"), message(2, "user", "the order BRD?")), "", BRD)
    assert stored.request.pending is not None
    assert planned.request.pending is not None
    assert stored.request.pending.blocks == planned.request.pending.blocks
    assert stored.request.prefix_key == planned.request.prefix_key
    assert stored.tokens.total == pytest.approx(planned.tokens.total, abs=6)


def test_while_tools_run_it_stays_where_it_was_and_with_the_next_question_it_is_gone() -> None:
    asked = plan_of((), "Change the Order BRD", BRD)
    call = ToolCallPart("c1", "update_artifact", {"id": "a1", "text": "whole"})
    answer = replace(
        message(1, "assistant", call), prefix_key=asked.request.prefix_key, backend="anthropic", stop_reason="tool_use"
    )
    result = ToolResultPart("c1", "done", extra={"artifact": {"id": "a1", "title": "Order BRD", "version": 13}})
    path = (message(0, "user", "Change the Order BRD"), answer, message(2, "user", result))
    running = plan_of(path, "", BRD)
    assert running.request.messages[0].blocks == asked.request.messages[0].blocks
    assert running.request.prefix_key == asked.request.prefix_key
    assert call in [block for m in running.request.messages for block in m.blocks]
    over = plan_of((*path, message(3, "assistant", "Changed.")), "thanks", replace(BRD, version=13))
    said: list[Part] = [block for m in over.request.messages for block in m.blocks]
    assert said == [
        TextPart("Change the Order BRD"),
        TextPart("[created artifact] Order BRD v13"),
        TextPart("Changed."),
        TextPart("thanks"),
    ]


def test_what_was_thought_behind_another_version_stays_away() -> None:
    from desktop_app.core.messages import ThinkingPart

    asked = plan_of((), "Change the Order BRD", BRD)
    call = ToolCallPart("c1", "update_artifact", {"id": "a1", "text": "whole"})
    thought = ThinkingPart("hm", "signed")
    answer = replace(message(1, "assistant", thought, call), prefix_key=asked.request.prefix_key, backend="anthropic")
    path = (message(0, "user", "Change the Order BRD"), answer, message(2, "user", ToolResultPart("c1", "done")))
    same, other = plan_of(path, "", BRD), plan_of(path, "", replace(BRD, version=13))
    assert thought in same.request.messages[1].blocks
    assert thought not in other.request.messages[1].blocks


def test_a_mark_stands_before_it_so_that_the_next_turn_finds_the_question_in_the_cache() -> None:
    plan = plan_of(talk("one", "two"), "the order BRD?", BRD)
    places = [(mark.message, mark.block) for mark in plan.request.marks]
    assert {(2, 0), (2, 1)} <= set(places)
    assert len(places) <= 4


def test_a_count_that_held_it_is_taken_for_neither_the_path_nor_the_estimator() -> None:
    long = replace(BRD, text=words(4_000))
    first = plan_of((), "hello", long)
    path = sent_and_answered((), first, "hello", "hi", Usage(input=first.tokens.total, output=3))
    named = plan_of(path, "the order BRD?", long)
    path = sent_and_answered(path, named, "the order BRD?", "yes", Usage(input=named.tokens.total, output=3))
    assert observation_after(path, path[-1], system="Brief.") is None
    after = plan_of(path, "and?", long)
    assert after.tokens.total < 200
    assert after.tokens.history < 100


def test_all_together_have_a_share_of_the_limit_the_named_ones_first() -> None:
    large = [ArtifactContext(f"a{n}", f"Paper {n}", 1, words(700), pinned=n < 2) for n in range(4)]
    prepared = prepare((), model=small_model(), artifacts=large)
    assert sent_whole(prepared.plan([TextPart("hello")])) == ["Paper 0 v1"]
    assert sent_whole(prepared.plan([TextPart("see paper 3")])) == ["Paper 3 v1"]


def test_it_is_no_attachment_that_a_card_could_remove() -> None:
    artifact = ArtifactContext("a1", "Order BRD", 1, words(1_000))
    plan = prepare((), model=small_model(), artifacts=(artifact,)).plan([TextPart("order BRD " + words(3_600))])
    assert plan.decision == "refuse"
    assert "Order BRD v1" in [str(item.label) for item in plan.advice.biggest]
    assert not {"remove_document", "shorten_document"} & {remedy.action for remedy in refusal_remedies(plan)}


def test_an_answer_that_is_kept_as_an_artifact_is_its_note_from_the_next_request_on() -> None:
    body = TextPart(words(3_000), {"artifact": {"id": "a1", "title": "Order BRD", "version": 1}})
    path = (message(0, "user", "Write it."), message(1, "assistant", body))
    plan = plan_of(path, "thanks")
    assert plan.request.messages[1].blocks == (TextPart("[created artifact] Order BRD v1"),)
    assert plan.tokens.total < 200


@pytest.mark.parametrize("overhead", [Overhead(cache_marks=4), Overhead(labels=True, cache_marks=4, system_mark=False)])
def test_estimates_with_it_are_those_of_its_parts(overhead: Overhead) -> None:
    seed = TokenEstimator.seeded(MODEL_200K.tokenizer)
    from desktop_app.core.context.text_features import features

    long = replace(BRD, text=words(800))
    plain = plan_of((), "the order BRD?", overhead=overhead)
    with_it = plan_of((), "the order BRD?", long, overhead=overhead)
    assert with_it.tokens.documents == pytest.approx(seed.tokens(features(long.text)), rel=0.02)
    system = with_it.tokens.system - plain.tokens.system
    assert with_it.tokens.total - plain.tokens.total - system == pytest.approx(with_it.tokens.documents, abs=3)

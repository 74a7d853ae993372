from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.features import features
from desktop_app.core.context.plan import ContextPlan, Limits, PlacedMessage, PlacedState, TokenCount
from desktop_app.core.history import RecallHit
from desktop_app.core.messages import DocumentPart, Message, TextPart, ToolCallPart, ToolResultPart, WindowState
from desktop_app.core.question_terms import forms_of, question_terms
from desktop_app.core.recall import (
    NOTHING_FOUND,
    TOOL_DESCRIPTION,
    TOOL_NAME,
    TOOL_SCHEMA,
    eligible,
    ranked_passages,
    recall_text,
)
from desktop_app.core.searchable import whole_text

ESTIMATOR = TokenEstimator.seeded("claude-2026")
TIME = "2026-03-01T10:00:00Z"
LONG = "The harbour wall, the pier and the boats lie still today. " * 200


def message(name: str, text: str) -> Message:
    return Message(name, "thread", None, "user", (TextPart(text),), TIME)


def hit(name: str, text: str = "", words: str = "") -> RecallHit:
    start = text.index(words)
    return RecallHit(name, start, start + len(words), 1.0)


def tokens(text: str) -> float:
    return ESTIMATOR.tokens(features(text))


def best(question: str, **texts: str) -> str:
    terms = question_terms(question)
    return ranked_passages(texts, terms, [1.0] * len(terms))[0].message_id


def test_the_tool_is_one_that_takes_a_query() -> None:
    assert TOOL_NAME == "search_this_thread"
    assert TOOL_SCHEMA["required"] == ["query"]
    assert "left out" in TOOL_DESCRIPTION


def test_what_is_not_whole_in_the_request_may_be_looked_up_but_nothing_excluded() -> None:
    states: tuple[PlacedState, ...] = ("whole", "annotated", "summarised", "left_out", "pinned", "excluded")
    placed = tuple(PlacedMessage(state, "user", state, 1) for state in states)
    plan = ContextPlan(
        backend="scripted", model=ModelInfo("m", "m", 200_000, 64_000), decision="ok",
        limits=Limits(200_000, 150_000, 105_000, 180_000, 64_000), tokens=TokenCount(), system="", history=(),
        pending=None, marks=(), messages=placed, window=WindowState(), prefix_key="",
    )  # fmt: skip
    assert eligible(plan) == {"annotated", "summarised", "left_out"}


def test_whole_messages_come_with_their_place() -> None:
    messages = [message("a", "Low water"), message("b", "at noon"), message("c", "or so")]
    text, ids = recall_text([hit("b"), hit("a"), hit("gone")], messages, 1_000, ESTIMATOR)
    assert ids == ("b", "a")
    assert text == "[Message 2 of 3, user, 2026-03-01]\nat noon\n\n[Message 1 of 3, user, 2026-03-01]\nLow water"


def test_of_a_long_message_it_is_the_passage() -> None:
    long = LONG + "\n\nThe dinghy is yellow. It leaks.\n\n" + LONG
    text, ids = recall_text([hit("a", long, "dinghy is yellow")], [message("a", long)], 400, ESTIMATOR)
    assert ids == ("a",)
    assert "The dinghy is yellow. It leaks." in text
    assert text.count("tokens left out]") == 2
    assert tokens(text) <= 400


def test_one_long_message_leaves_room_for_the_next() -> None:
    messages = [message("a", LONG + "dinghy"), message("b", "The dinghy is yellow.")]
    text, ids = recall_text([hit("a", LONG + "dinghy", "dinghy"), hit("b")], messages, 500, ESTIMATOR)
    assert ids == ("a", "b")
    assert text.endswith("The dinghy is yellow.")


def test_several_long_messages_share_the_budget() -> None:
    messages = [message(name, LONG) for name in "abc"]
    text, ids = recall_text([hit(name, LONG, "pier") for name in "abc"], messages, 900, ESTIMATOR)
    assert ids == ("a", "b", "c")
    assert 700 < tokens(text) <= 900


@pytest.mark.parametrize("budget", [0, 30])
def test_nothing_is_said_in_words(budget: int) -> None:
    assert recall_text([], [], 1_000, ESTIMATOR) == (NOTHING_FOUND, ())
    assert recall_text([hit("a")], [message("a", LONG)], budget, ESTIMATOR) == (NOTHING_FOUND, ())


@given(st.lists(st.sampled_from(["word ", "東京都。", "\n\n", "end. ", "x" * 50]), max_size=300), st.data())
def test_the_answer_keeps_its_budget(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces) or "x"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    budget = data.draw(st.integers(0, 600))
    messages = [message("a", text), message("b", text)]
    hits = [RecallHit("a", start, end, 1), RecallHit("b", start, end, 1)]
    answer, ids = recall_text(hits, messages, budget, ESTIMATOR)
    assert tokens(answer) <= max(budget, tokens(NOTHING_FOUND)) + 1
    assert bool(ids) == (answer != NOTHING_FOUND)


def test_the_passage_that_says_most_of_the_question_wins() -> None:
    assert best("colour of the dinghy", a="dinghy " * 50, b="The colour of dinghies is yellow.") == "b"
    scattered = "colour " + LONG + "dinghy"
    assert best("colour of the dinghy", a=scattered, b="The dinghy has a colour.") == "b"
    assert best("港口在哪里", a="城市的港口很大", b="口红") == "a"


def test_the_middle_of_a_very_long_text_is_found() -> None:
    long = LONG * 10 + "The dinghy is yellow." + LONG * 10
    terms = question_terms("yellow dinghies")
    (found,) = ranked_passages({"a": long}, terms, [1.0] * len(terms))
    assert long[found.start : found.end] == "dinghy is yellow"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("translation", "translated"),
        ("allergy", "allergist"),
        ("policies", "policy"),
        ("running", "run"),
        ("deployed", "deployment"),
        ("stopped", "stop"),
        ("configure", "configuration"),
        ("graduation", "graduated"),
        ("tests", "testing"),
    ],
)
def test_other_forms_of_a_word_are_looked_for(asked: str, said: str) -> None:
    assert said in forms_of(asked)


def test_names_and_numbers_have_one_form() -> None:
    for term in ("v2", "8143", "max", "東京"):
        assert forms_of(term) == (term,)


def test_everything_of_a_message_can_be_found() -> None:
    parts = (
        TextPart("Here"),
        DocumentPart("a.txt", "text", "00"),
        ToolCallPart("c", "look", {"where": ["pier", 3], "deep": {"er": "wall"}}),
        ToolResultPart("c", "wet"),
    )
    assert whole_text(replace(message("a", ""), parts=parts)) == "Here\n\na.txt\n\ntext\n\nlook\n\npier\n\nwall\n\nwet"

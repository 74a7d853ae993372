from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.plan import (
    ContextPlacement,
    ContextPlan,
    Limits,
    PlacedMessage,
    PlacedState,
    PlannedRequest,
    TokenCount,
)
from desktop_app.core.context.text_features import features
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.history_records import RecallHit
from desktop_app.core.messages import (
    BoundaryState,
    DocumentPart,
    Message,
    Part,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from desktop_app.core.model_catalog import ModelInfo
from desktop_app.core.passage_ranking import forms_of, question_terms, ranked_passages
from desktop_app.core.recall import (
    TOOL_DESCRIPTION,
    TOOL_NAME,
    TOOL_SCHEMA,
    RecallResult,
    eligible,
    found_at,
    named_messages,
    recall_result,
    result_facts,
)
from desktop_app.core.search_terms import recallable_text, whole_text
from tests.builders.placed import GivenPath

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


def plan_with(*states: PlacedState) -> ContextPlan:
    """A plan in which the messages of these names are in these states."""
    rows = [PlacedMessage(f"{number} {state}", "user", state, 1) for number, state in enumerate(states)]
    return ContextPlan(
        backend="scripted",
        model=ModelInfo("m", "m", 200_000, 64_000),
        decision="ok",
        limits=Limits(200_000, 150_000, 105_000, 180_000, 64_000),
        tokens=TokenCount(),
        request=PlannedRequest(),
        placement=ContextPlacement(GivenPath(rows), BoundaryState()),
    )


def test_what_is_not_whole_in_the_request_may_be_looked_up_but_nothing_excluded() -> None:
    states: tuple[PlacedState, ...] = ("whole", "annotated", "summarised", "left_out", "pinned", "excluded")
    plan = plan_with(*states)
    path = [with_parts(one.id, DocumentPart("a.txt", "text", "00")) for one in plan.placement.messages]
    assert eligible(plan, path) == {"1 annotated", "2 summarised", "3 left_out"}


def with_parts(name: str, *parts: Part) -> Message:
    return replace(message(name, ""), parts=parts)


SEARCH = ToolCallPart("s", TOOL_NAME, {"query": "harbour"})
SEARCHED = ToolResultPart("s", "the harbour wall", extra={"passages": 1, "messages": ["m"]})
READ = ToolCallPart("r", "read_page", {"page": 1})


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ((SEARCH,), False),
        ((SEARCH, SEARCHED, TextPart("It is the wall.")), False),  # as of a program that runs the loop itself
        ((SEARCH, READ), True),
        ((ToolResultPart("r", "page 1"),), True),
        ((UnknownPart({"type": "web_search_tool_result"}), TextPart("so")), True),
    ],
)
def test_what_lacks_only_an_earlier_search_is_in_view(parts: tuple[Part, ...], found: bool) -> None:
    path = [with_parts("0 annotated", *parts), with_parts("1 annotated", SEARCHED)]
    assert ("0 annotated" in eligible(plan_with("annotated", "annotated"), path)) == found
    assert "1 annotated" not in eligible(
        plan_with("annotated", "annotated"), [with_parts("0 annotated", SEARCH), path[1]]
    )


def test_earlier_searches_and_notes_are_no_text_to_be_found() -> None:
    said = TextPart('The wall.\n[searched this thread] "pier" -> 1 passage\nIt is high.')
    parts = (SEARCH, SEARCHED, READ, ToolResultPart("r", "page 1 of the harbour"), said)
    answer = replace(with_parts("a", *parts), role="assistant")
    assert recallable_text(answer) == "The wall.\nIt is high.\n\nread_page\n\npage 1 of the harbour"
    assert recallable_text(message("q", "[searched documents] is what I see")) == "[searched documents] is what I see"
    assert recallable_text(with_parts("r", SEARCHED)) == ""


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("message 12", (12,)),
        ("Messages 40-44", (40, 41, 42, 43, 44)),
        ("`messages 3, 7 and 1,204`", (3, 7, 1204)),
        ("message #7", (7,)),
        ("messages 1-9999", tuple(range(1, 21))),
        ("the message 12 words", ()),
        ("error message 12: no disk", ()),
        ("12", ()),
        ("messages", ()),
    ],
)
def test_a_query_of_numbers_alone_names_messages(query: str, numbers: tuple[int, ...]) -> None:
    assert named_messages(query) == numbers


# --- what a result holds


def talk(*texts: str) -> list[Message]:
    return [
        replace(message(f"m{number}", text), role="assistant" if number % 2 else "user")
        for number, text in enumerate(texts)
    ]


def result(
    messages: list[Message], *hits: RecallHit, budget: int = 1_500, among: set[str] | None = None
) -> RecallResult:
    names = {one.id for one in messages} if among is None else among
    return recall_result(hits, messages, budget, ESTIMATOR, names)


def test_of_short_messages_two_on_each_side_go_along() -> None:
    messages = talk(*(f"turn {number}" for number in range(9)))
    found = result(messages, hit("m4"))
    assert found.text == (
        "[Messages 3-7 of 9, 2026-03-01]\n#3 user: turn 2\n#4 assistant: turn 3\n#5 user: turn 4\n"
        "#6 assistant: turn 5\n#7 user: turn 6"
    )
    assert result_facts(found) == {"passages": 1, "messages": ["m4"], "numbers": ["3-7"], "at": [0], "starts": [0]}


def test_neighbours_that_meet_are_one_passage_and_passages_stand_in_the_order_of_the_thread() -> None:
    messages = talk(*(f"turn {number}" for number in range(40)))
    found = result(messages, hit("m30"), hit("m4"), hit("m8"), hit("gone"))
    assert [passage.numbers for passage in found.passages] == ["3-11", "29-33"]
    assert [passage.message_id for passage in found.passages] == ["m4", "m30"]
    first, second = (passage.start for passage in found.passages)
    assert found.text[first:].startswith("[Messages 3-11 of 40")
    assert found.text[second:].startswith("[Messages 29-33 of 40")


def test_no_message_beside_a_hit_is_shown_that_may_not_be() -> None:
    messages = talk(*(f"turn {number}" for number in range(5)))
    found = result(messages, hit("m2"), among={"m1", "m2"})
    assert [passage.numbers for passage in found.passages] == ["2-3"]
    # what holds only a search is passed over
    messages[3] = with_parts("m3", SEARCHED)
    assert "turn 4" in result(messages, hit("m2")).text
    assert "harbour" not in result(messages, hit("m2")).text


def test_of_a_short_message_among_long_ones_the_answer_goes_along_as_far_as_there_is_room() -> None:
    messages = talk(LONG, "Where does the ferry land?", LONG, "At the old pier." + LONG, LONG)
    text = result(messages, hit("m1"), budget=400).text
    assert "#2 assistant: Where does the ferry land?" in text
    assert "#3 user: The harbour wall" in text
    assert tokens(text) <= 400


def test_of_a_long_message_it_is_the_passage() -> None:
    long = LONG + "\n\nThe dinghy is yellow. It leaks.\n\n" + LONG
    found = result([message("a", long)], hit("a", long, "dinghy is yellow"), budget=400)
    assert found.passages[0].message_id == "a"
    assert "The dinghy is yellow. It leaks." in found.text
    assert found.text.count("tokens left out]") == 2
    assert tokens(found.text) <= 400


def test_what_was_found_is_never_cut_while_there_is_room() -> None:
    long = "水" * 5_000 + "港口在城市的北边" + "，船很多" * 100 + "在那里" + "山" * 5_000
    found = result([message("a", long)], RecallHit("a", 5_000, 5_411, 1.0))
    assert long[5_000:5_411] in found.text


def test_hits_beside_one_another_come_before_one_that_stands_alone() -> None:
    messages = talk(*(f"turn {number}" for number in range(40)))
    hits = [replace(hit("m30"), score=1.1), hit("m4"), hit("m5")]
    assert [one.message_id for one in result(messages, *hits, budget=60).passages] == ["m4"]


def test_several_long_messages_share_the_budget() -> None:
    messages = [message(name, LONG) for name in "axbxcxd"]
    hits = [hit(name, LONG, "pier") for name in "abcd"]
    found = recall_result(hits, messages, 900, ESTIMATOR, set("abcd"))
    assert [passage.message_id for passage in found.passages] == ["a", "b", "c", "d"]
    assert 600 < tokens(found.text) <= 900


@pytest.mark.parametrize("budget", [0, 30])
def test_nothing_is_empty(budget: int) -> None:
    assert result([]) == RecallResult()
    assert result([message("a", LONG)], hit("a"), budget=budget) == RecallResult()


def test_the_newest_search_says_where_in_a_message_it_was_found() -> None:
    older = ToolResultPart("s", "x", extra={"messages": ["a", "b"], "at": [5, 70]})
    newer = ToolResultPart("t", "x", extra={"messages": ["b"], "at": [90]})
    path = [with_parts("1", older), with_parts("2", newer)]
    assert [found_at(path, name) for name in "abc"] == [5, 90, 0]


@given(st.lists(st.sampled_from(["word ", "東京都。", "\n\n", "end. ", "x" * 50]), max_size=300), st.data())
def test_the_answer_keeps_its_budget(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces) or "x"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    budget = data.draw(st.integers(0, 600))
    messages = [message("a", text), message("b", text)]
    found = result(messages, RecallHit("a", start, end, 1), RecallHit("b", start, end, 1), budget=budget)
    assert tokens(found.text) <= budget
    assert bool(found.passages) == bool(found.text)


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


def test_of_a_long_text_several_passages_are_found_and_come_in_their_order() -> None:
    long = "".join(f"{LONG}The dinghy of {name} is yellow. " for name in ("Ann", "Ben", "Cem")) + LONG + "yellow"
    terms = question_terms("the dinghy of Ben is yellow")
    hits = ranked_passages({"a": long}, terms, [1.0] * len(terms))
    assert ["Ben" in long[hit.start : hit.end] for hit in hits] == [True, False, False]
    found = result([message("a", long)], *hits)
    places = [found.text.index(f"The dinghy of {name}") for name in ("Ann", "Ben", "Cem")]
    assert places == sorted(places)
    assert found.text.count("tokens left out]") == 4
    assert (len(found.passages), found.passages[0].at) == (1, hits[0].start)
    short = LONG[:3_000] + "The dinghy is yellow. " + LONG[:2_000] + "The dinghy is yellow."
    assert len(ranked_passages({"a": short}, terms, [1.0] * len(terms))) == 1


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


def test_a_query_without_end_names_no_message() -> None:
    assert named_messages("messages 12, 14") == (12, 14)
    for query in ("message " + "1" * 5_000, "message 1" + ", " * 5_000 + "x", " " * 5_000 + "message 1"):
        assert named_messages(query) == ()

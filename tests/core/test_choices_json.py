from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices, Deletion, Leaving, Summary
from desktop_app.core.thread_copy import choices_from_json, choices_renamed, choices_to_json

IDS = st.text("abc", min_size=1, max_size=3)
SETS = st.frozensets(IDS, max_size=3)
SOURCES = st.lists(IDS, min_size=1, max_size=3).map(tuple)
COSTS = st.one_of(st.none(), st.floats(0, 100))
SUMMARIES = st.builds(
    Summary, IDS, SOURCES, st.text(max_size=9), st.text(max_size=3), IDS, st.booleans(), COSTS, st.booleans()
)
CHOICES = st.builds(
    ContextChoices,
    SETS,
    SETS,
    st.none() | IDS,
    SETS,
    st.lists(SUMMARIES, max_size=2).map(tuple),
    st.booleans(),
    st.booleans(),
    deleted=st.frozensets(st.builds(Deletion, IDS, IDS), max_size=2),
    leaving=st.frozensets(st.builds(Leaving, IDS, IDS), max_size=2),
)
NAMES = st.sampled_from(
    ["pinned", "excluded", "fresh_from", "undone", "summaries", "accepted_cliff", "recall", "leaving"]
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES | st.sampled_from(["id", "sources", "text", "cost_usd"]), inner, max_size=5)
    ),
)


@given(CHOICES)
def test_choices_come_back_equal_through_json_text(choices: ContextChoices) -> None:
    assert choices_from_json(json.loads(json.dumps(choices_to_json(choices)))) == choices


@given(CHOICES)
def test_equal_choices_give_equal_text(choices: ContextChoices) -> None:
    again = ContextChoices(
        frozenset(sorted(choices.pinned, reverse=True)),
        frozenset(sorted(choices.excluded)),
        choices.fresh_from,
        frozenset(sorted(choices.undone, reverse=True)),
        choices.summaries,
        choices.accepted_cliff,
        choices.recall,
        deleted=frozenset(sorted(choices.deleted, reverse=True)),
        leaving=frozenset(sorted(choices.leaving, reverse=True)),
    )
    assert json.dumps(choices_to_json(again)) == json.dumps(choices_to_json(choices))


def test_where_nothing_is_decided_nothing_is_written() -> None:
    assert choices_to_json(NO_CHOICES) == {}
    assert choices_from_json({}) == NO_CHOICES


@given(ANYTHING)
def test_whatever_stands_there_is_read_or_refused_with_what_was_expected(value: Any) -> None:
    try:
        choices = choices_from_json(value)
    except ValueError as error:
        problem = str(error)
    else:
        problem = "expected nothing else"
        assert choices_from_json(choices_to_json(choices)) == choices
    assert "expected" in problem


def test_a_key_of_a_later_version_is_left_aside() -> None:
    assert choices_from_json({"pinned": ["a"], "colour": "red"}) == ContextChoices(frozenset("a"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], "choices: expected an object"),
        ({"pinned": "a"}, "pinned: expected an array"),
        ({"excluded": ["a", 1]}, r"excluded\[1\]: expected a string"),
        ({"fresh_from": 3}, "fresh_from: expected a string"),
        ({"leaving": [["a", "now"], ["b"]]}, r"leaving\[1\]: expected two texts"),
        ({"recall": None}, "recall: expected true or false"),
        ({"summaries": [{"id": "s"}]}, r"summaries\[0\]\.sources: expected an array"),
        ({"summaries": [{"id": "s", "sources": [], "cost_usd": "1"}]}, r"summaries\[0\]\.cost_usd: expected a number"),
    ],
)
def test_an_error_names_the_key_and_the_kind(value: Any, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        choices_from_json(value)


@pytest.mark.parametrize("names", [{}, {"a": "A", "b": "B"}])
def test_ids_are_renamed_wherever_they_stand(names: dict[str, str]) -> None:
    def choices(a: str, b: str) -> ContextChoices:
        summary = Summary("a", (a, b, "c"), "a", "m", "")
        leaving = frozenset({Leaving(a, "b")})
        return ContextChoices(
            frozenset({a, "c"}), frozenset({b}), a, frozenset({b}), (summary,), True, False, leaving=leaving
        )

    expected = choices("A", "B") if names else choices("a", "b")
    assert choices_renamed(choices("a", "b"), names) == expected

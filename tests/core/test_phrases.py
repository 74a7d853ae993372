"""Phrases are plain English to all that know nothing of them, and keep what they were made from."""

from __future__ import annotations

import copy
import json
import pickle
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.messages import Failure
from desktop_app.core.phrases import Phrase, from_json, having, joined, listed, phrase, template, to_json, value_of


def left_out(count: int) -> Phrase:
    return phrase("{count:,} messages left out", "1 message left out", count=count)


def test_a_phrase_is_its_english_text() -> None:
    words = left_out(1234)
    assert words == "1,234 messages left out"
    assert hash(words) == hash("1,234 messages left out")
    assert {"1,234 messages left out": 1}[words] == 1
    assert f"{words}." == "1,234 messages left out."
    assert type(str(words)) is str


def test_one_has_a_form_of_its_own() -> None:
    assert left_out(1) == "1 message left out"
    assert left_out(0) == "0 messages left out"
    assert left_out(1).template == left_out(2).template


def test_it_remembers_what_it_was_made_from() -> None:
    words = phrase("{path} is {state}", path=Path("/tmp"), state=phrase("full"))
    assert (words.template, dict(words.values)) == ("{path} is {state}", {"path": "/tmp", "state": "full"})
    assert isinstance(words.values["state"], Phrase)
    assert type(words.values["path"]) is str  # nothing is kept alive


def test_it_never_changes() -> None:
    with pytest.raises(AttributeError):
        left_out(2).template = "something else"
    with pytest.raises(TypeError):
        left_out(2).values["count"] = 3  # type: ignore[index]


def test_a_field_without_a_value_is_a_mistake_that_shows_at_once() -> None:
    with pytest.raises(KeyError):
        phrase("{name} is full")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda words: pickle.loads(pickle.dumps(words))])
def test_copies_are_phrases_too(again: object) -> None:
    assert callable(again)
    words = again(left_out(1))
    assert isinstance(words, Phrase)
    assert (words, words.one, words.template) == ("1 message left out", "1 message left out", left_out(2).template)


def test_json_sql_and_dataclasses_take_it_as_text() -> None:
    assert json.dumps({"message": left_out(2)}) == '{"message": "2 messages left out"}'
    stored = sqlite3.connect(":memory:").execute("SELECT ?, typeof(?)", (left_out(2), left_out(2))).fetchone()
    assert stored == ("2 messages left out", "text")
    assert asdict(Failure("backend", left_out(2)))["message"] == "2 messages left out"


def test_texts_are_joined_and_listed() -> None:
    assert joined([]) == ""
    assert joined(["alone"]) == "alone"
    words = joined([left_out(2), "and {braces}"], " · ")
    assert words == "2 messages left out · and {braces}"
    assert isinstance(words, Phrase)
    assert isinstance(words.values["part0"], Phrase)
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


@given(st.lists(st.text(), max_size=5), st.sampled_from(["", " ", " · ", "\n", "{}"]))
def test_joining_is_what_str_join_does(parts: list[str], separator: str) -> None:
    assert joined(parts, separator) == separator.join(parts)


def test_a_template_waits_for_its_values() -> None:
    empty = template("“{name}” is empty.")
    assert Phrase(empty, {"name": "a.txt"}) == "“a.txt” is empty."


REFUSED = phrase("The connection was lost. {saved}", saved=phrase("The text so far is saved."))


def test_a_phrase_has_other_values_also_within() -> None:
    both = joined([REFUSED, phrase("{count:,} files", "1 file", count=1)])
    assert having(both, saved="Nothing is kept.", count=2) == "The connection was lost. Nothing is kept. 2 files"
    assert having("plain", saved="") == "plain"
    assert having(REFUSED, other="") == REFUSED
    assert (value_of(both, "saved"), value_of(both, "count"), value_of(both, "other")) == (
        "The text so far is saved.",
        1,
        None,
    )


@pytest.mark.parametrize("text", ["plain", REFUSED, left_out(1), left_out(1_234), joined([REFUSED, left_out(2)])])
def test_a_phrase_is_the_same_after_it_was_kept_as_json(text: str) -> None:
    again = from_json(json.loads(json.dumps(to_json(text))), str(text))
    assert (again, type(again)) == (text, type(text))
    assert getattr(again, "values", None) == getattr(text, "values", None)


@pytest.mark.parametrize(
    "stored",
    [
        None,
        7,
        [],
        ["{a}"],
        ["{a}", [], ""],
        ["{a", {"a": 1}, ""],
        ["{a.__class__}", {"a": 1}, ""],
        ["{a:>999999999999}", {"a": 1}, ""],
        ["other", {}, ""],
        ["text", {}, 7],
    ],
)
def test_what_was_kept_beside_a_text_counts_only_where_it_says_the_same(stored: object) -> None:
    again = from_json(stored, "text")
    assert again == "text"
    assert not isinstance(again, Phrase)

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
from desktop_app.core.phrases import Phrase, joined, listed, phrase, template


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

"""Phrases are known again in plain English, and nothing is ever made of a text that is not the text."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.phrases import Phrase, joined, phrase
from desktop_app.resources import resource
from desktop_app.ui.i18n.recollection import Recollection, Template, read_recollection
from tests.ui.pseudo_language import fields_of

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=20)


@cache
def shipped() -> Recollection:
    return read_recollection()


def made_with(template: str, one: str, text: str, number: int) -> Phrase:
    names = set(fields_of(template + one)) | ({"count"} if one else set())
    for values in (dict.fromkeys(names, number), dict.fromkeys(names, text)):
        try:
            return Phrase(template, values, one)
        except ValueError:  # a field for text takes no number, or the other way round
            continue
    mixed = {name: number if f"{{{name}:" in template else text for name in names}
    return Phrase(template, mixed, one)


KNOWN = json.loads(resource("translations", "phrases.json").read_text("utf-8"))


@pytest.mark.parametrize(("template", "one"), KNOWN.items())
def test_every_shipped_phrase_that_says_enough_is_known_again(template: str, one: str) -> None:
    words = made_with(template, one, "Umsatz", 1234)
    again = shipped().phrase_of(str(words))
    assert again == words
    if Template(template, one).is_telling:
        assert isinstance(again, Phrase)


@given(st.text())
def test_no_text_becomes_another(text: str) -> None:
    assert shipped().phrase_of(text) == text


@given(NAMES, st.integers(-5, 10**9))
def test_values_come_back_as_they_were(name: str, count: int) -> None:
    known = Recollection([Template("{count:,} pages of “{name}” are left out")])
    words = phrase("{count:,} pages of “{name}” are left out", count=count, name=name)
    again = known.phrase_of(str(words))
    assert isinstance(again, Phrase)
    assert dict(again.values) == {"count": count, "name": name}


def test_a_phrase_within_a_phrase_is_known_too() -> None:
    known = Recollection(
        [Template("because {why}."), Template("the disk is full"), Template("Nothing was sent, because {why}.")]
    )
    again = known.phrase_of("Nothing was sent, because the disk is full.")
    assert isinstance(again, Phrase)
    assert again.template == "Nothing was sent, because {why}."
    assert isinstance(again.values["why"], Phrase)


def test_joined_phrases_come_apart() -> None:
    known = Recollection(
        [Template("Nothing was sent."), Template("{count:,} messages left out", "1 message left out", is_one=True)]
    )
    again = known.phrase_of("Nothing was sent. 1 message left out")
    assert isinstance(again, Phrase)
    assert [type(value) for value in again.values.values()] == [Phrase, Phrase]
    assert again == joined(["Nothing was sent.", "1 message left out"])


def test_a_number_written_in_another_way_is_left_alone() -> None:
    known = Recollection([Template("{count:,} messages left out")])
    assert not isinstance(known.phrase_of("007 messages left out"), Phrase)


def test_short_templates_are_anybodys_words() -> None:
    assert not isinstance(Recollection([Template("at {time}"), Template("limit")]).phrase_of("at noon"), Phrase)
    assert not isinstance(Recollection([Template("limit")]).phrase_of("limit"), Phrase)


@pytest.mark.parametrize(
    "said",
    [
        "It ended by itself (exit status 7).",
        "It answered with status 401 Unauthorized. "
        "Its headers may be wrong, or it wants a login (OAuth), which Plimsoll doesn't have yet.",
        "It sent a message of more than 16 MB.",
        "It did not answer within 60 seconds.",
        "no-such was not found. Is it installed, and on the PATH of your terminal?",
        "It can't be reached: All connection attempts failed.",
    ],
)
def test_what_another_process_said_is_known_again(said: str) -> None:
    assert isinstance(again := shipped().phrase_of(said), Phrase)
    assert again == said

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.errors import UserError
from desktop_app.core.prompts import (
    SUGGESTED_TITLE,
    TEXT_LIMIT,
    TITLE_LIMIT,
    VARIABLES_LIMIT,
    Prompt,
    PromptTemplate,
    Variable,
    checked,
    escaped,
    free_title,
    suggested_title,
)

PIECES = st.sampled_from(
    ["{{", "}}", "{", "}", "\\", "\\\\", "a", "name", " ", "\n", ":", "=", "|", ":long", "=x", ":a|b", "川", "{{a}}"]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30)
VALUES = st.dictionaries(st.sampled_from(["a", "name", "川", "x"]), TEXTS)


@given(TEXTS)
def test_an_escaped_text_asks_for_nothing_and_is_inserted_as_it_was(text: str) -> None:
    template = PromptTemplate(escaped(text))
    assert template.variables == ()
    assert template.filled({"a": "1", "name": "2"}) == text


@given(TEXTS, VALUES)
def test_values_are_never_read_as_templates(text: str, values: dict[str, str]) -> None:
    template = PromptTemplate(text)
    marked = {name: f"<{number}>" for number, name in enumerate(values)}
    filled = template.filled(marked)
    for name, mark in marked.items():
        # Marks stand only where variables stood: so what is filled in can't be read with what is beside it.
        assert filled.count(mark) == sum(place.variable.name == name for place in template.places) + text.count(mark)
    pieces = list(template.segments(values))
    assert "".join(piece for piece, _ in pieces) == template.filled(values)
    assert all(piece == values[name] for piece, name in pieces if name in values)


@given(TEXTS)
def test_places_are_in_order_and_hold_whole_variables(text: str) -> None:
    places = PromptTemplate(text).places
    assert all(text[one.start : one.start + 2] == "{{" and text[one.end - 2 : one.end] == "}}" for one in places)
    assert all(before.end <= after.start for before, after in pairwise(places))
    assert {one.name for one in PromptTemplate(text).variables} == {place.variable.name for place in places}


@given(TEXTS)
def test_a_text_without_variables_keeps_every_character(text: str) -> None:
    if not PromptTemplate(text).places and "\\" not in text:
        assert PromptTemplate(text).filled({}) == text


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("{{text:long}} in {{to=German}}.", [Variable("text", long=True), Variable("to", default="German")]),
        ("{{ name }} and {{name}}", [Variable("name")]),
        ("{{the first name}}", [Variable("the first name")]),
        ("{{tone: formal | friendly }}", [Variable("tone", choices=("formal", "friendly"), default="formal")]),
        ("{{tone:a|b=b}}", [Variable("tone", choices=("a", "b"), default="b")]),
        ("{{tone:a|b=c}}", [Variable("tone", choices=("a", "b"), default="a")]),
        ("{{x:long=a=b: c|d}}", [Variable("x", long=True, default="a=b: c|d")]),
        ("{{文字}}{{Größe}}", [Variable("文字"), Variable("Größe")]),
        ("{{{name}}}", [Variable("name")]),
        ("{{a}} {{a:long=x}} {{a=y}}", [Variable("a", long=True, default="x")]),
        ("{{Clipboard}}", [Variable("Clipboard")]),
    ],
)  # fmt: skip
def test_what_is_a_variable(text: str, variables: list[Variable]) -> None:
    assert list(PromptTemplate(text).variables) == variables


@pytest.mark.parametrize(
    "text",
    [
        *("{{}}", "{{ }}", "{{a\nb}}", "{{a{b}}", "{a}", "{{a}", "{{a:odd}}", "{{a:}}", "{{a:x||y}}"),
        *("{{=x}}", "{{:long}}", "{{--}}", "{{%}}", "{{" + "a" * 61 + "}}", "{{a\\b}}", "\\frac{{}}{x}", "}}{{"),
    ],
)  # fmt: skip
def test_what_is_none_stays_as_it_is_written(text: str) -> None:
    assert PromptTemplate(text).places == ()
    assert PromptTemplate(text).filled({"a": "!", "": "!"}) == text
    assert escaped(text) == text


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("\\{{a}}", "{{a}}"),
        ("C:\\\\{{a}}", "C:\\1"),
        ("\\\\\\{{a}}", "\\{{a}}"),
        ("\\ {{a}} \\{{b}} {{b}}", "\\ 1 {{b}} {{b}}"),
        ("\\{{}} \\\\{{}}", "\\{{}} \\\\{{}}"),
    ],
)
def test_a_backslash_makes_a_variable_text_and_two_are_one(text: str, filled: str) -> None:
    assert PromptTemplate(text).filled({"a": "1"}) == filled


def test_a_hundred_thousand_braces_are_read_in_no_time() -> None:
    for text in ("{{" * 50_000, "{{a" * 30_000, "\\" * 100_000, "{{a:" + "|" * 90_000, "{{ " * 30_000):
        assert PromptTemplate(text).filled({}) == text


def a_prompt(title: str = "Title", text: str = "text") -> Prompt:
    return Prompt("p", title, text, "2026", "2026")


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (a_prompt(title=" \n"), "needs a title"),
        (a_prompt(text=" \n"), "needs a text"),
        (a_prompt(title="x" * (TITLE_LIMIT + 1)), "201 characters; the limit is 200"),
        (a_prompt(text="x" * (TEXT_LIMIT + 1)), "100,001 characters; the limit is 100,000"),
        (a_prompt(text="".join(f"{{{{v{n}}}}}" for n in range(VARIABLES_LIMIT + 1))), "41 variables; the limit is 40"),
    ],
)
def test_what_can_not_be_stored_is_refused_in_words(prompt: Prompt, words: str) -> None:
    with pytest.raises(UserError) as caught:
        checked(prompt)
    assert caught.value.failure.code == "usage"
    assert words in caught.value.failure.message


def test_a_title_is_put_on_one_line_and_the_text_stays() -> None:
    prompt = checked(a_prompt(" two\n words ", " text\n"))
    assert (prompt.title, prompt.text) == ("two words", " text\n")
    assert len(checked(a_prompt("x" * TITLE_LIMIT, "x" * TEXT_LIMIT)).text) == TEXT_LIMIT


@given(st.text(max_size=200))
def test_a_suggested_title_is_one_short_line(text: str) -> None:
    title = suggested_title(text)
    assert len(title) <= SUGGESTED_TITLE
    assert bool(title) == bool(text.strip())
    assert len(title.splitlines()) <= 1


def test_a_suggested_title_is_cut_between_words() -> None:
    assert suggested_title("\n  Please  translate\nthis") == "Please translate"
    assert suggested_title("word " * 30) == "word " * 10 + "word…"
    assert suggested_title("漢" * 100) == "漢" * 59 + "…"


def test_a_taken_title_is_numbered() -> None:
    assert free_title("a", ["b"]) == "a"
    assert free_title("a", ["a", "a 2", "b"]) == "a 3"

"""Edits that name what they replace: exactly one match, or an error that says what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.artifacts import (
    CLOSING,
    OPENING,
    EditError,
    TextEdit,
    apply_edits,
    normalized,
    read_edits,
    replace_range,
    replacement_of,
    selection_prompt,
)

TEXT = "# Orders\n\nAn order has lines.\nA line has a price.\n\n## Scope\nA line has a price.\n"


def test_edits_are_made_one_after_the_other() -> None:
    edits = (TextEdit("An order has lines.", "An order has one line or more."), TextEdit("or more", "to 500"))
    assert apply_edits(TEXT, edits) == TEXT.replace("has lines", "has one line to 500")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (TextEdit("An order  has lines.", "x"), 'Edit 1: "An order has lines." is not in the text. Its words are'),
        (TextEdit("## Scope\nNothing.", "x"), "Line 6 has its first line, what follows differs"),
        (TextEdit("Invoices", "x"), "is not in the text. Copy the text to replace exactly as it is now."),
        (TextEdit("A line has a price.", "x"), "stands in the text more than once (lines 4, 7)"),
        (TextEdit("", "x"), "`old` is empty"),
    ],
)
def test_what_can_not_be_made_is_told(edit: TextEdit, words: str) -> None:
    with pytest.raises(EditError) as error:
        apply_edits(TEXT, (edit,))
    assert words in str(error.value)


def test_a_match_that_overlaps_itself_is_two() -> None:
    with pytest.raises(EditError, match="more than once"):
        apply_edits("aaa", (TextEdit("aa", "b"),))


def test_one_bad_edit_is_told_by_its_number() -> None:
    with pytest.raises(EditError, match=r"^Edit 2:"):
        apply_edits(TEXT, (TextEdit("## Scope", "## Range"), TextEdit("## Scope", "")))


@pytest.mark.parametrize("given", [None, "x", [], [1], [{"old": "a"}], [{"old": 1, "new": "b"}], {"old": "a"}])
def test_what_is_no_list_of_edits_is_an_error(given: object) -> None:
    with pytest.raises(EditError):
        read_edits(given)  # type: ignore[arg-type]


def test_line_ends_and_half_signs_do_not_come_into_a_text() -> None:
    assert normalized("a\r\nb\rc\0\ud800") == "a\nb\nc?"
    assert read_edits([{"old": "a\r\nb", "new": ""}]) == (TextEdit("a\nb", ""),)


@given(st.text(min_size=1, max_size=60), st.data())
def test_nothing_outside_a_selection_changes(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    made = replace_range(text, start, end, "new")
    assert made[:start] == text[:start]
    assert made[start + 3 :] == text[end:]


@pytest.mark.parametrize(
    ("said", "selected", "meant"),
    [
        ("New words.", "\nOld words.\n", "\nNew words.\n"),
        ("```markdown\nNew words.\n```", "Old words.", "New words."),
        ("```\na\n```", "```\nb\n```", "```\na\n```"),
        (f"{OPENING}New{CLOSING}", "Old", "New"),
        ("  \n", "Old", ""),
    ],
)
def test_an_answer_stands_for_the_selected_text_alone(said: str, selected: str, meant: str) -> None:
    assert replacement_of(said, selected) == meant


def test_a_model_sees_the_whole_text_with_the_selection_marked() -> None:
    prompt = selection_prompt("before it after", 7, 9, "Name it.")
    assert f"before {OPENING}it{CLOSING} after" in prompt
    assert prompt.endswith("Name it.")

"""Which words of a text are checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.ui.spelling.field_spelling import LONGEST_LINE, code_lines, words_of


def checked(line: str) -> list[str]:
    return [word.text for word in words_of(line)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A plain sentence, with commas.", ["plain", "sentence", "with", "commas"]),
        ("don't can’t l'homme O'Neill rock'n'roll", ["don't", "can’t", "l'homme", "O'Neill", "rock'n'roll"]),
        ("'quoted' “words” (in) [brackets]", ["quoted", "words", "in", "brackets"]),
        ("well-known and/or yes", ["well", "known", "and", "or", "yes"]),
        ("**bold** _slanted_ words", ["bold", "slanted", "words"]),
        ("Straße größer naïve", ["Straße", "größer", "naïve"]),
        ("проверка слова", ["проверка", "слова"]),
        ("اللُّغَةُ العربية", ["اللُّغَةُ", "العربية"]),
        # none of a dictionary's business
        ("see https://example.org/teh-page and www.exmaple.org", ["see", "and"]),
        ("mail soembody@example.org or @soembody #topci", ["mail", "or"]),
        ("in /usr/lcoal/bin or ~/flies or C:\\Porgrams or a/b/c", ["in", "or", "or", "or"]),
        ("read notse.txt of teh.example", ["read", "of"]),
        ("run --verbsoe -qiuet now", ["run", "now"]),
        ("call snake_csae or camelCsae or fn(argmuent)", ["call", "or", "or"]),
        ("NASA and the PDFs of 3rd, v2beta, x86 and B2B", ["and", "the", "of", "and"]),
        ("a `code spna` and ``two `ticks` hree`` end", ["and", "end"]),
        ("costs $x^2 + yz$ and \\(alpah\\) more", ["costs", "and", "more"]),
        ("costs $5 and $6 each", ["costs", "and", "each"]),
        ("中文 日本語の文 한국어 ไทย mixed", ["mixed"]),
        ("I a Ω", []),
        ("", []),
        ("x" * 61, []),
    ],
)
def test_only_what_somebody_wrote_is_checked(line: str, words: list[str]) -> None:
    assert checked(line) == words


def test_a_line_of_data_is_left_alone() -> None:
    assert checked("word " * (LONGEST_LINE // 5 - 1))
    assert not checked("word " * (LONGEST_LINE // 5 + 1))


@given(st.text(max_size=300))
def test_places_are_those_of_the_text(line: str) -> None:
    for word in words_of(line):
        assert line[word.start : word.start + word.length] == word.text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("one\n```python\nteh code\n```\ntwo", {1, 2, 3}),
        ("~~~~\na\n~~~\nb\n~~~~\nc", {0, 1, 2, 3, 4}),
        ("```\nnot closed\nyet", {0, 1, 2}),
        ("``` not `a` fence\ntext", set()),
        ("text\n\n    code\n    more\ntext", {2, 3}),
        ("text\n    not code", set()),
        ("\n    - a list\n\n    1. another", set()),
        ("\tcode", {0}),
    ],
)
def test_code_is_known_by_its_fences_and_by_its_place(text: str, code: set[int]) -> None:
    assert code_lines(text.split("\n")) == code


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r"say \( a word \) and \[ a term \] or $$ some sum $$ then \( open words", "say and or then open words"),
        (r"only \( open", "only open"),
        (r"closer \) before \( opener", "closer before opener"),
    ],
)
def test_formulas_are_left_out_as_far_as_they_close(line: str, words: str) -> None:
    assert checked(line) == words.split()

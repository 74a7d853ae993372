"""What counts as a hit, and that no source is passed over in which there is one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.markdown.inline_text import parse_inline
from desktop_app.core.markdown.markdown_dialect import inline_parser
from desktop_app.core.search_terms import FindPattern


@pytest.mark.parametrize(
    ("needle", "text", "spans"),
    [
        ("ring", "Ring a RING", [(0, 4), (7, 11)]),
        ("strasse", "Straße, STRASSE", [(0, 6), (8, 15)]),
        ("straße", "STRASSE Straße", [(0, 7), (8, 14)]),
        ("cafe", "Café CAFE cafe\u0301", [(0, 4), (5, 9), (10, 15)]),
        ("café", "cafe Café cafe\u0301", [(5, 9), (10, 15)]),
        ("two words", "two\u2028words and two   words", [(0, 9), (14, 25)]),
        ("don't", "don\u2019t", [(0, 5)]),
        ("中文", "这是中文。", [(2, 4)]),
        ("привет", "ПРИВЕТ", [(0, 6)]),
        (".*", "a.*b", [(1, 3)]),
        ("aa", "aaaa", [(0, 2), (2, 4)]),
        ("   ", "a   b", []),
        ("", "text", []),
    ],
)
def test_hits_in_any_case(needle: str, text: str, spans: list[tuple[int, int]]) -> None:
    assert FindPattern(needle).spans(text) == spans


@pytest.mark.parametrize(
    ("line", "text", "found"),
    [
        ("ring buffer", "A buffer, a Ring; rings, string", ["buffer", "Ring"]),
        ("buffer ring", "A buffer, a Ring; rings, string", ["buffer", "Ring", "rings"]),
        ('"ring buffer" knot ', "knots, a ring, a knot", ["ring", "knot"]),
        ("cafe ", "Café, CAFETERIA", ["Café"]),
        ("strasse ", "Straße", ["Straße"]),
        ("html ", "parseHTMLPage, html5, shtml", ["HTML"]),
        ("缓冲", "环形缓冲区", ["缓冲"]),
        ("(a|b)* .", "a b", ["a", "b"]),
        ("", "text", []),
        ("...", "text...", []),
    ],
)
def test_each_word_of_a_search_is_a_hit(line: str, text: str, found: list[str]) -> None:
    needle = FindPattern(line, any_word=True)
    assert [text[start:end] for start, end in needle.spans(text)] == found
    assert needle.may_be_in(text) or not found
    assert bool(needle) == bool(line.strip(" ."))


@given(st.text(max_size=20), st.text(alphabet="aB cß é-中文*", max_size=40))
def test_what_a_search_passes_over_holds_none_of_its_words(line: str, text: str) -> None:
    needle = FindPattern(line, any_word=True)
    spans = needle.spans(text)
    assert all(start < end for start, end in spans)
    assert needle.may_be_in(text) or not spans


def test_the_switches_narrow_what_is_found() -> None:
    text = "Ring ring rings"
    assert FindPattern("ring", match_case=True).spans(text) == [(5, 9), (10, 14)]
    assert FindPattern("ring", whole_words=True).spans(text) == [(0, 4), (5, 9)]
    assert FindPattern("cafe", match_case=True).spans("café cafe") == [(5, 9)]


@given(st.text(alphabet="aBcß é-\u2028\n*", min_size=1, max_size=6), st.text(alphabet="abCsßéE -\n*", max_size=30))
def test_every_hit_folds_to_what_was_looked_for(needle: str, text: str) -> None:
    def folded(words: str) -> str:
        plain = unicodedata.normalize("NFKD", words.casefold())
        return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())

    for start, end in FindPattern(needle).spans(text):
        assert folded(text[start:end]) == folded(needle)


@given(st.text(alphabet="ab *_`~[]()\\&;", max_size=40), st.text(alphabet="ab ", min_size=1, max_size=3))
def test_no_source_is_passed_over_that_reads_a_hit(source: str, words: str) -> None:
    needle = FindPattern(words)
    read = parse_inline(inline_parser(), source)
    if needle.spans(read.text):
        assert needle.may_be_in(source)


@pytest.mark.parametrize("source", ["a**b**c", "[ab](http://e.org)c", "a&#98;c", "`ab`c", "a\\bc", "$\\alpha$", "ABC"])
def test_marks_inside_a_word_hide_nothing(source: str) -> None:
    assert FindPattern("abc").may_be_in(source)
    assert not FindPattern("abc").may_be_in("ab and c")

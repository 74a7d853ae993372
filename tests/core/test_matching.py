"""Names found by a few letters: what matches better never comes later, and every mark stands on what was typed."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.matching import Names, Quality, folded, marks, quality

LETTERS = st.text(alphabet="abcdeé -ÄßK日本", max_size=12)
NAMES = st.lists(LETTERS, max_size=12)


def found(typed: str, *names: str) -> list[str]:
    return [names[each.place] for each in Names(names).find(typed, 100)]


def marked(typed: str, name: str) -> list[str]:
    return [name[start:end] for start, end in marks(typed, name)]


def test_the_better_match_comes_first() -> None:
    names = (
        "Carbon budget",  # within, scattered over "rb"
        "Python: a ring buffer",  # initials
        "An RB tree",  # a word
        "RB trees and others",  # the name begins so
        "rb",
        "Reading a book",  # letters in order
    )
    assert found("rb", *names) == ["rb", names[3], names[2], names[1], names[0], names[5]]


def test_equally_good_names_stay_in_their_order() -> None:
    assert found("ring", "Ring two", "Ring", "Ring one") == ["Ring", "Ring two", "Ring one"]


def test_case_accents_and_signs_make_no_difference() -> None:
    assert quality("ubergrosse", "Übergröße") == Quality.EXACT
    assert quality("foo bar", "foo/bar-baz") == Quality.PREFIX
    assert quality("CAFE", "Le café") == Quality.WORD
    assert quality("本語", "日本語の文法") == Quality.WITHIN
    assert marked("cafe", "Le cafe\u0301!") == ["cafe"]


def test_words_are_found_in_any_order() -> None:
    assert quality("python ring", "Ring buffer in Python") == Quality.WORDS
    assert quality("python rust", "Ring buffer in Python") is None
    assert marked("python ring", "Ring buffer in Python") == ["Ring", "Python"]


def test_scattered_letters_begin_at_a_word_and_the_best_way_is_marked() -> None:
    assert marked("ribu", "A brief Ring of Buffers") == ["Ri", "Bu"]
    assert quality("ubu", "A brief Ring of Buffers") is None
    assert found("nthd", "North side", "Next thing done") == ["Next thing done", "North side"]


def test_long_names_and_much_typed_end_soon() -> None:
    name = "a " * 4_000
    assert quality("a" * 5_000, name) == Quality.SCATTERED
    assert len(marks("a" * 5_000, name)) > 0


def test_nothing_typed_finds_nothing() -> None:
    assert [found(typed, "a", "") for typed in ("", "  ", "?!")] == [[], [], []]


def test_names_come_in_portions() -> None:
    names = Names(["Alpha"])
    names.add(["Beta", ""])
    names.add(["Alphabet"])
    assert [each.place for each in names.find("alp", 10)] == [0, 3]
    assert [each.place for each in names.find("alp", 1)] == [0]
    assert len(names) == 4


@given(LETTERS, NAMES)
def test_a_better_match_never_ranks_below(typed: str, names: list[str]) -> None:
    each = Names(names).find(typed, 100)
    assert [one.quality for one in each] == sorted((one.quality for one in each), reverse=True)
    assert len({one.place for one in each}) == len(each)
    begins = [one.place for one in each if f"{folded(names[one.place])}\n".startswith(folded(typed))]
    assert begins == [one.place for one in each][: len(begins)], "a name that begins so is never below one that doesn't"
    for one in each[:20]:
        alone = quality(typed, names[one.place])
        assert alone == one.quality


@given(LETTERS, NAMES)
def test_whatever_contains_what_is_typed_is_found(typed: str, names: list[str]) -> None:
    wanted = folded(typed)
    places = {one.place for one in Names(names).find(typed, 100)}
    assert {n for n, name in enumerate(names) if wanted and wanted in folded(name)} <= places


@given(LETTERS, LETTERS)
def test_marks_stand_on_the_letters_typed(typed: str, name: str) -> None:
    spans = marks(typed, name)
    assert bool(spans) == (quality(typed, name) is not None)
    assert all(0 <= start < end <= len(name) for start, end in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    letters = "".join(folded(name[start:end]) for start, end in spans).replace(" ", "")
    slips = quality(typed, name) == Quality.MISTYPED
    assert set(folded(typed).replace(" ", "")) <= set(letters) or not spans or slips

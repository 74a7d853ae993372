"""Words that are meant where one is mistyped: which slips count, from how many letters on, and what it costs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from desktop_app.core import matching
from desktop_app.core.matching import ONE_FROM, Names, Quality, Vocabulary, marks, quality, slips

WORDS = st.text(alphabet="abcdef", min_size=ONE_FROM, max_size=12)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("harbpur", "Harbour works"),  # wrong
        ("harbur", "Harbour works"),  # missing
        ("harbbour", "Harbour works"),  # doubled
        ("hrabour", "Harbour works"),  # swapped
        ("jarbour", "Harbour works"),  # the first one wrong
        ("ahrbour", "Harbour works"),  # the first two swapped
        ("abrb", "The barb"),
        ("hambrug", "Über Hamburg"),
        ("recieve", "Receiver settings"),  # not typed to its end
        ("konnektion", "A connection refused"),  # two from eight on
        ("sttaemnet", "Statement"),  # two swapped
        ("harbur wroks", "Harbour works"),
        ("works harbur", "Harbour works"),
    ],
)
def test_a_mistyped_word_finds_the_name(typed: str, name: str) -> None:
    assert quality(typed, name) == Quality.MISTYPED
    assert marks(typed, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("abr", "The bar"),  # three letters
        ("hrabuor", "Harbour"),  # two slips in seven letters
        ("konekttion", "A connection"),  # three
        ("2024", "Report of 2025"),
        ("東京大学", "東京工学"),
        ("form", "Forest"),  # shorter words are typed to their end
        ("harbur wrecks", "Harbour works"),
    ],
)
def test_what_is_mistyped_more_finds_nothing(typed: str, name: str) -> None:
    assert quality(typed, name) in {None, Quality.SCATTERED}


def test_what_is_typed_right_comes_first() -> None:
    names = ("Habour plan", "Old harbours", "Harbor", "Harbour", "harbouring", "Hrbuor", "H a r b o u r")
    found = Names(names).find("harbour", 100)
    assert [names[one.place] for one in found] == [
        "Harbour",
        "harbouring",
        "Old harbours",
        "Habour plan",
        "Harbor",
        "H a r b o u r",
    ]


def test_marks_stand_on_the_word_that_is_meant() -> None:
    name = "Über die Hamburger Häfen"
    assert [name[start:end] for start, end in marks("hambrger hafne", name)] == ["Hamburger", "Häfen"]


def test_names_that_come_later_are_found_as_well() -> None:
    names = Names(["Alpha"])
    assert names.find("betta", 10) == []
    names.add(["Beta"])
    assert [one.place for one in names.find("betta", 10)] == [1]


@given(WORDS, WORDS)
def test_as_many_slips_as_the_textbook_counts(typed: str, word: str) -> None:
    assume(len(typed) < matching.UNFINISHED_FROM)
    for most in (1, 2):
        count = _distance(typed, word)
        assert slips(typed, word, most) == (count if count <= most else None)


@given(WORDS, st.data())
def test_every_single_slip_is_found(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    slip = data.draw(st.sampled_from(("wrong", "missing", "doubled", "swapped")))
    typed = {
        "wrong": word[:at] + "x" + word[at + 1 :],
        "missing": word[:at] + word[at + 1 :],
        "doubled": word[:at] + word[at] + word[at:],
        "swapped": word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
    }[slip]
    assume(len(typed) >= ONE_FROM and not word.startswith(typed))
    assert word in Vocabulary([word]).meant(typed)


def test_few_of_twenty_thousand_names_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = "etaoinshrdlu"
    words = [f"{a}{b}{c}{d}{a}" for a in letters for b in letters for c in letters for d in letters]
    names = Names(f"{words[n]} talk of {words[-n]}" for n in range(20_000))
    compared: list[str] = []

    def counted(typed: str, word: str, most: int) -> int | None:
        compared.append(word)
        return slips(typed, word, most)

    monkeypatch.setattr(matching, "slips", counted)
    assert names.find("compilre", 10) == []
    assert len(compared) <= matching.COMPARED
    compared.clear()
    assert len(names.find("talk", 30_000)) == 20_000
    assert not compared, "enough is found as typed"


def _distance(typed: str, word: str) -> int:
    """Wrong, missing, extra and swapped letters between two words (optimal string alignment)."""
    rows = [list(range(len(word) + 1))]
    for i, one in enumerate(typed, 1):
        row = [i]
        for j, other in enumerate(word, 1):
            least = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (one != other))
            if i > 1 and j > 1 and one == word[j - 2] and typed[i - 2] == other:
                least = min(least, rows[-2][j - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]

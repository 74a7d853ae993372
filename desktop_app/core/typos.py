"""Finds the words that are meant where one is mistyped: a letter wrong, missing or too many, or two that are swapped.

One such slip from `ONE_FROM` letters on, two from `TWO_FROM` on. Numbers have no slips: 2024 is not 2025. Nor have
scripts without blanks, in which every character is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from desktop_app.core.search_terms import is_unspaced

ONE_FROM: Final = 4
TWO_FROM: Final = 8
"""Letters of a typed word from which one and two of them may be wrong."""

UNFINISHED_FROM: Final = 6
"""Letters from which a mistyped word may be only the beginning of what is meant: shorter ones begin too many words."""

NEAREST: Final = 24
"""Words that one typed word may stand for; the nearest ones."""

COMPARED: Final = 500
"""Words that are compared letter by letter, twenty microseconds each: those with the most pairs of letters as typed."""

_PAIRS_OF_A_SLIP: Final = 3
_LONGEST: Final = 32
"""Letters of a word that is taken for mistyped: longer ones are no words that one types."""

_BITS: Final = 61
_WORD: Final = re.compile(r"[^\W_]+")


class Vocabulary:
    """The different words of many names. Few of them are compared letter by letter: those with most of the letters."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._letters: dict[str, int] = {}
        self.add(words)

    def add(self, words: Iterable[str]) -> None:
        """Takes more words, in the form in which they are typed."""
        known = self._letters
        for word in words:
            if word not in known:
                known[word] = _letters(word)

    def meant(self, typed: str) -> list[str]:
        """The words that are meant if `typed` is mistyped, nearest first. Those that begin as typed are none."""
        most = slips_allowed(typed)
        if not most:
            return []
        wanted, long = _letters(typed), len(typed) - most
        # a slip takes at most one letter away that the typed word has, and three of its pairs, with its beginning
        alike = (
            word
            for word, letters in self._letters.items()
            if (wanted & ~letters).bit_count() <= most and len(word) >= long
        )
        pairs = {typed[at : at + 2] for at in range(len(typed) - 1)}
        least = max(1, 1 + len(pairs) - _PAIRS_OF_A_SLIP * most)
        near: list[tuple[int, str]] = []
        for word in alike:
            shared = [pair in word for pair in pairs].count(True) + (word[0] == typed[0])
            if shared >= least:
                near.append((-shared, word))
        near.sort()
        found: list[tuple[int, str]] = []
        for _, word in near[:COMPARED]:
            count = slips(typed, word, most)
            if count is not None and not word.startswith(typed):
                found.append((count, word))
        return [word for _, word in sorted(found)[:NEAREST]]

    def patterns(self, typed: Sequence[str]) -> tuple[re.Pattern[str], ...]:
        """For each of the typed words what finds it or a word that is meant; none where nothing else can be meant."""
        meant = [self.meant(word) for word in typed]
        return tuple(map(_pattern, typed, meant)) if any(meant) else ()


def words_of_text(text: str) -> list[str]:
    """The words of some text for a `Vocabulary`."""
    return _WORD.findall(text)


def slips_allowed(word: str) -> int:
    """Return how many letters of a typed word may be wrong."""
    if len(word) < ONE_FROM or len(word) > _LONGEST or not word.isalpha() or is_unspaced(word):
        return 0
    return 2 if len(word) >= TWO_FROM else 1


def slips(typed: str, word: str, most: int) -> int | None:
    """The fewest slips with which a word, or the beginning of one, is typed so; None where these are more than `most`.

    Of a word that is not typed to its end, the last letter typed is right.
    """
    unfinished = len(typed) >= UNFINISHED_FROM
    return _fewest(typed, word, most, unfinished) if unfinished or len(word) <= len(typed) + most else None


def _fewest(typed: str, word: str, most: int, unfinished: bool) -> int | None:
    same = 0
    for one, other in zip(typed, word, strict=False):
        if one != other:
            break
        same += 1
    typed, word = typed[same:], word[same:]
    if not typed:
        missing = 0 if unfinished and same else len(word)
        return missing if missing <= most else None
    if not most:
        return None
    ways: list[tuple[str, str]] = (
        [(typed[1:], word[1:]), (typed[1:], word), (typed, word[1:])] if word else [(typed[1:], word)]
    )
    if len(word) > 1 and typed[:2] == word[1::-1]:
        ways.append((typed[2:], word[2:]))
    best = None
    for way in ways:
        count = _fewest(*way, most - 1, unfinished)
        if count is not None and (best is None or count < best):
            best = count
    return None if best is None else best + 1


def _letters(word: str) -> int:
    letters = 0
    for letter in word:
        letters |= 1 << ord(letter) % _BITS
    return letters


def _pattern(typed: str, meant: Sequence[str]) -> re.Pattern[str]:
    others = "|".join(map(re.escape, meant))
    return re.compile(rf"{re.escape(typed)}|\b(?:{others})\b" if others else re.escape(typed))

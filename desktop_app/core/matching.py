"""Matches what is typed with names; letters wrong or missing are seen.

How well is told in steps, see `Quality`; names that match equally well stay in the order in which they were given, so
whoever gives them decides what comes first. Letter case, accents and what stands between words make no difference.

One such slip from `ONE_FROM` letters on, two from `TWO_FROM` on. Numbers have no slips: 2024 is not 2025. Nor have
scripts without blanks, in which every character is a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import islice
from typing import Final

from desktop_app.core.search_terms import fold, is_unspaced

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
        if not (most := slips_allowed(typed)):
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
            if (shared := [pair in word for pair in pairs].count(True) + (word[0] == typed[0])) >= least:
                near.append((-shared, word))
        near.sort()
        found: list[tuple[int, str]] = []
        for _, word in near[:COMPARED]:
            if (count := slips(typed, word, most)) is not None and not word.startswith(typed):
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
        if (count := _fewest(*way, most - 1, unfinished)) is not None and (best is None or count < best):
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


LONGEST: Final = 100
"""Characters of what is typed that count."""
CANDIDATES: Final = 60
"""Names whose letters only come in the right order, the first ones, that are compared: each costs ten microseconds."""
ENOUGH: Final = 20
"""Better matches beside which nobody looks for mistyped words and scattered letters."""
MOST_INITIALS: Final = 6
MOST_STEPS: Final = 500
"""Letters typed times letters of a name up to which the best of all ways to match is looked for, else the first."""

# Indic and South-East Asian vowel signs are parts of words, though they count as no letters.
_NAME_WORD: Final = re.compile("(?:[^\\W_]|[\u0900-\u0fff\u1000-\u109f\u1780-\u17ff])+")

_AT_WORD, _IN_RUN, _AFTER_GAP = 8, 5, -3
"""Points of a letter that begins a word, that follows the one before at once, that does neither."""

Span = tuple[int, int]


class Quality(IntEnum):
    """The quality of a name's match, the better the greater."""

    SCATTERED = 0  # the letters in their order, the first at the beginning of a word
    MISTYPED = 1  # every typed word somewhere, or one that is meant, see `typos`
    WORDS = 2  # every typed word somewhere
    WITHIN = 3  # somewhere as typed
    INITIALS = 4  # the first letters of words that follow one another
    WORD = 5  # a word, or several, begin as typed
    PREFIX = 6  # the name begins as typed
    EXACT = 7


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name that matches: its `place` among the names, from 0."""

    place: int
    quality: Quality


def folded(name: str) -> str:
    """The form in which names are compared: folded words with one blank between them."""
    return " ".join(_NAME_WORD.findall(fold(name)))


class Names:
    """Names prepared for being searched again and again, tens of thousands of them in milliseconds.

    They lie in one text, a line and a blank before each, which the standard library's searches go through at the speed
    of memory.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._text = "\n"
        self._starts: list[int] = []
        self._vocabulary = Vocabulary()
        self.add(names)

    def __len__(self) -> int:
        return len(self._starts)

    def add(self, names: Iterable[str]) -> None:
        """Takes more names behind those that are there."""
        lines, place = [], len(self._text)
        for name in names:
            line = f" {folded(name)}\n"
            lines.append(line)
            self._starts.append(place)
            place += len(line)
        self._text += "".join(lines)
        self._vocabulary.add("".join(lines).split())

    def find(self, typed: str, most: int) -> list[NameMatch]:
        """The best matches, at most `most`; none where nothing but blanks and signs is typed."""
        wanted = folded(typed[:LONGEST])
        found: dict[int, Quality] = {}
        if wanted:
            for quality, places in self._searches(wanted):
                if quality <= Quality.MISTYPED and len(found) >= ENOUGH:
                    break
                for place in places:
                    found.setdefault(place, quality)
                    if len(found) >= most:
                        return [NameMatch(*each) for each in found.items()]
        return [NameMatch(*each) for each in found.items()]

    def _searches(self, wanted: str) -> Iterator[tuple[Quality, Iterator[int]]]:
        words, anywhere = wanted.split(), wanted in self._text
        if anywhere:
            yield Quality.EXACT, self._with(f"\n {wanted}\n")
            yield Quality.PREFIX, self._with(f"\n {wanted}")
            yield Quality.WORD, self._with(f" {wanted}")
        if len(words) == 1 and len(wanted) <= MOST_INITIALS:
            yield Quality.INITIALS, self._where(_initials(wanted))
        if anywhere:
            yield Quality.WITHIN, self._with(wanted)
        if len(words) > 1:
            yield Quality.WORDS, self._with_all(words)
        yield Quality.MISTYPED, self._mistyped(words)
        yield Quality.SCATTERED, self._scattered("".join(words))

    def _with(self, part: str) -> Iterator[int]:
        """The places of the names with a part in them; a line's end or a blank stands for itself."""
        return self._places(partial(self._text.find, part))

    def _where(self, pattern: re.Pattern[str]) -> Iterator[int]:
        def start(at: int) -> int:
            match = pattern.search(self._text, at)
            return match.start() if match is not None else -1

        return self._places(start)

    def _places(self, next_from: Callable[[int], int]) -> Iterator[int]:
        """Each name once: the search goes on behind the line in which something was found."""
        at = next_from(0)
        while at >= 0:
            place = bisect_right(self._starts, at + 1) - 1
            yield place
            at = next_from(self._end(place))

    def _end(self, place: int) -> int:
        return (self._starts[place + 1] if place + 1 < len(self._starts) else len(self._text)) - 1

    def _line(self, place: int) -> str:
        return self._text[self._starts[place] : self._end(place)]

    def _with_all(self, words: Sequence[str]) -> Iterator[int]:
        text = self._text
        longest, *others = sorted(dict.fromkeys(words), key=len, reverse=True)  # as a rule the rarest
        for place in self._with(longest):
            start, end = self._starts[place], self._end(place)
            for word in others:
                if text.find(word, start, end) < 0:
                    break
            else:
                yield place

    def _mistyped(self, words: Sequence[str]) -> Iterator[int]:
        if patterns := self._vocabulary.patterns(words):
            longest, *others = sorted(patterns, key=lambda one: -len(one.pattern))
            for place in self._where(longest):
                line = self._line(place)
                if all(one.search(line) for one in others):
                    yield place

    def _scattered(self, letters: str) -> Iterator[int]:
        if len(letters) < 2:
            return
        places = islice(self._where(_in_order(letters)), CANDIDATES)
        scored = [(_path(letters, self._line(place))[0], place) for place in places]
        scored.sort(key=lambda each: -each[0])
        yield from (place for _, place in scored)


def quality(typed: str, name: str) -> Quality | None:
    """Return how one name matches; None where it doesn't."""
    found = Names([name]).find(typed, 1)
    return found[0].quality if found else None


def marks(typed: str, name: str) -> list[Span]:
    """Which characters of a name match what is typed: (start, end) in code points, in order, apart from each other."""
    wanted = folded(typed[:LONGEST])
    line, origins = _with_origins(name)
    if (how := quality(typed, name)) is None:
        return []
    if how in (Quality.EXACT, Quality.PREFIX, Quality.WORD):
        start = line.find(f" {wanted}") + 1
        places = list(range(start, start + len(wanted))) if start else []
    elif how == Quality.WITHIN:
        start = line.find(wanted)
        places = list(range(start, start + len(wanted))) if start >= 0 else []
    elif how == Quality.INITIALS:
        match = _initials(wanted).search(line)
        places = [match.start(n) for n in range(1, len(wanted) + 1)] if match is not None else []
    elif how == Quality.WORDS:
        spans = ((line.find(word), len(word)) for word in wanted.split())
        places = sorted({at for start, length in spans if start >= 0 for at in range(start, start + length)})
    elif how == Quality.MISTYPED:
        vocabulary = Vocabulary(line.split())
        found = (pattern.search(line) for pattern in vocabulary.patterns(wanted.split()))
        places = sorted({at for match in found if match is not None for at in range(*match.span())})
    else:
        places = _path(wanted.replace(" ", ""), line)[1]
    return _spans([origins[at] for at in places if line[at] != " "])


def _initials(letters: str) -> re.Pattern[str]:
    """Each letter is a group of its own."""
    return re.compile(r"[^ \n]*+".join(f" ({re.escape(letter)})" for letter in letters))


def _in_order(letters: str) -> re.Pattern[str]:
    """Never goes back: the first place of each letter leaves the most room for the next."""
    rest = (rf"[^\n{re.escape(letter)}]*+{re.escape(letter)}" for letter in letters[1:])
    return re.compile(" " + re.escape(letters[0]) + "".join(rest))


def _path(letters: str, line: str) -> tuple[int, list[int]]:
    """Return the worth of the best way to find the letters in a line, and the place of each then; no places: there is
    none.

    The first letter stands at the beginning of a word, so a line begins with a blank.
    """
    if len(letters) * len(line) > MOST_STEPS:
        return 0, _first_path(letters, line)
    at = line.find(f" {letters[0]}")
    best: dict[int, int] = {}
    while at >= 0:
        best[at + 1] = 0
        at = line.find(f" {letters[0]}", at + 1)
    steps: list[dict[int, int]] = []
    for letter in letters[1:]:
        if not best:
            return 0, []
        now: dict[int, int] = {}
        before: dict[int, int] = {}
        behind, top, top_at = iter(best), -1_000_000, -1
        following = next(behind, None)
        at = line.find(letter, next(iter(best)) + 1)
        while at >= 0:
            while following is not None and following < at:
                if best[following] > top:
                    top, top_at = best[following], following
                following = next(behind, None)
            now[at] = top + (_AT_WORD if line[at - 1] == " " else _AFTER_GAP)
            before[at] = top_at
            if (run := best.get(at - 1)) is not None and run + _IN_RUN > now[at]:
                now[at], before[at] = run + _IN_RUN, at - 1
            at = line.find(letter, at + 1)
        steps.append(before)
        best = now
    if not best:
        return 0, []
    end = max(best, key=lambda at: best[at])
    places = [end]
    for before in reversed(steps):
        places.append(before[places[-1]])
    return best[end], places[::-1]


def _first_path(letters: str, line: str) -> list[int]:
    places = [line.find(f" {letters[0]}") + 1]
    for letter in letters[1:]:
        places.append(line.find(letter, places[-1] + 1))
    return places


def _with_origins(name: str) -> tuple[str, list[int]]:
    """The folded name behind a blank, and for each of its characters the one of the name that it comes from."""
    line, origins = [" "], [0]
    for at, character in enumerate(name):
        for part in fold(character):
            if _NAME_WORD.match(part):
                line.append(part)
                origins.append(at)
            elif line[-1] != " ":
                line.append(" ")
                origins.append(at)
    return "".join(line).rstrip() or " ", origins


def _spans(places: Sequence[int]) -> list[Span]:
    spans: list[Span] = []
    for at in sorted(set(places)):
        if spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans

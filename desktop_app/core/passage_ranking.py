"""Ranks the texts of messages by how much of a question one passage of each says.

Knows no index and no tool: who asks brings the texts, and how telling each term of the question is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from desktop_app.core.history_records import RecallHit
from desktop_app.core.question_terms import Term
from desktop_app.core.search_terms import terms_at

PASSAGE: Final = 400
"""Characters within which the terms of a question count as said together: three sentences or so."""

LONG: Final = 6_000
"""Characters of a text from which several of its passages may be found."""

PASSAGES: Final = 6
"""So many passages of one long text at most."""

NEARLY: Final = 0.5
"""Share of its best passage's score that a further one has at least."""

_READ_WHOLE: Final = 40_000
"""Characters of a text that are read term by term; of a longer one, only what is around the terms."""

_OCCURRENCES: Final = 40
"""Occurrences of one term in a long text that are looked at."""


def ranked_passages(texts: Mapping[str, str], terms: Sequence[Term], weights: Sequence[float]) -> list[RecallHit]:
    """The passages of the texts by message id that hold any of the terms, best first; `weights`: how telling each is.

    What counts most is how much of the question one passage says, then how much the whole text does.
    """
    meaning: dict[str, int] = {}
    for number, term in enumerate(terms):
        for form in term.forms:
            # a form that several terms have belongs to the most telling
            if form not in meaning or weights[number] > weights[meaning[form]]:
                meaning[form] = number
    hits = [hit for name, text in texts.items() for hit in _passages(name, text, terms, weights, meaning)]
    return sorted(hits, key=lambda hit: -hit.score)


def _passages(
    name: str, text: str, terms: Sequence[Term], weights: Sequence[float], meaning: Mapping[str, int]
) -> Iterator[RecallHit]:
    """The best passage of a text, and of a long one others that say nearly as much."""
    found = [
        (start + place.start, start + place.end, meaning[place.run])
        for start, end in _regions(text, terms)
        for place in terms_at(text[start:end])
        if place.run in meaning
    ]
    least = 0.0
    for _ in range(PASSAGES if len(text) > LONG else 1):
        hit = _best_passage(name, found, weights) if found else None
        if hit is None or hit.score < least:
            return
        yield hit
        least = least or hit.score * NEARLY
        found = [one for one in found if one[1] <= hit.start - PASSAGE or one[0] >= hit.end + PASSAGE]


def _best_passage(name: str, found: Sequence[tuple[int, int, int]], weights: Sequence[float]) -> RecallHit:
    """The passage that says most, of the places where terms stand: start, end and number of the term."""
    counts: dict[int, int] = {}
    best, first, best_range = 0.0, 0, (found[0][0], found[0][1])
    together = 0.0
    for last, (_, end, number) in enumerate(found):
        together += weights[number] if not counts.get(number) else 0.0
        counts[number] = counts.get(number, 0) + 1
        while found[first][0] < end - PASSAGE and first < last:
            gone = found[first][2]
            counts[gone] -= 1
            together -= weights[gone] if not counts[gone] else 0.0
            first += 1
        if together > best + 1e-9:
            best, best_range = together, (found[first][0], end)
    everything = sum(weights[number] for number in {number for _, _, number in found})
    # of two that say as much, the one that says it more closely
    close = 0.1 * best * (1 - min(1.0, (best_range[1] - best_range[0]) / PASSAGE))
    return RecallHit(name, *best_range, best + 0.2 * everything + close)


def _regions(text: str, terms: Sequence[Term]) -> list[tuple[int, int]]:
    """The parts of a text in which its terms are looked for, in order, none overlapping."""
    if len(text) <= _READ_WHOLE:
        return [(0, len(text))]
    lowered = text.lower()
    around: list[tuple[int, int]] = []
    for term in terms:
        stem = min(term.forms, key=len)
        at = lowered.find(stem)
        for _ in range(_OCCURRENCES):
            if at < 0:
                break
            around.append((max(0, at - PASSAGE), min(len(text), at + PASSAGE)))
            at = lowered.find(stem, at + PASSAGE)
    regions: list[tuple[int, int]] = []
    for start, end in sorted(around):
        if regions and start <= regions[-1][1]:
            regions[-1] = (regions[-1][0], max(end, regions[-1][1]))
        else:
            regions.append((start, end))
    return regions

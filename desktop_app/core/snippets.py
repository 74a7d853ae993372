"""The passage of a text that shows why a search found it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from desktop_app.core.markdown.plain_line import plain_line
from desktop_app.core.search_terms import SearchTerm, TermPosition, is_unspaced, places, words_of

SIZE = 200
"""Characters of a snippet, without the signs that something is left out."""

_BEFORE = 50
"""Characters shown before the first mark, so that one sees what it is about."""

_LOOKED_AT = 50_000
"""Characters in which words are looked for that only folding makes equal: there every character costs."""

_OCCURRENCES = 30
"""Occurrences of one needle that are compared to find the best passage."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """One line of a text. `marks` are the ranges that were looked for, start and end, in order, none overlapping."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def snippet(text: str, needles: Sequence[SearchTerm], size: int = SIZE, *, markdown: bool = False) -> Snippet:
    """The passage of at most `size` characters with the most different needles; the beginning where there are none.

    `markdown`: the text has marks of Markdown, which are left out unless what is looked for stands among them.
    """
    start = max(0, _best_start(text, needles, size) - min(_BEFORE, size // 4))
    end = min(len(text), start + size)
    start = max(0, end - size)
    if start:  # not in the middle of a word, unless it is a long one
        blank = max(text.find(blank, start - 1, start + 20) for blank in " \n")
        start = blank + 1 if blank >= 0 else start
    if end < len(text):
        blank = max(text.rfind(blank, end - 20, end + 1) for blank in " \n")
        end = blank if blank > start else end
    before, after = "… " if text[:start].strip() else "", " …" if text[end:].strip() else ""
    passage = "".join(" " if one.isspace() else one for one in text[start:end])
    indent = len(before)
    found = marked(passage, needles)
    if markdown:
        plain = plain_line(text[start:end])
        in_plain = marked(plain, needles)
        if len(in_plain) >= len(found) and plain:
            passage, found = plain, in_plain
    marks = tuple((first + indent, last + indent) for first, last in found)
    return Snippet(before + passage.rstrip() + after, marks)


def marked(text: str, needles: Sequence[SearchTerm]) -> list[tuple[int, int]]:
    """The ranges of a short text that the needles are about, in order, none overlapping."""
    found: list[tuple[int, int]] = []
    phrases = [needle for needle in needles if _is_phrase(needle)]
    whole = {run for needle in needles if needle not in phrases for run in needle.runs}
    openings = tuple(needle.runs[-1] for needle in needles if needle.open and needle not in phrases)
    standing = tuple(places(text))
    for needle in phrases:
        found += _marked_phrases(text, standing, needle)
    for place in standing:
        if not is_unspaced(place.run):
            inner = words_of(text[place.start : place.end])
            if place.run in whole or place.run.startswith(openings) or any(word in whole for word in inner):
                found.append((place.start, place.end))
        elif len(place.run) == place.end - place.start:
            for run in whole:
                found += ((place.start + at, place.start + at + len(run)) for at in _occurrences(place.run, run))
        elif any(run in place.run for run in whole):
            found.append((place.start, place.end))
    return _merged(sorted(found))


def _is_phrase(needle: SearchTerm) -> bool:
    """Return True if its words must follow one another."""
    return len(needle.runs) > 1 and not any(map(is_unspaced, needle.runs))


def _marked_phrases(text: str, standing: Sequence[TermPosition], needle: SearchTerm) -> Iterator[tuple[int, int]]:
    """Yield the places where its words follow one another, or are the words of one identifier."""
    *firsts, last = needle.runs
    for at, place in enumerate(standing):
        following = standing[at : at + len(needle.runs)]
        runs = [one.run for one in following]
        if runs[:-1] == firsts and (runs[-1] == last or (needle.open and runs[-1].startswith(last))):
            yield from ((one.start, one.end) for one in following)
        elif set(needle.runs) <= set(words_of(text[place.start : place.end])):
            yield place.start, place.end


def _phrase_places(lowered: str, needle: SearchTerm) -> list[int]:
    """Some places where its words follow one another."""
    behind = "" if needle.open else r"(?![^\W_])"
    phrase = re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, needle.runs)) + behind)
    return [found.start() for _, found in zip(range(_OCCURRENCES), phrase.finditer(lowered), strict=False)]


def _best_start(text: str, needles: Sequence[SearchTerm], size: int) -> int:
    """Return the place where the passage with the most different needles begins: at its first one."""
    lowered = text.lower()
    hits: list[tuple[int, int]] = []
    if len(lowered) == len(text):  # else places would not be those of the text
        for number, needle in enumerate(needles):
            if _is_phrase(needle):
                found = _phrase_places(lowered, needle)
            else:
                found = _at_words(lowered, max(needle.runs, key=len))
            hits += ((at, number) for at in found)
    if not hits:
        return next((start for start, _ in marked(text[:_LOOKED_AT], needles)), 0)
    hits.sort()
    best, most = hits[0][0], 0
    for index, (start, _) in enumerate(hits):
        different = len({number for at, number in hits[index : index + _OCCURRENCES] if at < start + size - _BEFORE})
        if different > most:
            best, most = start, different
    return best


def _at_words(lowered: str, run: str) -> list[int]:
    """Some places of the run, those at a word's beginning if there are any."""
    found = _occurrences(lowered, run, _OCCURRENCES)
    if is_unspaced(run):
        return found
    return [at for at in found if not at or not lowered[at - 1].isalnum()] or found


def _occurrences(text: str, run: str, most: int = 1_000) -> list[int]:
    found: list[int] = []
    at = text.find(run)
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(run, at + len(run))
    return found


def _merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def parted(snippet: Snippet) -> Iterator[tuple[str, bool]]:
    """The snippet's text in pieces, and whether each is marked; none is empty."""
    edges = sorted({0, len(snippet.text), *(edge for mark in snippet.marks for edge in mark)})
    starts = {start for start, _ in snippet.marks}
    for start, end in pairwise(edges):
        yield snippet.text[start:end], start in starts

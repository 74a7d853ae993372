"""Ranks the texts of messages by their best passage, and cuts out the passage that shows why a search found one.

English words are looked for with their usual endings; the index holds words as they stand, so that phrases and words
half typed are found exactly, and only questions are taken generously.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from desktop_app.core.history_records import RecallHit
from desktop_app.core.search_terms import MOST_TERMS, SearchTerm, TermPosition, is_unspaced, places, terms_at, words_of
from desktop_app.core.titles import plain_line

SHORTEST_STEM: Final = 3
"""Letters that must be left of a word for an ending to be taken off."""

_ENDINGS: Final = (
    *("ations", "ation", "ating", "ators", "ative", "ances", "ences", "ated", "ates", "ator", "ance", "ence", "able"),
    *("ments", "ness", "ment", "ists", "ings", "ions", "ally", "ing", "ion", "ist", "ity", "ies", "ied", "ive", "ful"),
    *("ers", "ors", "ate", "ant", "ent", "ic", "er", "or", "ly", "es", "ed", "al", "s", "e", "y"),
)
_GROWN: Final = (*_ENDINGS, "", "d", "ar", "ical", "ists", "ives")
_SILENT_WORDS: Final = """
a about after again all also am an and any are as asked at be because been before being both but by can could did do
does doing done down during each earlier else ever every few for from further get give given go got had has have
having he her here him his how however i if in into is it its just know let like made make many may me mean
mentioned might more most much must my need no nor not now of off on once one only or other our out over own please
previous previously recall remember said same say see set shall she should so some still such tell than that the
their them then there these they thing this those through to told too under until up us use used uses using very
was we well went were what when where which while who whom whose why will with would you your
s t re ve ll d m
aber alle allem allen alles als ander andere anderen auch auf aus bei beim bis bitte da dabei dafur damit dann darf
das dass dein deine dem den denn der des dich dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
einem einen einer eines einmal er es etwas euch geben gegen gibt hab habe haben hast hatte hier hinter ich ihm ihn
ihnen ihr ihre im immer ins irgend ist ja jede jeden jeder jetzt kann kein keine keinen konnen konnte machen macht
mein meine meinem meinen meiner mich mir mit mochte muss mussen nach nicht nichts noch nun nur ob oder ohne schon sehr
sein seine sich sie sind soll sollen sollte sollten uber um und uns unser unsere unter vom von vor waren warum welche
welchem welchen welcher welches wenn wer werde werden wie wieder wir wird wo woher wohin womit wurde wurden zu zum zur
zwischen ai au aucun aux avec avoir ce cela ces cet cette chez ci dans de depuis dont elle elles en encore est et
etait etre faire fait faut il ils j je l la le les leur leurs lui ma mais meme mes moi mon n ne ni nos notre nous ont
ou par pas peut peuvent peux pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se ses si sont sous
suis sur ta te tes toi tous tout toute toutes tres tu un une veut veux vos votre vous y al algo algun asi como con
cual cuales cuando cuanto del desde donde e el ella ellos era esa ese eso esta estan este esto fue ha han hay las lo
los mas mi mis mucho muy o otra otro para pero por porque puede puedo quien ser sobre su sus tambien tengo tiene una
uno unos ya yo che chi cosa dei della delle dello di gli ho io nel nella non piu posso puo quale quando quanto questa
questo sei sono sta sul sulla tra vi ao aos dos em ela ele foi isso isto meu minha na nao nas pela pelo qual quem seu
sua tem uma voce aan dat deze dit een geen heb heeft het hoe ik kan maar mag mijn moet naar niet om ook op uit voor
waar wat welke wordt zijn
什么 怎么 哪个 哪些 多少 为什 我们 你们 他们 这个 那个 是什 是多 是哪 的是 几个 何时 请问 一下 了吗 的吗
です ます した して ます でし って から まで どの どこ いつ なに 何で すか たか
的 了 是 在 有 和 我 你 他 她 它 吗 呢 の は が を に と で も か
"""
_SILENT: Final = frozenset(_SILENT_WORDS.split())
"""Words that say nothing of what a question is about, without their accents, in the languages that are asked most."""
_GRAMMAR: Final = re.compile("\\A(?:[\u3041-\u309f]+|.*[的了吗呢么我你您他她它哪把这那].*)")
"""Pairs of Japanese that are all hiragana, and those of Chinese with a character of grammar."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question asks about: any of `forms`, single terms of the index, stands for it."""

    forms: tuple[str, ...]

    @property
    def query(self) -> str:
        """The FTS5 query that finds every text with any of the forms."""
        return " OR ".join(f'"{form}"' for form in self.forms)


def question_terms(question: str) -> tuple[Term, ...]:
    """The different terms of a question, in its order, at most `MOST_TERMS`; empty where nothing can be looked for.

    Words that say nothing are left out, unless there are no others. A character of a script without blanks counts by
    itself only where it stands alone.
    """
    distinct: dict[tuple[str, ...], None] = {}
    for term in question_words(question):
        distinct[forms_of(term)] = None
    return tuple(Term(forms) for forms in list(distinct)[:MOST_TERMS])


def question_words(question: str) -> list[str]:
    """The different words of a question, and of scripts without blanks its pairs, that say what it is about."""
    everything = list(dict.fromkeys(_asked(question)))
    return [term for term in everything if term not in _SILENT and not _GRAMMAR.fullmatch(term)] or everything


def forms_of(term: str) -> tuple[str, ...]:
    """A word with the endings that English gives it, in a fixed order; other terms as they are."""
    if len(term) <= SHORTEST_STEM or not (term.isascii() and term.isalpha()):
        return (term,)
    stem = _stem(term)
    forms = {term, *(stem + ending for ending in _GROWN)}
    if stem[-1] not in "aeiouwxy":
        forms |= {stem + stem[-1] + ending for ending in ("ed", "ing", "er", "ers")}
    return tuple(sorted(forms))


def _asked(question: str) -> list[str]:
    found: list[str] = []
    alone = 0
    for place in terms_at(question):
        if len(place.run) == 1 and not place.run.isascii():
            alone = place.end
            if not _has_neighbour(question, place.start, place.end):
                found.append(place.run)
        else:
            found.append(place.run)
    return found if found or not alone else [place.run for place in terms_at(question)]


def _has_neighbour(question: str, start: int, end: int) -> bool:
    around = question[max(0, start - 1) : start] + question[end : end + 1]
    return any(not character.isascii() and character.isalnum() for character in around)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if (stem := word.removesuffix(ending)) != word and len(stem) >= SHORTEST_STEM:
            doubled = len(stem) > SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
            return stem[:-1] if doubled else stem
    return word


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
    return merged_ranges(around)


SIZE = 200
"""Characters of a snippet, without the signs that something is left out."""

_BEFORE = 50
"""Characters shown before the first mark, so that one sees what it is about."""

_LOOKED_AT = 50_000
"""Characters in which words are looked for that only folding makes equal: there every character costs."""

_MARKED_OCCURRENCES = 30
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
    if start := max(0, end - size):  # not in the middle of a word, unless it is a long one
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
        if len(in_plain := marked(plain, needles)) >= len(found) and plain:
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
    return merged_ranges(found)


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
    return [found.start() for _, found in zip(range(_MARKED_OCCURRENCES), phrase.finditer(lowered), strict=False)]


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
        different = len(
            {number for at, number in hits[index : index + _MARKED_OCCURRENCES] if at < start + size - _BEFORE}
        )
        if different > most:
            best, most = start, different
    return best


def _at_words(lowered: str, run: str) -> list[int]:
    """Some places of the run, those at a word's beginning if there are any."""
    found = _occurrences(lowered, run, _MARKED_OCCURRENCES)
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


def merged_ranges(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges in order; those that meet become one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
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

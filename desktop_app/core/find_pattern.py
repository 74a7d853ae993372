"""Matches words that a reader looks for: letters of any case, accents, spaces."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from desktop_app.core.search_terms import is_unspaced, needles

#: More than this many characters are not looked for.
LONGEST_PATTERN = 1_000

#: Marks of Markdown that the reader doesn't see, which may stand in the middle of what he does see.
_UNSEEN = r"(?:[*_~`\\\[\]]|(?<=\])\([^()\n]{0,300}\))*"
_COMBINING = "[\u0300-\u036f]*"
#: One letter that reads like two, and the other way round.
_PAIRS = {"ss": "(?:ss|[\u00df\u1e9e])", "fi": "(?:fi|\ufb01)", "fl": "(?:fl|\ufb02)", "ff": "(?:ff|\ufb00)"}
_SINGLES = {
    "\u00df": "(?:[\u00df\u1e9e]|ss)",
    "'": "['\u2018\u2019]",
    '"': '["\u201c\u201d\u201e]',
    "-": "[-\u2010\u2011]",
}
#: Where a word begins and ends, those of an identifier such as `parseHTMLPage` too.
_WORD_BEGINS = r"(?:(?<![^\W_])|(?<=(?-i:[a-z0-9]))(?=(?-i:[A-Z]))|(?=(?-i:[A-Z][a-z])))"
_WORD_ENDS = r"(?:(?![^\W_])|(?<=(?-i:[a-z0-9]))(?=(?-i:[A-Z]))|(?=(?-i:[A-Z][a-z])))"
#: Letters with accents that are found by the letter without: Latin and Greek.
_ACCENTED = (range(0x00C0, 0x0250), range(0x0370, 0x0400), range(0x1E00, 0x1F00))


@dataclass(frozen=True, slots=True)
class FindPattern:
    """The text looked for. Letters match in any case unless `match_case`; a plain letter also matches with an accent,
    an accented one only itself; a space matches any white space, a line break too. Empty text matches nothing.

    `any_word`: the text is the line of a search over all threads, and each of its words is a hit by itself; a word of
    an identifier counts, and the last word may go on.
    """

    text: str
    match_case: bool = False
    whole_words: bool = False
    any_word: bool = False
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, compare=False, default=None)
    _near: re.Pattern[str] | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self.any_word:
            exact, near = _any_word(self.text[:LONGEST_PATTERN])
            object.__setattr__(self, "_pattern", re.compile(exact, re.IGNORECASE) if exact else None)
            object.__setattr__(self, "_near", re.compile(near, re.IGNORECASE) if near else None)
            return
        wanted = unicodedata.normalize("NFC", self.text[:LONGEST_PATTERN])
        if not self.match_case:
            wanted = wanted.casefold() if "\u00df" not in wanted else wanted.lower()
        if wanted.strip():
            source = _expression(wanted, accents=not self.match_case)
            if self.whole_words:
                source = rf"(?<!\w){source}(?!\w)"
            flags = re.NOFLAG if self.match_case else re.IGNORECASE
            object.__setattr__(self, "_pattern", re.compile(source, flags))
            # the longest run of letters and digits: whatever marks stand around or in it, it must be there
            core = max(re.findall(r"[^\W_]+", wanted), key=len, default="")
            near = _UNSEEN.join(_parts(core, accents=not self.match_case))
            object.__setattr__(self, "_near", re.compile(near, flags) if core else None)

    def __bool__(self) -> bool:
        return self._pattern is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return its places in a text as it is read: (start, end) in code points, in order, without overlaps."""
        return [found.span() for found in self._pattern.finditer(text)] if self._pattern is not None else []

    def may_be_in(self, source: str) -> bool:
        """False only where a Markdown source surely reads nothing that matches: costs little, spares reading it."""
        if self._pattern is None:
            return False
        # an entity may stand for any letter, and a formula reads otherwise than it is written
        unsure = self._near is None or "&" in source or "$" in source or "\\(" in source or "\\[" in source
        return unsure or (self._near is not None and self._near.search(source) is not None)


def _any_word(line: str) -> tuple[str, str]:
    """Return the pattern that matches any word of a search line as it is read, and the text that a source holding
    one surely has.
    """
    exact: list[str] = []
    near: list[str] = []
    for wanted in needles(line):
        for number, run in enumerate(wanted.runs, start=1):
            parts = _parts(run, accents=True)
            source = "".join(parts)
            if not is_unspaced(run):
                goes_on = wanted.open and number == len(wanted.runs)
                source = _WORD_BEGINS + source + (r"\w*" if goes_on else _WORD_ENDS)
            exact.append(source)
            near.append(_UNSEEN.join(parts))
    return "|".join(exact), "|".join(near)


def _expression(wanted: str, *, accents: bool) -> str:
    return "".join(_parts(wanted, accents=accents))


def _parts(wanted: str, *, accents: bool) -> list[str]:
    parts: list[str] = []
    position = 0
    while position < len(wanted):
        character, pair = wanted[position], wanted[position : position + 2]
        if character.isspace():
            end = position
            while end < len(wanted) and wanted[end].isspace():
                end += 1
            parts.append(r"\s+")
            position = end
        elif accents and pair in _PAIRS:
            parts.append(_PAIRS[pair])
            position += 2
        else:
            parts.append(_letter(character, accents=accents))
            position += 1
    return parts


def _letter(character: str, *, accents: bool) -> str:
    if character in _SINGLES and (accents or not character.isalpha()):
        return _SINGLES[character]
    decomposed = unicodedata.normalize("NFD", character)
    if len(decomposed) > 1:
        return f"(?:{re.escape(character)}|{re.escape(decomposed)})"
    if not accents or not character.isalpha():
        return re.escape(character)
    accented = _accented().get(character, "")
    return f"[{character}{accented}]{_COMBINING}" if accented else re.escape(character)


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Plain letters with all their accented forms of either case."""
    found: dict[str, str] = {}
    for codes in _ACCENTED:
        for code in codes:
            decomposed = unicodedata.normalize("NFD", chr(code))
            if len(decomposed) > 1 and all(map(unicodedata.combining, decomposed[1:])):
                base = decomposed[0].lower()
                found[base] = found.get(base, "") + chr(code)
    return found

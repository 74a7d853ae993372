"""Counts the characters of a text by class, which is what its tokens are estimated from.

A script that most tokenizers have vocabulary for is a class. The others stand in four groups whose members' costs are
in the same proportion in all tokenizers that were looked at, as far as a fifth; a character counts in hundredths of an
average one of its group. What no vocabulary holds counts by its bytes in UTF-8: that is what tokenizers do.

Classes are chosen so that real tokenizers spend about the same on each member: letters with the words they form, signs
with the runs they form, repeated and random characters apart. Why these classes and no fewer is in
`docs/decisions/0016-classes-of-characters.md`, with what each is worth.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import add, sub
from typing import Final, TypeAlias

RAW: Final = "raw_bytes"

FREQUENT_HAN: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政"
    "美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员"
    "解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件"
    "计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
    "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
)
"""The Han characters of everyday writing: they join into tokens of two and three, others are a token or more each."""

# first and last code point, class, how much one character counts; in order, none overlaps
_RANGES: Final = (
    (0x00A0, 0x00BF, "punctuation", 1),
    (0x00C0, 0x00FF, "latin_extended", 2),
    (0x0100, 0x024F, "latin_extended", 3),
    (0x0370, 0x03FF, "near_scripts", 97),  # Greek
    (0x0400, 0x040F, "cyrillic", 4),
    (0x0410, 0x044F, "cyrillic", 1),  # the letters of Russian; those of other languages are rare in vocabularies
    (0x0450, 0x04FF, "cyrillic", 4),
    (0x0530, 0x058F, "indic_scripts", 97),  # Armenian
    (0x0590, 0x05FF, "near_scripts", 103),  # Hebrew
    (0x0600, 0x06FF, "near_scripts", 94),  # Arabic
    (0x0900, 0x097F, "near_scripts", 107),  # Devanagari
    (0x0980, 0x09FF, "indic_scripts", 82),  # Bengali
    (0x0A00, 0x0A7F, "thai_scripts", 105),  # Gurmukhi
    (0x0A80, 0x0AFF, "indic_scripts", 114),  # Gujarati
    (0x0B00, 0x0B7F, "thai_scripts", 143),  # Odia
    (0x0B80, 0x0BFF, "indic_scripts", 89),  # Tamil
    (0x0C00, 0x0CFF, "indic_scripts", 110),  # Telugu, Kannada
    (0x0D00, 0x0D7F, "indic_scripts", 103),  # Malayalam
    (0x0D80, 0x0DFF, "far_scripts", 121),  # Sinhala
    (0x0E00, 0x0E7F, "thai_scripts", 65),  # Thai
    (0x1000, 0x109F, "far_scripts", 95),  # Burmese
    (0x10A0, 0x10FF, "far_scripts", 87),  # Georgian
    (0x1780, 0x17FF, "thai_scripts", 102),  # Khmer
    (0x1E00, 0x1EFF, "latin_extended", 2),
    (0x2000, 0x200A, "punctuation", 1),
    (0x200B, 0x200F, RAW, 2),  # joiners
    (0x2010, 0x206F, "punctuation", 1),
    (0x2190, 0x25FF, RAW, 2),  # arrows, mathematics, box drawing
    (0x2600, 0x27BF, "emoji", 1),
    (0x3000, 0x303F, "wide_punctuation", 1),
    (0x3040, 0x30FF, "kana", 1),
    (0x4E00, 0x9FFF, "han", 1),
    (0xAC00, 0xD7AF, "hangul", 1),
    (0xFE00, 0xFE0F, RAW, 1),  # variation selectors
    (0xFF00, 0xFF65, "wide_punctuation", 1),
    (0x1F000, 0x1FAFF, "emoji", 1),
)
_STARTS: Final = tuple(row[0] for row in _RANGES)


def class_of(character: str) -> tuple[str, int]:
    """The class of one character beyond ASCII, and how much it counts there (> 0)."""
    if character in FREQUENT_HAN:
        return "frequent_han", 1
    code = ord(character)
    if (place := bisect_right(_STARTS, code) - 1) >= 0 and code <= _RANGES[place][1]:
        return _RANGES[place][2:]
    return RAW, 2 if code < 0x800 else 3 if code < 0x10000 else 4


Features: TypeAlias = tuple[int, ...]

NAMES: Final = (
    *("letters", "letter_runs", "capitals", "digits", "digit_runs"),
    *("punctuation", "punctuation_runs", "gaps", "space_runs", "newlines", "repeats", "random"),
    *("latin_extended", "cyrillic", "frequent_han", "han", "kana", "hangul", "wide_punctuation", "emoji"),
    *("near_scripts", "thai_scripts", "indic_scripts", "far_scripts", "raw_bytes", "constant", "vocabulary"),
)
"""The last one is no class: tokens of texts that a model's own vocabulary counted, which then have no classes."""
SIZE: Final = len(NAMES)
CLASSES: Final = SIZE - 1
ZERO: Final[Features] = (0,) * SIZE
CONSTANT: Final[Features] = tuple(int(name == "constant") for name in NAMES)
"""The counts of a message beside its text: its role and the edges of its block."""

_LETTER, _LETTER_RUN, _CAPITAL, _DIGIT, _DIGIT_RUN, _PUNCT, _PUNCT_RUN, _GAP, _SPACE_RUN, _NEWLINE = range(10)
_REPEATS, _RANDOM = 10, 11
_INDEX: Final = {name: index for index, name in enumerate(NAMES)}

_CAPITALS: Final = bytes(range(65, 91))
_LETTERS: Final = _CAPITALS + bytes(range(97, 123))
_DIGITS: Final = bytes(range(48, 58))
_PUNCTUATION: Final = bytes(c for c in range(33, 127) if not chr(c).isalnum())
_ASCII: Final = bytes(range(128))
# one bit of a byte per class, so that a whole text is one long integer in which bits are counted
_LETTER_BIT, _CAPITAL_BIT, _DIGIT_BIT, _PUNCT_BIT, _SPACE_BIT, _NEWLINE_BIT = range(6)
_BITS: Final = bytes(
    sum(
        (c in members) << bit for bit, members in enumerate((_LETTERS, _CAPITALS, _DIGITS, _PUNCTUATION, b"\t ", b"\n"))
    )
    for c in range(256)
)

_RANDOM_SIGNS: Final = b"+/=_-"
_RANDOM_LENGTH: Final = 24
# shorter ones are ordinary identifiers; of the longer ones, those that change kind at every third sign are keys,
# digests and base64, on which tokenizers spend three times as much as on words
_RANDOM_SHARE: Final = 0.28
_IN_WORD: Final = bytes(c in _LETTERS or c in _DIGITS or c in _RANDOM_SIGNS for c in range(256))
_LONG_ENOUGH: Final = b"\1" * _RANDOM_LENGTH
_LONG_WORD: Final = re.compile(rb"[A-Za-z0-9+/=_-]{%d,}" % _RANDOM_LENGTH)
_CASES: Final = bytes(65 if c in _CAPITALS else 97 if c in _LETTERS else 49 if c in _DIGITS else 46 for c in range(256))
_CHANGES: Final = (b"aA", b"a1", b"1a", b"A1", b"1A")

_MARK: Final = b"\xff" + b"\0" * 255
# dashes, dots and box drawing: the characters beyond ASCII that people draw lines with
_RULE: Final = re.compile(r"([\u2010-\u2027\u2500-\u259f])\1\1+")
_LOOSE: Final = 4
"""The weight of a repeated letter, line break or character beyond ASCII, in signs of a line of one sign."""

_WORD_RUN: Final = re.compile("[A-Za-z0-9+/=_-]+")
_STRIDE: Final = 256
_CONTEXT: Final = 2
"""The number of characters before and after a character that decide how it counts, words apart."""


def features(text: str) -> Features:
    """Counts per class of one text, without the constant; whole numbers >= 0, additive over texts.

    Done with byte tables and long integers instead of a loop: about 30 times faster, and this runs over whole
    histories. Spaces and tabs count by their runs (`gaps`, and again as `space_runs` where there are two or more):
    tokenizers make a single one part of the word that follows.
    """
    data = text.encode("utf-8", "surrogatepass")
    counts = [0] * SIZE
    data, counts[_RANDOM] = _without_random(data)
    size = len(data)
    kinds = int.from_bytes(data.translate(_BITS), "big")
    before = kinds >> 8
    same = kinds & before
    starts = kinds ^ same
    seconds = same ^ (same & (before >> 8))
    lowest = int.from_bytes(b"\1" * size, "big")
    for index, of, bit in (
        (_LETTER, kinds, _LETTER_BIT),
        (_LETTER_RUN, starts, _LETTER_BIT),
        (_CAPITAL, kinds, _CAPITAL_BIT),
        (_DIGIT, kinds, _DIGIT_BIT),
        (_DIGIT_RUN, starts, _DIGIT_BIT),
        (_PUNCT, kinds, _PUNCT_BIT),
        (_PUNCT_RUN, starts, _PUNCT_BIT),
        (_GAP, starts, _SPACE_BIT),
        (_SPACE_RUN, seconds, _SPACE_BIT),
        (_NEWLINE, kinds, _NEWLINE_BIT),
    ):
        counts[index] = (of & (lowest << bit)).bit_count()
    _take_repeats(data, counts)
    if not text.isascii():
        _count_others(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"), counts)
        for found in _RULE.finditer(text):
            again = len(found.group()) - 2
            name, weight = class_of(found.group(1))
            counts[_INDEX[name]] -= again * weight
            counts[_REPEATS] += again * _LOOSE
    return tuple(counts)


def _without_random(data: bytes) -> tuple[bytes, int]:
    """The text without its random words, and how many bytes these had."""
    if _LONG_ENOUGH not in data.translate(_IN_WORD):
        return data, 0
    pieces, end = [], 0
    for found in _LONG_WORD.finditer(data):
        cases = found.group().translate(_CASES)
        if sum(map(cases.count, _CHANGES)) >= _RANDOM_SHARE * len(cases):
            pieces.append(data[end : found.start()])
            end = found.end()
    # the byte in their place belongs to no class and keeps the runs on both sides apart
    rest = b"\0".join([*pieces, data[end:]])
    return rest, len(data) - len(rest) + len(pieces)


def _take_repeats(data: bytes, counts: list[int]) -> None:
    """Moves every letter, sign and line break that equals the two before it to a class of its own.

    Tokenizers have tokens for long lines of one sign or of spaces, and shorter ones for a letter again and again;
    digits they cut in threes whatever they are.
    """
    size = len(data)
    number = int.from_bytes(data, "big")
    unequal = number ^ (number >> 8)
    thrice = (unequal | (unequal >> 8)).to_bytes(size, "big")
    if 0 not in thrice:
        return
    again = (int.from_bytes(thrice.translate(_MARK), "big") & number).to_bytes(size, "big")
    for index, members, weight in ((_LETTER, _LETTERS, _LOOSE), (_PUNCT, _PUNCTUATION, 1), (_NEWLINE, b"\n", _LOOSE)):
        times = size - len(again.translate(None, members))
        counts[index] -= times
        counts[_REPEATS] += times * weight
    counts[_CAPITAL] -= size - len(again.translate(None, _CAPITALS))
    counts[_REPEATS] += size - len(again.translate(None, b"\t "))


def _count_others(text: str, counts: list[int]) -> None:
    for character, times in Counter(text).items():
        name, weight = class_of(character)
        counts[_INDEX[name]] += times * weight


COUNTED_AT_ONCE: Final = 32_000
"""Characters that are counted in one go, between which other threads get their turn."""


def features_of_document(text: str) -> Features:
    """Counts of a text that may be long."""
    counted = ZERO
    for start in range(0, len(text), COUNTED_AT_ONCE):
        counted = plus(counted, features(text[start : start + COUNTED_AT_ONCE]))
    return counted


def plus(first: Features, second: Features) -> Features:
    """The sum, class by class."""
    return tuple(map(add, first, second))


_CUT: Final = re.compile(r"[^\W_](?=[\s!-&(-/:-@\[-`{-~])")
"""Behind this a text can be cut without changing its tokens: no piece that OpenAI's expression cuts texts into has a
letter or digit before white space or one of these signs, and none looks back. An apostrophe belongs to its word.
"""


def tokens_in_pieces(text: str, encode: Callable[[str], int]) -> int:
    """The tokens of a text that may be long, cut where that changes nothing.

    A row of signs that is longer than what is counted at once is cut all the same: a token more each time.
    """
    tokens = start = 0
    while start < len(text):
        end = start + COUNTED_AT_ONCE
        if end < len(text):
            end = _last_cut(text, start, end) or end
        tokens += encode(text[start:end])
        start = end
    return tokens


def _last_cut(text: str, start: int, end: int) -> int:
    """The last place from `start` up to `end` where a text may be cut; 0: there is none."""
    while end > start:
        low = max(start, end - _STRIDE)
        if found := [cut.end() for cut in _CUT.finditer(text, low, min(len(text), end + 1)) if cut.end() <= end]:
            return found[-1]
        end = low
    return 0


class DraftCounter:
    """Features of a text that is being edited: a keystroke in a long draft costs only what changed.

    Remembers the last text it saw. What lies around a change is counted with it, before and after: whole words, and as
    many characters as any count looks at. What a cut does to the counts at its edges is then the same in both. `count`:
    what counts a text; `by_cuts`: it is a vocabulary, which needs all between two places where a text may be cut.
    """

    def __init__(self, count: Callable[[str], Features] = features, *, by_cuts: bool = False) -> None:
        self._count, self._by_cuts = count, by_cuts
        self._text = ""
        self._features = ZERO

    def count(self, text: str) -> Features:
        """The features of `text`, equal to those of all of it."""
        old = self._text
        if text != old:
            start, old_end, new_end = changed_places(old, text)
            if self._by_cuts:
                start = _last_cut(text, 0, start)
                cut = _CUT.search(text, new_end)
                more = (len(text) if cut is None else cut.end()) - new_end
                old_end, new_end = old_end + more, new_end + more
            gone, came = self._count(old[start:old_end]), self._count(text[start:new_end])
            self._features = tuple(map(add, map(sub, self._features, gone), came))
            self._text = text
        return self._features


def changed_places(old: str, new: str) -> tuple[int, int, int]:
    """Return the place where the texts differ: (start in both, end in old, end in new), with the text around."""
    shortest = min(len(old), len(new))
    start = _common(shortest, lambda size: old.startswith(new[:size]))
    tail = _common(shortest - start, lambda size: old.endswith(new[len(new) - size :]) if size else True)
    start = max(0, start - _word_before(old, start) - _CONTEXT)
    word = _WORD_RUN.match(old, len(old) - tail)
    tail = max(0, tail - (word.end() - word.start() if word else 0) - _CONTEXT)
    return start, len(old) - tail, len(new) - tail


def _common(most: int, agrees: Callable[[int], bool]) -> int:
    """The largest size <= `most` for which `agrees` holds; it holds for every smaller one too."""
    if agrees(most):
        return most
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if agrees(middle) else (low, middle)
    return low


def _word_before(text: str, end: int) -> int:
    """Return how many characters right before `end` belong to a word."""
    size = 0
    while size < end and _WORD_RUN.fullmatch(text, max(0, end - size - _STRIDE), end - size):
        size = min(end, size + _STRIDE)
    while size < end and _WORD_RUN.match(text, end - size - 1, end - size):
        size += 1
    return size


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """A calibrated estimator as stored per (backend, model): a weight per class of `NAMES`, covariance rows.

    `observations` counts the updates; 0: only the seed of the tokenizer family.
    """

    weights: tuple[float, ...] = ()
    covariance: tuple[tuple[float, ...], ...] = ()
    observations: int = 0
    extra: dict[str, float] = field(default_factory=dict)

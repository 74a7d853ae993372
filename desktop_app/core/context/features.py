"""Owns what a text is counted by: how many characters of which class it has. Knows no weights and no models.

Classes are chosen so that real tokenizers spend about the same on each member: letters with the words they form,
digits with their numbers, repeated and random characters apart, one class per script that has vocabulary of its own,
and every character beside these by its bytes in UTF-8, so that no script counts as nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from operator import add, sub
from typing import Final, TypeAlias

Features: TypeAlias = tuple[int, ...]

NAMES: Final = (
    "letters",
    "letter_runs",
    "digits",
    "punctuation",
    "space_runs",
    "newlines",
    "han",
    "kana",
    "hangul",
    "cyrillic",
    "latin_extended",
    "emoji",
    "constant",
    "other_bytes",
    "repeats",
    "random",
    "digit_runs",
    "capitals",
)
SIZE: Final = len(NAMES)
ZERO: Final[Features] = (0,) * SIZE
CONSTANT: Final[Features] = tuple(int(name == "constant") for name in NAMES)
"""What a message counts beside its text: its role and the edges of its block."""

_CAPITALS: Final = bytes(range(65, 91))
_LETTERS: Final = _CAPITALS + bytes(range(97, 123))
_DIGITS: Final = bytes(range(48, 58))
_PUNCTUATION: Final = bytes(c for c in range(33, 127) if not chr(c).isalnum())
_ASCII: Final = bytes(range(128))
# every byte becomes a letter, a digit, a space or something else: runs are then found by counting where they begin
_KIND: Final = (
    bytes(
        97 if chr(c).isalpha() else 49 if chr(c).isdigit() else 32 if c in (9, 32) else 46  # one case per kind
        for c in range(128)
    )
    + b"." * 128
)

_RANDOM_SIGNS: Final = b"+/=_-"
_RANDOM_LENGTH: Final = 24
# shorter ones are ordinary identifiers; of the longer ones, those that change kind at every third sign are keys,
# digests and base64, on which tokenizers spend three times as much as on words
_RANDOM_SHARE: Final = 0.28
_WORDS: Final = bytes(97 if chr(c).isalnum() or c in _RANDOM_SIGNS else 32 for c in range(128)) + b" " * 128
_LONG_WORD: Final = re.compile(rb"[A-Za-z0-9+/=_-]{%d,}" % _RANDOM_LENGTH)
_CASES: Final = bytes(65 if c in _CAPITALS else _KIND[c] for c in range(256))
_CHANGES: Final = (b"aA", b"a1", b"1a", b"A1", b"1A")

_MARK: Final = b"\xff" + b"\0" * 255
# dashes, dots and box drawing: the characters beyond ASCII that people draw lines with
_RULE: Final = re.compile(r"([\u2010-\u2027\u2500-\u259f])\1\1+")
_LOOSE: Final = 4
"""How many signs in a line of one sign a repeated letter, line break or character beyond ASCII weighs."""

_WORD_RUN: Final = re.compile("[A-Za-z0-9+/=_-]+")
_STRIDE: Final = 256
_CONTEXT: Final = 2
"""How many characters before and after it decide how a character counts, words apart."""


_HAN, _KANA, _HANGUL, _CYRILLIC, _LATIN, _EMOJI = (6, 7, 8, 9, 10, 11)
_PUNCT, _OTHER, _REPEATS, _RANDOM = 3, 13, 14, 15
_RANGES: Final = (
    (0x00A0, 0x00BF, _PUNCT),
    (0x00C0, 0x024F, _LATIN),
    (0x0400, 0x04FF, _CYRILLIC),
    (0x1E00, 0x1EFF, _LATIN),
    (0x2000, 0x206F, _PUNCT),
    (0x2600, 0x27BF, _EMOJI),
    (0x3000, 0x303F, _PUNCT),
    (0x3040, 0x30FF, _KANA),
    (0x3400, 0x4DBF, _EMOJI),
    (0x4E00, 0x9FFF, _HAN),
    (0xAC00, 0xD7AF, _HANGUL),
    (0xFF00, 0xFF65, _PUNCT),
    (0x1F000, 0x1FAFF, _EMOJI),
)
"""First and last code point, class. Rare Han counts as emoji do: neither has vocabulary, both fall apart into bytes."""


def features(text: str) -> Features:
    """Counts per class of one text, without the constant; whole numbers >= 0, additive over texts.

    Done with byte tables and long integers instead of a loop: about 30 times faster, and this runs over whole
    histories. Single spaces and tabs count nothing: tokenizers make them part of the word that follows.
    """
    data = text.encode("utf-8", "surrogatepass")
    counts = [0] * SIZE
    data, counts[_RANDOM] = _without_random(data)
    size = len(data)
    kinds = data.translate(_KIND)
    counts[0] = size - len(data.translate(None, _LETTERS))
    counts[1] = kinds.count(b" a") + kinds.count(b".a") + kinds.count(b"1a") + kinds.startswith(b"a")
    counts[2] = size - len(data.translate(None, _DIGITS))
    counts[3] = size - len(data.translate(None, _PUNCTUATION))
    counts[4] = kinds.count(b"a  ") + kinds.count(b".  ") + kinds.count(b"1  ") + kinds.startswith(b"  ")
    counts[5] = data.count(b"\n")
    counts[16] = kinds.count(b" 1") + kinds.count(b".1") + kinds.count(b"a1") + kinds.startswith(b"1")
    counts[17] = size - len(data.translate(None, _CAPITALS))
    _take_repeats(data, counts)
    if not text.isascii():
        _count_others(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"), counts)
        for found in _RULE.finditer(text):
            again = len(found.group()) - 2
            index, weight = _class_of(ord(found.group(1)))
            counts[index] -= again * weight
            counts[_REPEATS] += again * _LOOSE
    return tuple(counts)


def _without_random(data: bytes) -> tuple[bytes, int]:
    """The text without its random words, and how many bytes these had."""
    if b"a" * _RANDOM_LENGTH not in data.translate(_WORDS):
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

    Tokenizers have tokens for long lines of one sign, and shorter ones for a letter again and again; digits they cut
    in threes whatever they are.
    """
    size = len(data)
    number = int.from_bytes(data, "big")
    unequal = number ^ (number >> 8)
    thrice = (unequal | (unequal >> 8)).to_bytes(size, "big")
    if 0 not in thrice:
        return
    again = (int.from_bytes(thrice.translate(_MARK), "big") & number).to_bytes(size, "big")
    for index, members, weight in ((0, _LETTERS, _LOOSE), (3, _PUNCTUATION, 1), (5, b"\n", _LOOSE)):
        times = size - len(again.translate(None, members))
        counts[index] -= times
        counts[_REPEATS] += times * weight
    counts[17] -= size - len(again.translate(None, _CAPITALS))


def _count_others(text: str, counts: list[int]) -> None:
    for character, times in Counter(text).items():
        index, weight = _class_of(ord(character))
        counts[index] += times * weight


def _class_of(code: int) -> tuple[int, int]:
    """The class of a code point beyond ASCII, and how much of it one character counts."""
    for low, high, index in _RANGES:
        if low <= code <= high:
            return index, 1
    if code >= 0x10000:
        return _EMOJI, 2
    return _OTHER, 2 if code < 0x800 else 3


def plus(first: Features, second: Features) -> Features:
    """The sum, class by class."""
    return tuple(map(add, first, second))


class DraftCounter:
    """Features of a text that is being edited: a keystroke in a long draft costs only what changed.

    Remembers the last text it saw. What lies around a change is counted with it, before and after: whole words, and as
    many characters as any count looks at. What a cut does to the counts at its edges is then the same in both.
    """

    def __init__(self) -> None:
        self._text = ""
        self._features = ZERO

    def count(self, text: str) -> Features:
        """The features of `text`, equal to `features(text)`."""
        old = self._text
        if text != old:
            start, old_end, new_end = _changed(old, text)
            gone, came = features(old[start:old_end]), features(text[start:new_end])
            self._features = tuple(map(add, map(sub, self._features, gone), came))
            self._text = text
        return self._features


def _changed(old: str, new: str) -> tuple[int, int, int]:
    """Where the texts differ: (start in both, end in old, end in new), with what is around."""
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
    """How many characters right before `end` belong to a word."""
    size = 0
    while size < end and _WORD_RUN.fullmatch(text, max(0, end - size - _STRIDE), end - size):
        size = min(end, size + _STRIDE)
    while size < end and _WORD_RUN.match(text, end - size - 1, end - size):
        size += 1
    return size

"""Owns how the loopback Messages API counts tokens. Knows no cache, no wire format, and no estimator that is tested.

Two ways of counting a text, both deterministic: `by_bytes`, easy to foresee in a test, and `by_pieces`, which behaves
like a tokenizer: what a word costs depends on the word, so that no sum over character classes gets it right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias
from zlib import crc32

CountText: TypeAlias = Callable[[str], int]


def by_bytes(text: str) -> int:
    """One token per four bytes of UTF-8, rounded up."""
    return -(-len(text.encode(errors="surrogatepass")) // 4)


_PIECE = re.compile(
    r"(?P<word> ?[A-Za-z]+)|(?P<digits>[0-9]{1,3})|(?P<gap>\n+| +|\t+)|(?P<letters>[^\W0-9_a-zA-Z]+)|(?P<other>.)",
    re.DOTALL,
)


def by_pieces(text: str) -> int:
    """Tokens of a text cut into pieces: words by a fixed whim of their letters, three digits, signs, other scripts."""
    return sum(_tokens_of_piece(str(piece.lastgroup), piece.group()) for piece in _PIECE.finditer(text))


@lru_cache(maxsize=1 << 16)
def _tokens_of_piece(kind: str, piece: str) -> int:
    match kind:
        case "word":
            letters = len(piece.strip())
            whim = crc32(piece.encode(errors="surrogatepass"))
            # most words are in the vocabulary; the others fall into pieces of three to five letters
            return 1 if letters <= 3 or whim % 8 > letters // 5 else -(-letters // (3 + whim % 3))
        case "gap":
            return -(-len(piece) // 16)
        case "letters":
            return sum(_tokens_of_letter(letter) for letter in piece)
        case "other" if ord(piece) > 0xFFFF:
            return 2 + crc32(piece.encode(errors="surrogatepass")) % 2
        case _:
            return 1


def _tokens_of_letter(letter: str) -> int:
    # alphabets share a token between letters about every second time, ideographs fall into two now and then
    whim = crc32(letter.encode(errors="surrogatepass"))
    return whim % 2 if ord(letter) < 0x1000 else 1 + (whim % 5 == 0)

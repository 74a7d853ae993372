"""A formula as it is written in LaTeX: its delimiters, how long it is and how deeply nested."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: Longer formulas are shown as what they are written in: bounds the time that hostile input can cost (characters).
LONGEST: Final = 2_000
#: Braces, environments and fences within each other in a formula that is typeset; a continued fraction has ten.
MOST_NESTED: Final = 30

_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_NESTING = r"(?s)\\(?:left|right|begin|end)(?![A-Za-z])|\\.|[{}]"
_DEPTH = {"{": 1, "\\left": 1, "\\begin": 1, "}": -1, "\\right": -1, "\\end": -1}


@lru_cache(maxsize=4_000)  # each formula of a text is asked for three or four times before it stands there
def inner_source(source: str) -> str:
    """The formula without its delimiters; empty where they are missing or nothing stands between them."""
    whole = source.strip()
    for opener, closer in _DELIMITERS:
        if whole.startswith(opener) and whole.endswith(closer) and len(whole) > len(opener) + len(closer):
            return whole[len(opener) : -len(closer)].strip()
    return ""


def is_demanding(source: str) -> bool:
    """True for a formula, without its delimiters, that is too long or nested too deeply to be typeset."""
    if len(source) > LONGEST:
        return True
    depth = deepest = 0
    for mark in re.findall(_NESTING, source):
        depth += _DEPTH.get(mark, 0)
        deepest = max(deepest, depth)
    return deepest > MOST_NESTED

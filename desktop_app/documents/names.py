"""Owns the names under which files are shown and sent. Knows no file system."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 120
"""Characters of a name; longer ones lose their middle."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control characters, those that turn the direction of writing, half surrogates and the like."""


def display_name(name: str, otherwise: str = "attachment") -> str:
    """The last part of a path on one line, without characters that can't be seen; `otherwise` if nothing is left.

    Joiners, which some scripts need within words, stay.
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join(one if one in "\u200c\u200d" or unicodedata.category(one) not in _HIDDEN else " " for one in last)
    kept = " ".join(kept.split()).strip("\u200c\u200d ")
    if len(kept) > LONGEST:
        end = LONGEST // 4
        kept = f"{kept[: LONGEST - end - 1]}…{kept[-end:]}"
    return kept or otherwise

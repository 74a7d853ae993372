"""Owns how all code of one transcript is shown: wrapped or not, and which long pieces are unfolded. Paints nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Code of more lines than this is folded to its first `FOLDED` lines until the reader asks for all.
LONG_CODE = 40
FOLDED = 25


@dataclass(slots=True)
class CodeOptions:
    """`wrap`: lines that are wider than the card go on below. `opened` remembers the code that was unfolded by hash."""

    wrap: bool = False
    opened: set[int] = field(default_factory=set)

    def is_open(self, key: int) -> bool:
        """True for code that the reader unfolded."""
        return key in self.opened

    def toggle(self, key: int) -> None:
        """Unfolds, or folds again."""
        self.opened ^= {key}

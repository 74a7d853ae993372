"""Owns what a user marks a message with: a rating and a note. Local only: no request ever holds them.

Knows nothing of messages and of how marks are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Rating: TypeAlias = Literal["", "up", "down"]

RATINGS: tuple[Rating, ...] = ("", "up", "down")


def known_rating(stored: str) -> Rating:
    """A rating as it is kept; one of a newer version's making counts as none."""
    return stored if stored in RATINGS else ""


@dataclass(frozen=True, slots=True)
class MessageMark:
    """The user's own mark on a message: a rating ("": none) and a note ("": none)."""

    rating: Rating = ""
    note: str = ""

    @property
    def empty(self) -> bool:
        """True where nothing is marked, so that there is nothing to keep."""
        return not (self.rating or self.note)


NO_MARK = MessageMark()

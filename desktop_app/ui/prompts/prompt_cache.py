"""The prompts as the window last read them, prepared for being searched. Uses no widget and no history."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from desktop_app.core.matching import Names, Quality
from desktop_app.core.prompts import Prompt

MOST: Final = 100
"""Prompts that the list above the composer offers at most."""


class PromptCache:
    """Some prompts, in the order in which equal matches are shown."""

    def __init__(self, prompts: Iterable[Prompt] = ()) -> None:
        self.prompts = tuple(prompts)

    def called(self, typed: str) -> list[Prompt]:
        """The prompts whose title the letters typed begin, hold or abbreviate, the best first; all for none.

        Slips, and letters that are merely scattered over a title, don't count: it may be a message after all.
        """
        if not typed.strip():
            return list(self.prompts[:MOST])
        found = self._names.find(typed, MOST)
        return [self.prompts[each.place] for each in found if each.quality > Quality.MISTYPED]

    def holding(self, typed: str) -> list[Prompt]:
        """All prompts that are called so, the best first, then those that have every word in title or text."""
        if not typed.strip():
            return list(self.prompts)
        places = [each.place for each in self._names.find(typed, len(self.prompts))]
        named, words = set(places), typed.casefold().split()
        places += [
            place
            for place, text in enumerate(self._texts)
            if place not in named and all(word in text for word in words)
        ]
        return [self.prompts[place] for place in places]

    @cached_property
    def _names(self) -> Names:
        return Names(one.title for one in self.prompts)

    @cached_property
    def _texts(self) -> list[str]:
        return [f"{one.title}\n{one.text}".casefold() for one in self.prompts]

"""Finds threads by their titles, so many at a time that no key waits; where few are found, also by mistyped words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from desktop_app.core.matching import Vocabulary, slips_allowed, words_of_text
from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.i18n.language import listed_title

T = TypeVar("T")

SLICE: Final = 2_000
"""Titles that are looked at before others have their turn: 2 to 4 ms."""
ENOUGH: Final = 20
"""Titles with every word as typed beside which nobody looks for others."""


class TitleSearch:
    """Keeps the titles without letter case, and their words: each is read once while a search goes on."""

    def __init__(self) -> None:
        self._folded: dict[str, str] = {}
        self._vocabulary = Vocabulary()
        self._read = 0  # titles whose words are in it

    def look(
        self,
        every: Sequence[ThreadSummary],
        words: Sequence[str],
        is_shown: Callable[[Thread], bool],
        found: list[ThreadSummary],
    ) -> Iterator[None]:
        """Adds what is found, in the order of `every`; pauses after each slice. What has a mistyped word comes last."""
        for some in _slices(every):
            for one in some:
                title = self._title(one.thread)
                if all(word in title for word in words) and is_shown(one.thread):
                    found.append(one)
            yield
        if len(found) >= ENOUGH or not any(map(slips_allowed, words)):
            return
        for titles in _slices(list(self._folded.values())[self._read :]):
            self._vocabulary.add(words_of_text("\n".join(titles)))
            self._read += len(titles)
            yield
        patterns = self._vocabulary.patterns(words)
        known = {one.thread.id for one in found}
        for some in _slices(every if patterns else ()):
            for one in some:
                title = self._title(one.thread)
                if all(pattern.search(title) for pattern in patterns) and is_shown(one.thread):
                    found += () if one.thread.id in known else (one,)
            yield

    def _title(self, thread: Thread) -> str:
        title = listed_title(thread)
        if (folded := self._folded.get(title)) is None:
            folded = self._folded[title] = title.casefold()
        return folded


def _slices(every: Sequence[T]) -> Iterator[Sequence[T]]:
    return (every[start : start + SLICE] for start in range(0, len(every), SLICE))

"""Owns which titles may be meant where a word that is looked for is mistyped. Knows no list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.core.typos import Vocabulary, slips_allowed, words_of_text


class MistypedTitles:
    """Keeps the words of the titles that were read: each is read once while a search goes on."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._read = 0  # titles whose words are in it

    def among(
        self,
        every: Sequence[ThreadSummary],
        words: Sequence[str],
        titles: Collection[str],
        title_of: Callable[[Thread], str],
    ) -> Sequence[ThreadSummary]:
        """The threads whose titles have the words but for slips; `titles`: all, in the order they came in."""
        if not any(map(slips_allowed, words)):
            return ()
        self._vocabulary.add(words_of_text("\n".join(list(titles)[self._read :])))
        self._read = len(titles)
        patterns = self._vocabulary.patterns(words)
        for pattern in patterns:
            every = [one for one in every if pattern.search(title_of(one.thread))]
        return every if patterns else ()

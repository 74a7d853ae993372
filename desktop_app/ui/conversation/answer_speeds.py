"""The speeds of answers, as far as they came while the window looked. Uses no widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from desktop_app.core.events import AnswerGrew, TurnEnded, TurnFailed

SHORTEST_S: Final = 0.2
"""An answer that came all at once tells nothing of a speed."""


class AnswerSpeeds:
    """Tokens a second by answer, from its first words to its end. `clock`: seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began: dict[str, tuple[str, float]] = {}  # thread -> growing answer, when its first words came
        self._speeds: dict[str, float] = {}

    def grew(self, grew: AnswerGrew) -> None:
        """The first words: from here on it is measured."""
        began = self._began.get(grew.thread_id)
        if began is None or began[0] != grew.message_id:
            self._began[grew.thread_id] = (grew.message_id, self._clock())

    def over(self, over: TurnEnded | TurnFailed) -> None:
        """The end: what the provider counted, through the time it took."""
        began, usage = self._began.pop(over.thread_id, None), over.message.usage
        if began is not None and began[0] == over.message.id and usage is not None:
            seconds = self._clock() - began[1]
            if seconds >= SHORTEST_S:
                self._speeds[over.message.id] = usage.output / seconds

    def of(self, answers: Sequence[str]) -> float | None:
        """The speed of the last of these answers that was measured."""
        return next((self._speeds[one] for one in reversed(answers) if one in self._speeds), None)

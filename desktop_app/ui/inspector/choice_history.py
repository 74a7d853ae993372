"""The way back through the user's decisions about a thread's context. Uses no widget and stores nothing."""

from __future__ import annotations

from typing import Final

from desktop_app.core.context.context_choices import NO_CHOICES, ContextChoices
from desktop_app.core.messages import Thread

MOST: Final = 100
"""Changes that can be taken back."""


class ChoiceHistory:
    """Every change of the open thread's choices, wherever it was made, since the thread was opened."""

    def __init__(self) -> None:
        self.thread_id: str | None = None
        self.now: ContextChoices = NO_CHOICES
        self._undo: list[ContextChoices] = []
        self._redo: list[ContextChoices] = []
        self._expected: list[ContextChoices] = []

    @property
    def can_undo(self) -> bool:
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo)

    def take(self, thread: Thread | None) -> None:
        """Take the thread as it is now; None: nothing is open. Another thread begins a new history."""
        thread_id = None if thread is None else thread.id
        choices = NO_CHOICES if thread is None else thread.choices
        if thread_id != self.thread_id:
            self.thread_id, self.now = thread_id, choices
            self._undo, self._redo, self._expected = [], [], []
        elif self._expected and choices == self._expected[0]:
            # a step back or forth has been stored; further ones may be under way
            self._expected.pop(0)
        elif choices != self.now and not self._expected:
            self._undo = [*self._undo, self.now][-MOST:]
            self._redo.clear()
            self.now = choices

    def back(self) -> ContextChoices | None:
        """The choices to restore for one step back, None where there is none."""
        return self._step(self._undo, self._redo)

    def forth(self) -> ContextChoices | None:
        """The choices to restore for one step forth again."""
        return self._step(self._redo, self._undo)

    def forget_step(self, choices: ContextChoices) -> None:
        """A step could not be stored."""
        if choices in self._expected:
            self._expected.remove(choices)

    def _step(self, source: list[ContextChoices], target: list[ContextChoices]) -> ContextChoices | None:
        if not source:
            return None
        target.append(self.now)
        self.now = source.pop()
        self._expected.append(self.now)
        return self.now

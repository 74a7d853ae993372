"""The facts presenters ask of a thread's path, read message by message once: a growing path is read on, not again."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Final

from desktop_app.core.messages import Message

KEPT: Final = 16
"""Paths whose facts are kept: those of the threads that the controller keeps in memory, with and without deletions."""


class PathFacts:
    """The facts of one path.

    `places`: index by message id. `steps`: indexes of messages that hold a moved boundary. `model_changes`: indexes of
    answers whose model is another than that of the answer before, or than was asked for. `first_answers`: by model
    the index of the first answer that says something.
    """

    def __init__(self) -> None:
        self.path: tuple[Message, ...] = ()
        self.places: dict[str, int] = {}
        self.steps: list[int] = []
        self.model_changes: list[int] = []
        self.first_answers: dict[str, int] = {}
        self._model: tuple[str, str] | None = None  # of the last answer: who gave it, who was asked instead
        self._undo: list[Callable[[], object]] = []  # takes the last message back

    def follows(self, path: tuple[Message, ...]) -> bool:
        """Takes in a path that goes on where this one ends, or with another state of its last message; else False."""
        known, same = self.path, len(self.path)
        if same > len(path) or not all(map(is_, known[:-1], path)):
            return False
        if known and known[-1] is not path[same - 1]:
            for undo in self._undo:
                undo()
            same -= 1
        for index in range(same, len(path)):
            self._take(index, path[index])
        self.path = path
        return True

    def _take(self, index: int, message: Message) -> None:
        self.places[message.id] = index
        undo: list[Callable[[], object]] = [lambda: self.places.pop(message.id)]
        if message.window is not None:
            self.steps.append(index)
            undo.append(self.steps.pop)
        if message.role == "assistant" and message.model:
            before, asked = self._model, message.usage.asked if message.usage is not None else ""
            undo.append(lambda: setattr(self, "_model", before))
            if before != (message.model, asked) and (before is not None or asked):
                self.model_changes.append(index)
                undo.append(self.model_changes.pop)
            if message.parts and self.first_answers.setdefault(message.model, index) == index:
                undo.append(lambda: self.first_answers.pop(message.model or ""))
            self._model = message.model, asked
        self._undo = undo


class PathFactsMemory:
    """The facts of the paths that were asked for last."""

    def __init__(self) -> None:
        self._kept: list[PathFacts] = []

    def of(self, path: tuple[Message, ...]) -> PathFacts:
        """The facts of a path, at the cost of what is new on it."""
        for facts in sorted(self._kept, key=lambda kept: -len(kept.path)):  # the one that has read the most of it
            if facts.path is path or (facts.path and path and facts.path[0] is path[0] and facts.follows(path)):
                self._kept.remove(facts)
                self._kept.insert(0, facts)
                return facts
        made = PathFacts()
        made.follows(path)
        self._kept = [made, *self._kept[: KEPT - 1]]
        return made

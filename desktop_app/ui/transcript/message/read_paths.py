"""Paths as a reader sees them, each read once: one that grows is read on, one that is shown again is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.merged_answers import MergedAnswers
from desktop_app.ui.transcript.message.row_builder import RowBuilder, parts_of, sent_with

if TYPE_CHECKING:  # most threads cite nothing
    from desktop_app.core.citations import SentPassages

KEPT: Final = 8
"""Paths that are kept: as many as threads stay in memory."""


@dataclass(slots=True)
class ReadPath:
    """A path as it was read: what of it is one answer, and what is shown by id once that was asked for.

    `sent`: what answers may cite of what the model was sent with all messages but the last; None: nothing.
    """

    path: tuple[Message, ...] = ()
    answers: MergedAnswers = field(default_factory=MergedAnswers)
    messages: list[Message] = field(default_factory=list)
    by_id: dict[str, Message] | None = None
    sent: SentPassages | None = None

    def read(self, path: tuple[Message, ...]) -> ReadPath:
        """Reads all of a path."""
        self.path, self.messages, self.sent = path, self.answers.read(path), sent_with(parts_of(path[:-1]))
        return self

    def follows(self, path: tuple[Message, ...]) -> bool:
        """Reads on where the path goes on, ends otherwise or one earlier; False, and nothing done: it is another."""
        grown = self.answers.read_on(self.messages, self.path, path)
        if grown is None:
            return False
        if self.by_id is not None:
            del self.by_id[self.messages[-1].id]
            self.by_id.update((one.id, one) for one in grown[len(self.messages) - 1 :])
        counted = len(self.path) - 1
        if counted == len(path) and sent_with(parts_of(path[-1:])) is not None:
            counted, self.sent = 0, None  # what is the last now was counted
        self.sent = sent_with(parts_of(path[counted:-1]), self.sent)
        self.path, self.messages = path, grown
        return True

    def find(self, message_id: str) -> Message | None:
        """Return the message that shows this one; None: it is not on this path."""
        if self.by_id is None:
            self.by_id = {message.id: message for message in self.messages}
        return self.by_id.get(self.answers.id_of(message_id))

    def teach(self, row_builder: RowBuilder) -> None:
        """Tells what shows the path what answers on it may cite."""
        row_builder.take_sent(self.sent)
        row_builder.learn_sent(parts_of(self.path[-1:]))


class ReadPaths:
    """The paths that were asked for last."""

    def __init__(self) -> None:
        self._kept: list[ReadPath] = []

    def of(self, path: tuple[Message, ...]) -> ReadPath:
        """A path as it reads, at the cost of what is new on it."""
        same = (one for one in self._kept if one.path is path)
        found = next(same, None) or next((one for one in self._kept if one.follows(path)), None)
        found = found or ReadPath().read(path)
        self._kept = [found, *(one for one in self._kept if one is not found)][:KEPT]
        return found

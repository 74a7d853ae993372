"""The open thread's messages as a reader sees them: what a turn with tools stores as several is one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.merged_answers import MergedAnswers, is_results

KEPT: Final = 8
"""Paths that are kept: as many as threads stay in memory."""


class OpenPath(Protocol):
    """Where the path comes from: the window's state."""

    @property
    def path(self) -> tuple[Message, ...]: ...

    @property
    def running(self) -> bool: ...


@dataclass(slots=True)
class _ReadPath:
    """A path as it was read: what of it is one answer, and what is shown by id once that was asked for."""

    path: tuple[Message, ...] = ()
    answers: MergedAnswers = field(default_factory=MergedAnswers)
    messages: list[Message] = field(default_factory=list)
    by_id: dict[str, Message] | None = None

    def follows(self, path: tuple[Message, ...]) -> bool:
        """Reads on where the path goes on, or ends otherwise; False, and nothing done: it is another."""
        grown = self.answers.read_on(self.messages, self.path, path)
        if grown is None:
            return False
        if self.by_id is not None:
            del self.by_id[self.messages[-1].id]
            self.by_id.update((one.id, one) for one in grown[len(self.messages) - 1 :])
        self.path, self.messages = path, grown
        return True


class ShownMessages:
    """Read from the open path when they are asked for; an answer has the id of its first message.

    The paths that were open last are kept as they were read.
    """

    def __init__(self, source: OpenPath) -> None:
        self._source = source
        self._read = _ReadPath()
        self._kept: list[_ReadPath] = []

    @property
    def all(self) -> Sequence[Message]:
        """Every message that is shown, the oldest first."""
        path = self._source.path
        if path is not self._read.path and not self._read.follows(path):
            kept = next((one for one in self._kept if one.path is path), None)
            if kept is None:
                kept = _ReadPath(path)
                kept.messages = kept.answers.read(path)
            self._kept = [kept, *(one for one in self._kept if one is not kept)][:KEPT]
            self._read = kept
        return self._read.messages

    @property
    def last(self) -> Message | None:
        return self.all[-1] if self.all else None

    def find(self, message_id: str) -> Message | None:
        """What a message is shown as; None: it is not on the branch that is open."""
        shown_id, messages = self.id_of(message_id), self.all
        if self._read.by_id is None:
            self._read.by_id = {message.id: message for message in messages}
        return self._read.by_id.get(shown_id)

    def id_of(self, message_id: str) -> str:
        """The id of what a message is shown as."""
        return self._read.answers.id_of(message_id) if self.all else message_id

    def members(self, message: Message) -> tuple[str, ...]:
        """The ids of the messages that are shown as this one."""
        return tuple(member.id for member in self._read.answers.members(message)) if self.all else (message.id,)

    def is_last(self, message: Message) -> bool:
        return bool(self.all) and self.all[-1].id == message.id

    def is_growing(self, message: Message) -> bool:
        """Whether it is the answer that is coming."""
        return self._source.running and self.is_last(message)


def is_question(message: Message) -> bool:
    """Whether a user wrote it: tools' results are no question."""
    return message.role == "user" and not is_results(message)

"""Owns the open thread's messages as a reader sees them: what a turn with tools stores as several is one answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.merged_answers import MergedAnswers, is_results


class OpenPath(Protocol):
    """Where the path comes from: the window's state."""

    @property
    def path(self) -> tuple[Message, ...]: ...

    @property
    def running(self) -> bool: ...


class ShownMessages:
    """Read from the open path when they are asked for; an answer has the id of its first message."""

    def __init__(self, source: OpenPath) -> None:
        self._source = source
        self._path: tuple[Message, ...] = ()
        self._answers = MergedAnswers()
        self._messages: Sequence[Message] = ()
        self._by_id: dict[str, Message] | None = {}

    @property
    def all(self) -> Sequence[Message]:
        """Every message that is shown, the oldest first."""
        path = self._source.path
        if path is not self._path:
            self._path, self._answers, self._by_id = path, MergedAnswers(), None
            self._messages = self._answers.read(path)
        return self._messages

    @property
    def last(self) -> Message | None:
        return self.all[-1] if self.all else None

    def find(self, message_id: str) -> Message | None:
        """What a message is shown as; None: it is not on the branch that is open."""
        shown_id, messages = self.id_of(message_id), self.all
        if self._by_id is None:
            self._by_id = {message.id: message for message in messages}
        return self._by_id.get(shown_id)

    def id_of(self, message_id: str) -> str:
        """The id of what a message is shown as."""
        return self._answers.id_of(message_id) if self.all else message_id

    def members(self, message: Message) -> tuple[str, ...]:
        """The ids of the messages that are shown as this one."""
        return tuple(member.id for member in self._answers.members(message)) if self.all else (message.id,)

    def is_last(self, message: Message) -> bool:
        return bool(self.all) and self.all[-1].id == message.id

    def is_growing(self, message: Message) -> bool:
        """Whether it is the answer that is coming."""
        return self._source.running and self.is_last(message)


def is_question(message: Message) -> bool:
    """Whether a user wrote it: tools' results are no question."""
    return message.role == "user" and not is_results(message)

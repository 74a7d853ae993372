"""The open thread's messages as a reader sees them: what a turn with tools stores as several is one answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.merged_answers import is_results
from desktop_app.ui.transcript.message.read_paths import ReadPath, ReadPaths


class OpenPath(Protocol):
    """The source of the path: the window's state."""

    @property
    def path(self) -> tuple[Message, ...]: ...

    @property
    def running(self) -> bool: ...


class ShownMessages:
    """Read from the open path when they are asked for; an answer has the id of its first message.

    The paths that were open last are kept as they were read.
    """

    def __init__(self, source: OpenPath) -> None:
        self._source = source
        self.paths = ReadPaths()
        self._read = ReadPath()

    @property
    def all(self) -> Sequence[Message]:
        """Every message that is shown, the oldest first."""
        path = self._source.path
        if path is not self._read.path:
            self._read = self.paths.of(path)
        return self._read.messages

    @property
    def last(self) -> Message | None:
        return self.all[-1] if self.all else None

    def find(self, message_id: str) -> Message | None:
        """Return the message as it is shown; None: it is not on the branch that is open."""
        return self._read.find(message_id) if self.all else None

    def id_of(self, message_id: str) -> str:
        """The id of what a message is shown as."""
        return self._read.answers.id_of(message_id) if self.all else message_id

    def members(self, message: Message) -> tuple[str, ...]:
        """The ids of the messages that are shown as this one."""
        return tuple(member.id for member in self._read.answers.members(message)) if self.all else (message.id,)

    def is_last(self, message: Message) -> bool:
        return bool(self.all) and self.all[-1].id == message.id

    def is_growing(self, message: Message) -> bool:
        """Return True if it is the answer that is coming."""
        return self._source.running and self.is_last(message)


def is_question(message: Message) -> bool:
    """Return True if a user wrote it: tools' results are no question."""
    return message.role == "user" and not is_results(message)

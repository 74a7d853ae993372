"""The messages that are shown and the ids under which they are found. Uses no pixels and no widget.

The row layout has the path as read: messages of one turn of tools are one answer there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.canvas.row_layout import RowLayout
from desktop_app.ui.transcript.message.message_layout import MessageLayout
from desktop_app.ui.transcript.message.row_builder import MergedAnswers, RowBuilder, parts_of

if TYPE_CHECKING:
    from desktop_app.ui.transcript.message.read_messages import ReadPaths


class ShownPath:
    """The messages of one thread's path in a row layout. Ids are of any message of the path, numbers the layout's."""

    def __init__(self, row_layout: RowLayout) -> None:
        self._row_layout = row_layout
        self._answers = MergedAnswers()
        self._numbers: dict[str, int] | None = {}
        self._added: dict[str, int] = {}  # since then: a message that is sent asks for no other
        #: how many messages stand before those shown and are not here yet
        self.missing = 0
        #: paths that were read before; None: each is read when it is shown
        self.read_paths: ReadPaths | None = None

    # --- the whole path

    def teach(self, row_builder: RowBuilder, messages: Sequence[Message]) -> None:
        """Tells what makes the rows what answers on a path may cite."""
        if self.read_paths is None:
            row_builder.learn_sent(parts_of(messages))
        else:
            self.read_paths.of(tuple(messages)).teach(row_builder)

    def _read(self, messages: Sequence[Message]) -> tuple[MergedAnswers, list[Message]]:
        if self.read_paths is None:
            return (answers := MergedAnswers()), answers.read(messages)
        known = self.read_paths.of(tuple(messages))
        return known.answers.copy(), known.messages

    def show(self, messages: Sequence[Message], total: int) -> None:
        """Another path; `total` is its length where these are only its tail."""
        self.missing = max(0, total - len(messages))
        self._answers, shown = self._read(messages)
        self._row_layout.show(shown)
        self._numbers, self._added = None, {}

    def prepend(self, messages: Sequence[Message], total: int) -> tuple[int, bool]:
        """Adds what comes before; returns how many it is to a reader, and whether the first shown was cut till now."""
        shown = len(self._row_layout.messages) + self._answers.hidden
        self.missing = max(0, total - len(messages) - shown)
        earlier = self._answers.read(messages)
        cut = bool(earlier) and bool(self._row_layout.messages) and self._join_cut(earlier)
        self._row_layout.prepend(earlier)
        self._numbers, self._added = None, {}
        return len(earlier), cut

    def _join_cut(self, earlier: list[Message]) -> bool:
        """Join the first message shown with the answer that began before it and goes on in it."""
        members = self._answers.members(self._row_layout.messages[0])
        if not self._answers.continues(earlier[-1], members[0]):
            return False
        answer = earlier.pop()
        for member in members:
            answer = self._answers.extended(answer, member)
        self._row_layout.messages[0] = answer
        self._row_layout.drop(0)
        return True

    def refresh(self, messages: Sequence[Message]) -> bool:
        """Another state of the same path; what both begin with stays. False, and nothing done: they share nothing."""
        (answers, new), old, same = self._read(messages), self._row_layout.messages, 0
        while same < min(len(old), len(new)) and (old[same] is new[same] or old[same] == new[same]):
            same += 1
        if same == 0:
            return False
        self._answers = answers
        self._row_layout.truncate(same)
        for message in new[same:]:
            self._row_layout.append(message)
        self._numbers, self._added = None, {}
        return True

    # --- one message

    def append(self, message: Message) -> int:
        """Adds a message that stands alone; returns its number."""
        number = self._row_layout.append(message)
        self._added[message.id] = number
        return number

    def goes_on(self, message: Message) -> bool:
        """Return True if a message that comes next is part of the last answer shown."""
        return bool(self._row_layout.messages) and self._answers.continues(self._row_layout.messages[-1], message)

    def extend(self, number: int, message: Message) -> Message:
        """Takes another state of a message, or the next of an answer, into what is shown there; returns that."""
        answer = self._answers.extended(self._row_layout.messages[number], message)
        self._row_layout.messages[number] = answer
        return answer

    def number(self, message_id: str) -> int | None:
        """Return the number under which a message is shown, itself or in an answer; None: it is not on this path."""
        shown = self.id_of(message_id)
        return self._added[shown] if shown in self._added else self._ids.get(shown)

    def id_of(self, message_id: str) -> str:
        """The id of what a message is shown as."""
        return self._answers.id_of(message_id)

    def layout_of(self, message_id: str) -> MessageLayout:
        """The rows of what a message is shown as; it must be on the path."""
        number = self.number(message_id)
        assert number is not None
        return self._row_layout.message_layout(number)

    def members(self, number: int) -> tuple[str, ...]:
        """The ids of the messages that are shown there."""
        return tuple(member.id for member in self._answers.members(self._row_layout.messages[number]))

    def part_of(self, message_id: str) -> int:
        """Which part of what is shown a message begins with."""
        number = self.number(message_id)
        return 0 if number is None else self._answers.place_of(self._row_layout.messages[number], message_id)

    def bring(self, message_id: str, top: int) -> bool:
        """Brings a message, or what of an answer it stands for, to so many pixels below the top; False: no such."""
        if (number := self.number(message_id)) is None:
            return False
        part = self.part_of(message_id)
        row = self._row_layout.message_layout(number).row_of(part) if part else None
        if row is None:
            self._row_layout.place_message(number, top)
        else:
            self._row_layout.place_row(number, row, top)
        return True

    def up_to(self, message_id: str) -> list[Message]:
        """The messages of the path, as they are stored, up to one of them; none if it is not there."""
        if (number := self.number(message_id)) is None:
            return []
        kept: list[Message] = []
        for shown in self._row_layout.messages[: number + 1]:
            kept += self._answers.members(shown)
        place = next((place for place, message in enumerate(kept) if message.id == message_id), len(kept))
        return kept[: place + 1]

    @property
    def _ids(self) -> dict[str, int]:
        """Ids to numbers; made when first asked for, since opening a long thread needs none."""
        if self._numbers is None:
            self._numbers = {message.id: number for number, message in enumerate(self._row_layout.messages)}
        return self._numbers


class MatchingMessages(Container[int]):
    """The numbers of the messages whose ids are of a kind, asked for one by one: most are never looked at."""

    def __init__(self, row_layout: RowLayout, holds: Callable[[str], bool]) -> None:
        self._row_layout, self._holds = row_layout, holds

    def __contains__(self, index: object) -> bool:
        messages = self._row_layout.messages
        return isinstance(index, int) and 0 <= index < len(messages) and self._holds(messages[index].id)

"""Messages read without any row being made: paths, each read once, and the text of messages leaf by leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from desktop_app.core.citations import SentPassages
from desktop_app.core.markdown.block_building import plain_blocks
from desktop_app.core.markdown.block_stream import References, is_long
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.footnotes import EXPECTED, NoteNumbers
from desktop_app.core.markdown.sections import Section, sections
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.row_builder import (
    MergedAnswers,
    PartGroup,
    PartGroups,
    RowBuilder,
    parts_of,
    sent_with,
)

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
        self.path, self.messages, self.sent = path, self.answers.read(path), sent_with(parts_of(path[:-1]))
        return self

    def follows(self, path: tuple[Message, ...]) -> bool:
        """Reads on where the path goes on, ends otherwise or one earlier; False, and nothing done: it is another."""
        if (grown := self.answers.read_on(self.messages, self.path, path)) is None:
            return False
        if self.by_id is not None:
            del self.by_id[self.messages[-1].id]
            self.by_id.update((one.id, one) for one in grown[len(self.messages) - 1 :])
        if (counted := len(self.path) - 1) == len(path) and sent_with(parts_of(path[-1:])) is not None:
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


@dataclass(frozen=True, slots=True)
class LeafText:
    """One leaf of a message: of the group that begins with part `part`; `number` counts the leaves of that group.

    `text` is what the leaf's row reads, `sign` what is read before it.
    """

    part: int
    number: int
    leaf: Leaf
    text: str
    sign: str = ""


def readable_groups(message: Message) -> list[PartGroup]:
    """Return the text of a message to read: answers and thinking, not the use of tools and not the attachments."""
    groups = PartGroups(message.parts, typed=message.role == "user").list
    return [group for group in groups if group.kind in ("text", "thinking")]


def leaf_texts(
    row_builder: RowBuilder,
    message: Message,
    groups: Sequence[PartGroup],
    *,
    growing: bool = False,
    wanted: Callable[[str], bool] = lambda _source: True,
) -> Iterator[LeafText]:
    """Yield the texts of groups of a message, in order.

    A generator that never works longer than a section takes (some milliseconds). `growing`: the message is not
    complete yet, and its last group is read as it is shown while it grows. Leaves whose source is not `wanted` come
    without their text.
    """
    for group in groups:
        open_end = growing and group.number + len(group.parts) == len(message.parts)
        number = 0
        for leaves, references in _leaves(row_builder, group.text, typed=message.role == "user", open_end=open_end):
            for place, leaf in enumerate(leaves):
                unfinished = open_end and place == len(leaves) - 1
                read = leaf.table is not None or wanted(leaf.text)
                text = row_builder.text_of(leaf, references, growing=unfinished) if read else ""
                yield LeafText(group.number, number + place, leaf, text, row_builder.sign_of(leaf, references))
            # a section without leaves has one empty row
            number += max(1, len(leaves))


def _leaves(
    row_builder: RowBuilder, text: str, *, typed: bool, open_end: bool
) -> Iterator[tuple[Sequence[Leaf], References]]:
    """The leaves of a text, in the sections in which the rows of a long text are made."""
    if typed:
        yield [leaf for block in plain_blocks(text) for leaf in block.leaves], {}
    elif open_end:
        stream = row_builder.stream()
        stream.feed(text)
        leaves = [leaf for block in stream.blocks for leaf in block.leaves]
        notes, known = NoteNumbers(), {**stream.references, **EXPECTED, **row_builder.cited}
        notes.count(leaves, known, growing=True)
        yield leaves, notes.within(known)
    else:
        for section in sections(text) if is_long(text) else (Section(text, 0),):
            blocks, references = row_builder.read(section)
            yield [leaf for block in blocks for leaf in block.leaves], references

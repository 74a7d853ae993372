"""The text of messages, leaf by leaf, without any row being made. Uses no hits, places or screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_app.core.markdown.block_stream import References, is_long
from desktop_app.core.markdown.blocks import Leaf
from desktop_app.core.markdown.footnotes import EXPECTED, NoteNumbers
from desktop_app.core.markdown.plain_text import plain_blocks
from desktop_app.core.markdown.sections import Section, sections
from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.part_groups import PartGroup, PartGroups
from desktop_app.ui.transcript.message.row_builder import RowBuilder


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

"""The rows that the Messages tab has for a plan: groups, and the parts sent beside the messages. Never imports Qt.

The rows of a plan add up to the gauge's total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.limits import spoken_rows
from desktop_app.core.context.plan import ContextPlan, PlacedDocument, PlacedMessage, PlacedState

GroupName: TypeAlias = Literal[
    "fixed", "always", "searched", "pinned", "sent", "summarised", "left_out", "excluded", "deleted"
]
FixedKind: TypeAlias = Literal["system", "tools", "overhead", "summary", "draft"]

GROUPS: Final[tuple[GroupName, ...]] = ("pinned", "sent", "summarised", "left_out", "excluded", "deleted")
"""Those of messages, in the order in which the tab shows them."""

GROUP_OF: Final[Mapping[PlacedState, GroupName]] = {
    "whole": "sent",
    "annotated": "sent",
    "pinned": "pinned",
    "summarised": "summarised",
    "left_out": "left_out",
    "excluded": "excluded",
}


@dataclass(frozen=True, slots=True)
class MessageGroupRow:
    """The heading of a group: how many questions and answers it has (documents, in the two groups of those), their
    tokens in the request, whether it is folded.

    `whole`: the tokens that they have, or would have, where they are sent whole.
    """

    group: GroupName
    count: int
    tokens: int
    folded: bool = False
    whole: int = 0


@dataclass(frozen=True, slots=True)
class FixedRow:
    """Something that is sent beside the messages of the path."""

    kind: FixedKind
    tokens: int


Row: TypeAlias = MessageGroupRow | FixedRow | PlacedMessage | PlacedDocument
Groups: TypeAlias = Mapping[GroupName, "MessageGroup"]


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """The messages of one group in path order, or the project's documents of one kind, under their heading."""

    heading: MessageGroupRow
    members: Sequence[PlacedMessage] | Sequence[PlacedDocument]


def grouped(messages: Sequence[PlacedMessage]) -> Groups:
    """The messages of a plan by group; a group without messages is left out."""
    messages = tuple(messages)  # each look would make its row again
    groups: dict[GroupName, list[PlacedMessage]] = {name: [] for name in GROUPS}
    put, deleted = {state: groups[name].append for state, name in GROUP_OF.items()}, groups["deleted"].append
    for message in messages:
        (deleted if message.deleted else put[message.state])(message)
    spoken = Counter(_group_of(messages[row]) for row in spoken_rows(messages))
    return {
        name: MessageGroup(
            MessageGroupRow(
                name,
                len(members) if name == "deleted" else spoken[name],  # nothing of them weighs anything
                sum(row.tokens for row in members),
                whole=sum(row.whole for row in members),
            ),
            members,
        )
        for name, members in groups.items()
        if members
    }


def documents_grouped(documents: Sequence[PlacedDocument]) -> Groups:
    """The documents of a plan's project: those that are always included, and the others."""
    groups: dict[GroupName, list[PlacedDocument]] = {"always": [], "searched": []}
    for document in documents:
        groups["always" if document.mode == "always" else "searched"].append(document)
    return {
        name: MessageGroup(
            MessageGroupRow(
                name, len(members), sum(row.tokens for row in members), whole=sum(row.whole for row in members)
            ),
            members,
        )
        for name, members in groups.items()
        if members
    }


def _group_of(message: PlacedMessage) -> GroupName:
    return "deleted" if message.deleted else GROUP_OF[message.state]


def fixed_rows(plan: ContextPlan, sent: int) -> tuple[FixedRow, ...]:
    """Return the parts that a plan sends beside the path's messages and the project's documents, which weigh `sent`
    tokens.

    The draft's documents count with the draft, and the rounding of many messages with what the app adds.
    """
    tokens = plan.tokens
    rest = tokens.history + tokens.documents - sent
    written = plan.request.is_drafted
    rows = (
        FixedRow("system", tokens.system),
        FixedRow("tools", tokens.tools),
        FixedRow("overhead", tokens.overhead + (0 if written else rest)),
        FixedRow("summary", tokens.summary),
        FixedRow("draft", tokens.draft + (rest if written else 0)),
    )
    return tuple(row for row in rows if row.tokens)


def rows_of(fixed: Sequence[FixedRow], groups: Groups, folded: Collection[GroupName]) -> list[Row]:
    """All rows in their order; a group without rows has no heading."""
    rows: list[Row] = []
    if fixed:
        rows.append(MessageGroupRow("fixed", len(fixed), sum(row.tokens for row in fixed), "fixed" in folded))
        rows += fixed if "fixed" not in folded else ()
    for name, group in groups.items():
        rows.append(replace(group.heading, folded=True) if name in folded else group.heading)
        rows += group.members if name not in folded else ()
    return rows

"""Layout of a thread's messages as the rows of a tree of branches, and the figure that is known of each.

What has no fork in it is one stretch. Of a stretch its first and its last message have rows of their own; what lies
between them is folded into one row. The newest branch of a fork goes on beneath it without another indent, so that a
thread is as deep as its forks, however long it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.plan import PlacedMessage
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.conversation import Conversation, shown_nowhere
from desktop_app.core.messages import Message, Part

LEAST_FOLDED: Final = 2
"""So many messages are worth a row that stands for them."""

Group: TypeAlias = tuple[str, ...]
"""Ids of what a reader sees as one message: an answer with the rounds of its tools."""
RowKind: TypeAlias = Literal["message", "folded", "unfolded"]


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One row: a message, or what stands for several ("folded"), or their heading while they are shown ("unfolded").

    `groups` are the messages that stand in this row, none in a heading. `count`: how many a fold stands for, `key`: its
    name, which the messages of an unfolded one have, too. `depth`: forks above it that it is no newest branch of.
    `version` of `versions`: as the arrows beneath the message count them, 0: there is one only.
    `above`, `below`: whether its line goes on there. `on_path`: it is of the open branch; `is_tip`: that ends with it.
    """

    groups: tuple[Group, ...]
    kind: RowKind
    key: str
    count: int
    depth: int
    version: int = 0
    versions: int = 0
    above: bool = True
    below: bool = True
    on_path: bool = False
    is_tip: bool = False


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Messages without a fork between them; `ends`: nothing follows, `begins`: no line leads to it from above."""

    groups: Sequence[Group]
    depth: int
    version: int
    versions: int
    begins: bool
    ends: bool


class BranchTree:
    """The branches of a conversation. `path`: ids of the open branch, root to tip; `choices`: what is deleted."""

    def __init__(self, conversation: Conversation, path: Sequence[str], choices: ContextChoices) -> None:
        self._conversation = conversation
        self._path, self._tip = frozenset(path), path[-1] if path else ""
        hidden = shown_nowhere(conversation, choices) | set(self._empty_answers())
        self._children = _children(conversation, hidden - self._path)
        self._stretches = tuple(self._laid_out())

    @property
    def branches(self) -> int:
        """The number of branches; an open one that ends where others go on counts, too."""
        ends = {stretch.groups[-1][-1] for stretch in self._stretches if stretch.ends}
        return len(ends | {self._tip}) if ends else 0

    @property
    def messages(self) -> int:
        """The number of messages that a reader sees."""
        return sum(len(stretch.groups) for stretch in self._stretches)

    def rows(self, unfolded: Collection[str] = (), kept: Collection[str] = ()) -> list[BranchRow]:
        """The rows from above. `unfolded`: keys of folds that are open; `kept`: messages that are in no fold."""
        shown = {self._tip, *kept}
        return [row for stretch in self._stretches for row in self._rows_of(stretch, unfolded, shown)]

    def each(self) -> list[BranchRow]:
        """Every message in a row of its own, without lines between them."""
        return [
            self._row((group,), "message", stretch, first=not number)
            for stretch in (replace(each, depth=0) for each in self._stretches)
            for number, group in enumerate(stretch.groups)
        ]

    def _after(self, parent: str | None) -> Sequence[str]:
        return self._children.get(parent, [])

    def _empty_answers(self) -> Iterator[str]:
        """Answers of which nothing came and that nothing follows: nobody would go back to them."""
        for message in self._conversation:
            if message.role == "assistant" and not message.parts and not self._conversation.children(message.id):
                yield message.id

    def _laid_out(self) -> Iterator[_Stretch]:
        waiting = self._branches_of(None, 0)
        while waiting:
            start, depth, version, versions, begins = waiting.pop()
            run = [start]
            while len(below := self._after(run[-1])) == 1:
                run.append(below[0])
            yield _Stretch(self._grouped(run), depth, version, versions, begins, ends=not below)
            waiting += self._branches_of(run[-1], depth)

    def _branches_of(self, parent: str | None, depth: int) -> list[tuple[str, int, int, int, bool]]:
        """Return the branches that begin at a fork, the last first: start, depth, which version of how many, no line
        from above.
        """
        beside = self._after(parent)
        found = []
        for child in reversed(beside):
            ids = self._versions_of(child, beside)
            version = ids.index(child) + 1 if len(ids) > 1 and child in ids else 0
            newest = child == beside[-1]
            begins = not newest or len(beside) == 1  # a line from the side, or none
            found.append((child, depth + (not newest), version, len(ids) if version else 0, begins))
        return found

    def _versions_of(self, child: str, beside: Sequence[str]) -> list[str]:
        role = self._conversation[child].role
        others = ((one, self._conversation[one]) for one in beside)
        return [one for one, other in others if other.role == role and (other.parts or one in self._path)]

    def _grouped(self, run: Sequence[str]) -> list[Group]:
        groups: list[list[str]] = []
        before: Message | None = None
        for message_id in run:
            message = self._conversation[message_id]
            if before is not None and _continues(before, message):
                groups[-1].append(message_id)
            else:
                groups.append([message_id])
            before = message
        return [tuple(group) for group in groups]

    def _rows_of(self, stretch: _Stretch, unfolded: Collection[str], kept: AbstractSet[str]) -> Iterator[BranchRow]:
        run: list[Group] = []
        last = len(stretch.groups) - 1
        for number, group in enumerate(stretch.groups):
            if 0 < number < last and kept.isdisjoint(group):
                run.append(group)
                continue
            yield from self._fold(run, stretch, unfolded)
            run = []
            yield self._row((group,), "message", stretch, first=not number, last=number == last)

    def _fold(self, run: Sequence[Group], stretch: _Stretch, unfolded: Collection[str]) -> Iterator[BranchRow]:
        key = run[0][0] if len(run) >= LEAST_FOLDED else ""
        if key and key not in unfolded:
            yield self._row(tuple(run), "folded", stretch)
            return
        if key:
            yield self._row(tuple(run), "unfolded", stretch)
        for group in run:
            yield self._row((group,), "message", stretch, key=key)

    def _row(
        self,
        groups: tuple[Group, ...],
        kind: RowKind,
        stretch: _Stretch,
        *,
        first: bool = False,
        last: bool = False,
        key: str = "",
    ) -> BranchRow:
        return BranchRow(
            () if kind == "unfolded" else groups,
            kind,
            key or groups[0][0],
            len(groups),
            stretch.depth,
            stretch.version if first else 0,
            stretch.versions if first else 0,
            above=not (first and stretch.begins),
            below=not (last and stretch.ends),
            on_path=groups[0][0] in self._path,
            is_tip=self._tip in groups[-1],
        )


def _continues(before: Message, message: Message) -> bool:
    """Return True if a message belongs to the answer before it: tools' answers, and what the model said to those."""
    if message.role == "assistant":
        return before.role == "user" and not opens_turn(before)
    return not opens_turn(message)


def open_line(rows: Sequence[BranchRow]) -> list[int]:
    """The column in which the open branch goes on beneath each row; -1 where it does not."""
    columns: list[int] = []
    column = 0  # from the beginning of the thread, which has no row
    last = max((number for number, row in enumerate(rows) if row.on_path), default=-1)
    for number, row in enumerate(rows):
        column = row.depth if row.on_path else column
        columns.append(column if number < last else -1)
    return columns


def _children(conversation: Conversation, hidden: AbstractSet[str]) -> dict[str | None, list[str]]:
    """Return the messages that follow each shown one; those behind a hidden one follow what that one follows."""
    parents = _parents(conversation)
    children: dict[str | None, list[str]] = {}
    for message in conversation:
        if message.id in hidden:
            continue
        parent = parents[message.id]
        while parent is not None and parent in hidden:
            parent = parents[parent]
        children.setdefault(parent, []).append(message.id)
    return children


def _parents(conversation: Conversation) -> dict[str, str | None]:
    """The message before each; None where that is not there, and where going back would never end."""
    parents: dict[str, str | None] = {}
    for message in conversation:
        walk: list[str] = []
        met: set[str] = set()
        here: str | None = message.id
        while here is not None and here in conversation and here not in parents and here not in met:
            walk.append(here)
            met.add(here)
            here = conversation[here].parent_id
        leads_on = here in parents
        for one in walk:
            parents[one] = conversation[one].parent_id
        if walk and not leads_on:
            parents[walk[-1]] = None
    return parents


def message_tokens(
    messages: Iterable[Message], placed: Iterable[PlacedMessage], tokens_of: Callable[[Part], int]
) -> dict[str, int]:
    """Tokens by message id: on the open branch those of its plan, elsewhere what was counted when an answer came, else
    what the plan's estimator says of the parts (`PreparedContext.tokens_of`). May be called from any thread.
    """
    known = {one.id: one.whole for one in placed}
    return {message.id: known.get(message.id) or _own(message, tokens_of) for message in messages}


def _own(message: Message, tokens_of: Callable[[Part], int]) -> int:
    usage = message.usage
    if usage is not None and usage.output > usage.thinking:
        return usage.output - usage.thinking
    return sum(map(tokens_of, message.parts))

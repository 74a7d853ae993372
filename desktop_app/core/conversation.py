"""The tree of a thread's messages: paths, siblings, branches, what is deleted on some of them; its rows as it is drawn.

What has no fork in it is one stretch. Of a stretch its first and its last message have rows of their own; what lies
between them is folded into one row. The newest branch of a fork goes on beneath it without another indent, so that a
thread is as deep as its forks, however long it is.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.context.sent_content import opens_turn
from desktop_app.core.messages import Message, Part

if TYPE_CHECKING:  # a command that only reads plans nothing
    from desktop_app.core.context.plan import PlacedMessage


class Conversation:
    """Messages linked by `parent_id`; several roots and several children per message are allowed.

    A parent that is not among the messages makes its child a root, and a cycle is cut, so that damaged or foreign
    data can always be shown.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._by_id: dict[str, Message] = {}
        self._children: dict[str | None, list[str]] = {}
        self.forks: set[str | None] = set()
        """Ids of the messages with several direct answers; None: there are several roots."""
        for message in messages:
            self.add(message)

    def add(self, message: Message) -> None:
        """Adds a message, or replaces the one with the same id (its parent must be the same)."""
        new = message.id not in self._by_id
        self._by_id[message.id] = message
        if new:
            beside = self._children.setdefault(message.parent_id, [])
            if beside:
                self.forks.add(message.parent_id)
            insort(beside, message.id, key=self.when)

    def when(self, message_id: str) -> str:
        """The time at which a message was said, by which versions stand in one order on all machines."""
        return self._by_id[message_id].created

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._by_id

    def __getitem__(self, message_id: str) -> Message:
        return self._by_id[message_id]

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Message]:
        """All messages, in the order they were added."""
        return iter(self._by_id.values())

    def __reversed__(self) -> Iterator[Message]:
        return reversed(self._by_id.values())

    def path(self, tip: str | None) -> tuple[Message, ...]:
        """The messages from the root to `tip`, in order; empty for None."""
        path: list[Message] = []
        seen: set[str] = set()
        current = tip
        while current is not None and current in self._by_id and current not in seen:
            seen.add(current)
            message = self._by_id[current]
            path.append(message)
            current = message.parent_id
        path.reverse()
        return tuple(path)

    def siblings(self, message_id: str) -> tuple[str, ...]:
        """Ids of the messages with the same parent, oldest first, `message_id` included."""
        return tuple(self._children[self._by_id[message_id].parent_id])

    def children(self, message_id: str | None) -> tuple[str, ...]:
        """Ids of the direct answers to a message; for None the roots."""
        return tuple(self._children.get(message_id, ()))

    @property
    def leaves(self) -> Iterator[str]:
        """Ids of the messages that nothing follows: the end of each branch, in the order they were added."""
        return (message_id for message_id in self._by_id if not self._children.get(message_id))

    def newest_leaf(self, message_id: str) -> str:
        """The end of the branch below `message_id` that was grown last: what switching to a sibling shows."""
        current, seen = message_id, {message_id}
        while (below := self._children.get(current)) and below[-1] not in seen:
            current = below[-1]
            seen.add(current)
        return current


def deleted_on(path: Iterable[Message], choices: ContextChoices) -> frozenset[str]:
    """The ids of the messages of a path that are deleted on it."""
    if not choices.deleted:
        return frozenset()
    here = {message.id for message in path}
    return frozenset(one.message for one in choices.deleted if one.message in here and one.branch in here)


def without_deleted(path: tuple[Message, ...], choices: ContextChoices) -> tuple[Message, ...]:
    """Return the shown part of a path; the path itself where nothing of it is deleted."""
    deleted = deleted_on(path, choices)
    return tuple(message for message in path if message.id not in deleted) if deleted else path


def carried_over(
    choices: ContextChoices, path: Sequence[Message], onto: Sequence[Message], branch: str | None = None
) -> ContextChoices:
    """The choices for a branch behind `onto` that `branch` (None: its last) begins: deletions of `path` go along."""
    if not choices.deleted or not onto:
        return choices
    behind = {message.id for message in onto}
    if not (missing := (deleted_on(path, choices) & behind) - deleted_on(onto, choices)):
        return choices
    begun = branch or onto[-1].id
    return replace(choices, deleted=choices.deleted | {Deletion(one, begun) for one in missing})


def shown_nowhere(conversation: Conversation, choices: ContextChoices) -> frozenset[str]:
    """The ids of the messages that are deleted on every branch they stand on."""
    candidates = {one.message for one in choices.deleted}
    if not candidates:
        return frozenset()
    shown: set[str] = set()
    for leaf in conversation.leaves:
        path = conversation.path(leaf)
        shown |= (candidates & {message.id for message in path}) - deleted_on(path, choices)
    return frozenset(one for one in candidates - shown if one in conversation)


def shown_end(conversation: Conversation, message_id: str, choices: ContextChoices) -> str:
    """The end of the branch that was grown last of those that show a message; of all where none does."""
    newest = conversation.newest_leaf(message_id)
    if not any(one.message == message_id for one in choices.deleted):
        return newest
    for leaf in (newest, *reversed(tuple(conversation.leaves))):
        path = conversation.path(leaf)
        if any(message.id == message_id for message in path) and message_id not in deleted_on(path, choices):
            return leaf
    return newest


def living_end(conversation: Conversation, tip: str, choices: ContextChoices) -> str:
    """Return the place where a thread goes on once the end of its branch is deleted: at the version that stood nearest
    to that.

    `tip` itself where its branch still shows its end, or where nothing stands beside what it does not show.
    """
    path = conversation.path(tip)
    deleted = deleted_on(path, choices)
    for message in reversed(path):
        if message.id not in deleted:
            break
        beside = conversation.siblings(message.id)
        place = beside.index(message.id)
        for other in sorted(beside, key=lambda one: abs(beside.index(one) - place)):
            version = conversation[other]
            if other == message.id or version.role != message.role or not version.parts:
                continue  # a question of which only answers without a word are left is none
            end = shown_end(conversation, other, choices)
            if other not in deleted_on(conversation.path(end), choices):
                return end
    return tip


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
        """The branches that begin at a fork, the last first: start, depth, which version of how many."""
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
    for beside in children.values():
        beside.sort(key=conversation.when)
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
    what the plan's estimator says of the parts (`Preparation.tokens_of`). May be called from any thread.
    """
    known = {one.id: one.whole for one in placed}
    return {message.id: known.get(message.id) or _own(message, tokens_of) for message in messages}


def _own(message: Message, tokens_of: Callable[[Part], int]) -> int:
    if (usage := message.usage) is not None and usage.output > usage.thinking:
        return usage.output - usage.thinking
    return sum(map(tokens_of, message.parts))

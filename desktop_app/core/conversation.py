"""The tree of a thread's messages: paths, siblings, branches, and the messages that are deleted on some of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.messages import Message


class Conversation:
    """Messages linked by `parent_id`; several roots and several children per message are allowed.

    A parent that is not among the messages makes its child a root, and a cycle is cut, so that damaged or foreign
    data can always be shown.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._by_id: dict[str, Message] = {}
        self._children: dict[str | None, list[str]] = {}
        self._forks: set[str | None] = set()
        for message in messages:
            self.add(message)

    def add(self, message: Message) -> None:
        """Adds a message, or replaces the one with the same id (its parent must be the same)."""
        if message.id not in self._by_id:
            beside = self._children.setdefault(message.parent_id, [])
            beside.append(message.id)
            if len(beside) > 1:
                self._forks.add(message.parent_id)
        self._by_id[message.id] = message

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
        """Ids of the messages with the same parent, in the order they were added, `message_id` included."""
        return tuple(self._children[self._by_id[message_id].parent_id])

    @property
    def forks(self) -> Set[str | None]:
        """Ids of the messages with several direct answers; None: there are several roots."""
        return self._forks

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
    """The choices for a branch that begins behind `onto`: what is deleted on `path` stays deleted where it goes on.

    `branch`: the first message of the new branch; None: the last one of `onto`.
    """
    if not choices.deleted or not onto:
        return choices
    behind = {message.id for message in onto}
    missing = (deleted_on(path, choices) & behind) - deleted_on(onto, choices)
    if not missing:
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

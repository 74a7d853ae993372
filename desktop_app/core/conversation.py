"""The tree of a thread's messages: paths, siblings, branches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

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

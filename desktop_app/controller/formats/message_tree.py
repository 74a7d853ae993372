"""Puts the nodes of an imported conversation in order: parents first, whatever links are missing or go in circles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from desktop_app.core.messages import Message

EPOCH = "1970-01-01T00:00:00.000Z"
"""The time of what names none."""


def cut_circles(parents: dict[str, str | None]) -> int:
    """Cuts links to missing nodes and those that close a circle, in place; how many there were."""
    cut = 0
    for node_id, parent in parents.items():
        if parent is not None and parent not in parents:
            cut += 1
            parents[node_id] = None
    settled: set[str] = set()
    for node_id in parents:
        trail: dict[str, None] = {}
        current: str | None = node_id
        while current is not None and current not in settled:
            trail[current] = None
            above = parents[current]
            if above in trail:
                cut += 1
                parents[current] = above = None
            current = above
        settled.update(trail)
    return cut


def parents_first(
    parents: Mapping[str, str | None], children: Mapping[str, Iterable[str]] | None = None
) -> Iterator[str]:
    """Every node behind its parent; siblings in the order in which `children` names them, else in that of `parents`."""
    ordered: dict[str | None, dict[str, None]] = {}
    for node_id, named in (children or {}).items():
        for child in named:
            if parents.get(child) == node_id:
                ordered.setdefault(node_id, {})[child] = None
    for node_id, parent in parents.items():
        ordered.setdefault(parent, {})[node_id] = None
    waiting = list(reversed(ordered.get(None, {})))
    while waiting:
        node_id = waiting.pop()
        yield node_id
        waiting.extend(reversed(ordered.get(node_id, {})))


def newest_leaf(messages: Sequence[Message]) -> str:
    """The id of the newest message that nothing follows; of several the last."""
    inner = {message.parent_id for message in messages}
    leaves = [message for message in reversed(messages) if message.id not in inner]
    return max(leaves, key=lambda message: message.created).id


def stable_id(source: str, origin: str) -> str:
    """An id that is the same at every import: 128 bits of the origin's hash, as hexadecimal digits."""
    return hashlib.sha256(f"{source}:{origin}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

"""Owns the heights of all messages of a thread and the sums over them. Knows no Qt and no message.

A Fenwick tree: changing one height and finding the message at an offset both take O(log n).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate


class Heights:
    """Whole pixels, indexed from 0."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        sums = [0, *accumulate(self._values)]
        self._tree = [sums[index] - sums[index & (index - 1)] for index in range(len(sums))]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    def set(self, index: int, value: int) -> int:
        """Sets one height; returns by how much it grew."""
        change = value - self._values[index]
        if change:
            self._values[index] = value
            position = index + 1
            while position < len(self._tree):
                self._tree[position] += change
                position += position & -position
        return change

    def append(self, value: int) -> None:
        """Adds a height at the end."""
        self._values.append(value)
        position = len(self._values)
        total, child, lowest = value, position - 1, position - (position & -position)
        while child > lowest:
            total += self._tree[child]
            child -= child & -child
        self._tree.append(total)

    def before(self, index: int) -> int:
        """The sum of the heights of all entries before `index`: the top of that entry."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    @property
    def total(self) -> int:
        """The sum of all heights."""
        return self.before(len(self._values))

    def at(self, offset: int) -> int:
        """The entry that covers `offset`; the nearest one if it lies outside. There must be an entry."""
        position, step = 0, 1 << len(self._values).bit_length()
        while step:
            probe = position + step
            if probe < len(self._tree) and self._tree[probe] <= offset:
                position = probe
                offset -= self._tree[probe]
            step >>= 1
        return min(position, len(self._values) - 1)

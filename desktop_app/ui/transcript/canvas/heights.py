"""The heights of all messages of a thread and the sums over them. Never imports Qt.

The sums of whole groups are kept: a thread of 10,000 messages is summed in 0.1 ms, and each question after that looks
at one group and at the list of groups.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

#: Heights in one group: about the square root of the length of a long thread.
GROUP = 128


class Heights:
    """Whole pixels, indexed from 0."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values = list(values)
        self._groups = [sum(self._values[start : start + GROUP]) for start in range(0, len(self._values), GROUP)]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._values)

    def set(self, index: int, value: int) -> int:
        """Sets one height; returns by how much it grew."""
        change = value - self._values[index]
        self._values[index] = value
        self._groups[index // GROUP] += change
        return change

    def append(self, value: int) -> None:
        """Adds a height at the end."""
        if len(self._values) % GROUP == 0:
            self._groups.append(0)
        self._values.append(value)
        self._groups[-1] += value

    def before(self, index: int) -> int:
        """The sum of the heights of all entries before `index`: the top of that entry."""
        group = index // GROUP
        return sum(self._groups[:group]) + sum(self._values[group * GROUP : index])

    @property
    def total(self) -> int:
        """The sum of all heights."""
        return sum(self._groups)

    def at(self, offset: int) -> int:
        """The entry that covers `offset`; the nearest one if it lies outside. There must be an entry."""
        ends = list(accumulate(self._groups))
        group = min(bisect_right(ends, offset), len(ends) - 1)
        start = group * GROUP
        top = ends[group] - self._groups[group]
        found = bisect_right(list(accumulate(self._values[start : start + GROUP], initial=top)), offset) - 1
        return min(start + max(0, found), len(self._values) - 1)

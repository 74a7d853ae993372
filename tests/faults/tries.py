"""Counts what was tried and what came of it."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

MOST_TOLD = 20
"""Failed tries that are told one by one."""


@dataclass
class Tries:
    """One kind of fault: how often it was tried, what was lost, how long it took until the history was there again.

    `notes`: counts of what came of the tries, such as how many files were restored from a backup.
    """

    name: str
    done: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    recoveries_s: list[float] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)

    def held(self) -> None:
        """One try lost nothing."""
        self.done += 1

    def failed(self, which: str, why: str) -> None:
        """One try lost something: `which` says how it is done again, `why` what is missing or wrong."""
        self.done += 1
        self.failures.append((which, why))

    def recovered(self, seconds: float) -> None:
        """So long it took to open the history again."""
        self.recoveries_s.append(seconds)

    @property
    def lines(self) -> list[str]:
        """For people."""
        times = ""
        if self.recoveries_s:
            middle, most = statistics.median(self.recoveries_s), max(self.recoveries_s)
            times = f", open again in {1000 * middle:.0f} ms (median), {1000 * most:.0f} ms (most)"
        lines = [f"{self.name}: {self.done:,} tries, {len(self.failures):,} with a loss{times}"]
        lines += [f"  {count:,} x {note}" for note, count in sorted(self.notes.items())]
        lines += [f"  LOST {which}: {why}" for which, why in self.failures[:MOST_TOLD]]
        return lines

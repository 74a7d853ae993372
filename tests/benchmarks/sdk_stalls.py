"""Owns the table of how long the window's GUI thread waits while an SDK is imported. The windows are `sdk_window`'s."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Final

from tests.benchmarks.sdk_window import LOADS, WAYS, Noticed

RUNS: Final = 5
COMPARED: Final = 9
"""Windows for each way that is compared."""
TARGET_MS: Final = 16.0
HARD_MS: Final = 50.0


def windows(folder: str, what: str, when: str, how: str, runs: int) -> Sequence[Noticed]:
    """What so many windows noticed, one after the other, each a process of its own: the larger half of them, in which
    the import was quickest. Where other programs want the processor it takes longer, and so does everything.
    """
    command = [sys.executable, "-m", "tests.benchmarks.sdk_window", folder, what, when, how]
    lines = (subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=120) for _ in range(runs))
    found = sorted((Noticed(**json.loads(line.stdout)) for line in lines), key=lambda one: one.took)
    return found[: runs // 2 + 1]


def main(*, compare: bool) -> int:
    """Prints the table; 1 where the median window waits longer than the hard limit."""
    worst = 0.0
    print("longest stall of the GUI thread while something is imported beside it, in milliseconds of wall")
    print(f"a timer of 1 ms, medians of {RUNS // 2 + 1} windows; target {TARGET_MS:.0f}, hard limit {HARD_MS:.0f}")
    with tempfile.TemporaryDirectory() as folder:
        windows(folder, "keyring", "paint", WAYS[0], 1)  # makes the history file, and bytecode where there is none
        print(f"{'':<12}{'':<16}{'resting':>10}{'loading':>10}{'worst':>10}{'one key':>10}{'after':>10}{'took':>10}")
        for what in LOADS:
            for when, words in (("paint", "after the paint"), ("keys", "while typing")):
                found = windows(folder, what, when, WAYS[0], RUNS)
                worst = max(worst, _line(what, words, found))
        if compare:
            print()
            print(f"anthropic while typing, otherwise; medians of {COMPARED // 2 + 1} windows")
            for how in WAYS:
                _line(how, "", windows(folder, "anthropic", "keys", how, COMPARED))
    return int(worst > HARD_MS)


def _line(name: str, words: str, found: Sequence[Noticed]) -> float:
    """Prints a line; the median of the longest stalls."""
    loading = statistics.median(max(one.loading, one.after) for one in found)
    figures = (
        statistics.median(one.resting for one in found),
        statistics.median(one.loading for one in found),
        max(one.loading for one in found),
        statistics.median(one.key for one in found),
        statistics.median(one.after for one in found),
        statistics.median(one.took for one in found),
    )
    verdict = "ok" if loading <= TARGET_MS else "within limit" if loading <= HARD_MS else "over"
    print(f"{name:<28}" if not words else f"{name:<12}{words:<16}", end="")
    print("".join(f"{figure:>10.1f}" if figure else f"{'':>10}" for figure in figures), f" {verdict}", flush=True)
    return loading

"""`./dev faults [--kind KIND] [--share N] [--seed S]`: kills, power cuts, failing disks and damage, counted.

The whole form takes about an hour of a quiet computer with two cores; `--share 0.1` does a tenth of each.
Exits 1 where anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.backends.test_tool_host import WAYS, kill_once
from tests.faults.acts import acts_by_chance
from tests.faults.damage import damage_files
from tests.faults.disk_errors import fail_everywhere
from tests.faults.kills import kill_acts, kill_commands, kill_migrations, kill_windows
from tests.faults.power_cuts import cut_power
from tests.faults.synced import cut_exchanges, go_apart, kill_exchanges, kill_sync_now
from tests.faults.tries import Tries
from tests.storage.test_sync import die_anywhere, run_machines, two_machines

KINDS: Final[Mapping[str, Callable[[Path, float, int], Tries]]] = {
    "power": lambda folder, share, seed: asyncio.run(cut_power(folder, round(1_000 * share), 60, seed)),
    "disk": lambda folder, share, seed: asyncio.run(
        fail_everywhere(folder, acts_by_chance(max(5, round(200 * share)), seed))
    ),
    "acts": lambda folder, share, seed: kill_acts(folder, round(600 * share), 200, seed),
    "migrations": lambda folder, share, seed: kill_migrations(folder, round(150 * share), seed),
    "commands": lambda folder, share, seed: kill_commands(folder, round(150 * share), seed),
    "damage": lambda folder, share, seed: damage_files(folder, round(1_000 * share), 150, seed),
    "sync": lambda folder, share, seed: sync_machines(round(2_000 * share), round(1_000 * share)),
    "sync-kills": lambda folder, share, seed: kill_exchanges(folder, round(1_000 * share), seed),
    "sync-power": lambda folder, share, seed: cut_exchanges(folder, round(1_000 * share), seed),
    "sync-commands": lambda folder, share, seed: kill_sync_now(folder, max(2, round(100 * share)), seed),
    "sync-apart": lambda folder, share, seed: go_apart(folder, round(1_000 * share)),
    "tools": lambda folder, share, seed: asyncio.run(kill_servers(round(1_000 * share))),
    "window": lambda folder, share, seed: kill_windows(folder, round(100 * share), seed),
}
"""What is tried, with how often in the whole form."""


async def kill_servers(count: int) -> Tries:
    """Kills servers of tools, their host and the app; a process that is left is a loss."""
    tries = Tries("servers of tools")
    for number in range(count):
        killed = WAYS[number % len(WAYS)]
        try:
            await kill_once(killed, f"{killed} {os.getpid()} {number}")
        except AssertionError as error:
            tries.failed(f"{killed} {number}", str(error))
        else:
            tries.held()
            tries.notes[f"{killed} killed"] += 1
    return tries


def sync_machines(runs: int, ends: int) -> Tries:
    """Syncs three machines by chance, and ends exchanges anywhere; what differs in the end is a loss."""
    tries = Tries("synced machines")

    def counted() -> None:
        tries.notes["runs of 50 acts"] += 1
        if tries.notes["runs of 50 acts"] % 100 == 0:
            print(f"  {tries.notes['runs of 50 acts']:,} runs", flush=True)

    try:
        run_machines(runs, 50, derandomize=False, ended=counted)
        tries.held()
        with two_machines() as both:
            die_anywhere(both, ends)
        tries.held()
        tries.notes["exchanges ended anywhere"] += ends
    except Exception as error:  # noqa: BLE001 - whatever it is, the machines did not end alike
        tries.failed("machines", "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]))
    return tries


def main() -> int:
    """Tries one kind, or all, and prints what came of it."""
    logging.getLogger("desktop_app").setLevel(logging.ERROR)  # each repair is a warning
    parser = argparse.ArgumentParser(prog="dev faults", description=__doc__)
    parser.add_argument(
        "--kind", choices=KINDS, action="append", help="only this kind, and all that begin so, as sync-power"
    )
    parser.add_argument("--share", type=float, default=1.0, help="how much of the whole form (default 1)")
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1_000_000)
    lost = 0
    print(f"seed {seed}", flush=True)
    for kind in [
        one for one in KINDS if not chosen.kind or any(f"{one}-".startswith(f"{kind}-") for kind in chosen.kind)
    ]:
        with tempfile.TemporaryDirectory(prefix="faults.") as folder:
            tries = KINDS[kind](Path(folder), chosen.share, seed)
        print("\n".join(tries.lines), flush=True)
        lost += len(tries.failures)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

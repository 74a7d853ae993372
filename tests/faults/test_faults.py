"""The short form of `./dev faults`, and that it notices what it is there for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.acts import acts_by_chance
from tests.faults.disk_errors import fail_everywhere
from tests.faults.power_cuts import cut_power
from tests.faults.tries import Tries
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


def lost(tries: Tries) -> list[tuple[str, str]]:
    print("\n".join(tries.lines))
    assert tries.done
    return tries.failures


async def test_no_power_cut_loses_what_was_stored(tmp_path: Path) -> None:
    assert lost(await cut_power(tmp_path, 120, 50, 11)) == []


async def test_a_history_that_does_not_wait_for_the_disk_would_lose_it(tmp_path: Path) -> None:
    assert lost(await cut_power(tmp_path, 60, 50, 11, pragma="synchronous = NORMAL")) != []


async def test_a_disk_that_fails_at_any_write_loses_nothing(tmp_path: Path) -> None:
    assert lost(await fail_everywhere(tmp_path, acts_by_chance(9, 4))) == []


@pytest.mark.parametrize(
    ("kind", "share"),
    [("acts", 0.05), ("migrations", 0.08), ("commands", 0.04), ("damage", 0.04)]
    + [(f"sync-{one}", 0.01) for one in ("kills", "power", "apart")],
)
def test_no_kill_and_no_damage_loses_what_was_stored(kind: str, share: float) -> None:
    """In a process of its own, which forks."""
    command = [sys.executable, "-m", "tests.faults", "--kind", kind, "--share", str(share), "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3 * PATIENCE_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 with a loss" in done.stdout


async def test_nothing_is_left_beside_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layer hands SQLite's own names on: from a copy of one it would make files of any name where it runs."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert lost(await cut_power(tmp_path, 10, 20, 3)) == []
    assert lost(await fail_everywhere(tmp_path, acts_by_chance(5, 4))) == []
    assert list((tmp_path / "here").iterdir()) == []

"""Two PID namespaces on one data folder, for real: a lock decides whether a turn lives, not its process's number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.errors import UserError
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.apart import needed, started_apart
from tests.patience import PATIENCE_S
from tests.storage.conftest import Talk, opened

pytestmark = [pytest.mark.slow, needed]


def apart(path: Path, what: str) -> subprocess.Popen[str]:
    """A process with numbers of its own: the first of them is 1, as in every container."""
    return started_apart([sys.executable, "-m", "tests.storage.other_process", str(path), what])


def said(path: Path, what: str) -> str:
    output, _ = apart(path, what).communicate(timeout=PATIENCE_S)
    return output


async def test_a_turn_of_another_namespace_lives_until_its_process_is_gone(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    process = apart(path, "wait")
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
        assert await history.repair_turns() == ()
        assert await history.running_threads() == ("thread",)
        with pytest.raises(UserError, match="already being written"):
            await Talk(history, tip="a-other").begin("me too")
        assert said(path, "repair") == "repaired: none\n"  # nor does a third namespace take it for dead
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)
    assert await history.repair_turns() == ("thread",)
    assert (await history.message("a-other")).text == "half of it"


async def test_a_turn_of_this_namespace_is_not_taken_for_dead_by_another(
    path: Path, history: SqliteHistory, talk: Talk
) -> None:
    answer = await talk.begin("q")
    assert said(path, "repair") == "repaired: none\n"
    await history.end_turn("t1", answer, None)
    async with opened(path) as beside:
        assert await beside.repair_turns() == ()

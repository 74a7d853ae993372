"""A process killed while an answer streams loses at most the last half second of it (PRODUCT.md HIS-1)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.core.messages import Thread
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.other_process import TIME, text_of


def until_killed(path: Path, lines: int) -> list[str]:
    """What the streaming process said until it was killed, after that many lines."""
    command = [sys.executable, "-m", "tests.storage.other_process", str(path), "stream"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            said = [child.stdout.readline() for _ in range(lines)]
        finally:
            child.kill()
        return [*said, *child.stdout.read().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("lines", [130, 260])
async def test_a_killed_process_loses_at_most_half_a_second(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "data" / "history.db"
    history = await SqliteHistory.open(path)
    await history.create_thread(Thread("thread", "Tides", TIME, TIME))
    await history.close()

    said = until_killed(path, lines)
    came = [(float(at), int(words)) for at, words in (line.split() for line in said if line.count(" ") == 1)]

    history = await SqliteHistory.open(path)
    try:
        assert await history.repair_turns() == ("thread",)
        answer = await history.message("a")
    finally:
        await history.close()
    assert (answer.state, answer.failure and answer.failure.code) == ("partial", "interrupted")
    kept = len(answer.text.split())
    assert answer.text == text_of(kept)
    lost_s = came[-1][0] - next((at for at, words in came if words > kept), came[-1][0])
    print(f"kept {kept} of {came[-1][1]} words, lost {lost_s:.2f} s")
    assert kept > 0
    assert lost_s <= 0.5


@pytest.mark.slow
async def test_the_first_screen_shows_what_a_killed_process_had_stored(tmp_path: Path) -> None:
    path = tmp_path / "data" / "history.db"
    history = await SqliteHistory.open(path)
    await history.create_thread(Thread("thread", "Tides", TIME, TIME))
    await history.close()
    until_killed(path, 130)
    assert path.with_name("history.db-wal").stat().st_size > 0
    screen = read_first_screen(path)
    assert screen is not None
    assert screen.path_tail[-1].text.startswith("word0 word1")

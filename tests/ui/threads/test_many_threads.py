"""A history of more threads than the first paint reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.storage import first_screen
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import a_thread
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_all_threads_are_listed_once_the_history_is_open(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_screen, "LISTED", 5)
    history = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    for number in range(12):
        await history.create_thread(replace(a_thread(f"t{number}"), title=f"thread {number}"))
    await history.close()
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: len(window.threads.model.threads()) == 12, "all of them")

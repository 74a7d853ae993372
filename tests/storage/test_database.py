from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from desktop_app.storage.sqlite_history import Database
from tests.patience import PATIENCE_S


async def test_all_work_is_done_in_order_on_one_other_thread(path: Path) -> None:
    database = await Database.open(path)
    names = await asyncio.gather(*(database.run(lambda _, n=n: (n, threading.current_thread().name)) for n in range(9)))  # type: ignore[misc]
    assert names == [(number, "database") for number in range(9)]
    await database.close()
    await database.close()
    assert "database" not in [thread.name for thread in threading.enumerate()]
    with pytest.raises(RuntimeError, match="closed"):
        await database.run(lambda _: None)


async def test_closing_waits_for_what_was_asked_before(path: Path) -> None:
    database = await Database.open(path)
    go, done = threading.Event(), list[str]()

    def work(_: object) -> None:
        go.wait(PATIENCE_S)
        done.append("slow")

    waiting = asyncio.create_task(database.run(work))
    await asyncio.sleep(0)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    go.set()
    await closing
    assert done == ["slow"]
    await waiting


async def test_an_error_nobody_waits_for_is_logged(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = await Database.open(path)
    go = threading.Event()

    def fail(_: object) -> None:
        go.wait(PATIENCE_S)
        raise ValueError("lost?")

    waiting = asyncio.create_task(database.run(fail))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go.set()
    with caplog.at_level(logging.ERROR):
        await database.run(lambda _: None)
        await asyncio.sleep(0)
    assert "a write nobody waited for failed" in caplog.text
    await database.close()

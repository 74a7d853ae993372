"""The history's file is deleted, replaced or locked at any step of the start, while somebody types and sends."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.core.messages import Thread
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.ui.open_window import OpenWindow

TIME: Final = "2026-11-01T10:00:00Z"
TYPED: Final = "what is the tide at noon"


class AtLook:
    """Does something to a file at the start's n-th look at it: each `open`, connection or `stat` in this process."""

    def __init__(self) -> None:
        self.path = Path()
        self.left = -1
        self.looks = 0
        self.act: Callable[[Path], object] = lambda _: None
        self._busy = False

    def look(self, path: object) -> None:
        if self._busy or self.left < 0 or not isinstance(path, str | os.PathLike):
            return
        if not isinstance(name := os.fspath(path), str) or "history.db" not in name:
            return
        self.looks += 1
        self.left -= 1
        if self.left < 0:
            self._busy = True
            try:
                self.act(self.path)
            finally:
                self._busy = False


AT_LOOK: Final = AtLook()


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("open", "sqlite3.connect", "os.chmod", "os.remove", "os.rename", "os.link"):
        AT_LOOK.look(arguments[0])


sys.addaudithook(_hear)  # stays as long as the process, and does nothing unless a test asks


@contextmanager
def at_look(path: Path, number: int, act: Callable[[Path], object]) -> Iterator[AtLook]:
    stat = os.stat

    def looked(one: Any, *arguments: Any, **named: Any) -> os.stat_result:
        AT_LOOK.look(one)
        return stat(one, *arguments, **named)

    AT_LOOK.path, AT_LOOK.left, AT_LOOK.looks, AT_LOOK.act = path, number, 0, act
    os.stat = looked  # type: ignore[assignment]
    try:
        yield AT_LOOK
    finally:
        os.stat, AT_LOOK.left = stat, -1


def delete(path: Path) -> None:
    path.unlink(missing_ok=True)


def replace(path: Path) -> None:
    shutil.copyfile(path.with_name("another.db"), path.with_name("moved.db"))
    path.with_name("moved.db").replace(path)


def void(path: Path) -> None:
    path.unlink()
    connect(path).close()


def texts(folder: Path) -> str:
    """All that any history in the folder says or holds as a draft."""
    found = []
    for path in [*folder.glob("*.db"), *folder.glob("*.json")]:
        if path.suffix == ".json":
            found.append(path.read_text())
            continue
        with closing(sqlite3.connect(path)) as connection:
            found += [
                str(row) for row in connection.execute("SELECT draft FROM thread UNION SELECT parts FROM message")
            ]
    return "\n".join(found)


async def made(folder: Path) -> None:
    for name, title in (("another.db", "of the other"), ("history.db", "of this one")):
        history = await SqliteHistory.open(folder / name, quiet_s=None)
        await history.create_thread(Thread(title.replace(" ", ""), title, TIME, TIME))
        await history.close()


@pytest.mark.parametrize("act", [delete, replace])
@pytest.mark.parametrize("number", [0, 2, 5, 8, 10, 12, 15, 18, 22, 26, 30, 35])
async def test_what_is_typed_is_in_the_composer_on_the_wire_or_on_disk(
    data_dir: Path, act: Callable[[Path], object], number: int
) -> None:
    await made(data_dir)
    with at_look(data_dir / "history.db", number, act) as looks:
        async with OpenWindow.opened(data_dir, type_at_once=TYPED) as window:
            QTest.keyClick(window.editor, Qt.Key.Key_Return)
            await window.settled()
            await asyncio.sleep(0)
            composer = window.composer.text()
            sent = [str(plan) for plan in window.backend.plans]
    assert TYPED in composer or any(TYPED in one for one in sent) or TYPED in texts(data_dir), looks.looks


@pytest.mark.parametrize("number", [0, 8, 12, 18, 26, 35])
async def test_what_is_typed_while_another_program_locks_it_stays(
    data_dir: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.storage.sqlite_connection.BUSY_TIMEOUT_S", 0.05)
    await made(data_dir)
    other = sqlite3.connect(data_dir / "history.db", isolation_level=None, check_same_thread=False)
    with closing(other), at_look(data_dir / "history.db", number, lambda _: other.execute("BEGIN IMMEDIATE")):
        async with OpenWindow.opened(data_dir, type_at_once=TYPED) as window:
            QTest.keyClick(window.editor, Qt.Key.Key_Return)
            await window.settled()
            composer = window.composer.text()
            if other.in_transaction:
                other.execute("ROLLBACK")
    assert TYPED in composer or TYPED in texts(data_dir)


async def test_one_that_was_there_is_not_made_anew_in_silence(data_dir: Path) -> None:
    await made(data_dir)
    with at_look(data_dir / "history.db", 10, delete):
        async with OpenWindow.opened(data_dir) as window:
            card = window.presenters.error_cards.card
            assert card is not None
            assert card.content.heading == "The history file was missing"


@pytest.mark.parametrize(
    "state", [delete, lambda path: path.write_bytes(b""), void], ids=["missing", "no bytes", "new"]
)
async def test_the_window_brings_back_the_backup_and_says_so(data_dir: Path, state: Callable[[Path], object]) -> None:
    await made(data_dir)
    (data_dir / "backups").mkdir(mode=0o700, exist_ok=True)
    shutil.copyfile(data_dir / "history.db", data_dir / "backups" / "copy.db")
    state(data_dir / "history.db")
    async with OpenWindow.opened(data_dir) as window:
        card = window.presenters.error_cards.card
        assert card is not None
        assert "was restored" in card.content.sentence
        assert [one.thread.title for one in await window.services.history.threads()] == ["of this one"]

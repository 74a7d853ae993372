from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.storage.backup import back_up
from desktop_app.storage.sqlite_connection import connect
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import a_thread


@pytest.fixture(params=[0o000, 0o077, 0o022])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
async def test_all_files_are_for_the_user_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "data" / "history.db"
    history = await SqliteHistory.open(path)
    await history.create_thread(a_thread())
    names = {one.name: mode(one) for one in path.parent.iterdir()}
    await history.close()
    assert names == {"history.db": 0o600, "history.db-wal": 0o600, "history.db-shm": 0o600}
    with closing(connect(path)) as connection:
        back_up(connection, path.parent / "backups" / "copy.db")
    assert {mode(one) for one in (path.parent / "backups").iterdir()} == {0o600}
    assert [mode(one) for one in (path.parent / "backups", path.parent, path.parent.parent)] == [0o700] * 3


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    connect(path).close()
    path.chmod(0o644)
    connect(path).close()
    assert mode(path) == 0o600

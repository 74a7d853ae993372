"""Keys in copies of the history that older versions made are taken out, once."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.storage import migrations
from desktop_app.storage.migrations import clean_old_copies
from tests.data.db import build
from tests.storage.conftest import opened

KEY = "sk-ant-api03-older-than-all-of-this"
FAILURE = {"code": "auth", "message": f"Wrong key: {KEY}", "detail": "https://bot:hunter2@gateway/v1", "actions": []}


def a_copy(folder: Path, name: str, *, frozen: str = "v5.sqlite", failure: object = FAILURE) -> Path:
    """As a version of long ago left it."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / name
    shutil.copy(build.FOLDER / frozen, copy)
    with closing(sqlite3.connect(copy)) as connection:
        stored = None if failure is None else json.dumps(failure)
        connection.execute("UPDATE message SET failure = ? WHERE key = 1", (stored,))
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")
    copy.chmod(0o600)
    return copy


async def test_an_old_copy_loses_its_keys_when_the_history_is_opened(path: Path) -> None:
    copy = a_copy(path.parent / "backups", "history-format4-20260101T000000.000000Z.db")
    before = copy.stat()
    assert KEY.encode() in copy.read_bytes()
    async with opened(path):
        pass
    data = copy.read_bytes()
    assert KEY.encode() not in data
    assert b"hunter2" not in data
    assert copy.stat().st_mtime_ns == before.st_mtime_ns
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA user_version").fetchone() == (5,)
        (stored,) = connection.execute("SELECT failure FROM message WHERE key = 1").fetchone()
    assert json.loads(stored)["message"] == "Wrong key: [removed]"
    assert [one.name for one in copy.parent.glob("*.unproved")] == []


def test_each_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_copy(tmp_path, "dirty.db")
    clean = a_copy(tmp_path, "clean.db", failure=None)
    before = clean.stat()
    clean_old_copies(tmp_path)
    assert clean.stat().st_ino == before.st_ino  # not written again
    assert set((tmp_path / "cleaned.txt").read_text().split()) == {"clean.db", "dirty.db"}
    looked = []

    def look(copy: Path) -> bool:
        looked.append(copy.name)
        return True

    monkeypatch.setattr(migrations, "_is_clean_now", look)
    a_copy(tmp_path, "later.db")
    clean_old_copies(tmp_path)
    assert looked == ["later.db"]


def test_what_is_damaged_or_no_history_is_left_as_it_is(tmp_path: Path) -> None:
    damaged = a_copy(tmp_path, "damaged.db")
    damaged.write_bytes(damaged.read_bytes()[:8000] + b"nonsense" * 100)
    (tmp_path / "other.db").write_bytes(b"no database at all")
    (tmp_path / "folder.db").mkdir()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    clean_old_copies(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before

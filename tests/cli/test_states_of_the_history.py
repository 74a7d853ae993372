"""Every state of the history file, beside every state of its backups, by every door: no row ends silently empty."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.storage.sqlite_connection import connect
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here

Change = Callable[[Path], object]


def pragma(path: Path, **values: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for name, value in values.items():
            connection.execute(f"PRAGMA {name} = {value}")


def new(path: Path) -> None:
    path.unlink()
    connect(path).close()


def without_tables(path: Path) -> None:
    path.unlink()
    pragma(path, application_id=APPLICATION_ID, user_version=NEWEST)


def another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmark (url TEXT)")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


STATES: Final[Mapping[str, tuple[Change, str]]] = {
    "missing": (lambda path: path.unlink(), "was missing"),
    "no bytes": (lambda path: path.write_bytes(b""), "had been emptied"),
    "new": (new, "had been emptied"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:9000]), "was damaged"),
    "header only": (lambda path: path.write_bytes(path.read_bytes()[:100]), "was damaged"),
    "no tables": (without_tables, "was damaged"),
    "text": (lambda path: path.write_bytes(b"a letter"), "was not a Plimsoll history"),
    "another program's": (another_programs, "was not a Plimsoll history"),
    "no format": (lambda path: pragma(path, user_version=0), "was damaged"),
    "an older format": (lambda path: pragma(path, user_version=2), "was damaged"),
    "a folder": (folder, "was missing"),
}
"""What becomes of the file, and what is said of it."""

DOORS: Final[Mapping[str, tuple[str, ...]]] = {
    "threads": ("threads", "--json"),
    "ask": ("ask", "--json", "third question"),
    "search": ("search", "--json", "question"),
    "context": ("context", "--json"),
    "backup list": ("backup", "list", "--json"),
    "project list": ("project", "list", "--json"),
    "usage": ("usage", "--json"),
}


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two threads, and a verified backup with the first; made once, as each start takes a moment."""
    return tmp_path_factory.mktemp("whole") / "data"


@pytest.fixture
def data(whole: Path, here: Here, plimsoll: Plimsoll) -> Path:
    """The data folder of `here`, with the history and its backup."""
    if not whole.exists():
        here("ask", "first question")
        assert here("backup", "now").status == 0
        here("ask", "second question")
        shutil.copytree(plimsoll.folder, whole)
    shutil.rmtree(plimsoll.folder)
    shutil.copytree(whole, plimsoll.folder)
    return plimsoll.folder


def titles(here: Here) -> set[str]:
    return {one["title"] for one in here("threads", "--json").json}


@pytest.mark.parametrize("state", STATES)
def test_a_verified_backup_comes_back_and_it_is_said(here: Here, data: Path, state: str) -> None:
    change, said = STATES[state]
    change(data / "history.db")
    (copy,) = (data / "backups").glob("*.db")
    os.utime(copy, (1e9, 1e9))  # as whatever copies a folder leaves it
    assert here("doctor").status == 6
    done = here("threads", "--json")
    assert done.status == 0, done.err
    assert said in done.err
    made = datetime.strptime(copy.stem.split("-")[1], "%Y%m%dT%H%M%SZ")
    assert f"The backup of {made:%Y-%m-%d %H:%M} UTC was restored." in done.err
    assert "first question" in titles(here)
    assert "--  history" not in here("doctor").out
    assert here("threads", "--json").err == ""


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("state", ["missing", "no bytes"])
def test_every_door_brings_it_back(here: Here, data: Path, state: str, door: str) -> None:
    STATES[state][0](data / "history.db")
    done = here(*DOORS[door])
    assert done.status == 0, done.err
    assert titles(here) >= {"first question"}


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:6000])


BACKUPS: Final[Mapping[str, Change]] = {
    "damaged": damaged,
    "newer": lambda path: pragma(path, user_version=NEWEST + 1),
    "none": lambda path: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize("state", ["missing", "no bytes", "new"])
@pytest.mark.parametrize("backups", BACKUPS)
def test_without_a_backup_to_restore_that_is_said(here: Here, data: Path, state: str, backups: str) -> None:
    STATES[state][0](data / "history.db")
    for one in (data / "backups").glob("*.db"):
        BACKUPS[backups](one)
    done = here("threads", "--json")
    if backups == "newer":
        assert (done.status, "newer version of Plimsoll" in done.err) == (6, True)
    else:
        assert (done.status, done.json) == (0, [])
        told = state == "no bytes" or (backups == "damaged" and state == "missing")
        assert ("There was no usable backup." in done.err) is told
    assert here("doctor").status == (6 if backups == "newer" else 0)


def test_a_newer_history_stays_where_it_is(here: Here, data: Path) -> None:
    pragma(data / "history.db", user_version=NEWEST + 1)
    before = (data / "history.db").read_bytes()
    for door in DOORS.values():
        done = here(*door)
        assert (done.status, "newer version of Plimsoll" in done.out + done.err) == (6, True)
    assert (data / "history.db").read_bytes() == before


def test_an_earlier_copy_that_was_put_back_is_taken_as_it_is(here: Here, data: Path) -> None:
    (backup,) = (data / "backups").glob("*.db")
    shutil.copyfile(backup, data / "history.db")
    assert titles(here) == {"first question"}


def test_a_new_folder_and_an_emptied_one_begin_without_a_word(here: Here, data: Path) -> None:
    shutil.rmtree(data)
    done = here("threads", "--json")
    assert (done.status, done.json, done.err) == (0, [], "")
    assert not list((data / "backups").glob("*"))
    assert here("doctor").status in (0, 3)


def test_a_copied_folder_lists_its_own_backups_alone(here: Here, data: Path, plimsoll: Plimsoll) -> None:
    listed = here("backup", "list", "--json").json
    copy = data.with_name("copy")
    shutil.copytree(data, copy)
    plimsoll.folder = copy
    assert [one["id"] for one in here("backup", "list", "--json").json] == [one["id"] for one in listed]
    assert here("backup", "now").status == 0
    plimsoll.folder = data
    assert [one["id"] for one in here("backup", "list", "--json").json] == [one["id"] for one in listed]

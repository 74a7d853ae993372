"""Commands over a data folder, or a history, that can't be written: what only reads works, what writes says so."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.storage import reading_copy, sqlite_connection
from tests.cli.command import Ended, Plimsoll
from tests.cli.conftest import Here
from tests.unprivileged import needs_permissions, read_only, unprivileged

pytestmark = needs_permissions

READING = (
    ("threads", "--json"),
    ("search", "answer", "--json"),
    ("usage", "--json"),
    ("project", "list", "--json"),
    ("project", "show", "Boats", "--json"),
    ("artifact", "list", "--json"),
)


@pytest.fixture
def run(here: Here, plimsoll: Plimsoll, monkeypatch: pytest.MonkeyPatch) -> Here:
    """As one to whom the mode of files matters."""
    monkeypatch.setattr(tempfile, "tempdir", str(scratch(plimsoll)))

    def unprivileged_run(*arguments: str) -> Ended:
        with unprivileged():
            return here(*arguments)

    return unprivileged_run


def scratch(plimsoll: Plimsoll) -> Path:
    folder = plimsoll.folder.parent / "scratch"
    folder.mkdir(exist_ok=True)
    return folder


def with_log(folder: Path) -> None:
    """Leaves the newest message in the -wal alone, as a window does that was killed."""
    path = folder / "history.db"
    with sqlite3.connect(path, isolation_level=None) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        other.execute("UPDATE thread SET title = 'in the log'")
        kept = {name: (folder / name).read_bytes() for name in ("history.db", "history.db-wal")}
    other.close()
    for name, content in kept.items():
        (folder / name).write_bytes(content)
    assert b"in the log" not in (folder / "history.db").read_bytes()


def unchanged(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.fixture
def thread(plimsoll: Plimsoll, here: Here) -> str:
    plimsoll.write_script({"text": "an answer of words"})
    assert here("project", "create", "Boats").status == 0
    return str(here("ask", "--json", "--project", "Boats", "a question").of("done")[0]["thread"])


@pytest.fixture(params=["clean", "log"])
def folder(request: pytest.FixtureRequest, plimsoll: Plimsoll, thread: str) -> Iterator[Path]:
    if request.param == "log":
        with_log(plimsoll.folder)
    before = unchanged(plimsoll.folder)
    with read_only(plimsoll.folder):
        yield plimsoll.folder
    assert unchanged(plimsoll.folder) == before
    assert list(scratch(plimsoll).iterdir()) == [], "no copy stays behind"


def test_what_reads_works_in_a_read_only_folder(run: Here, thread: str, folder: Path, tmp_path: Path) -> None:
    logged = (folder / "history.db-wal").exists()
    for arguments in (*READING, ("show", thread, "--json"), ("context", thread, "--json")):
        ended = run(*arguments)
        assert (ended.status, ended.err) == (0, ""), arguments
        assert ended.json or arguments[0] == "artifact", arguments
    shown = run("show", thread, "--json").json
    assert (shown["title"] == "in the log") is logged, "nothing of the -wal is lost"
    assert [one["text"] for one in shown["messages"]] == ["a question", "an answer of words"]
    exported = run("export", thread, "--format", "json", "--output", str(tmp_path / "out.json"))
    assert (exported.status, exported.err) == (0, "")
    assert "an answer of words" in (tmp_path / "out.json").read_text()
    checks = {one["name"]: one for one in run("doctor", "--json").json["checks"]}
    assert checks["history"]["ok"], checks["history"]
    assert not checks["data folder"]["ok"]


@pytest.mark.parametrize("arguments", [("ask", "hello"), ("project", "create", "New"), ("chat",)])
def test_what_writes_says_that_it_can_not(run: Here, folder: Path, arguments: tuple[str, ...]) -> None:
    ended = run(*arguments)
    assert ended.status == 6, ended
    assert str(folder) in ended.err
    assert "can't be writ" in ended.err or "can't be used" in ended.err, ended.err


def test_a_read_only_file_in_a_folder_that_can_be_written(plimsoll: Plimsoll, run: Here, thread: str) -> None:
    path = plimsoll.folder / "history.db"
    path.chmod(0o400)
    ended = run("show", thread, "--json")
    assert (ended.status, ended.err) == (0, "")
    refused = run("ask", "hello")
    assert (refused.status, "can't be written" in refused.err) == (6, True), refused


def test_a_history_that_another_program_keeps_to_itself_is_read(
    plimsoll: Plimsoll, run: Here, thread: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connection, "BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(plimsoll.folder / "history.db", isolation_level=None)
    try:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ended = run("show", thread, "--json")
        assert (ended.status, ended.err) == (0, "")
        assert len(ended.json["messages"]) == 2
    finally:
        other.close()


def test_no_room_for_the_copy_is_told(
    plimsoll: Plimsoll, run: Here, thread: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_log(plimsoll.folder)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(reading_copy, "_copy", full)
    with read_only(plimsoll.folder):
        ended = run("threads")
    assert ended.status == 6, ended
    assert f"{scratch(plimsoll)} has no room for the copy to read" in ended.err
    assert list(scratch(plimsoll).iterdir()) == []

"""A history that is damaged, emptied or another program's ends no command: it is set aside, and what it had is back."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here


def header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\0" * 100)


def page(path: Path) -> None:
    connection = sqlite3.connect(path)
    (number,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'message_by_thread'").fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((number - 1) * 4096)
        file.write(b"\xa5" * 4096)


@pytest.mark.parametrize("spoil", [header, page])
def test_commands_go_on_with_what_a_damaged_file_had(here: Here, plimsoll: Plimsoll, spoil: object) -> None:
    here("ask", "first question " * 50)
    (thread,) = here("threads", "--json").json
    history = plimsoll.folder / "history.db"
    assert callable(spoil)
    spoil(history)
    content = history.read_bytes()
    shown = here("show", thread["id"], "--json")
    assert shown.status == 0, shown.err
    assert [one["role"] for one in shown.json["messages"]] == ["user", "assistant"]
    assert "damaged" in shown.err
    (aside,) = plimsoll.folder.glob("history-damaged-*.db")
    assert aside.read_bytes() == content
    again = here("show", thread["id"], "--json")
    assert (again.json, again.err) == (shown.json, "")
    assert here("ask", "--thread", thread["id"], "second question").status == 0


@pytest.mark.parametrize("content", [b"", b"a letter to somebody"])
def test_what_is_no_history_makes_room(here: Here, plimsoll: Plimsoll, content: bytes) -> None:
    here("ask", "first question")
    history = plimsoll.folder / "history.db"
    (plimsoll.folder / "backups").mkdir(mode=0o700, exist_ok=True)
    shutil.copyfile(history, plimsoll.folder / "backups" / "copy.db")
    history.write_bytes(content)
    if not content:
        import os

        os.utime(history, (0, 0))
    listed = here("threads", "--json")
    assert (listed.status, len(listed.json)) == (0, 1)
    assert "The backup of" in listed.err
    assert [one.read_bytes() for one in plimsoll.folder.glob("history-damaged-*.db")] == [content]

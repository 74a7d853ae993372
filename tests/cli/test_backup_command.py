from __future__ import annotations

from tests.cli.command import Plimsoll
from tests.cli.conftest import Here


def test_a_thread_that_was_deleted_comes_back_from_a_backup(here: Here, plimsoll: Plimsoll) -> None:
    history, other = plimsoll.folder / "history.db", plimsoll.folder.parent / "other.db"
    here("ask", "another question")
    history.rename(other)
    here("ask", "the first question")
    (first,) = here("threads", "--json").json
    made = here("backup", "now", "--json")
    assert made.status == 0, made.err
    assert set(made.json) == {"id", "at", "threads", "messages", "bytes", "verified"}
    assert (made.json["threads"], made.json["messages"], made.json["verified"]) == (1, 2, True)
    other.rename(history)
    restored = here("backup", "restore", made.json["id"], "--thread", first["id"][:8], "--json")
    assert restored.status == 0, restored.err
    assert (restored.json["threads"], restored.json["messages"], restored.json["already"]) == (1, 2, 0)
    assert len(here("threads", "--json").json) == 2
    assert here("show", first["id"], "--json").json["messages"][0]["text"] == "the first question"
    listed = here("backup", "list", "--json").json
    assert [one["id"] for one in listed] == [restored.json["before"], made.json["id"]]
    again = here("backup", "restore", made.json["id"], "--json")
    assert (again.json["threads"], again.json["already"]) == (0, 1)


def test_what_is_not_there_is_bad_usage(here: Here) -> None:
    assert here("backup", "list", "--json").json == []
    assert here("backup", "list").err == "There are no backups yet.\n" or here("backup", "list").status == 0
    nothing = here("backup", "restore")
    assert (nothing.status, "no backup yet" in nothing.err) == (2, True)
    here("ask", "a question")
    here("backup", "now")
    assert here("backup", "restore", "nonsense").status == 2
    assert here("backup", "restore", "--thread", "nonsense").status == 2
    plain = here("backup", "list")
    assert "verified" in plain.out

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

from desktop_app.cli.command_process import Output
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_hits_have_the_documented_shape(here: Here) -> None:
    thread = here("ask", "--json", "Where does the tide turn at Brest?").lines[-1]["thread"]
    here("ask", "Something else")
    ended = here("search", "tide turn", "--json")
    assert ended.status == 0
    hit = next(one for one in ended.json if one["role"] == "user")
    message = here("show", thread, "--json").json["messages"][0]
    assert hit == {
        "thread": thread,
        "message": message["id"],
        "role": "user",
        "title": "Where does the tide turn at Brest?",
        "snippet": "Where does the tide turn at Brest?",
        "created": message["created"],
    }


def test_a_person_reads_a_line_for_the_thread_and_one_for_the_passage(here: Here) -> None:
    thread = here("ask", "--json", "潮汐表在哪里？ The \x1b[31mtable\x1b[0m, please").lines[-1]["thread"]
    ended = here("search", "汐")
    heading, passage = ended.out.splitlines()[:2]
    assert heading.startswith(thread[:8])
    assert "You" in heading
    assert "汐表" in passage


def test_the_hit_is_marked_on_a_terminal_only() -> None:
    def written(out: io.StringIO, *, plain: bool = False) -> str:
        Output(out, io.StringIO(), plain=plain).marked_line([("tide\x1b", True), (" table", False)])
        return out.getvalue()

    assert written(Terminal()) == "\x1b[1mtide\u241b\x1b[0m table\n"
    assert written(Terminal(), plain=True) == "tide\u241b table\n"
    assert written(io.StringIO()) == "tide\x1b table\n"


def test_the_limit_is_kept_and_told(here: Here) -> None:
    for number in range(3):
        here("ask", f"tide number {number}")
    ended = here("search", "number", "--limit", "2")
    assert len(ended.out.splitlines()) == 4
    assert "--limit" in ended.err
    assert len(here("search", "number", "--limit", "2", "--json").json) == 2


def test_nothing_found_is_no_error(here: Here) -> None:
    assert here("search", "zzyzx", "--json").json == []
    ended = here("search", "zzyzx")
    assert (ended.status, ended.out, ended.err) == (0, "", "No results.\n")


def test_the_query_may_name_whose_words_and_has_slips(here: Here) -> None:
    here("ask", "Where does the current turn?")
    assert [hit["role"] for hit in here("search", "role:user curent", "--json").json] == ["user"]
    assert [hit["role"] for hit in here("search", "role:assistant", "--json").json] == ["assistant"]


def test_wrong_use_says_what_is_wrong(here: Here) -> None:
    nothing = here("search", " ?! ")
    assert nothing.status == 2
    assert "nothing to search for" in nothing.err
    for limit in ("0", "-1", "many", "10001"):
        wrong = here("search", "tide", "--limit", limit)
        assert wrong.status == 2
        assert "from 1 to 10,000" in wrong.err or "expected" in wrong.err


def test_an_index_that_is_behind_catches_up_first(here: Here, plimsoll: Plimsoll) -> None:
    here("ask", "Where does the tide turn?")
    with closing(sqlite3.connect(plimsoll.folder / "history.db")) as connection:
        connection.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
        connection.execute("INSERT INTO unindexed SELECT key FROM message")
        connection.commit()
    ended = here("search", "tide", "--json")
    assert len(ended.json) == 2
    assert "The search is not complete" not in ended.err


def test_without_words_options_list_the_newest_first(here: Here, plimsoll: Plimsoll) -> None:
    threads = [here("ask", "--json", f"tide number {number}").lines[-1]["thread"] for number in range(3)]
    listed = here("search", "--role", "user", "--json").json
    assert [hit["snippet"] for hit in listed] == ["tide number 2", "tide number 1", "tide number 0"]
    assert here("search", "", "--role", "user", "--json").json == listed
    of_one = here("search", "--thread", threads[1][:12], "--json").json
    assert {hit["thread"] for hit in of_one} == {threads[1]}
    assert len(of_one) == 2
    day = listed[0]["created"][:10]
    assert len(here("search", "--since", day, "--until", day, "--json").json) == 6
    assert here("search", "--until", "2020-01-31", "--json").json == []
    assert here("search", "--model", "no-such-model", "--json").json == []
    with closing(sqlite3.connect(plimsoll.folder / "history.db")) as connection:
        connection.execute(
            "INSERT INTO mark (message_key, rating, note) SELECT key, 'up', 'kept' FROM message WHERE id = ?",
            (of_one[0]["message"],),
        )
        connection.commit()
    (rated,) = here("search", "--marked", "up", "--json").json
    assert rated["message"] == of_one[0]["message"]
    (noted,) = here("search", "--marked", "note", "--json").json
    assert noted["snippet"] == "kept"
    assert len(here("search", "tide", "--marked", "up", "--json").json) <= 1
    more = here("search", "--role", "user", "--limit", "2")
    assert "--limit" in more.err


def test_options_that_say_nothing_are_wrong_use(here: Here) -> None:
    for arguments in (("search",), ("search", "?!", "--role", "user"), ("search", " ", "--json")):
        ended = here(*arguments)
        assert ended.status == 2, arguments
    for wrong in (("--since", "yesterday"), ("--role", "nobody"), ("--marked", "sideways"), ("--thread", "zzz")):
        assert here("search", *wrong).status == 2, wrong


def test_documents_and_artifacts_stand_below_the_messages_for_people_only(here: Here, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("The word Zanzibarine stands only here.")
    here("project", "create", "Funen trip")
    here("project", "add", "Funen trip", str(tmp_path / "notes.md"))
    ended = here("search", "zanzibar")
    assert ended.out == "document  notes.md  (Funen trip)\n    The word Zanzibarine stands only here.\n"
    assert ended.err == ""
    assert here("search", "zanzibar", "--json").json == []
    assert "No results" in here("search", "zanzibar", "--role", "user").err

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

from jsonschema import validate

from desktop_app.core.context.context_choices import ContextChoices, Summary
from desktop_app.core.messages import MessageMark
from desktop_app.resources import resource
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.builders.chatgpt_export import conversation, node, said
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.unix import make_pipe


def chatgpt_file(folder: Path) -> Path:
    talk = conversation(
        node("q", None, said("user", "Name a colour"), "a", "b"),
        node("a", "q", said("assistant", "red")),
        node("b", "q", said("assistant", "blue")),
        current="b",
    )
    path = folder / "conversations.json"
    path.write_text(json.dumps([talk, {"mapping": {}, "title": "Empty"}]))
    return path


def test_an_import_is_reported_and_adds_nothing_twice(here: Here, tmp_path: Path) -> None:
    path = str(chatgpt_file(tmp_path))
    assert here("import", path, "--json").json == {
        "threads": 1,
        "messages": 3,
        "skipped": [{"what": 'conversation 2 "Empty"', "why": "no messages"}],
        "already": 0,
        "from": "2023-11-14T22:13:20.500Z",
        "to": "2023-11-14T22:13:20.500Z",
        "settings": [],
        "changes": [{"kind": "thread", "change": "new", "id": ANY, "name": "A talk", "messages": 3}],
    }
    again = here("import", path, "--json").json
    assert (again["threads"], again["messages"], again["already"]) == (0, 0, 1)
    plain = here("import", path).out
    assert plain.splitlines() == [
        "0 new threads, 0 new messages.",
        "From 2023-11-14 to 2023-11-14.",
        "1 thread had been imported before.",
        'Left out: conversation 2 "Empty": no messages.',
    ]


def test_an_imported_thread_goes_on(here: Here, tmp_path: Path) -> None:
    here("import", str(chatgpt_file(tmp_path)))
    (thread,) = here("threads", "--json").json
    assert (thread["title"], thread["messages"]) == ("A talk", 3)
    assert [message["text"] for message in here("show", thread["id"], "--json").json["messages"]] == [
        *("Name a colour", "blue")
    ]
    whole = here("show", thread["id"], "--all", "--json").json["messages"]
    assert [message["text"] for message in whole] == ["Name a colour", "red", "blue"]
    assert "2. assistant: blue" in here("ask", "--thread", thread["id"], "Why?").out


def test_a_bad_file_changes_nothing_and_is_named(here: Here, tmp_path: Path) -> None:
    bad = tmp_path / "notes.json"
    bad.write_text('{"hello": 1}')
    ended = here("import", str(chatgpt_file(tmp_path)), str(bad))
    assert (ended.status, ended.out) == (6, "")
    assert "notes.json" in ended.err
    assert "conversations.json" in ended.err
    assert here("threads", "--json").json == []
    assert here("import", str(tmp_path / "missing.json")).status == 2


def test_a_preview_says_what_an_import_would_do_and_changes_nothing(here: Here, tmp_path: Path) -> None:
    path = str(chatgpt_file(tmp_path))
    preview = here("import", path, "--preview", "--json").json
    assert here("threads", "--json").json == []
    assert "This is a preview: nothing was imported." in here("import", path, "--preview").out
    assert here("import", path, "--json").json == preview
    again = here("import", path, "--preview", "--json").json
    assert (again["threads"], again["messages"], again["already"]) == (0, 0, 1)


def test_a_broken_file_is_refused_with_its_place_and_its_good_part_comes_when_asked_for(
    here: Here, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    talks = [conversation(node(f"q{n}", None, said("user", "Hi")), conversation_id=f"c{n}") for n in range(4)]
    whole = json.dumps(talks, indent=1)
    path.write_text(whole[: len(whole) - 40])
    for preview in ([], ["--preview"]):
        refused = here("import", str(path), *preview)
        assert (refused.status, refused.out) == (6, "")
        assert 'in item 4 "A talk"' in refused.err
        assert "conversations.json can't be imported: not JSON: " in refused.err
        assert " at line " in refused.err
        assert "3 threads can be read. --partial imports those." in refused.err
        assert here("threads", "--json").json == []
    before = here("import", str(path), "--partial", "--preview", "--json").json
    taken = here("import", str(path), "--partial", "--json").json
    assert taken == before
    assert (taken["threads"], taken["messages"]) == (3, 3)
    assert [one["what"] for one in taken["skipped"]] == ["conversations.json"]
    assert len(here("threads", "--json").json) == 3
    path.write_text("[1, 2, 3")
    assert here("import", str(path), "--partial").status == 6


def decide(folder: Path, thread_id: str) -> None:
    """Makes every kind of choice about the thread's first turn, and marks it."""

    async def write() -> None:
        history = await SqliteHistory.open(folder / "history.db")
        thread, (question, answer, *_) = await history.thread(thread_id), await history.messages(thread_id)
        summary = Summary("s1", (question.id, answer.id), "What was asked: ü", "m", "2026-03-01T10:00:00.000Z")
        both = frozenset({question.id, answer.id})
        choices = ContextChoices(both, both, answer.id, both, (summary,), accepted_cliff=True, recall=False)
        await history.update_thread(replace(thread, choices=choices))
        await history.save_mark(thread_id, answer.id, MessageMark("up", "note\n世界"))
        await history.set_seen(thread_id, question.id)
        await history.close()

    asyncio.run(write())


def test_own_json_round_trips_byte_for_byte(here: Here, plimsoll: Plimsoll, tmp_path: Path) -> None:
    here("import", str(chatgpt_file(tmp_path)))
    plimsoll.write_script(
        {"thinking": "hm ü"},
        {"tool": {"id": "t", "name": "search", "input": {"q": [1, 2.5, None]}}},
        {"text": "Done."},
        {"usage": {"input": 10, "cache_read": 5, "output": 2, "cost_usd": 0.125}},
        {"end": "end_turn"},
        {"text": "Half"},
        {"error": {"code": "network", "message": "Lost. Try again.", "actions": ["retry"]}},
    )
    thread = here("ask", "--json", "--system", "Brief.", "Two\n lines \u2028 世界 😀").lines[-1]["thread"]
    here("chat", "--thread", thread, stdin=b"one\ntwo\n")
    here("ask", "--thread", thread, stdin=b"too long " * 100_000)
    decide(plimsoll.folder, thread)
    first, second, third = (tmp_path / f"{name}.json" for name in ("first", "second", "third"))
    assert here("export", "--all", "--format", "json", "--output", str(first)).out == f"{first}\n"
    validate(json.loads(first.read_text()), json.loads(resource("export-format.schema.json").read_text()))
    plimsoll.folder = tmp_path / "other"
    report = here("import", str(first), "--json").json
    assert (report["threads"], report["skipped"], report["already"]) == (2, [], 0)
    here("export", "--all", "--format", "json", "--output", str(second))
    assert second.read_bytes() == first.read_bytes()
    assert first.stat().st_mode & 0o777 == 0o600
    again = here("import", str(first), "--json").json
    assert (again["threads"], again["messages"], again["skipped"], again["already"]) == (0, 0, [], 2)
    here("export", "--all", "--format", "json", "--output", str(third))
    assert third.read_bytes() == first.read_bytes()
    assert '"recall": false' in first.read_text()
    assert '"mark": {"rating": "up", "note": "note\\n世界"}' in first.read_text()
    assert "*Conversation summary by m." in here("show", thread).out


def test_importing_what_is_there_already_adds_nothing(here: Here, tmp_path: Path) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    path = tmp_path / "one.json"
    here("export", thread[:8], "--format", "json", "--output", str(path))
    report = here("import", str(path), "--json").json
    assert (report["threads"], report["messages"], report["skipped"], report["already"]) == (0, 0, [], 1)
    assert len(here("threads", "--json").json) == 1


def test_markdown_of_one_thread_and_of_all(here: Here, tmp_path: Path) -> None:
    here("import", str(chatgpt_file(tmp_path)))
    thread = here("ask", "--json", "../../etc: a <bad> name?").lines[-1]["thread"]
    path = tmp_path / "one.md"
    path.write_text("old")
    assert here("export", thread, "--format", "markdown", "--output", str(path)).status == 0
    assert path.read_text().startswith('---\ntitle: "../../etc: a <bad> name?"\n')
    assert "\n---\n\n# ../../etc: a <bad> name?\n" in path.read_text()
    folder = tmp_path / "all"
    files = here("export", "--all", "--format", "markdown", "--output", str(folder)).out.splitlines()
    assert sorted(files) == sorted(str(file) for file in folder.iterdir())
    names = sorted(file.name.rsplit("-", 1)[0] for file in folder.iterdir())
    assert names == ["A-talk", "etc-a-bad-name"]


def test_what_can_not_be_written_is_named(here: Here, tmp_path: Path) -> None:
    thread = here("ask", "--json", "Hello").lines[-1]["thread"]
    (tmp_path / "file").write_text("")
    ended = here("export", thread, "--format", "json", "--output", str(tmp_path / "file" / "below.json"))
    assert ended.status == 6
    assert "below.json" in ended.err
    assert here("export", thread, "--format", "json", "--output", "/dev/null").status == 2
    assert here("export", "nope", "--format", "json", "--output", str(tmp_path / "x.json")).status == 2
    assert not (tmp_path / "x.json").exists()


def test_several_threads_are_exported_to_read(here: Here, tmp_path: Path) -> None:
    ids = [here("ask", "--json", words).lines[-1]["thread"] for words in ("First", "Second", "Third")]
    page = tmp_path / "two.html"
    assert here("export", ids[0][:8], ids[1], "--format", "html", "--output", str(page)).out == f"{page}\n"
    text = page.read_text()
    assert '<h1 dir="auto">First</h1>' in text
    assert "Second" in text
    assert "Third" not in text
    folder = tmp_path / "pdf"
    files = here("export", "--all", "--format", "pdf", "--output", str(folder)).out.splitlines()
    assert [Path(file).read_bytes()[:5] for file in files] == [b"%PDF-"] * 3
    missing = here("export", ids[0], "nowhere", "--format", "html", "--output", str(tmp_path / "no.html"))
    assert missing.status == 2
    assert "nowhere" in missing.err
    assert not (tmp_path / "no.html").exists()


def test_what_never_ends_is_not_read(here: Here, tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        refused = here("import", str(path))
        assert refused.status == 2, refused
        assert f"{path} is neither a file nor a folder." in refused.err

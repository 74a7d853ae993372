"""Every format on its whole way: from files as their programs write them into the history, once and again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from desktop_app.controller.document_files import copy_of
from desktop_app.controller.everything import ImportReport
from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.errors import UserError
from desktop_app.core.messages import ToolResultPart
from desktop_app.storage.sqlite_history import SqliteImport
from tests.builders.claude_code_sessions import answered, asked, call, result
from tests.builders.claude_export import artifact_call, conversation, said
from tests.builders.llm_logs import OLD, response, write
from tests.controller.world import WatchedHistory


def lines(path: Path, records: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


async def imported(history: WatchedHistory, path: Path) -> ImportReport:
    documents = (path if path.is_dir() else path.parent).parent / "documents"
    return await Transfer(history, Announcements(), documents=documents).import_files([path])


async def test_an_export_of_claude_with_its_artifacts(history: WatchedHistory, tmp_path: Path) -> None:
    talk = [
        said("q", "human", "Write", parent="root"),
        said("a", "assistant", artifact_call("create", type="text/markdown", title="Poem", content="Sea"), parent="q"),
        said("b", "assistant", artifact_call("update", old_str="Sea", new_str="See"), parent="a"),
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([conversation(*talk[:2], project={"uuid": "p", "name": "Voyage"})]), "utf-8")
    report = await imported(history, path)
    assert (report.threads, report.messages, report.skipped) == (1, 2, ())
    path.write_text(json.dumps([conversation(*talk)]), "utf-8")
    for already, messages in ((1, 1), (1, 0)):
        report = await imported(history, path)
        assert (report.threads, report.messages, report.already) == (0, messages, already)
    (artifact,) = await history.artifacts.all()
    (summary,) = await history.threads()
    assert (artifact.title, artifact.versions, artifact.thread_id) == ("Poem", 2, summary.thread.id)
    assert [one.text for one in await history.artifacts.versions(artifact.id)] == ["Sea", "See"]
    *_, last = await history.messages(summary.thread.id)
    assert isinstance(last.parts[1], ToolResultPart)
    (project,) = await history.projects.all()
    assert (project.name, summary.thread.project) == ("Voyage", project.id)


async def test_projects_of_claude_with_their_documents_and_what_it_remembers(
    history: WatchedHistory, tmp_path: Path
) -> None:
    folder = tmp_path / "data-2026"
    folder.mkdir()
    doc = {"uuid": "d", "filename": "chart.md", "content": "North", "created_at": "2025-01-01T00:00:00Z"}
    projects = [
        {"uuid": "p", "name": "Voyage", "prompt_template": "Be brief.", "docs": [doc], "created_at": "2025-01-01"},
        {"uuid": "s", "name": "How to use Claude", "is_starter_project": True, "docs": [doc]},
    ]
    memory = {"conversations_memory": "Sails.", "project_memories": {"p": "Goes north."}, "account_uuid": "me"}
    talk = conversation(said("q", "human", "Hello"), project={"uuid": "p", "name": "Voyage"})
    for name, content in {"conversations": [talk], "projects": projects, "memories": [memory]}.items():
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")
    report = await imported(history, folder)
    assert (report.threads, report.messages, report.skipped) == (2, 2, ())
    (project,) = await history.projects.all()
    assert (project.name, project.instructions) == ("Voyage", "Be brief.")
    counted = [one.counts for one in report.changes if one.kind == "project"]
    assert counted == [{"threads": 1, "documents": 1}]
    threads = {one.thread.title: one.thread for one in await history.threads()}
    assert {name: one.project for name, one in threads.items()} == {"A talk": project.id, "Claude's memory": None}
    (document,) = await history.projects.documents(project.id)
    assert (document.name, document.path, document.state) == ("chart.md", "", "waiting")
    copy = copy_of(tmp_path / "documents", document.sha256)
    assert copy.read_text() == "North"
    remembered = await history.messages(threads["Claude's memory"].id)
    assert remembered[0].text == "Sails.\n\n## Voyage\n\nGoes north."
    again = await imported(history, folder)
    assert (again.messages, again.changes) == (0, ())


async def test_documents_of_claude_that_changed_come_again_and_removed_ones_do_not(
    history: WatchedHistory, tmp_path: Path
) -> None:
    folder = tmp_path / "data-2026"
    folder.mkdir()
    (folder / "conversations.json").write_text(json.dumps([conversation(said("q", "human", "Hello"))]), "utf-8")

    async def bring(**texts: str) -> ImportReport:
        docs = [{"uuid": name, "filename": f"../../{name}.md", "content": text} for name, text in texts.items()]
        (folder / "projects.json").write_text(json.dumps([{"uuid": "p", "name": "Voyage", "docs": docs}]), "utf-8")
        return await imported(history, folder)

    await bring(chart="North", log="Day 1")
    (project,) = await history.projects.all()
    chart, log = sorted(await history.projects.documents(project.id), key=lambda one: one.name)
    assert {one.path for one in (chart, log)} == {""}
    assert (chart.name, log.name) == ("chart.md", "log.md")
    await history.projects.delete_documents([log.id])
    (change,) = [one for one in (await bring(chart="South", log="Day 2")).changes if one.kind == "project"]
    assert (change.change, change.counts) == ("more", {"threads": 0, "documents": 1})
    (now,) = await history.projects.documents(project.id)
    assert (now.id, now.state) == (chart.id, "waiting")
    assert now.sha256 != chart.sha256
    kept = {one.read_text() for one in (tmp_path / "documents").rglob("*") if one.is_file()}
    assert {"North", "South", "Day 1"} <= kept


async def test_an_import_that_fails_keeps_no_document(
    history: WatchedHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = [{"uuid": "d", "filename": "chart.md", "content": "North"}]
    folder = tmp_path / "data-2026"
    folder.mkdir()
    (folder / "conversations.json").write_text(json.dumps([conversation(said("q", "human", "Hello"))]), "utf-8")
    (folder / "projects.json").write_text(json.dumps([{"uuid": "p", "name": "Voyage", "docs": docs}]), "utf-8")

    async def fails(*_: object) -> None:
        raise UserError("store", "The disk is full.")

    monkeypatch.setattr(SqliteImport, "finish", fails)
    with pytest.raises(UserError):
        await imported(history, folder)
    assert await history.projects.all() == []
    assert not [one for one in (tmp_path / "documents").rglob("*") if one.is_file()]


async def test_the_folder_of_claude_code(history: WatchedHistory, tmp_path: Path) -> None:
    """A session with a subagent, one that is still written, and what is no session; then what is new."""
    folder = tmp_path / "claude"
    project = folder / "projects" / "-home-mate-voyage"
    session = [
        asked("q", None, "Look"),
        answered("a", "q", call("t1", "Task", prompt="Look left")),
        asked("r", "a", [result("t1")]),
        answered("b", "r", "Nothing."),
    ]
    lines(project / "one.jsonl", session)
    subagent = [asked("s", None, "Look left", isSidechain=True, sessionId="one")]
    lines(project / "one" / "subagents" / "agent-1.jsonl", subagent)
    running = lines(project / "two.jsonl", [asked("x", None, "Hello"), answered("y", "x", "Hi")])
    with running.open("a") as file:
        file.write('{"type": "user", "uuid": "z", "paren')
    lines(folder / "history.jsonl", [{"display": "Look", "sessionId": "one", "timestamp": 1}])
    (folder / "settings.json").write_text("{}")
    before = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    report = await imported(history, folder)
    assert (report.threads, report.messages) == (2, 7)
    assert [one.why for one in report.skipped] == ["1 unreadable line"]
    lines(project / "one.jsonl", [*session, asked("q2", "b", "And right?")])
    report = await imported(history, folder)
    assert (report.threads, report.messages, report.already) == (0, 1, 2)
    assert (await imported(history, folder)).messages == 0
    after = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    assert {one for one in before if before[one] != after[one]} == {project / "one.jsonl"}
    assert before.keys() == after.keys()


async def test_the_logs_of_llm(history: WatchedHistory, tmp_path: Path) -> None:
    path = write(tmp_path / "logs.db", OLD, [response("r1", "Where to?", "North.")])
    report = await imported(history, path)
    assert (report.threads, report.messages) == (1, 2)
    assert (await imported(history, path)).already == 1


async def test_a_database_of_something_else_is_refused_in_words(history: WatchedHistory, tmp_path: Path) -> None:
    path = write(tmp_path / "other.db", "CREATE TABLE birds (name)", [])
    with pytest.raises(UserError, match=r"expected llm's logs\.db: it has no llm conversations"):
        await imported(history, path)

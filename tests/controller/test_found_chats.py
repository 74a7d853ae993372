from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import FoundChats, Transfer, find_chats, find_new_chats
from tests.builders.claude_code_sessions import answered, asked
from tests.controller.test_format_imports import lines
from tests.controller.world import WatchedHistory


def session(path: Path) -> None:
    lines(path, [asked(path.name, None, "Hello")])


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_sessions_are_counted_where_the_program_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, elsewhere: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    other = tmp_path / "other"
    environment = {"CLAUDE_CONFIG_DIR": str(other)} if elsewhere else {}
    projects = (other if elsewhere else tmp_path / ".claude") / "projects"
    for name in ("-a/1.jsonl", "-a/2.jsonl", "-b/3.jsonl", "-b/agent-4.jsonl", "-b/3/subagents/agent-5.jsonl"):
        session(projects / name)
    session(tmp_path / "secret" / "6.jsonl")
    (projects / "-c").symlink_to(tmp_path / "secret")
    (projects / "-a" / "7.jsonl").symlink_to(tmp_path / "secret" / "6.jsonl")
    assert await find_chats(environment) == FoundChats("Claude Code", projects, 3)


async def test_there_may_be_none(tmp_path: Path) -> None:
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path)}
    assert await find_chats(environment) is None
    (tmp_path / "projects" / "-a").mkdir(parents=True)
    assert await find_chats(environment) is None


async def test_what_is_new_since_the_last_import_is_told(history: WatchedHistory, tmp_path: Path) -> None:
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path)}
    folder = tmp_path / "projects"
    transfer = Transfer(history, Announcements())
    lines(folder / "-a" / "1.jsonl", [asked("q", None, "Hello")])
    assert await find_new_chats(transfer, environment) == FoundChats("Claude Code", folder, 1, 1)
    await transfer.import_files([folder])
    assert await find_new_chats(transfer, environment) is None
    lines(folder / "-a" / "1.jsonl", [asked("q", None, "Hello"), answered("a", "q", "Hi")])
    assert await find_new_chats(transfer, environment) == FoundChats("Claude Code", folder, 0, 1)

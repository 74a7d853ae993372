from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.claude_code_folder import ClaudeCodeFolder, find_sessions


def session(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n", "utf-8")


@pytest.mark.parametrize("elsewhere", [False, True])
def test_sessions_are_counted_where_the_program_keeps_them(tmp_path: Path, *, elsewhere: bool) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    environment = {"CLAUDE_CONFIG_DIR": str(other)} if elsewhere else {}
    projects = (other if elsewhere else home / ".claude") / "projects"
    for name in ("-a/1.jsonl", "-a/2.jsonl", "-b/3.jsonl", "-b/agent-4.jsonl", "-b/3/subagents/agent-5.jsonl"):
        session(projects / name)
    session(tmp_path / "secret" / "6.jsonl")
    (projects / "-c").symlink_to(tmp_path / "secret")
    (projects / "-a" / "7.jsonl").symlink_to(tmp_path / "secret" / "6.jsonl")
    assert find_sessions(environment, home) == ClaudeCodeFolder(projects, 3)


def test_there_may_be_none(tmp_path: Path) -> None:
    assert find_sessions({}, tmp_path) is None
    (tmp_path / ".claude" / "projects" / "-a").mkdir(parents=True)
    assert find_sessions({}, tmp_path) is None
    assert find_sessions({"CLAUDE_CONFIG_DIR": "\0"}, tmp_path) is None

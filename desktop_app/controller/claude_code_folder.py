"""Finds the sessions that Claude Code keeps on this computer. Looks at names only, and writes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST_COUNTED: Final = 10_000


@dataclass(frozen=True, slots=True)
class ClaudeCodeFolder:
    """The folder to import sessions from, and how many are in it (`MOST_COUNTED`: as many or more)."""

    path: Path
    sessions: int


def find_sessions(environment: Mapping[str, str], home: Path) -> ClaudeCodeFolder | None:
    """The folder with sessions in it, None where there are none. Raises nothing.

    It lies in the program's configuration folder, which `CLAUDE_CONFIG_DIR` names if it is not `~/.claude`.
    """
    folder = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    found = 0
    for project in _entries(folder):
        if project.is_dir(follow_symlinks=False):
            found += sum(_is_session(one) for one in _entries(Path(project.path)))
        if found >= MOST_COUNTED:
            break
    return ClaudeCodeFolder(folder, min(found, MOST_COUNTED)) if found else None


def _is_session(entry: os.DirEntry[str]) -> bool:
    """A subagent's lines are no session of their own; older versions of the program keep them beside their session."""
    named = entry.name.endswith(".jsonl") and not entry.name.startswith("agent-")
    return named and entry.is_file(follow_symlinks=False)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):
        return []

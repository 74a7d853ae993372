"""Owns the folder of backups: which there are, what is known of each, and which are to go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def known_backups(history: Path, elsewhere: Path | None = None) -> Sequence[Path]:
    """The copies of a history, newest first: those made before a change of format, and those made again and again."""
    folders = [history.parent / "backups", *([elsewhere] if elsewhere is not None else [])]
    found = [copy for folder in folders for copy in folder.glob("*.db") if copy.is_file()]
    return sorted(found, key=lambda copy: (copy.stat().st_mtime, copy.name), reverse=True)

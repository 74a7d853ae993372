"""Finds the chats that another program keeps on this computer, to be offered for import. Reads only."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_app.controller.transfer import Transfer

MOST_LISTED = 10_000
"""Sessions that are counted; more are that many."""


@dataclass(frozen=True, slots=True)
class FoundChats:
    """Chats of a product in a folder of this computer: how many, or how many messages of them, are new."""

    product: str
    folder: Path
    count: int
    messages: int = 0


async def find_chats(environment: Mapping[str, str] | None = None) -> FoundChats | None:
    """The sessions that Claude Code keeps, whether they were imported or not; None where there are none."""
    return await asyncio.to_thread(_sessions, os.environ if environment is None else environment)


async def find_new_chats(transfer: Transfer, environment: Mapping[str, str] | None = None) -> FoundChats | None:
    """Those of them that are new since they were imported, None where nothing is."""
    found = await find_chats(environment)
    if found is None:
        return None
    preview = await transfer.preview([found.folder])
    new = preview.threads or preview.messages
    return FoundChats(found.product, found.folder, preview.threads, preview.messages) if new else None


def _sessions(environment: Mapping[str, str]) -> FoundChats | None:
    chosen = environment.get("CLAUDE_CONFIG_DIR")
    try:
        folder = (Path(chosen) if chosen else Path.home() / ".claude") / "projects"
        count = 0
        for path in folder.glob("*/*.jsonl"):
            # Nor what a link leads to elsewhere: an import does not follow it.
            linked = path.is_symlink() or path.parent.is_symlink()
            count += not linked and not path.name.startswith("agent-") and path.stat().st_size > 0
            if count == MOST_LISTED:
                break
    except (OSError, RuntimeError):  # no home
        return None
    return FoundChats("Claude Code", folder, count) if count else None

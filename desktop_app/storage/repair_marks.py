"""The marks that ask for a look at a history: damage was found, a repair ended half way, or it is gone.

Loads nothing of the history, as every command starts with them.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from desktop_app.system.private_files import make_private_file

KNOWN_COPIES = "backups.json"
"""In the folder of backups: what is known of each, wherever it is."""

log = logging.getLogger(__name__)


def suspect_mark(path: Path) -> Path:
    """Stands beside a history that was found to be damaged while it was in use."""
    return path.with_name(f"{path.name}.suspect")


def repaired_file(path: Path) -> Path:
    """A whole history that is about to take the place of a damaged one."""
    return path.with_name(f"{path.name}.repaired")


def link_target(path: Path) -> Path:
    """The file that a path leads to; of links in a circle one of them, where `Path.resolve` raises."""
    return Path(os.path.realpath(path))


def needs_look(path: Path) -> bool:
    """Return True if damage was found, a repair ended half way, or the history is gone while parts of it are left."""
    found = link_target(path)
    return suspect_mark(found).exists() or repaired_file(found).exists() or is_gone(path)


def is_empty(path: Path) -> bool:
    """Return True if there is no file, or one of no bytes; of a link that leads nowhere nothing is known."""
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return not path.is_symlink()
    except OSError:
        return False


def is_gone(path: Path) -> bool:
    """Return True if a history is of no bytes, or missing though something of one is left: its log, or copies."""
    if not is_empty(path) or path.exists():
        return is_empty(path)
    log_file, copies = link_target(path).with_name(f"{link_target(path).name}-wal"), path.parent / "backups"
    return not is_empty(log_file) or any(copies.glob("*.db")) or (copies / KNOWN_COPIES).exists()


def ask_for_look(path: Path) -> None:
    """Has the next start look at the whole file, and repair it. Raises nothing."""
    try:
        make_private_file(suspect_mark(link_target(path)))
    except OSError as error:
        log.warning("that the history is damaged could not be noted: %s", type(error).__name__)

"""Names the files that say that a history must be looked at before it is opened; loads nothing, as every start asks."""

from __future__ import annotations

import logging
from pathlib import Path

from desktop_app.storage.private_files import make_private_file

log = logging.getLogger(__name__)


def suspect_mark(path: Path) -> Path:
    """Stands beside a history that was found to be damaged while it was in use."""
    return path.with_name(f"{path.name}.suspect")


def repaired_file(path: Path) -> Path:
    """A whole history that is about to take the place of a damaged one."""
    return path.with_name(f"{path.name}.repaired")


def needs_look(path: Path) -> bool:
    """Whether damage was found, or a repair was ended half way."""
    path = path.resolve()
    return suspect_mark(path).exists() or repaired_file(path).exists()


def ask_for_look(path: Path) -> None:
    """Has the next start look at the whole file, and repair it. Raises nothing."""
    try:
        make_private_file(suspect_mark(path.resolve()))
    except OSError as error:
        log.warning("that the history is damaged could not be noted: %s", type(error).__name__)

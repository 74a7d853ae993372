"""Writes export files whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from desktop_app.atomic_write import write_atomically
from desktop_app.core.errors import UserError
from desktop_app.core.phrases import phrase


def write_export(path: Path, pieces: Iterable[str]) -> Path:
    """Writes UTF-8 text so that `path` holds either the old or the whole new text; only this user may read it.

    Raises as `write_bytes`.
    """
    return write_bytes(path, (piece.encode("utf-8", "replace") for piece in pieces))


def write_bytes(path: Path, pieces: Iterable[bytes]) -> Path:
    """Writes a file so that `path` holds either the old or the whole new one; only this user may read it.

    Raises `UserError("usage")` if `path` is something other than a plain file, `UserError("store")` if it fails.
    """
    try:
        target = path.resolve()
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            raise UserError(
                "usage", phrase("{path} is not a plain file; nothing was written. Give another path.", path=path)
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, pieces)
    except OSError as error:
        raise UserError(
            "store", phrase("{path} could not be written: {reason}.", path=path, reason=error.strerror or error)
        ) from error
    return path

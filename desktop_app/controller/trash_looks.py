"""Notes when it was looked what is in the trash for long enough, so that a clock that jumps ahead takes nothing away.

What one look finds to be over goes only if a look at least a day before found so, too: by then a wrong clock is right.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from desktop_app.atomic_write import write_atomically
from desktop_app.controller.clock import parse_stamp
from desktop_app.paths import PRIVATE_FOLDER

_APART: Final = timedelta(days=1)

log = logging.getLogger(__name__)


def earlier_look(path: Path, now: datetime) -> datetime | None:
    """The time of a look at least a day ago, which this one takes the place of in the file; None: there is none yet.

    A time that is still to come was told by a clock that ran ahead, so it counts from now on anew. Blocks.
    """
    noted = _noted(path)
    if noted is not None and noted <= now < noted + _APART:
        return None
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        write_atomically(path, now.isoformat().encode())
    except OSError as error:
        log.warning("when the trash was looked at could not be noted: %s", type(error).__name__)
        return None
    return noted if noted is not None and noted < now else None


def _noted(path: Path) -> datetime | None:
    try:
        return parse_stamp(path.read_text("utf-8")) if path.is_file() else None
    except (OSError, ValueError):
        return None

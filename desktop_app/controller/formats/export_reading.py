"""Results of every format reader, and the checks of untrusted JSON they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from desktop_app.controller.ports import ImportedThread
from desktop_app.core.messages import Json, JsonObject


class UnreadableExportError(Exception):
    """The data is not what its format asks for; the text says where, and what was expected there."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of an export that was left out: its name for people, and the reason in words."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ReadExport:
    """What a reader found: threads whose messages stand parents first, and what it had to skip."""

    threads: tuple[ImportedThread, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Importer:
    """A format that conversations come in.

    `recognizes` and `read` take parsed JSON; `read` raises `UnreadableExportError`. `beginning` matches the first bytes
    of a file in this format. `file_names`: how its archives name their files of conversations; None: in any way.
    """

    recognizes: Callable[[Json], bool]
    read: Callable[[Json], ReadExport]
    beginning: re.Pattern[bytes]
    file_names: re.Pattern[str] | None = None


def as_object(value: Json) -> JsonObject | None:
    """The value as a JSON object, None if it is of another kind."""
    return value if isinstance(value, Mapping) else None


def as_list(value: Json) -> Sequence[Json]:
    """The value as a JSON array, an empty one if it is of another kind."""
    return cast("Sequence[Json]", value) if isinstance(value, list | tuple) else ()


def as_text(value: Json) -> str:
    """The value if it is a string, else the empty string."""
    return value if isinstance(value, str) else ""


def as_instant(value: Json) -> str | None:
    """Seconds since 1970 or ISO 8601 text (UTC where no zone is named) as ISO 8601 UTC; None for anything else."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            return None
        return instant(moment.astimezone(UTC))
    except (ValueError, OverflowError, OSError):
        return None


def instant(moment: datetime) -> str:
    """A UTC moment in the form that every time in the history has, so that times sort as text."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

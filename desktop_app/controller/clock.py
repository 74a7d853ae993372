"""The time and the ids that the use cases put into values, so that tests can set them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop_app.system.system_clock import utc_now


@dataclass(frozen=True, slots=True)
class Clock:
    """The system's clock. Tests derive from it."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return utc_now()

    def stamp(self) -> str:
        """The time now as messages carry it: ISO 8601 UTC with milliseconds."""
        return self.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def new_id(self) -> str:
        """A new id for a thread, message or turn: random, so that short prefixes differ."""
        return uuid.uuid4().hex


def parse_stamp(stamp: str) -> datetime | None:
    """The time an ISO 8601 text names (UTC where it names no zone); None where it is none, as in foreign imports."""
    try:
        time = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)

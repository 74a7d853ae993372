"""Owns the words for what the `claude` program reports of the user's plan. Knows no other record of it.

The report is a record `rate_limit_event`, seen of version 2.1.330 with a login and never with a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_WINDOWS = {
    "five_hour": "5-hour limit",
    "seven_day": "weekly limit",
    "seven_day_opus": "weekly Opus limit",
    "seven_day_sonnet": "weekly Sonnet limit",
    "overage": "extra usage limit",
}


@dataclass(frozen=True, slots=True)
class PlanShare:
    """What was said of one limit of the plan.

    `status` is the program's word (allowed, allowed_warning, rejected), `window` the limit's name, `used` a share of
    0 to 1, `resets` seconds since 1970; None where nothing was said.
    """

    status: str
    window: str
    used: float | None = None
    resets: float | None = None

    @classmethod
    def of(cls, info: Mapping[str, Any]) -> PlanShare:
        """Reads the field `rate_limit_info` of any shape."""
        kind = str(info.get("rateLimitType"))
        return cls(
            str(info.get("status")),
            _WINDOWS.get(kind, "limit"),
            _number(info.get("utilization")),
            _number(info.get("resetsAt")),
        )

    @property
    def notice(self) -> str:
        """One muted line where the limit is near; empty while there is nothing to say."""
        if self.status != "allowed_warning":
            return ""
        used = f"{self.used:.0%} of the plan's" if self.used is not None else "Most of the plan's"
        return f"{used} {self.window} is used{self._reset('; it resets')}"

    @property
    def refusal(self) -> str:
        """Sentences for a limit that is reached; empty for one that is not."""
        if self.status != "rejected":
            return ""
        return f"The plan's {self.window} is reached{self._reset('. It resets')}. Wait, or choose another connection."

    def _reset(self, verb: str) -> str:
        if self.resets is None:
            return ""
        try:
            # the weekday, because a weekly limit may reset days from now
            when = datetime.fromtimestamp(self.resets).astimezone()
        except (OverflowError, OSError, ValueError):
            return ""
        return f"{verb} {when:%A} at {when:%H:%M}"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

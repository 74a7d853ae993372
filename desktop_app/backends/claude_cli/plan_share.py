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

    def notice(self, now: float) -> str:
        """One muted line where the limit is near; empty while there is nothing to say. `now`: seconds since 1970."""
        if self.status != "allowed_warning":
            return ""
        used = f"{self.used:.0%} of the plan's" if self.used is not None else "Most of the plan's"
        return f"{used} {self.window} is used{self._reset('; it resets', now)}"

    def refusal(self, now: float) -> str:
        """Sentences for a limit that is reached; empty for one that is not."""
        if self.status != "rejected":
            return ""
        reset = self._reset(". It resets", now)
        return f"Your plan's {self.window} is reached{reset}. Wait, or choose another connection."

    def wait_s(self, now: float) -> float | None:
        """Seconds until a limit that is reached resets; None where that was not said, or has passed."""
        reached = self.status == "rejected" and self.resets is not None and self.resets > now
        return self.resets - now if reached and self.resets is not None else None

    def _reset(self, verb: str, now: float) -> str:
        if self.resets is None:
            return ""
        try:
            when, today = (datetime.fromtimestamp(moment).astimezone() for moment in (self.resets, now))
        except (OverflowError, OSError, ValueError):
            return ""
        # a weekly limit may reset days from now
        day = "" if when.date() == today.date() else f" on {when:%A}"
        return f"{verb}{day} at {when:%H:%M}"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

"""Words what the `claude` program reports of the user's subscription limits.

The report is a record `rate_limit_event`, seen of version 2.1.330 with a login and never with a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from desktop_app.core.phrases import joined, phrase
from desktop_app.core.stream_events import MOST_NUMBER, is_amount

_DAYS: Final = (
    phrase("Monday"),
    phrase("Tuesday"),
    phrase("Wednesday"),
    phrase("Thursday"),
    phrase("Friday"),
    phrase("Saturday"),
    phrase("Sunday"),
)

_WINDOWS = {
    "five_hour": phrase("5-hour limit"),
    "seven_day": phrase("weekly limit"),
    "seven_day_opus": phrase("weekly Opus limit"),
    "seven_day_sonnet": phrase("weekly Sonnet limit"),
    "overage": phrase("extra usage limit"),
}


@dataclass(frozen=True, slots=True)
class PlanLimit:
    """The report on one limit of the plan.

    `status` is the program's word (allowed, allowed_warning, rejected), `window` the limit's name, `used` a share of
    0 to 1, `resets` seconds since 1970; None where nothing was said.
    """

    status: str
    window: str
    used: float | None = None
    resets: float | None = None

    @classmethod
    def of(cls, info: Mapping[str, Any]) -> PlanLimit:
        """Reads the field `rate_limit_info` of any shape."""
        kind = str(info.get("rateLimitType"))
        return cls(
            str(info.get("status")),
            _WINDOWS.get(kind, phrase("limit")),
            _number(info.get("utilization")),
            _number(info.get("resetsAt")),
        )

    def notice(self, now: float) -> str:
        """One muted line where the limit is near; empty while there is nothing to say. `now`: seconds since 1970."""
        if self.status != "allowed_warning":
            return ""
        if self.used is None:
            used = phrase("Most of your plan's {limit} is used", limit=self.window)
        else:
            used = phrase("{used:.0%} of the plan's {limit} is used", used=self.used, limit=self.window)
        reset = self._reset(now)
        return phrase("{share}; it resets {when}", share=used, when=reset) if reset else used

    def refusal(self, now: float) -> str:
        """Sentences for a limit that is reached; empty for one that is not."""
        if self.status != "rejected":
            return ""
        reset = self._reset(now)
        said = [phrase("Your plan's {limit} is reached.", limit=self.window)]
        if reset:
            said.append(phrase("It resets {when}.", when=reset))
        return joined([*said, phrase("Wait, or choose another connection.")])

    def wait_s(self, now: float) -> float | None:
        """Seconds until a limit that is reached resets; None where that was not said, or has passed."""
        reached = self.status == "rejected" and self.resets is not None and self.resets > now
        return self.resets - now if reached and self.resets is not None else None

    def _reset(self, now: float) -> str:
        """When the limit resets: `at 14:00`, `on Monday at 14:00`; empty where that is not known."""
        if self.resets is None:
            return ""
        try:
            when, today = (datetime.fromtimestamp(moment).astimezone() for moment in (self.resets, now))
        except (OverflowError, OSError, ValueError):
            return ""
        at = f"{when:%H:%M}"
        # a weekly limit may reset days from now
        if when.date() != today.date():
            return phrase("on {day} at {time}", day=_DAYS[when.weekday()], time=at)
        return phrase("at {time}", time=at)


def _number(value: Any) -> float | None:
    return float(value) if is_amount(value, MOST_NUMBER) else None

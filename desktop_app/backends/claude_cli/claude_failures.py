"""Words for what the `claude` program reports: its errors, and the limits of the user's subscription."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from desktop_app.core.errors import PASSING, TEXT_SAVED, retry_words
from desktop_app.core.messages import Failure
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


_SIZE = re.compile(r"~(\d{1,15}) tokens \(limit (\d{1,15})\)")

SIGN_IN = phrase('Sign in needed: run "claude" and log in')


@dataclass(frozen=True, slots=True)
class Report:
    """The report of an error, gathered from several lines; empty or None where nothing was said.

    `kind` is the program's word (authentication_failed, rate_limit, ...), `status` and `api_type` are the API's,
    `terminal_reason` says why the program gave up, `local` is set for errors without an answer from the API,
    `retry_delay_s` is the wait before the last try. `own_key`: the key of our environment was used. `partial`: some
    of the answer had come. `plan` are sentences on a limit of the plan that is reached, `plan_wait_s` how long that
    lasts where it was said.
    """

    text: str = ""
    kind: str = ""
    status: int | None = None
    api_type: str = ""
    terminal_reason: str = ""
    local: str = ""
    retry_delay_s: float | None = None
    own_key: bool = False
    partial: bool = False
    plan: str = ""
    plan_wait_s: float | None = None


def failure_of(report: Report) -> Failure:
    """The one state of the window that a report stands for."""
    for known in (_limit, _access, _temporary):
        if failure := known(report):
            return failure
    return Failure("backend", phrase("The claude program reported an error. Try again."), report.text, ("retry",))


def _limit(report: Report) -> Failure | None:
    if report.status == 413 or report.api_type == "request_too_large":
        message = phrase(
            "The request is larger than the provider accepts. Leave out attachments, or start a new thread."
        )
        return Failure("context_limit", message, report.text, ("edit_draft", "new_thread"))
    if report.terminal_reason in ("prompt_too_long", "blocking_limit"):
        found = _SIZE.search(report.text)
        sizes = (
            phrase(": {tokens:,} tokens, and it takes {window:,}", tokens=int(found[1]), window=int(found[2]))
            if found
            else ""
        )
        message = phrase(
            "This thread is too long for the model{sizes}. Start a new thread or choose another model.",
            sizes=sizes,
        )
        return Failure("context_limit", message, report.text, ("new_thread", "switch_model"))
    return None


def _access(report: Report) -> Failure | None:
    if report.kind == "billing_error" or report.status == 402 or report.api_type == "billing_error":
        message = phrase("The account has no credit left. Top it up, then try again.")
        return Failure("auth", message, report.text, ("retry",))
    if report.kind == "authentication_failed" or report.status in (401, 403):
        message = (
            phrase("{sign_in}, or correct ANTHROPIC_API_KEY.", sign_in=SIGN_IN)
            if report.own_key
            else phrase("{sign_in}.", sign_in=SIGN_IN)
        )
        return Failure("auth", message, report.text, ("retry",))
    if report.status == 404 or report.kind == "model_not_found":
        message = phrase("The model was not found, or the account may not use it. Choose another model.")
        return Failure("not_found", message, report.text, ("switch_model", "retry"))
    return None


def _temporary(report: Report) -> Failure | None:
    if report.status == 429 or report.kind == "rate_limit":
        message = report.plan or phrase("Too many requests for now. Wait a little, then try again.")
        actions = (*PASSING, "open_connections") if report.plan else PASSING
        wait_s = report.plan_wait_s if report.plan else report.retry_delay_s
        return Failure("rate_limited", message, report.text, actions, wait_s)
    if report.status in (503, 529) or report.api_type == "overloaded_error":
        message = phrase("The provider is overloaded. Wait a little, then try again.")
        return Failure("overloaded", message, report.text, PASSING, report.retry_delay_s)
    if report.status is not None and report.status >= 500:
        return Failure("backend", phrase("The provider had an internal error. Try again."), report.text, PASSING)
    if report.status is None and report.local.startswith("connection"):
        return _lost(
            report.text,
            partial=report.partial,
            otherwise=phrase("The provider could not be reached. Check the connection, then try again."),
        )
    return None


def stalled(seconds: float, *, partial: bool) -> Failure:
    """Nothing came for that long, not even the provider's signs of life."""
    message = phrase("The provider gave no answer in time. Check the connection, then try again.")
    return _lost(f"nothing was heard for {seconds:.0f} s", partial=partial, otherwise=message)


def _lost(detail: str, *, partial: bool, otherwise: str) -> Failure:
    if partial:
        return Failure("network", phrase("Connection lost. {saved}", saved=TEXT_SAVED), detail, ("continue", "retry"))
    return Failure("network", otherwise, detail, ("retry",))


def endless(calls: int) -> Failure:
    """The model went on calling tools, though it was told to answer."""
    message = phrase("The model kept looking things up and gave no answer. {saved}", saved=TEXT_SAVED)
    return Failure("backend", message, f"{calls} calls refused", ("retry",))


def unreadable(detail: str, *, partial: bool) -> Failure:
    """The program wrote what can't be read."""
    message = (
        phrase("The claude program sent something that can't be read. {saved} Try again.", saved=TEXT_SAVED)
        if partial
        else phrase("The claude program sent something that can't be read. Try again.")
    )
    return Failure("backend", message, detail, PASSING)


def interrupted(detail: str) -> Failure:
    """The program ended in the middle of an answer."""
    message = phrase("The claude program stopped in the middle of the answer. {saved}", saved=TEXT_SAVED)
    return Failure("backend", message, detail, ("retry",))


def no_answer(detail: str) -> Failure:
    """The program ended, or answered by itself, and the model said nothing."""
    return Failure("backend", phrase("The claude program ended without an answer. Try again."), detail, ("retry",))


def retry_line(status: int | None, error: str, attempt: int, most: int, delay_s: float) -> str:
    """One muted line while a request is tried again, such as `Rate limited. Trying again in 2 s (1 of 2)`."""
    if status == 429 or error == "rate_limit":
        cause = phrase("Rate limited.")
    elif status in (503, 529) or error == "overloaded":
        cause = phrase("The provider is overloaded.")
    elif status in (401, 403):
        cause = phrase("Sign-in was refused.")
    elif status is None:
        cause = phrase("No connection.")
    else:
        cause = phrase("The provider answered with error {status}.", status=status)
    return retry_words(cause=cause, seconds=max(1, round(delay_s)), attempt=attempt, most=most)

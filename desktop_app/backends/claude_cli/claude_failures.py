"""Failures for what the `claude` program reports as an error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop_app.core.errors import TEXT_SAVED, retry_words
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase

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
        actions = ("retry", "open_connections") if report.plan else ("retry",)
        wait_s = report.plan_wait_s if report.plan else report.retry_delay_s
        return Failure("rate_limited", message, report.text, actions, wait_s)
    if report.status in (503, 529) or report.api_type == "overloaded_error":
        message = phrase("The provider is overloaded. Wait a little, then try again.")
        return Failure("overloaded", message, report.text, ("retry",), report.retry_delay_s)
    if report.status is not None and report.status >= 500:
        return Failure("backend", phrase("The provider had an internal error. Try again."), report.text, ("retry",))
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
    return Failure("backend", message, f"{calls} calls", ("retry",))


def unreadable(detail: str, *, partial: bool) -> Failure:
    """The program wrote what can't be read."""
    message = (
        phrase("The claude program sent something that can't be read. {saved} Try again.", saved=TEXT_SAVED)
        if partial
        else phrase("The claude program sent something that can't be read. Try again.")
    )
    return Failure("backend", message, detail, ("retry", "switch_model"))


def interrupted(detail: str) -> Failure:
    """The program ended in the middle of an answer."""
    message = phrase("The claude program stopped in the middle of the answer. {saved}", saved=TEXT_SAVED)
    return Failure("interrupted", message, detail, ("retry",))


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

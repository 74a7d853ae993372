"""When a request is sent again, and what is said about it."""

from __future__ import annotations

import pytest

from desktop_app.backends.connection_errors import FailedAttempt, pause_before_retry, retry_notice
from desktop_app.core.messages import Failure, FailureCode


def trouble(
    code: FailureCode = "rate_limited", *, retryable: bool = True, wait_s: float | None = None
) -> FailedAttempt:
    return FailedAttempt(Failure(code, "words"), retryable, wait_s)


def test_the_time_that_the_provider_names_is_kept() -> None:
    assert pause_before_retry(trouble(wait_s=4), 1) == 4
    assert retry_notice(trouble(wait_s=4), 1, 4).message == "Rate limited. Trying again in 4 s (2 of 3)"


def test_without_a_time_the_pauses_grow() -> None:
    pauses = [pause_before_retry(trouble("backend"), attempt) for attempt in (1, 2)]
    for pause, most in zip(pauses, (0.5, 1.0), strict=True):
        assert pause is not None
        assert 0.75 * most <= pause <= most


@pytest.mark.parametrize(
    ("code", "words"), [("rate_limited", "Rate limited."), ("overloaded", "The provider can't answer at the moment.")]
)
def test_what_passes_within_a_minute_is_waited_out_for_half_of_one(code: FailureCode, words: str) -> None:
    pauses = [pause_before_retry(trouble(code), attempt) for attempt in range(1, 6)]
    for pause, most in zip(pauses, (1, 2, 4, 8, 15), strict=True):
        assert pause is not None
        assert 0.75 * most <= pause <= most
    assert retry_notice(trouble(code), 4, 8).message == f"{words} Trying again in 8 s (5 of 6)"


@pytest.mark.parametrize(
    ("what", "attempt"),
    [
        (trouble(), 6),
        (trouble("overloaded"), 6),
        (trouble("backend"), 3),
        (trouble(wait_s=4), 3),
        (trouble(retryable=False), 1),
        (trouble(wait_s=3600), 1),
    ],
)
def test_there_is_an_end(what: FailedAttempt, attempt: int) -> None:
    assert pause_before_retry(what, attempt) is None

"""Sends a failed request again: when, with which notice and pause."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass

from desktop_app.core.errors import retry_words
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.core.stream_events import Failed, Notice, StreamEvent

ATTEMPTS = 3
"""One request and two more, as the vendors' SDKs do."""

LONGEST_WAIT_S = 60.0
"""A provider that wants a longer pause gets none: the failure names the time instead."""


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """Why one attempt failed. `retryable`: another may work; `wait_s`: the pause the provider named."""

    failure: Failure
    retryable: bool = False
    wait_s: float | None = None


def pause_before_retry(trouble: FailedAttempt, attempt: int) -> float | None:
    """Seconds until attempt `attempt` + 1 (the first is 1); None where there should be none.

    Without a time from the provider 0.5 s, then 1 s, less up to a quarter so that many clients do not come together.
    """
    if not trouble.retryable or attempt >= ATTEMPTS:
        return None
    if trouble.wait_s is None:
        return 0.5 * attempt * (1 - 0.25 * random.random())
    return trouble.wait_s if trouble.wait_s <= LONGEST_WAIT_S else None


def retry_notice(
    trouble: FailedAttempt, attempt: int, pause_s: float, hurry: Callable[[], None] | None = None
) -> Notice:
    """The line that is shown while waiting: what happened, how long, which attempt comes. `hurry` ends the pause."""
    what = {
        "rate_limited": phrase("Rate limited."),
        "overloaded": phrase("The model is overloaded."),
        "network": phrase("No connection."),
    }.get(trouble.failure.code, phrase("The provider had an error."))
    # where there was no connection, no server said anything
    said = "" if trouble.failure.code == "network" else trouble.failure.detail
    words = retry_words(cause=what, seconds=pause_s, attempt=attempt + 1, most=ATTEMPTS)
    return Notice("retry", words, said, hurry)


log = logging.getLogger(__name__)


async def attempts(
    attempt: Callable[[], AsyncGenerator[StreamEvent | FailedAttempt, None]],
) -> AsyncGenerator[StreamEvent, None]:
    """The events of `attempt()`, called again where its `FailedAttempt` allows that; else its failure ends it."""
    number = 1
    while True:
        trouble = None
        async with aclosing(attempt()) as events:
            async for event in events:
                if isinstance(event, FailedAttempt):
                    trouble = event
                else:
                    yield event
        if trouble is None:
            return
        pause_s = pause_before_retry(trouble, number)
        if pause_s is None:
            log.info("the request failed: %s", trouble.failure.code)
            yield Failed(trouble.failure)
            return
        hurried = asyncio.Event()
        yield retry_notice(trouble, number, pause_s, hurried.set)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hurried.wait(), pause_s)
        number += 1

"""Owns the loop that sends a failed request again, with its notices and pauses. Knows no vendor and no request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from desktop_app.backends.retries import FailedAttempt, pause_before_retry, retry_notice
from desktop_app.core.stream_events import Failed, StreamEvent

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
        yield retry_notice(trouble, number, pause_s)
        await asyncio.sleep(pause_s)
        number += 1

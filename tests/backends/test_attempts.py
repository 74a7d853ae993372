"""The loop that sends a request again, with small stand-ins for requests."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from desktop_app.backends.connection_errors import FailedAttempt, attempts
from desktop_app.core.messages import Failure
from desktop_app.core.stream_events import Ended, Notice, StreamEvent, TextDelta
from tests.backends.plans import collect

PASSING = FailedAttempt(Failure("overloaded", "It is overloaded."), retryable=True, wait_s=0.0)
LASTING = FailedAttempt(Failure("auth", "No."))


class Script:
    """What each attempt yields, in order."""

    def __init__(self, *outcomes: tuple[StreamEvent | FailedAttempt, ...]) -> None:
        self._outcomes = list(outcomes)
        self.open = 0

    async def __call__(self) -> AsyncGenerator[StreamEvent | FailedAttempt, None]:
        self.open += 1
        try:
            for event in self._outcomes.pop(0):
                yield event
        finally:
            self.open -= 1


async def test_what_passes_is_tried_again() -> None:
    script = Script((PASSING,), (TextDelta("a"), Ended("end_turn")))
    answer = await collect(attempts(script))
    assert [type(event) for event in answer.events] == [Notice, TextDelta, Ended]


async def test_what_lasts_fails_at_once() -> None:
    answer = await collect(attempts(Script((TextDelta("a"), LASTING))))
    assert (answer.text, answer.failed.failure) == ("a", LASTING.failure)
    assert answer.of(Notice) == []


async def test_three_attempts_are_made() -> None:
    script = Script(*[(PASSING,)] * 9)
    answer = await collect(attempts(script))
    assert len(answer.of(Notice)) == 2
    assert answer.failed.failure == PASSING.failure


async def test_closing_it_closes_the_attempt() -> None:
    script = Script((TextDelta("a"), TextDelta("b")))
    stream = attempts(script)
    await anext(stream)
    await stream.aclose()
    assert script.open == 0


async def test_a_pause_can_be_ended_and_says_what_the_server_said() -> None:
    failure = Failure("rate_limited", "The limit is reached.", "HTTP 429 rate_limit_error: Too many tokens a minute")
    stream = attempts(Script((FailedAttempt(failure, retryable=True, wait_s=59.0),), (TextDelta("a"),)))
    notice = await anext(stream)
    assert isinstance(notice, Notice)
    assert notice.detail == "HTTP 429 rate_limit_error: Too many tokens a minute"
    assert notice.hurry is not None
    notice.hurry()
    assert await anext(stream) == TextDelta("a")
    await stream.aclose()


async def test_without_a_connection_no_server_said_anything() -> None:
    failure = Failure("network", "No connection.", "ConnectError: name resolution")
    stream = attempts(Script((FailedAttempt(failure, retryable=True, wait_s=0.0),)))
    notice = await anext(stream)
    assert isinstance(notice, Notice)
    assert notice.detail == ""
    await stream.aclose()

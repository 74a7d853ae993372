"""What both backends that speak to a provider's API make of a fault: tried again or told once, with nothing lost."""

from __future__ import annotations

import pytest

from desktop_app.core.messages import FailureCode, TextPart
from desktop_app.core.stream_events import Ended, Notice
from tests.backends.both_apis import ANTHROPIC, ANTHROPIC_KEY, OPENAI, Api, ApiBackend, Provider, for_both
from tests.backends.openai.backends import KEY as OPENAI_KEY
from tests.backends.plans import collect, user
from tests.expired_timers import ExpiredTimers
from tests.servers.messages_api import (
    HELLO,
    Answer,
    Behaviour,
    Drop,
    ErrorEvent,
    HangUp,
    HttpError,
    NoReply,
    Stall,
    rate_limited,
)

SOON = {"retry-after-ms": "5"}
OVERLOADED, AN_ERROR, NO_CONNECTION = (
    "The provider can't answer at the moment.",
    "The provider had an error.",
    "No connection.",
)


@for_both
async def test_what_came_before_a_drop_is_kept(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(Answer("Half an ", "answer", Drop()))
    answer = await collect(backend.stream(provider.plan))
    assert answer.message.parts == (TextPart("Half an answer"),)
    assert answer.failed.failure.code == "network"


PASSING: list[tuple[Behaviour, str]] = [
    (rate_limited(0.01), "Rate limited."),
    (HttpError(529, headers=SOON), OVERLOADED),
    (HttpError(409, headers=SOON), AN_ERROR),
    (HttpError(418, headers={**SOON, "x-should-retry": "true"}), AN_ERROR),
    (HangUp(), NO_CONNECTION),
    (Answer(Drop()), NO_CONNECTION),
    (Answer(ErrorEvent("overloaded_error")), OVERLOADED),
]
PASSING_OF_OPENAI = [
    *[(HttpError(status, headers=SOON), OVERLOADED) for status in (502, 503)],
    *[(HttpError(status, headers=SOON), AN_ERROR) for status in (408, 500, 504)],
]


@pytest.mark.parametrize(
    ("provider", "first", "words"),
    [
        *[(ANTHROPIC, *row) for row in PASSING],
        (ANTHROPIC, HttpError(500, headers=SOON), AN_ERROR),
        *[pytest.param(OPENAI, *row, marks=pytest.mark.slow) for row in (*PASSING, *PASSING_OF_OPENAI)],
    ],
)
async def test_what_may_pass_is_tried_again_and_said(
    provider: Provider, api: Api, backend: ApiBackend, first: Behaviour, words: str
) -> None:
    api.script(first)
    answer = await collect(backend.stream(provider.plan))
    assert [notice.message.split(" Trying")[0] for notice in answer.of(Notice)] == [words]
    named = not isinstance(first, Answer) or words != OVERLOADED  # an event of the stream names no time
    assert answer.of(Notice)[0].message.endswith("(2 of 3)" if named else "(2 of 6)")
    assert (answer.text, answer.events[-1]) == (HELLO, Ended("end_turn"))
    assert api.answers[0].body == api.answers[1].body


@for_both
async def test_after_three_attempts_it_fails(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(*[HttpError(529, headers={"retry-after-ms": "1"})] * 3)
    answer = await collect(backend.stream(provider.plan))
    assert answer.failed.failure.code == "overloaded"
    assert len(answer.of(Notice)) == 2
    assert len(api.answers) == 3


@for_both
async def test_a_server_that_says_no_is_not_asked_again(provider: Provider, api: Api, backend: ApiBackend) -> None:
    api.script(HttpError(529, headers={"x-should-retry": "false"}))
    assert (await collect(backend.stream(provider.plan))).failed.failure.code == "overloaded"
    assert len(api.answers) == 1


@for_both
async def test_the_pause_that_the_server_names_is_kept(provider: Provider, api: Api, backend: ApiBackend) -> None:
    pause_s = 0.6  # longer than our own
    api.script(rate_limited(pause_s))
    with ExpiredTimers() as waits:
        await collect(backend.stream(provider.plan))
    assert waits.seconds == [pytest.approx(pause_s, abs=0.05)]


@for_both
async def test_a_rate_limit_without_a_time_is_waited_out(provider: Provider, api: Api, backend: ApiBackend) -> None:
    """Limits are counted by the minute: a card after two seconds would have the user press the button instead."""
    api.script(*[rate_limited()] * 5)
    with ExpiredTimers() as waits:
        answer = await collect(backend.stream(provider.plan))
    assert answer.text == HELLO
    assert [notice.message.rpartition(" (")[2] for notice in answer.of(Notice)] == [f"{n} of 6)" for n in range(2, 7)]
    assert [round(pause) for pause in waits.seconds] == sorted(round(pause) for pause in waits.seconds)
    assert 22 < sum(waits.seconds) <= 30.1


@for_both
async def test_silence_ends_with_the_timeout_and_is_not_repeated(provider: Provider, api: Api) -> None:
    backend = provider.backend_for(api.url, timeout_s=1.0)
    api.script(NoReply(), Answer("a", Stall()))
    assert "did not answer in time" in (await collect(backend.stream(provider.plan))).failed.failure.message
    partial = await collect(backend.stream(provider.plan))
    assert (partial.text, partial.failed.failure.code) == ("a", "network")
    assert len(api.answers) == 2
    await backend.close()


BAD_ADDRESSES: list[tuple[str, FailureCode, str]] = [
    ("nonsense", "config", "'nonsense' is not a web address"),
    ("http://[::1", "config", "can't be used"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("provider", "url", "code", "words"),
    [
        *[(provider, *row) for provider in (ANTHROPIC, OPENAI) for row in BAD_ADDRESSES],
        (ANTHROPIC, "http://127.0.0.1:1", "network", "127.0.0.1:1 could not be reached"),
        (OPENAI, "http://127.0.0.1:1/v1", "network", "Is the server running at http://127.0.0.1:1/v1?"),
        (OPENAI, "http://localhost:1/v1", "network", "Is the server running at http://localhost:1/v1?"),
    ],
)
async def test_an_address_that_leads_nowhere(provider: Provider, url: str, code: FailureCode, words: str) -> None:
    backend = provider.backend_for(url)
    failure = (await collect(backend.stream(provider.plan))).failed.failure
    assert failure.code == code
    assert words in failure.message
    await backend.close()


@for_both
async def test_a_key_that_can_not_be_sent(provider: Provider, api: Api) -> None:
    key = "two\nlines"
    backend = provider.backend_for(api.url, key=key)
    failure = (await collect(backend.stream(provider.plan))).failed.failure
    assert failure.code == "config"
    assert key not in failure.detail + failure.message
    await backend.close()


@pytest.mark.parametrize(
    ("provider", "key"), [(ANTHROPIC, ANTHROPIC_KEY), (OPENAI, OPENAI_KEY), (OPENAI, "AIzaOfAnotherForm")]
)
async def test_no_key_and_no_text_gets_out(
    provider: Provider, api: Api, caplog: pytest.LogCaptureFixture, key: str
) -> None:
    caplog.set_level("DEBUG")
    caplog.set_level("DEBUG", provider.name)
    backend = provider.backend_for(api.url, key=key)
    refused = HttpError(401, message=f"Incorrect API key provided: {key}.")
    api.script(refused, Answer("a", ErrorEvent("x", f"key {key}")))
    for _ in range(2):
        failure = (await collect(backend.stream(provider.plan_of(user("My secret words"))))).failed.failure
        assert key not in str(failure)
    assert key not in caplog.text
    assert "secret words" not in caplog.text
    await backend.close()

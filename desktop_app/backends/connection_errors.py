"""Turns a connection's errors into failures for the user, and sends a failed request again."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import random
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

from desktop_app.backends.response_bodies import BodyTooLongError, BrokenStreamError
from desktop_app.core.errors import CONNECTIONS, TEXT_SAVED, UserError, retry_words
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import listed, phrase
from desktop_app.core.stream_events import MOST_SECONDS, Failed, Notice, StreamEvent, is_amount

ATTEMPTS = 3
"""One request and two more, as the vendors' SDKs do."""

RATE_WAITS_S: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Pauses after a rate limit or an overload that names no time: both last longer than the SDKs' 1.5 s."""
_PATIENT: Final = ("rate_limited", "overloaded")

LONGEST_WAIT_S = 60.0
"""A provider that wants a longer pause gets none: the failure names the time instead."""


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """Why one attempt failed. `retryable`: another may work; `wait_s`: the pause the provider named."""

    failure: Failure
    retryable: bool = False
    wait_s: float | None = None


def most_attempts(trouble: FailedAttempt) -> int:
    """Requests that are made at most while each fails as this one did."""
    limited = trouble.failure.code in _PATIENT and trouble.wait_s is None
    return len(RATE_WAITS_S) + 1 if limited and ATTEMPTS > 1 else ATTEMPTS


def pause_before_retry(trouble: FailedAttempt, attempt: int) -> float | None:
    """Seconds until attempt `attempt` + 1 (the first is 1); None where there should be none.

    Without a time from the provider `RATE_WAITS_S`, where it is not too busy 0.5 s, then 1 s; less up to a quarter
    so that many clients do not come together.
    """
    if not trouble.retryable or attempt >= most_attempts(trouble):
        return None
    if trouble.wait_s is None:
        pause_s = RATE_WAITS_S[attempt - 1] if trouble.failure.code in _PATIENT else 0.5 * attempt
        return pause_s * (1 - 0.25 * random.random())
    return trouble.wait_s if trouble.wait_s <= LONGEST_WAIT_S else None


def retry_notice(
    trouble: FailedAttempt, attempt: int, pause_s: float, hurry: Callable[[], None] | None = None
) -> Notice:
    """The line that is shown while waiting: what happened, how long, which attempt comes. `hurry` ends the pause."""
    what = {
        "rate_limited": phrase("Rate limited."),
        "overloaded": phrase("The provider can't answer at the moment."),
        "network": phrase("No connection."),
    }.get(trouble.failure.code, phrase("The provider had an error."))
    # where there was no connection, no server said anything
    said = "" if trouble.failure.code == "network" else trouble.failure.detail
    words = retry_words(cause=what, seconds=pause_s, attempt=attempt + 1, most=most_attempts(trouble))
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
        if (pause_s := pause_before_retry(trouble, number)) is None:
            log.info("the request failed: %s", trouble.failure.code)
            yield Failed(trouble.failure)
            return
        hurried = asyncio.Event()
        yield retry_notice(trouble, number, pause_s, hurried.set)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hurried.wait(), pause_s)
        number += 1


CONNECT_TIMEOUT_S: Final = 10.0

LAST_BYTES_S: Final = 0.1
"""Seconds to wait for the end of a body after the answer's last event, so that its connection can be used again."""

KEEP_ALIVE_S: Final = 120.0
"""Seconds that an idle connection is kept for the next turn; a new one costs two or three round trips."""

_KEY: Final = re.compile(r"sk-[A-Za-z0-9_-]{4,}")


def without_options(name: str, lost: Iterable[str]) -> Notice:
    """The notice that a model of that name was asked without what it doesn't support."""
    wishes = listed(lost)
    words = phrase("{name} doesn't support {wishes} here. The request was sent without.", name=name, wishes=wishes)
    return Notice("parameters", words)


def host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or phrase("The server")
    except ValueError:
        return phrase("The server")


def server_of(address: str) -> str:
    """Host and port of an address, for people: two servers of one computer differ by it alone."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2] or host_of(address)
    except ValueError:
        return host_of(address)


def is_on_this_computer(address: str) -> bool:
    """Return True if an address leads to this very computer: by its name or its number, without asking anybody."""
    if (host := host_of(address)) == "localhost" or host.endswith(".localhost"):
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_loopback or found.is_unspecified


def without_keys(text: str) -> str:
    """`text` with everything that looks like a key replaced."""
    return _KEY.sub("sk-…", text)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The pause in seconds that a server asks for; `headers` with any case of names that they find by lower case.

    A time of day counts from the one that the server says it has: a clock here may be wrong.
    """
    found: list[float] = []
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(ValueError):
            found.append(float(headers.get(name, "")) * unit)
    with suppress(TypeError, ValueError):
        until, now = (parsedate_to_datetime(headers.get(name, "")) for name in ("retry-after", "date"))
        found.append((until - now).total_seconds())
    return next((seconds for seconds in found if is_amount(seconds, MOST_SECONDS)), None)


def unreadable(base_url: str, what: str, detail: str) -> Failure:
    """Something answered that is not `what`: a proxy, the sign-in page of a network, a wrong address."""
    message = phrase(
        "{base_url} did not answer as {what} does. Check the address and the network.",
        base_url=host_of(base_url),
        what=what,
    )
    return Failure("backend", message, without_keys(detail), ("retry", "open_connections"))


def broken(base_url: str, what: str, detail: str, *, started: bool) -> Failure:
    """Return the failure of an answer that can't be read, from its first event on or after a part, which is kept."""
    if not started:
        return unreadable(base_url, what, detail)
    message = phrase(
        "{host} sent something that can't be read. {saved} Try again.", saved=TEXT_SAVED, host=host_of(base_url)
    )
    return Failure("backend", message, without_keys(detail), ("continue", "retry", "switch_model"))


def too_long(base_url: str, detail: str, *, started: bool) -> Failure:
    """More came than any answer has, packed or unpacked."""
    host = host_of(base_url)
    if started:
        message = phrase("{host} sent more than an answer can have. {saved} Try again.", saved=TEXT_SAVED, host=host)
        return Failure("backend", message, without_keys(detail), ("continue", "retry", "switch_model"))
    message = phrase("{host} sent more than an answer can have. Check the address, or try again.", host=host)
    return Failure("backend", message, without_keys(detail), ("retry", "open_connections"))


def cut_off(base_url: str, *, started: bool, detail: str = "the stream ended before its end") -> FailedAttempt:
    """The connection was lost. What came is kept, and nothing is sent again by itself once an answer has begun."""
    if started:
        message = phrase("The connection was lost. {saved}", saved=TEXT_SAVED)
        return FailedAttempt(Failure("network", message, detail, ("continue", "retry")))
    message = phrase(
        "The connection to {base_url} was lost. Check the network, then try again.", base_url=host_of(base_url)
    )
    return FailedAttempt(Failure("network", message, detail, ("retry",)), retryable=True)


def failed_by_connection(  # noqa: PLR0911
    error: BaseException, base_url: str, *, started: bool, timed_out: bool
) -> FailedAttempt:
    """Return the meaning of an error of the HTTP library. `started`: part of the answer is there."""
    import httpx2

    host, detail = host_of(base_url), without_keys(f"{type(error).__name__}: {error}")
    if isinstance(error, BodyTooLongError):
        return FailedAttempt(too_long(base_url, str(error), started=started))
    if isinstance(error, BrokenStreamError):
        return FailedAttempt(broken(base_url, phrase("an API"), str(error), started=started))
    if isinstance(error, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
        message = phrase(
            "The address {address} is not a web address. Correct it{where}.", where=CONNECTIONS, address=repr(base_url)
        )
        return FailedAttempt(Failure("config", message, detail, ("open_connections",)))
    if isinstance(error, httpx2.LocalProtocolError):
        message = phrase(
            "The key or a custom header has characters that can't be sent. Check it{where}.", where=CONNECTIONS
        )
        return FailedAttempt(Failure("config", message, detail, ("replace_key", "open_connections")))
    if started:
        return cut_off(base_url, started=True, detail=detail)
    if _by_certificate(error):
        message = phrase(
            "The certificate of {host} could not be verified. Check the clock and the network's proxy.", host=host
        )
        return FailedAttempt(Failure("network", message, detail, ("retry",)))
    if timed_out and not isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        # the request may have been worked on, and paid for: it is not sent again by itself
        return FailedAttempt(
            Failure("network", phrase("{host} did not answer in time. Try again.", host=host), detail, ("retry",))
        )
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout | httpx2.ProxyError):
        return FailedAttempt(_unreachable(base_url, detail), retryable=True)
    return cut_off(base_url, started=False, detail=detail)


def failure_of_setup(error: Exception) -> Failure:
    """Why no client could be made: certificates, proxy or address of this computer are set wrongly."""
    named = [f"{name} ({os.environ[name]})" for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)]
    if isinstance(error, OSError | ssl.SSLError) and named:
        message = phrase("The certificates named by {named} can't be read. Correct or unset it.", named=listed(named))
    elif isinstance(error, OSError | ssl.SSLError):
        message = phrase("This computer's certificates can't be read. Install the system's certificates.")
    elif isinstance(error, ImportError):
        message = phrase("This kind of proxy can't be used. Use an HTTP proxy.")
    else:
        message = phrase("The address or proxy can't be used. Correct it{where}.", where=CONNECTIONS)
    return Failure("config", message, without_keys(f"{type(error).__name__}: {error}"), ("open_connections",))


def user_error(failure: Failure) -> UserError:
    return UserError(failure.code, failure.message, detail=failure.detail, actions=failure.actions)


async def read_to_the_end(chunks: AsyncIterator[bytes]) -> None:
    """Waits a moment for the end of a body whose last event was read, so that its connection can be used again."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LAST_BYTES_S):
            async for _ in chunks:
                pass


def _unreachable(base_url: str, detail: str) -> Failure:
    host = server_of(base_url)
    if is_on_this_computer(base_url):
        message = phrase(
            "{host} could not be reached. Is the server running at {base_url}? Start it, then try again.",
            host=host,
            base_url=base_url,
        )
        return Failure("network", message, detail, ("retry", "open_connections"))
    words = phrase("{host} could not be reached. Check the network, then try again.", host=host)
    return Failure("network", words, detail, ("retry",))


def _by_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False

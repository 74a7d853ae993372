"""The SDK's client and its HTTP connections to one address.

The SDK costs 0.3 to 1 s to import: `connect` is for another thread than the event loop's.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from desktop_app.backends.connection_errors import CONNECT_TIMEOUT_S, KEEP_ALIVE_S, failure_of_setup, user_error
from desktop_app.backends.openai.server_presets import OPENAI, ServerAddress
from desktop_app.backends.response_bodies import ASKED_FOR, BrokenStreamError, bound_body

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI, Omit

NO_KEY: Final = "none"
"""The key that the SDK wants to hold where there is none; it is never sent."""


BESIDE_WAIT_S: Final = 2.0
"""Seconds that a question beside the answers may take: it is about details that are not needed."""


@dataclass(frozen=True, slots=True)
class OpenAiClient:
    """A client for one address with one key ("": none). `headers` go with every request."""

    client: AsyncOpenAI
    http: httpx2.AsyncClient
    key: str = field(repr=False)  # an event loop may log what it passes on
    headers: dict[str, str | Omit]

    async def json(self, method: str, url: str, body: Any = None) -> Any:
        """The parsed answer of a service beside the SDK's; None if it is not there, is slow, or can not be read."""
        import httpx2

        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        try:
            response = await self.http.request(method, url, json=body, headers=headers, timeout=BESIDE_WAIT_S)
            return response.json() if response.is_success else None
        except (httpx2.HTTPError, ValueError, RecursionError, BrokenStreamError):
            return None

    async def close(self) -> None:
        await self.client.close()


def connect(place: ServerAddress, key: str, timeout_s: float) -> OpenAiClient:
    """A client that neither retries nor follows redirects; `UserError("config")` if none can be made."""
    import httpx2
    import openai

    # at its level "debug", which a variable of the environment can set, the SDK logs whole requests
    logging.getLogger(openai.__name__).setLevel(logging.WARNING)
    timeout = httpx2.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
    # no proxy stands between this computer and itself, and plain HTTP needs no certificates
    plain = place.here and place.address.startswith("http://")
    try:
        # made here, since the SDK's own leaves a broken object behind when it fails; a redirect would take the key
        # to another host
        http = openai.DefaultAsyncHttpxClient(
            timeout=timeout,
            limits=httpx2.Limits(keepalive_expiry=KEEP_ALIVE_S),
            follow_redirects=False,
            headers=ASKED_FOR,
            event_hooks={"response": [bound_body]},
            trust_env=not plain,
            verify=not plain,
        )
        client = openai.AsyncOpenAI(
            api_key=key or NO_KEY, base_url=place.address, timeout=timeout, max_retries=0, http_client=http
        )
    except (OSError, ValueError, ImportError, httpx2.InvalidURL, openai.OpenAIError) as error:
        raise user_error(failure_of_setup(error)) from error
    if place.preset is not OPENAI:
        # the SDK takes them from the environment; they are nobody else's business
        client.organization = client.project = None
    # both are imported on first use, which would hold the event loop
    used = (client.chat.completions.with_streaming_response, client.models.with_raw_response)
    del used
    return OpenAiClient(client, http, key, {} if key else {"Authorization": openai.Omit()})

"""A loopback server of a provider's API and the backend that speaks to it: Anthropic's, or whose a test asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.backends.both_apis import ANTHROPIC, Api, ApiBackend, Provider


@pytest.fixture
def provider() -> Provider:
    return ANTHROPIC


@pytest.fixture
def api(provider: Provider) -> Iterator[Api]:
    with provider.server() as running:
        yield running


@pytest.fixture
async def backend(provider: Provider, api: Api) -> AsyncIterator[ApiBackend]:
    made = provider.backend_for(api.url)
    await made.prepare()  # so that no test measures the import of the SDK
    yield made
    await made.close()

"""A loopback server of chat completions and a backend that speaks to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from desktop_app.backends.openai.backend import OpenAiBackend
from tests.backends.openai.backends import backend_for
from tests.servers.chat_api import ChatApi


@pytest.fixture
async def api() -> AsyncIterator[ChatApi]:
    async with ChatApi() as running:
        yield running


@pytest.fixture
async def backend(api: ChatApi) -> AsyncIterator[OpenAiBackend]:
    made = backend_for(api.url)
    await made.prepare()  # so that no test measures the import of the SDK
    yield made
    await made.close()

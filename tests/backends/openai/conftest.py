"""The server and the backend of this package's tests speak chat completions."""

from __future__ import annotations

import pytest

from tests.backends.both_apis import OPENAI, Provider


@pytest.fixture
def provider() -> Provider:
    return OPENAI

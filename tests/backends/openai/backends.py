"""Owns backends that speak to a loopback server of chat completions, and plans for its model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from desktop_app.backends.openai.openai_backend import OpenAiBackend
from desktop_app.backends.openai.openai_client import PRESETS, Preset
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.sent_content import PlannedMessage
from desktop_app.core.model_catalog import ModelInfo, Prices
from tests.backends.plans import plan_of

KEY = "sk-proj-very-secret"

MODEL = ModelInfo("test-model", "Test model", 100_000, 8_000, prices=Prices(2, 10, 0.5, 2.5, 2.5))


def backend_for(
    url: str | None,
    *,
    key: str | None = KEY,
    ask: Callable[[], Awaitable[str | None]] | None = None,
    timeout_s: float | None = None,
    preset: Preset | None = None,
    overrides: Any = None,
) -> OpenAiBackend:
    """`ask` stands in for a keyring that knows `key`."""

    async def known() -> str | None:
        return key

    return OpenAiBackend(
        key=lambda _: (ask or known)(),
        base_url=lambda: url,
        timeout_s=timeout_s,
        overrides=overrides or {},
        has_key=lambda: key is not None,
        preset=preset,
    )


def plan(*messages: PlannedMessage, system: str = "", model: ModelInfo = MODEL, max_output: int = 1000) -> ContextPlan:
    return plan_of(*messages, system=system, model=model, max_output=max_output)


def preset_called(preset_id: str) -> Preset:
    """The preset of an id; `KeyError` if there is none."""
    return {preset.id: preset for preset in PRESETS}[preset_id]

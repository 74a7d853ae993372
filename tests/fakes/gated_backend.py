"""Owns a backend that does what a test tells it: answers, waits at gates, fails. Knows no controller."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_app.backends.backend_protocol import Availability, CostKind
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.messages import JsonObject, TextPart, Usage
from desktop_app.core.model_catalog import ModelInfo, ModelOverride, Prices, overridden
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta, UsageReported
from tests.patience import PATIENCE_S


@dataclass
class Gate:
    """A place in an answer where the stream waits until the test opens it."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def arrive(self) -> None:
        """Waits until the stream is at the gate."""
        async with asyncio.timeout(PATIENCE_S):
            await self.reached.wait()

    def open(self) -> None:
        self.opened.set()


Step = StreamEvent | Gate | Exception


class GatedBackend:
    """Answers each request with the next of `replies`, or with "answer N" and a usage equal to the plan's count.

    `text` follows "answer N" where it is set, so that threads grow.
    """

    title = "Gated"
    default_model = "big"

    def __init__(self, name: str = "gated", *, window: int = 200_000, cost_kind: CostKind = "free") -> None:
        self.name = name
        self.cost_kind: CostKind = cost_kind
        self.overhead = Overhead()
        self.window = window
        self.text = ""
        self.prices: Prices | None = None
        self.override: ModelOverride | None = None
        self.accepts_tools = False
        self.abilities: dict[str, Any] = {}  # further fields of its models
        self.available = Availability(True, "A test runs it.")
        self.count: int | None = None
        self.counted: list[ContextPlan] = []
        self.prepared: list[ContextPlan | None] = []
        self.plans: list[ContextPlan] = []
        self.on_stream: Callable[[ContextPlan], Awaitable[None]] | None = None
        self.open_streams = 0
        self.closed = False
        self._replies: deque[tuple[Step, ...]] = deque()

    def reply(self, *steps: Step) -> None:
        """Sets what the next unanswered request gets."""
        self._replies.append(steps)

    async def availability(self) -> Availability:
        return self.available

    async def models(self) -> Sequence[ModelInfo]:
        return (self.model("big"), self.model("small"))

    def model(self, model_id: str) -> ModelInfo:
        if model_id not in ("big", "small"):
            return ModelInfo(model_id, model_id, 32_768, 8_192, window_source="assumed")
        window = self.window if model_id == "big" else 10_000
        model = ModelInfo(
            model_id,
            model_id,
            window,
            window // 3,
            window_source="provider",
            prices=self.prices,
            accepts_tools=self.accepts_tools,
            **self.abilities,
        )
        return overridden(model, self.override)

    def request(self, plan: ContextPlan) -> JsonObject:
        return {
            "model": plan.model.id,
            "system": plan.request.system,
            "messages": [{"role": role, "content": list(texts)} for role, texts in said(plan)],
        }

    async def stream(self, plan: ContextPlan) -> AsyncIterator[StreamEvent]:
        self.plans.append(plan)
        self.open_streams += 1
        try:
            if self.on_stream is not None:
                await self.on_stream(plan)
            for step in self._replies.popleft() if self._replies else self._answer(plan):
                if isinstance(step, Gate):
                    step.reached.set()
                    await step.opened.wait()
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        finally:
            self.open_streams -= 1

    async def count_tokens(self, plan: ContextPlan) -> int | None:
        self.counted.append(plan)
        return self.count

    async def prepare(self, plan: ContextPlan | None = None) -> None:
        self.prepared.append(plan)

    async def close(self) -> None:
        self.closed = True

    def _answer(self, plan: ContextPlan) -> tuple[Step, ...]:
        usage = UsageReported(Usage(input=plan.tokens.total, output=3), plan.model.id)
        return (TextDelta(f"answer {len(self.plans)}{self.text}"), usage, Ended("end_turn"))


def said(plan: ContextPlan) -> list[tuple[str, tuple[str, ...]]]:
    """The request as roles and texts."""
    return [
        (message.role, tuple(block.text for block in message.blocks if isinstance(block, TextPart)))
        for message in plan.request.messages
    ]

"""Owns a thread that is held turn by turn, as the controller holds it, without store or tasks. Knows no measuring.

Plan by the real planner, real backend, what a turn stores on its messages, and the estimator's lesson after it.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from desktop_app.backends.base import Backend
from desktop_app.core.catalog import ModelInfo
from desktop_app.core.context.estimator import TokenEstimator
from desktop_app.core.context.plan import CacheClock, ContextPlan, ContextSettings
from desktop_app.core.context.planner import Preparation, prepare_context
from desktop_app.core.context.tally import observation_after
from desktop_app.core.messages import Message, TextPart, Usage
from desktop_app.core.stream import Accumulator

CREATED = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class TurnDone:
    """One turn: what was planned and what the provider counted."""

    plan: ContextPlan
    usage: Usage


class BenchThread:
    """A thread through one backend. `send` one question at a time."""

    def __init__(self, backend: Backend, model: ModelInfo, system: str, settings: ContextSettings) -> None:
        self._backend, self._model, self._system, self._settings = backend, model, system, settings
        self.path: tuple[Message, ...] = ()
        self._estimator = TokenEstimator.seeded(model.tokenizer)
        self._prepared: Preparation | None = None

    async def send(self, text: str) -> TurnDone:
        """Plans, sends and stores. Raises RuntimeError where the answer did not come whole."""
        prepared = prepare_context(
            backend=self._backend.name,
            model=self._model,
            overhead=self._backend.overhead,
            system=self._system,
            path=self.path,
            settings=self._settings,
            soft_limit=None,
            estimator=self._estimator,
            cache=CacheClock(cold=not self.path),
            free=False,
            previous=self._prepared,
        )
        plan = prepared.plan((TextPart(text),))
        came = Accumulator()
        stream: Any = self._backend.stream(plan)
        async with aclosing(stream) as events:
            async for event in events:
                came.add(event)
        if came.failure is not None or came.usage is None or came.stop_reason != "end_turn":
            raise RuntimeError(f"turn {len(self.path) // 2 + 1}: {came.failure or came.stop_reason}")
        self._prepared = prepared
        self._store(text, plan, came)
        return TurnDone(plan, came.usage)

    def _store(self, text: str, plan: ContextPlan, came: Accumulator) -> None:
        place = len(self.path)
        moved = plan.window if plan.decision == "trim" else None
        before = self.path[-1].id if self.path else None
        question = Message(f"m{place}", "t", before, "user", (TextPart(text),), CREATED, window=moved)
        answer = Message(
            f"m{place + 1}",
            "t",
            question.id,
            "assistant",
            came.parts,
            CREATED,
            backend=self._backend.name,
            model=came.model or self._model.id,
            usage=came.usage,
            stop_reason=came.stop_reason,
            prefix_key=plan.prefix_key,
        )
        self.path = (*self.path, question, answer)
        learned = observation_after(self.path, answer, labels=self._backend.overhead.labels)
        if learned is not None:
            self._estimator = self._estimator.observe(*learned)

"""Owns a backend that is answered by a test but asks as a real one does: bodies with cache marks, or standard input."""

from __future__ import annotations

from desktop_app.backends.anthropic_wire import request_body
from desktop_app.backends.claude_cli.invocation import stdin_line
from desktop_app.core.context.plan import ContextPlan, Overhead
from desktop_app.core.messages import JsonObject, Usage
from desktop_app.core.model_catalog import ModelInfo, find_model
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta, UsageReported
from tests.fakes.gated_backend import GatedBackend


class WireBackend(GatedBackend):
    """`program`: as the `claude` program is asked. The cache keeps what the call before had, or a trim drops it."""

    def __init__(self, *, program: bool = False, window: int = 200_000) -> None:
        super().__init__("scripted", window=window, cost_kind="plan" if program else "money")
        self.program = program
        self.overhead = Overhead(tokens=310, labels=True, cache_marks=4) if program else Overhead(cache_marks=4)
        self._before: ContextPlan | None = None

    def model(self, model_id: str) -> ModelInfo:
        real = find_model("anthropic", "claude-opus-4-5")
        return ModelInfo(
            model_id,
            "Opus 4.5",
            self.window,
            self.window // 3,
            window_source="provider",
            prices=real.prices,
            tokenizer=real.tokenizer,
            min_cache_tokens=512,
        )

    def request(self, plan: ContextPlan) -> JsonObject:
        if self.program:
            return {"stdin": stdin_line(plan), "system": plan.request.system}
        return request_body(plan)

    def _answer(self, plan: ContextPlan) -> tuple[StreamEvent, ...]:
        before, self._before = self._before, plan
        read = before.tokens.total if before is not None and before.request.prefix_key == plan.request.prefix_key else 0
        model = self.model(plan.model.id)
        usage = Usage(input=3, cache_read=read, cache_write=max(0, plan.tokens.total - read - 3), output=180)
        cost = (usage.cache_read * 0.5 + usage.cache_write * 6.25 + usage.output * 25) / 1_000_000
        usage = Usage(usage.input, usage.cache_read, usage.cache_write, usage.output, cost_usd=cost)
        text = f"answer {len(self.plans)}{self.text}"
        return (TextDelta(text), UsageReported(usage, model.id), Ended("end_turn"))

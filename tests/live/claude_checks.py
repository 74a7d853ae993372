"""What the app takes for granted of the `claude` program, asked of the installed one through the app's own backend."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from collections.abc import Mapping
from contextlib import aclosing
from functools import cached_property
from pathlib import Path
from typing import Final

from desktop_app.backends.claude_cli.claude_cli_backend import OVERHEAD_TOKENS, TAIL_TOKENS, ClaudeCliBackend
from desktop_app.core.context.plan import CacheClock, ContextPlan
from desktop_app.core.context.plan_figures import Recipient, ThreadContents, ThreadLimits
from desktop_app.core.context.planner import prepare_context
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.model_catalog import is_another
from desktop_app.core.settings import ContextSettings
from desktop_app.core.stream_events import Accumulator
from tests.live.findings import CannotTellError, DoesNotHoldError, NotReadyError, assumption, hold
from tests.live.messages_checks import SENTENCE
from tests.live.wire import Budget

WORST: Final = 0.05
"""Dollars that one answer costs at most, where tokens are paid for: some thousand tokens of a small model."""

SLOWEST_S: Final = 180.0


class ClaudeChecks:
    """One run of the program, in a folder of its own that is removed afterwards. Each answer starts it anew."""

    title = "the claude program"

    def __init__(self, program: Path | None, environ: Mapping[str, str], model_id: str, budget: Budget) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="plimsoll-live-")
        self._backend = ClaudeCliBackend(
            program=program, work_dir=Path(self._folder.name) / "claude", environ=environ, overrides={}
        )
        self._model_id, self._budget = model_id, budget
        self._runner = asyncio.Runner()
        self._run = uuid.uuid4().hex

    def close(self) -> None:
        self._runner.run(self._backend.close())
        self._runner.close()
        self._folder.cleanup()

    def ready(self) -> None:
        """Raises `NotReadyError` where the program is missing or nobody is signed in."""
        if not (found := self._runner.run(self._backend.availability())).ok:
            raise NotReadyError(found.detail)

    def _plan(self, path: tuple[Message, ...], draft: str) -> ContextPlan:
        model = self._backend.model(self._model_id)
        prepared = prepare_context(
            Recipient(
                backend=self._backend.name,
                model=model,
                overhead=self._backend.overhead,
                estimator=TokenEstimator.seeded(model.tokenizer),
                cache=CacheClock(),
                free=False,
            ),
            ThreadContents(path=path),
            ThreadLimits(settings=ContextSettings()),
        )
        return prepared.plan([TextPart(draft)])

    def _ask(self, plan: ContextPlan) -> Accumulator:
        if self._backend.cost_kind == "money":
            self._budget.afford(WORST)

        async def read() -> Accumulator:
            came = Accumulator()
            async with asyncio.timeout(SLOWEST_S), aclosing(self._backend.stream(plan)) as events:
                async for event in events:
                    came.add(event)
            return came

        try:
            came = self._runner.run(read())
        except TimeoutError as error:
            raise DoesNotHoldError(f"no answer within {SLOWEST_S:.0f} s") from error
        if self._backend.cost_kind == "money" and came.usage is not None:
            self._budget.spent += came.usage.cost_usd or 0.0
        if came.failure is not None:
            raise DoesNotHoldError(f"{came.failure.message} {came.failure.detail}".strip())
        return came

    @cached_property
    def _short(self) -> Accumulator:
        return self._ask(self._plan((), "Reply with the single word: ok"))

    @cached_property
    def _long(self) -> tuple[str, Accumulator]:
        question = f"Run {self._run}. " + SENTENCE * 60 + "Reply with the single word: ok"
        return question, self._ask(self._plan((), question))

    @assumption
    def _answers(self) -> None:
        """It passes the app's own check, answers, and ends with end_turn."""
        hold(self._short.stop_reason == "end_turn", f"it ended with {self._short.stop_reason!r}")
        hold(any(isinstance(part, TextPart) for part in self._short.parts), "there is no text in it")

    @assumption
    def _usage(self) -> str:
        """It reports what was used: tokens of the request and of the answer."""
        if (usage := self._short.usage) is None or not usage.prompt or not usage.output:
            raise DoesNotHoldError(f"usage is {usage}")
        return f"{usage.prompt} tokens in, {usage.output} out"

    @assumption
    def _served_model(self) -> str:
        """It names the model that answered: the one that was asked for, with or without a date."""
        asked, named = self._backend.model(self._model_id), self._short.model
        hold(named and not is_another(asked.id, named), f"{asked.id} was asked, {named} answered")
        return str(named)

    @assumption
    def _adds_little(self) -> str:
        """It adds about as many tokens of its own as the app takes it to, and no tools."""
        usage, plan = self._short.usage, self._plan((), "Reply with the single word: ok")
        if usage is None:
            raise CannotTellError("there is no usage")
        own = usage.opening - (plan.tokens.total - plan.tokens.overhead)
        hold(abs(own - OVERHEAD_TOKENS) <= OVERHEAD_TOKENS / 4, f"about {own} tokens, not {OVERHEAD_TOKENS}")
        return f"about {own} tokens"

    @assumption
    def _caches(self) -> str:
        """What was sent once is read by the next request of another process; only the surroundings are new."""
        question, first = self._long
        asked = Message("q", "t", None, "user", (TextPart(question),), "2026-01-01T00:00:00Z")
        answered = Message("a", "t", "q", "assistant", first.parts, "2026-01-01T00:00:01Z")
        usage = self._ask(self._plan((asked, answered), "And again, please.")).usage
        if usage is None or first.usage is None:
            raise CannotTellError("there is no usage")
        written = first.usage.cache_write + first.usage.cache_read
        hold(written, f"nothing was written at first: {first.usage}")
        hold(usage.cache_read >= written * 0.8, f"{usage.cache_read} of {written} tokens were read")
        hold(abs(usage.input - TAIL_TOKENS) <= TAIL_TOKENS / 3, f"{usage.input} tokens behind the last mark")
        return f"{usage.cache_read} tokens read"

"""Runs a coroutine in a time of its own, which passes only where nothing else is to be done, and then at once."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_jumping_time(wanted: Coroutine[Any, Any, Result]) -> tuple[Result, float]:
    """The coroutine's result, and how many seconds passed in its own time. It must not wait for other threads."""
    with asyncio.Runner(loop_factory=_JumpingLoop) as runner:
        return runner.run(wanted), runner.get_loop().time()


class _JumpingSelector(selectors.DefaultSelector):
    """Does not wait: where nothing has come, the time is over that would have been waited for."""

    passed_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if not (ready := super().select(0)):
            assert timeout is not None, "nothing will ever happen"
            self.passed_s += max(0.0, timeout)
        return ready


class _JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._passing = _JumpingSelector()
        super().__init__(self._passing)

    def time(self) -> float:
        return self._passing.passed_s

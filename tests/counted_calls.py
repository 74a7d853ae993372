"""Counts the functions that this thread calls: a measure of work that is the same on a busy machine."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType


class CountedCalls:
    """`with CountedCalls() as work:` counts calls of Python and C functions, also those that Qt makes; see `calls`.

    What one call does inside a library is not seen: such times are measured by `./dev bench`.
    """

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> CountedCalls:
        sys.setprofile(self._count)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            self.calls += 1

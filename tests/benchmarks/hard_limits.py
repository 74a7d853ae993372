"""`./dev bench --check`: which of the figures that PRODUCT.md section 7 names pass twice their hard limit.

A benchmark hands what it measured to a `HardLimits`, and ends with its `status`. Knows no benchmark.
"""

from __future__ import annotations

from typing import Final

ALLOWED: Final = 2
"""Any computer is busy at times: only what takes so many times its hard limit is slower by our fault."""
OVER: Final = "passes twice its hard limit: "
"""How a line begins that names such a figure, for whoever runs the benchmark."""


class HardLimits:
    """The figures of one benchmark that are too far beyond what they may be."""

    def __init__(self) -> None:
        self.over: list[str] = []

    def hold(self, row: str, measured: float, limit: float) -> None:
        """A figure and its hard limit, in the same unit."""
        if measured > ALLOWED * limit:
            self.over.append(f"{row.strip()}: {measured:.1f} of {limit:g}")

    @property
    def status(self) -> int:
        """Names what is over, a line each; the exit status."""
        for row in self.over:
            print(f"{OVER}{row}", flush=True)
        return int(bool(self.over))

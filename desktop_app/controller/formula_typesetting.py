"""Has formulas typeset for exports, by a process of its own: they are untrusted, and take their time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

from desktop_app.worker_process import WorkerChild

LIMIT_S: Final = 10.0
"""Seconds after which the process is ended; it gives up a formula by itself long before."""

MOST_FAILURES: Final = 3
"""A process that ends so often without an answer is not started again."""


class FormulaTypesetting:
    """At most one process, started with the first formula. For one thread at a time; `close` may come from any."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._child: WorkerChild | None = None
        self._failures = 0
        self._known: dict[tuple[str, bool], Mapping[str, Any] | None] = {}

    def typeset(self, source: str, display: bool) -> Mapping[str, Any] | None:
        """The outlines of a formula without its delimiters; None where it can't be typeset."""
        key = source, display
        if key not in self._known:
            self._known[key] = self._asked(source, display)
        return self._known[key]

    def close(self) -> None:
        """Ends the process."""
        self._failures = MOST_FAILURES
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _asked(self, source: str, display: bool) -> Mapping[str, Any] | None:
        if self._failures >= MOST_FAILURES:
            return None
        try:
            child = self._child = self._child or WorkerChild(self._command)
        except OSError:
            self._failures += 1
            return None
        too_late = threading.Timer(LIMIT_S, child.kill)
        too_late.daemon = True
        too_late.start()
        try:
            answer = child.ask({"tex": source, "display": display})
        finally:
            too_late.cancel()
        if answer is None:
            self._failures += 1
            self._child = None
        return None if answer is None or "failed" in answer else answer

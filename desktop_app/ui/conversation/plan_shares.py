"""Owns what subscription plans have reported of their use, by backend. Knows no widget.

A report stands until the next answer of the same backend ends without one.
"""

from __future__ import annotations

from desktop_app.core.events import NoticeRaised, TurnEnded, TurnFailed, TurnStarted

CODE = "plan"
"""The notice that carries a report, in words."""


class PlanShares:
    """Fed with announcements; `report_of` is what the gauge tells beside the load."""

    def __init__(self) -> None:
        self._reports: dict[str, str] = {}
        self._backends: dict[str, str] = {}  # thread -> backend of its running turn
        self._reported: set[str] = set()

    def report_of(self, backend: str) -> str:
        """The words of the last report; "" while there is nothing to say."""
        return self._reports.get(backend, "")

    def turn_started(self, started: TurnStarted) -> None:
        self._backends[started.thread_id] = started.plan.backend
        self._reported.discard(started.plan.backend)

    def notice_raised(self, notice: NoticeRaised) -> None:
        backend = self._backends.get(notice.thread_id)
        if notice.code == CODE and backend is not None:
            self._reports[backend] = notice.message
            self._reported.add(backend)

    def turn_over(self, over: TurnEnded | TurnFailed) -> None:
        backend = self._backends.pop(over.thread_id, "")
        if backend not in self._reported:
            self._reports.pop(backend, None)

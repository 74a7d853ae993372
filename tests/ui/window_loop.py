"""Owns the window's event loop as tests run it, a piece at a time. Knows no window."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import qasync


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc]
    """Does nothing between two runs.

    qasync handles Qt's events once more after each run. The window is run but once; a test, though, is a run of its
    own after those of its fixtures, and what a window still does would take its next step there, where asyncio knows
    of no running loop: "no running event loop" fails a turn that nobody looks at.
    """

    def run_until_complete(self, future: Awaitable[Any]) -> Any:
        task = asyncio.ensure_future(future, loop=self)
        task.add_done_callback(self._stop)
        try:
            self.run_forever()
        finally:
            task.remove_done_callback(self._stop)
        if not task.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return task.result()

    def _stop(self, _task: object) -> None:
        self.stop()

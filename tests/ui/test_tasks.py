"""The window's coroutines at its end."""

from __future__ import annotations

import asyncio

from desktop_app.ui.bridge import Tasks


async def test_what_was_begun_before_the_end_is_still_done() -> None:
    loop = asyncio.get_running_loop()
    tasks, gate, done = Tasks(loop), asyncio.Event(), []

    async def wish() -> None:
        await gate.wait()
        done.append("wish")

    tasks.start_task(wish())
    loop.call_later(0.01, gate.set)
    await tasks.close(grace_s=30)
    assert done == ["wish"]
    tasks.start_task(wish())
    assert tasks.running == 0


async def test_what_does_not_end_is_cancelled() -> None:
    tasks = Tasks(asyncio.get_running_loop())
    cancelled = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    tasks.start_task(wait())
    await tasks.close(grace_s=0.01)
    assert cancelled.is_set()
    assert tasks.running == 0

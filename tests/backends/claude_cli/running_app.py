"""A small app of its own process that lets the backend answer: `python -m ... LOOP FOLDER` with the tests' environment.

LOOP is `asyncio`, `qt`, `idle`, which only prepares, or `tool`, which runs a call for ever. Prints a line for each
piece of text and one for the end.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.core.stream_events import Ended, Failed, TextDelta, ToolAsked
from tests.backends.claude_cli.plans import SEARCH, plan_of


async def answer(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    async for event in backend.stream(plan_of("hello")):
        match event:
            case TextDelta(text):
                print("text", text, flush=True)
            case Ended(reason):
                print("ended", reason, flush=True)
            case Failed(failure):
                print("failed", failure, flush=True)


async def prepare(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    await backend.prepare(plan_of("hello"))
    print("prepared", flush=True)
    await asyncio.Event().wait()


async def run_a_tool(folder: Path) -> None:
    backend = ClaudeCliBackend(program=None, work_dir=folder, environ=os.environ, overrides={})
    async for event in backend.stream(plan_of("hello", tools=[SEARCH])):
        if isinstance(event, ToolAsked):
            print("asked", event.call.name, flush=True)
            await asyncio.Event().wait()


async def answer_and_cancel(folder: Path) -> None:
    await answer(folder)
    task = asyncio.create_task(answer(folder))
    await asyncio.wait({task}, timeout=0.6)
    task.cancel()
    await asyncio.wait({task})
    print("cancelled", task.cancelled(), flush=True)


def main() -> None:
    loop_kind, folder = sys.argv[1], Path(sys.argv[2])
    if loop_kind != "qt":
        asyncio.run({"idle": prepare, "tool": run_a_tool}.get(loop_kind, answer)(folder))
        return
    from PySide6.QtCore import QCoreApplication
    from qasync import QEventLoop

    app = QCoreApplication([])
    with QEventLoop(app) as loop:
        loop.run_until_complete(answer_and_cancel(folder))


if __name__ == "__main__":
    main()

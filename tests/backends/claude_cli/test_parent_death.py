"""The watchdog, where the kernel does not end a program with its parent."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from desktop_app.backends.claude_cli import program_process as process_module
from desktop_app.backends.claude_cli.program_process import ProgramProcess, run_briefly
from desktop_app.system.process_owner import Watchdog
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]

APP = """
import asyncio, sys
from desktop_app.system.process_owner import Watchdog

async def main():
    program = await asyncio.create_subprocess_exec("sleep", "600", start_new_session=True)
    await Watchdog.over(program.pid)
    print(program.pid, flush=True)
    await program.wait()

asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="it is a shell")


@pytest.mark.slow
def test_the_program_of_an_app_that_is_killed_is_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", APP], cwd=ROOT, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        sleeping = psutil.Process(int(app.stdout.readline()))
        children = psutil.Process(app.pid).children()
        assert len(children) == 2

        app.kill()

        _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert alive == []
    assert not sleeping.is_running()


async def test_a_watchdog_goes_with_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[int] = []

    async def over(pid: int) -> Watchdog:
        watched.append(pid)
        return await Watchdog.over(pid)

    monkeypatch.setattr(process_module, "end_with_parent", over)

    code, said = await run_briefly(
        ("/bin/echo", "hello"), guard=(), environ={"PATH": os.environ["PATH"]}, folder=tmp_path, seconds=5
    )

    assert (code, said) == (0, "hello\n")
    assert len(watched) == 1
    _, alive = await asyncio.to_thread(psutil.wait_procs, psutil.Process().children(), timeout=PATIENCE_S)
    assert alive == []


@pytest.mark.skipif(os.name != "posix", reason="it is a shell")
async def test_a_program_that_writes_faster_than_it_is_read_waits(tmp_path: Path) -> None:
    process = await ProgramProcess.start(["yes"], guard=(), environ={"PATH": os.defpath}, folder=tmp_path)
    try:
        for _ in range(3):
            assert await process.read()
            async with asyncio.timeout(PATIENCE_S):
                while process.waiting < process_module.MOST_WAITING:  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0)
            for _ in range(100):
                await asyncio.sleep(0)
            assert process.waiting <= process_module.MOST_WAITING
    finally:
        await process.stop()

"""Restart now: the window ends in order, and the program opens it again as it was started."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow

PROGRAM = """
import asyncio, os, sys
from pathlib import Path
from desktop_app import app
from desktop_app.ui.shell import session
from desktop_app.window_options import WindowOptions

folder, again = Path(sys.argv[1]), "STARTED_AGAIN" in os.environ
run = session.WindowSession.run

async def restarting(self):
    async def act():
        await self.opened_first.wait()
        if again:
            (folder / "second").write_text(str(os.getpid()))
            self.end(0)
        else:
            os.environ["STARTED_AGAIN"] = "1"
            self.restart()
    acting = asyncio.ensure_future(act())
    status = await run(self)
    await acting
    return status

session.WindowSession.run = restarting
raise SystemExit(app.main(WindowOptions(data_dir=str(folder / "data"), backend="scripted")))
"""


async def test_the_window_ends_in_order_and_opens_again(tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    process = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    second = tmp_path / "second"
    await until(lambda: second.exists() and second.read_text().isdigit(), "the second start")

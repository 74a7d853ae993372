"""The program under an app of its own: under Qt's event loop, and when the app is killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.servers.messages_api import Answer, MessagesApi, Stall, Wait

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@contextmanager
def app(loop: str, folder: Path, environ: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-W", "error", "-m", "tests.backends.claude_cli.running_app", loop, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
@pytest.mark.parametrize("with_setpriv", [True, False], ids=["setpriv", "prctl"])
def test_no_program_outlives_an_app_that_is_killed(
    api: MessagesApi, program: Path, tmp_path: Path, environ: dict[str, str], with_setpriv: bool
) -> None:
    api.default = Answer("one ", Wait(threading.Event()))
    environ["PLIMSOLL_CLAUDE"] = str(program)
    if not with_setpriv:
        environ["PATH"] = ""

    with app("asyncio", tmp_path / "work", environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "text one \n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert [child.name() for child in children] == ["claude"]

        process.kill()

        _, alive = psutil.wait_procs(children, timeout=2)
    assert alive == []
    assert api.messages[0].ended.wait(2)
    assert api.messages[0].disconnected


def test_it_answers_and_is_cancelled_under_the_event_loop_of_qt(
    api: MessagesApi, program: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    api.script(Answer("x" * 200_000), Answer("so far", Stall()))
    environ |= {"PLIMSOLL_CLAUDE": str(program), "QT_QPA_PLATFORM": "offscreen"}

    with app("qt", tmp_path / "work", environ) as process:
        output, _ = process.communicate(timeout=30)

    assert output.splitlines()[:2] == ["text " + "x" * 200_000, "ended end_turn"]
    assert output.splitlines()[-1] == "cancelled True"
    assert process.returncode == 0

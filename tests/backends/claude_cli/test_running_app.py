"""The program under an app of its own: under Qt's event loop, and when the app is killed."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.servers.messages_api import Answer, MessagesApi, Stall, ToolUse, Wait

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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
@pytest.mark.parametrize("with_setpriv", [True, False], ids=["setpriv", "prctl"])
def test_no_prepared_program_outlives_an_app_that_is_killed(
    api: MessagesApi, program: Path, tmp_path: Path, environ: dict[str, str], with_setpriv: bool
) -> None:
    environ["PLIMSOLL_CLAUDE"] = str(program)
    if not with_setpriv:
        environ["PATH"] = ""

    with app("idle", tmp_path / "work", environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "prepared\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) == 1

        process.kill()

        # one that was not yet told of our death starts, finds its standard input at its end, and goes
        _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
    assert api.requests == []
    assert list(Path(environ["TMPDIR"]).glob("*.txt")) == [], "the system prompt does not outlive the app either"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_no_program_outlives_an_app_that_is_killed_while_a_tool_runs(
    api: MessagesApi, program: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    api.default = Answer(ToolUse("mcp__plimsoll__search_this_thread", {"query": "q"}), stop_reason="tool_use")
    environ["PLIMSOLL_CLAUDE"] = str(program)

    with app("tool", tmp_path / "work", environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asked search_this_thread\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert [child.name() for child in children] == ["claude"], "no further process for the tools"

        process.kill()

        _, alive = psutil.wait_procs(children, timeout=2)
    assert alive == []
    assert len(api.messages) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_no_program_that_starts_outlives_an_app_that_is_killed(
    api: MessagesApi, program: Path, tmp_path: Path, environ: dict[str, str]
) -> None:
    """Killed as soon as a child is seen: while the version is asked, in the self-test, and before the first word."""
    api.default = Answer("one ", Wait(threading.Event()))
    environ["PLIMSOLL_CLAUDE"] = str(program)
    seen: dict[int, psutil.Process] = {}
    for nth in (1, 2, 3, 4):
        with app("asyncio", tmp_path / "work", environ) as process:
            own: dict[int, psutil.Process] = {}
            until = time.monotonic() + 30
            while len(own) < nth and time.monotonic() < until and process.poll() is None:
                own |= {child.pid: child for child in psutil.Process(process.pid).children(recursive=True)}
            process.kill()
            seen |= own
    _, alive = psutil.wait_procs(seen.values(), timeout=10)
    assert len(seen) >= 4
    assert alive == []


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

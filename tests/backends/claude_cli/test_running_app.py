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

from tests.patience import PATIENCE_S
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


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")


@pytest.fixture
def environ(environ: dict[str, str], program: Path) -> dict[str, str]:
    return environ | {"PLIMSOLL_CLAUDE": str(program)}


@pytest.fixture(params=["setpriv", "prctl"])
def guarded(environ: dict[str, str], request: pytest.FixtureRequest) -> dict[str, str]:
    """Both ways to be told of a parent's death: `setpriv` where it is found, else our own."""
    return environ | ({} if request.param == "setpriv" else {"PATH": ""})


def killed(loop: str, line: str, folder: Path, environ: dict[str, str]) -> list[str]:
    """Kills an app when it has printed `line`; the names of its programs, of which none is left then."""
    with app(loop, folder, environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{line}\n"
        children = psutil.Process(process.pid).children(recursive=True)
        names = [child.name() for child in children]
        process.kill()
        _, alive = psutil.wait_procs(children, timeout=PATIENCE_S)
    assert alive == []
    return names


@linux
def test_no_program_outlives_an_app_that_is_killed(api: MessagesApi, tmp_path: Path, guarded: dict[str, str]) -> None:
    api.default = Answer("one ", Wait(threading.Event()))
    assert killed("asyncio", "text one ", tmp_path / "work", guarded) == ["claude"]
    assert api.answers[0].ended.wait(PATIENCE_S)
    assert api.answers[0].disconnected


@linux
def test_no_prepared_program_outlives_an_app_that_is_killed(
    api: MessagesApi, tmp_path: Path, guarded: dict[str, str]
) -> None:
    # one that was not yet told of our death starts, finds its standard input at its end, and goes
    assert len(killed("idle", "prepared", tmp_path / "work", guarded)) == 1
    assert api.requests == []
    assert list(Path(guarded["TMPDIR"]).glob("*.txt")) == [], "the system prompt does not outlive the app either"


@linux
def test_no_program_outlives_an_app_that_is_killed_while_a_tool_runs(
    api: MessagesApi, tmp_path: Path, environ: dict[str, str]
) -> None:
    api.default = Answer(ToolUse("mcp__plimsoll__search_this_thread", {"query": "q"}), stop_reason="tool_use")
    programs = killed("tool", "asked search_this_thread", tmp_path / "work", environ)
    assert programs == ["claude"], "no further process for the tools"
    assert len(api.answers) == 1


@linux
def test_no_program_that_starts_outlives_an_app_that_is_killed(
    api: MessagesApi, tmp_path: Path, environ: dict[str, str]
) -> None:
    """Killed as soon as a child is seen: while the version is asked, in the self-test, and before the first word."""
    api.default = Answer("one ", Wait(threading.Event()))
    seen: dict[int, psutil.Process] = {}
    for nth in (1, 2, 3, 4):
        with app("asyncio", tmp_path / "work", environ) as process:
            own: dict[int, psutil.Process] = {}
            until = time.monotonic() + PATIENCE_S
            while len(own) < nth and time.monotonic() < until and process.poll() is None:
                own |= {child.pid: child for child in psutil.Process(process.pid).children(recursive=True)}
            process.kill()
            seen |= own
    _, alive = psutil.wait_procs(seen.values(), timeout=PATIENCE_S)
    assert len(seen) >= 4
    assert alive == []


def test_it_answers_and_is_cancelled_under_the_event_loop_of_qt(
    api: MessagesApi, tmp_path: Path, environ: dict[str, str]
) -> None:
    api.script(Answer("x" * 200_000), Answer("so far", Stall()))
    environ["QT_QPA_PLATFORM"] = "offscreen"

    with app("qt", tmp_path / "work", environ) as process:
        output, _ = process.communicate(timeout=PATIENCE_S)

    assert output.splitlines()[:2] == ["text " + "x" * 200_000, "ended end_turn"]
    assert output.splitlines()[-1] == "cancelled True"
    assert process.returncode == 0

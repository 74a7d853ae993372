"""Which program is taken, and what is said where none will do."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path

import pytest

from desktop_app.backends.claude_cli.claude_cli_backend import ClaudeCliBackend
from desktop_app.backends.claude_cli.program_finder import ProgramFinder
from desktop_app.backends.claude_cli.program_process import STOP_STEPS_S, ProgramProcess, run_briefly
from desktop_app.core.errors import UserError
from desktop_app.core.stream_events import Failed
from tests.backends.claude_cli.plans import plan_of
from tests.expired_timers import ExpiredTimers
from tests.patience import PATIENCE_S

SYSTEM_PATH = os.environ["PATH"]


def fake(path: Path, version: str = "2.1.330 (Claude Code)", *, log: Path | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\n{f"echo run >> {log}" if log else ""}\necho "{version}"\n')
    path.chmod(0o755)
    return path


def finder(tmp_path: Path, *, explicit: Path | None = None, **environ: str) -> ProgramFinder:
    return ProgramFinder(explicit=explicit, environ=environ, folder=tmp_path)


def test_the_order_of_the_search(tmp_path: Path) -> None:
    explicit, named = fake(tmp_path / "a" / "claude"), fake(tmp_path / "b" / "claude")
    on_path, known = fake(tmp_path / "c" / "claude"), fake(tmp_path / "home" / ".local" / "bin" / "claude")
    home = str(tmp_path / "home")

    def found(environ: dict[str, str], explicit: Path | None = None) -> Path:
        return ProgramFinder(explicit=explicit, environ=environ, folder=tmp_path).locate()

    everything = {"PLIMSOLL_CLAUDE": str(named), "PATH": f"relative:{on_path.parent}", "HOME": home}
    assert found(everything, explicit) == explicit
    assert found(everything) == named
    assert found({"PATH": f"relative:{on_path.parent}", "HOME": home}) == on_path
    assert found({"PATH": str(tmp_path / "empty"), "HOME": home}) == known


async def test_a_named_program_may_be_relative_to_where_we_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path / "bin" / "claude")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path)
    environ = {"PLIMSOLL_CLAUDE": "bin/claude", "PATH": SYSTEM_PATH}

    program = await ProgramFinder(explicit=None, environ=environ, folder=tmp_path / "work").find()

    assert program.path == tmp_path / "bin" / "claude"


def test_a_named_program_that_is_not_there_is_not_replaced_by_another(tmp_path: Path) -> None:
    fake(tmp_path / "claude")

    with pytest.raises(UserError, match="not found at") as caught:
        finder(tmp_path, PLIMSOLL_CLAUDE=str(tmp_path / "gone"), PATH=str(tmp_path)).locate()

    assert caught.value.failure.code == "config"
    assert "npm install" in caught.value.failure.message


def test_scripts_of_windows_are_never_started(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"never started\. Set PLIMSOLL_CLAUDE to the claude\.exe"):
        finder(tmp_path, explicit=fake(tmp_path / "claude.cmd")).locate()


async def test_a_program_that_is_too_old_says_how_to_update(tmp_path: Path) -> None:
    old = fake(tmp_path / "claude", "2.1.247 (Claude Code)")

    with pytest.raises(UserError, match=r'claude 2\.1\.247 is too old, 2\.1\.248 or newer is needed: run "claude upd'):
        await finder(tmp_path, explicit=old, PATH=SYSTEM_PATH).find()


async def test_the_oldest_version_that_will_do(tmp_path: Path) -> None:
    program = await finder(tmp_path, explicit=fake(tmp_path / "claude", "2.1.248"), PATH=SYSTEM_PATH).find()

    assert program.version == (2, 1, 248)


@pytest.mark.parametrize("said", ["claude, the compiler", ""])
async def test_another_program_of_that_name_is_not_taken(tmp_path: Path, said: str) -> None:
    with pytest.raises(UserError, match="does not answer as claude does"):
        await finder(tmp_path, explicit=fake(tmp_path / "claude", said), PATH=SYSTEM_PATH).find()


async def test_a_file_that_cannot_be_started_is_an_answer_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "claude"
    broken.write_bytes(b"\x7fELF nothing")
    broken.chmod(0o755)
    backend = ClaudeCliBackend(program=broken, work_dir=tmp_path / "w", environ={"PATH": ""}, overrides={})

    *_, failed = [event async for event in backend.stream(plan_of("hello"))]

    assert isinstance(failed, Failed)
    assert failed.failure.code == "config"
    assert not (await backend.availability()).ok


async def test_a_folder_that_cannot_be_made_is_an_answer_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = fake(tmp_path / "claude")
    backend = ClaudeCliBackend(program=program, work_dir=tmp_path / "file" / "w", environ={}, overrides={})

    await backend.prepare()
    (failed,) = [event async for event in backend.stream(plan_of("hello"))]

    assert isinstance(failed, Failed)
    assert failed.failure.code == "store"


async def test_the_version_is_asked_once_until_the_file_changes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    path = fake(tmp_path / "claude", log=log)
    search = finder(tmp_path, explicit=path, PATH=SYSTEM_PATH)

    assert await search.find() == await search.find()
    assert log.read_text() == "run\n"

    fake(path, "2.2.0", log=log)
    os.utime(path, ns=(1, 1))
    assert (await search.find()).version == (2, 2, 0)


async def test_the_login_is_asked_for_until_it_is_there(tmp_path: Path) -> None:
    asked, login = tmp_path / "asked", tmp_path / "login"
    program = fake(tmp_path / "claude")
    with program.open("a") as script:
        script.write(f'if [ "$1" = auth ]; then echo once >> {asked}; test -e {login}; fi\n')
    environ = {"PATH": SYSTEM_PATH}
    backend = ClaudeCliBackend(program=program, work_dir=tmp_path / "w", environ=environ, overrides={})

    before = await backend.availability()
    login.touch()
    after = [await backend.availability() for _ in range(3)]

    assert (before.ok, before.detail) == (False, 'Sign in needed: run "claude" and log in.')
    assert [available.ok for available in after] == [True, True, True]
    assert asked.read_text() == "once\nonce\n"


async def test_a_setpriv_that_does_not_know_its_task_is_left_out(tmp_path: Path) -> None:
    fake(tmp_path / "bin" / "setpriv", "unknown option")

    program = await finder(tmp_path, explicit=fake(tmp_path / "claude"), PATH=str(tmp_path / "bin")).find()

    assert program.guard == ()
    assert program.version == (2, 1, 330)


async def test_a_program_that_hears_nothing_is_killed_after_three_waits(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    deaf.write_text("#!/bin/sh\ntrap '' INT TERM\necho ready\nwhile :; do sleep 1; done\n")
    deaf.chmod(0o755)
    process = await ProgramProcess.start((str(deaf),), guard=(), environ={"PATH": SYSTEM_PATH}, folder=tmp_path)
    assert await process.read() == b"ready\n"

    with ExpiredTimers() as waits:
        await process.stop(b"stop\n")

    assert waits.seconds == pytest.approx(STOP_STEPS_S, abs=0.01)
    assert process.exit_code == -9


@pytest.mark.skipif(sys.platform != "linux", reason="waitid is there alone")
async def test_a_stop_leaves_the_exit_code_of_a_program_that_has_just_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """asyncio asks for it in a thread of its own, which may come after the stop; it complains where another asked."""
    stop_has_begun = threading.Event()
    waitpid = os.waitpid

    def late(pid: int, options: int) -> tuple[int, int]:
        stop_has_begun.wait(PATIENCE_S)
        return waitpid(pid, options)

    monkeypatch.setattr(os, "waitpid", late)
    process = await ProgramProcess.start(
        ("/bin/sh", "-c", "exit 3"), guard=(), environ={"PATH": SYSTEM_PATH}, folder=tmp_path
    )
    if sys.platform == "linux":
        await asyncio.to_thread(os.waitid, os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    asyncio.get_running_loop().call_soon(stop_has_begun.set)

    await process.stop()

    assert (process.exit_code, caplog.messages) == (3, [])


async def test_a_program_that_hangs_when_asked_for_its_version_is_ended(tmp_path: Path) -> None:
    hanging = tmp_path / "hanging"
    hanging.write_text("#!/bin/sh\necho begun\nexec sleep 600\n")
    hanging.chmod(0o755)

    code, said = await run_briefly(
        (str(hanging),), guard=(), environ={"PATH": SYSTEM_PATH}, folder=tmp_path, seconds=0.3
    )

    assert (code, said) == (None, "begun\n")


async def test_standard_error_is_kept_but_not_all_of_it(tmp_path: Path) -> None:
    noisy = tmp_path / "noisy"
    noisy.write_text("#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x >&2\necho last >&2\n")
    noisy.chmod(0o755)
    process = await ProgramProcess.start((str(noisy),), guard=(), environ={"PATH": SYSTEM_PATH}, folder=tmp_path)

    assert await process.wait(PATIENCE_S)

    assert process.stderr.endswith("xlast")
    assert len(process.stderr) < 10_000
    await process.stop()

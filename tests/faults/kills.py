"""Processes that are killed (SIGKILL) at any moment: the history's own acts, migrations, commands, the whole window.

Acts and migrations run in forks of one process that has everything imported, so that a thousand kills take minutes.
A killed act is there whole or not at all, and all before it is there; a killed command loses nothing that was there
before it; of the window, what was typed two seconds before the kill is on disk (`tests.monkey`).
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Final

from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.data.db import build
from tests.faults.acts import Act, State, acts_by_chance, lost_of, state_of
from tests.faults.tries import Tries
from tests.monkey.__main__ import play

EACH: Final = 10
"""Acts between two copies of the day from which a killed process begins."""

LONGEST_S: Final = 0.25
"""An act takes some 4 ms: a process is killed within the first sixty."""


def kill_acts(folder: Path, kills: int, acts: int, seed: int) -> Tries:
    """Kills a process that does the acts of a day."""
    tries, chance = Tries("kills of acts"), random.Random(seed)
    day = acts_by_chance(acts, seed)
    states = asyncio.run(_lived(folder, day))
    for number in range(kills):
        first = chance.randrange(len(day) // EACH) * EACH
        trial = _copied(folder / f"at{first}", folder / "trial")
        acked = _killed(lambda trial=trial, first=first: _do(trial, day[first:]), chance.uniform(0, LONGEST_S))  # type: ignore[misc]
        done = first + acked
        _compare(trial, states[done], states[min(done + 1, len(day))], f"seed {seed}, kill {number}", tries)
        tries.notes[f"in the midst of: {day[min(done, len(day) - 1)].name}"] += 1
    return tries


def kill_migrations(folder: Path, kills: int, seed: int) -> Tries:
    """Kills a process that opens a history of an older format."""
    tries, chance = Tries("kills of migrations"), random.Random(seed)
    frozen = sorted(build.FOLDER.glob("v*.sqlite"))
    whole = {file: _state_after(_copied_file(file, folder / f"whole-{file.stem}")) for file in frozen}
    for number in range(kills):
        file = chance.choice(frozen)
        trial = _copied_file(file, folder / "trial")
        _killed(lambda trial=trial: _open(trial), chance.uniform(0, 0.15))  # type: ignore[misc]
        _compare(trial, whole[file], whole[file], f"seed {seed}, kill {number}, {file.stem}", tries)
    return tries


def kill_commands(folder: Path, kills: int, seed: int) -> Tries:
    """Kills real commands over one data folder: what was there before is there after, and the file is sound."""
    tries, chance = Tries("kills of commands"), random.Random(seed)
    app = Plimsoll(folder / "data")
    app.folder.mkdir(mode=0o700, parents=True)
    (app.folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')  # whatever is installed here
    words = [{"text": f"word{number} of an answer "} for number in range(40)]
    app.write_script(*[line for word in words for line in (word, {"delay_ms": 15})], {"end": "end_turn"})
    export = folder / "export.json"
    assert app("ask", "The first question").status == 0
    assert app("export", "--all", "--format", "json", "--output", str(export)).status == 0
    commands: list[Sequence[str]] = [
        ("ask", "--json", "A question that is cut"),
        ("ask", "--json", "Another one"),
        ("import", str(export)),
        ("export", "--all", "--format", "json", "--output", str(folder / "again.json")),
        ("search", "word7"),
        ("project", "create", "Portal"),
    ]
    for number in range(kills):
        before = _state_after(app.folder)
        command = chance.choice(commands)
        process = app.start(*command)
        time.sleep(chance.uniform(0.2, 2.0))
        process.kill()
        out, _ = process.communicate()
        begun = perf_counter()
        after = _state_after(app.folder)
        tries.recovered(perf_counter() - begun)
        lost = sorted(key for key in before if key.startswith(("message", "prompts")) and after.get(key) != before[key])
        if (
            command[0] == "ask"
            and b'"type": "delta"' in out
            and not any(
                "A question that is cut" in str(value) or "Another one" in str(value)
                for key, value in after.items()
                if key not in before
            )
        ):
            lost.append("the question of a turn that had begun to answer")
        problem = unsound(app.folder / "history.db")
        if lost or problem:
            tries.failed(f"seed {seed}, kill {number}, {' '.join(command)}", "; ".join([*lost, problem]))
        else:
            tries.held()
        tries.notes[command[0]] += 1
    return tries


def kill_windows(folder: Path, kills: int, seed: int) -> Tries:
    """Kills the window that a monkey plays, again and again on one folder."""
    tries = Tries("kills of the window")
    for number in range(kills):
        life = folder / f"life{number // 20}"
        life.mkdir(exist_ok=True, parents=True)
        faults = play(life, seed + number, ends=("kill",), life_s=random.Random(seed + number).uniform(0.5, 5.0))
        if faults:
            tries.failed(f"seed {seed + number}", "; ".join(faults)[:1_000])
        else:
            tries.held()
    return tries


# --- inside


async def _lived(folder: Path, day: Sequence[Act]) -> list[State]:
    """Does the whole day once, with copies on the way; the states before and after each act."""
    path = folder / "day" / "history.db"
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        states = [await state_of(history)]
        for number, act in enumerate(day):
            if number % EACH == 0:
                shutil.copytree(path.parent, folder / f"at{number}", ignore=shutil.ignore_patterns("*-shm"))
            await act.do(history)
            states.append(await state_of(history))
    finally:
        await history.close()
    return states


def _killed(work: Callable[[], object], after_s: float) -> int:
    """Forks a process that does the work and kills it; how many bytes it had written to its pipe by then."""
    global _tell  # noqa: PLW0603 - of the forked process alone
    if sys.platform == "win32":
        raise RuntimeError("processes can't be forked here")
    else:  # noqa: RET506 - without it, a look at the types as Windows has them finds what is never reached
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            os.close(reading)
            _tell = writing
            try:
                work()
            finally:
                os._exit(0)
        os.close(writing)
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said = bytearray()
        while piece := os.read(reading, 65_536):
            said += piece
        os.close(reading)
        return len(said)


_tell = -1


def _do(folder: Path, acts: Sequence[Act]) -> None:
    async def go() -> None:
        history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
        for act in acts:
            await act.do(history)
            os.write(_tell, b".")
        await history.close()

    asyncio.run(go())


def _open(folder: Path) -> None:
    async def go() -> None:
        await (await SqliteHistory.open(folder / "history.db", quiet_s=None)).close()

    asyncio.run(go())


def _compare(folder: Path, before: State, after: State, name: str, tries: Tries) -> None:
    begun = perf_counter()
    try:
        found = _state_after(folder)
    except Exception as error:  # noqa: BLE001 - whatever it is, the history could not be read
        tries.failed(name, f"{type(error).__name__}: {error}")
        return
    tries.recovered(perf_counter() - begun)
    lost = lost_of(found, before, after)
    problem = unsound(folder / "history.db")
    if lost or problem:
        tries.failed(name, "; ".join([*lost[:5], problem]))
    else:
        tries.held()


def _state_after(folder: Path) -> State:
    async def look() -> State:
        history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
        try:
            await history.repair_turns()
            return await state_of(history)
        finally:
            await history.close()

    return asyncio.run(look())


def unsound(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        verdict = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    return "" if verdict == "ok" else verdict


def _copied(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def _copied_file(file: Path, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    shutil.copy(file, folder / "history.db")
    return folder

"""Damaged files: bytes of header, pages, indexes and log that changed, pages of nothing, ends that are cut off.

The history has a backup of its first half; what came since stands in its log. After the repair nothing of what the
backup holds may be missing, and what can't be read any more of the file must be told. A log ends, for SQLite, where it
makes no sense: what stood behind that in it alone is lost without a sign. A byte within a text that changed leaves a
sound file: SQLite has no checksums, so such a text is counted apart.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Final

from desktop_app.core.errors import HistoryDamagedError
from desktop_app.storage.backup import back_up
from desktop_app.storage.history_repair import repair_history
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.faults.acts import State, acts_by_chance, state_of
from tests.faults.tries import Tries

PAGE: Final = 4096


def _bytes(content: bytearray, chance: random.Random, first: int, end: int) -> None:
    for _ in range(chance.choice((1, 4, 60))):
        content[chance.randrange(first, max(first + 1, min(end, len(content))))] ^= chance.randrange(1, 256)


def _page(content: bytearray, chance: random.Random) -> None:
    begin = chance.randrange(max(1, len(content) // PAGE)) * PAGE
    _bytes(content, chance, begin, begin + PAGE)


def _nothing(content: bytearray, chance: random.Random) -> None:
    begin = chance.randrange(max(1, len(content) // PAGE)) * PAGE
    content[begin : begin + PAGE] = bytes(min(PAGE, len(content) - begin))


def _cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def _garbage(content: bytearray, chance: random.Random) -> None:
    begin = chance.randrange(len(content))
    end = min(len(content), begin + chance.choice((200, 9_000, 60_000)))
    content[begin:end] = chance.randbytes(end - begin)


DAMAGES: Final[Mapping[str, Callable[[bytearray, random.Random], None]]] = {
    "header": lambda content, chance: _bytes(content, chance, 0, 100),
    "page": _page,
    "page of nothing": _nothing,
    "cut off": _cut,
    "garbage": _garbage,
}


def damage_files(folder: Path, files: int, acts: int, seed: int) -> Tries:
    """Damages so many copies of a history, each in another way, and repairs them."""
    tries, chance = Tries("damaged files"), random.Random(seed)
    half, whole = asyncio.run(_made(folder, acts, seed))
    for number in range(files):
        trial = folder / "trial"
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(folder / "whole", trial)
        name = chance.choice(list(DAMAGES))
        logs = trial / "history.db-wal"
        file = logs if logs.exists() and chance.random() < 0.25 else trial / "history.db"
        content = bytearray(file.read_bytes())
        DAMAGES[name](content, chance)
        file.write_bytes(content)
        what = f"{name} of the {'log' if file == logs else 'file'}"
        begun = perf_counter()
        try:
            found = repair_history(trial / "history.db", [folder / "backup.db"])
            try:
                state = asyncio.run(_state(trial))
            except HistoryDamagedError:  # what only reading shows is repaired at the next start
                found = repair_history(trial / "history.db", [folder / "backup.db"])
                state = asyncio.run(_state(trial))
        except Exception as error:  # noqa: BLE001 - whatever it is, the file could not be repaired
            tries.failed(f"seed {seed}, file {number}, {what}", f"not repaired: {type(error).__name__}: {error}")
            continue
        tries.recovered(perf_counter() - begun)
        tries.notes[f"{what}: {'sound' if found is None else found.kind}"] += 1
        lost = {key for key in whole if key.startswith("message") and key not in state}
        told = 0 if found is None else found.missing + found.unreadable
        if held := sorted(lost & half.keys()):
            tries.failed(f"seed {seed}, file {number}, {what}", f"in the backup and gone: {held[:4]}")
        elif lost and not told and file != logs:
            tries.failed(f"seed {seed}, file {number}, {what}", f"gone and not told: {sorted(lost)[:4]}")
        else:
            tries.held()
        tries.notes["messages said since the backup that came back"] += len(whole.keys() - half.keys() - lost)
        tries.notes["messages said since the backup that were lost"] += len(lost)
        changed = [key for key in whole if key.startswith("message") and key in state and state[key] != whole[key]]
        tries.notes["messages whose text changed"] += len(changed)
    return tries


async def _made(folder: Path, acts: int, seed: int) -> tuple[State, State]:
    """A history with a backup of its first half, as it lies there while it is open; the states of both."""
    path = folder / "live" / "history.db"
    day = [
        act for act in acts_by_chance(acts, seed) if act.name not in ("deletion", "restoration", "deletion for good")
    ]
    history = await SqliteHistory.open(path, quiet_s=None)
    try:
        for act in day[: len(day) // 2]:
            await act.do(history)
        half = await state_of(history)
        with closing(sqlite3.connect(path)) as connection:
            back_up(connection, folder / "backup.db")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log holds what came since
        for act in day[len(day) // 2 :]:
            await act.do(history)
        whole = await state_of(history)
        shutil.copytree(path.parent, folder / "whole", ignore=shutil.ignore_patterns("*-shm", "running-turns"))
    finally:
        await history.close()
    return half, whole


async def _state(folder: Path) -> State:
    history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
    try:
        return await state_of(history)
    finally:
        await history.close()

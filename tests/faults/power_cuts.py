"""Power cuts: what was written and not yet synced is lost, kept, or kept in part, sector by sector in any order.

A day's acts are done once, with every write and sync of SQLite written down. A cut then is any moment among these: each
file becomes what was synced last, and of each sector written since any of its states. The history is opened again, and
what can be read is compared with what was there before and after the act that was going on: an act that had returned
is there, whatever of its writes was "lost".

The file system is taken to keep its own order: a file that was synced is there with its name and size, and a new
history has its name once that is given.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final
from unittest.mock import patch

from desktop_app.storage import sqlite_connection
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.private_files import put_new
from tests.faults.acts import Act, State, acts_by_chance, lost_of, state_of
from tests.faults.sqlite_files import OK, FileAct, watched_files
from tests.faults.tries import Tries
from tests.storage.sql_work import in_sql

SECTOR: Final = 512
"""Bytes that a disk writes whole; SQLite's own assumption ("powersafe overwrite")."""

CHECKPOINT_PAGES: Final = 60
"""So that the log is moved into the file many times within a short day."""


CUTS_A_DAY: Final = 100

SYNCED: Final = "synchronous = FULL"
"""As the app opens its history."""


@dataclass(slots=True)
class Recording:
    """A day: its file acts in order, which act of the user was going on at each, and the state after each of these."""

    files: list[FileAct] = field(default_factory=list)
    during: list[int] = field(default_factory=list)
    states: list[State] = field(default_factory=list)


async def recorded_day(folder: Path, acts: Sequence[Act], pragma: str = SYNCED) -> Recording:
    """Does the acts in a new history and writes down what SQLite does; `pragma`: how it differs from ours."""
    recording = Recording()
    going_on = -1

    def judge(act: FileAct) -> int:
        recording.files.append(act)
        recording.during.append(going_on)
        return OK

    def put(fresh: Path, path: Path) -> None:
        put_new(fresh, path)
        judge(FileAct("name", fresh.name, data=path.name.encode()))

    with watched_files(judge), patch.object(sqlite_connection, "put_new", put):
        history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
        for one in (f"wal_autocheckpoint = {CHECKPOINT_PAGES}", pragma):
            await in_sql(history, lambda connection, one=one: connection.execute(f"PRAGMA {one}"))  # type: ignore[misc]
        recording.states.append(await state_of(history))
        for going_on, act in enumerate(acts):  # noqa: B007 - read by `judge`
            await act.do(history)
            recording.states.append(await state_of(history))
        going_on = len(acts)
        await history.close()
    recording.states.append(recording.states[-1])
    return recording


class Disk:
    """Files as they are after a cut: durable bytes, and what was written since."""

    def __init__(self) -> None:
        self._durable: dict[str, bytearray] = {}
        self._since: dict[str, list[FileAct]] = {}

    def take(self, act: FileAct) -> None:
        """Notes what is done to a file."""
        match act.what:
            case "sync":
                content = self._durable.setdefault(act.name, bytearray())
                for earlier in self._since.pop(act.name, []):
                    _apply(content, earlier)
            case "name":  # a whole file gets a second name
                self._durable[act.data.decode()] = bytearray(self._durable[act.name])
            case "delete":
                self._durable.pop(act.name, None)
                self._since.pop(act.name, None)
            case _:
                self._since.setdefault(act.name, []).append(act)

    def cut(self, folder: Path, chance: random.Random) -> None:
        """Writes what a cut leaves of each file into a new folder."""
        folder.mkdir(mode=0o700)
        for name in self._durable.keys() | self._since.keys():
            content = bytearray(self._durable.get(name, b""))
            written = self._since.get(name, [])
            # a few cuts lose all of it, a few nothing: the orders that disks really have
            kept = chance.choice((0.0, 1.0, chance.random(), chance.random()))
            for act in written:
                if act.what == "truncate":
                    if chance.random() < kept:
                        _apply(content, act)
                    continue
                for sector in _sectors(act):
                    if chance.random() < kept:
                        _apply(content, sector)
            (folder / name).write_bytes(content)


def _sectors(act: FileAct) -> Iterator[FileAct]:
    begin, end = act.offset, act.offset + len(act.data)
    while begin < end:
        upto = min(end, (begin // SECTOR + 1) * SECTOR)
        yield FileAct("write", act.name, begin, act.data[begin - act.offset : upto - act.offset])
        begin = upto


def _apply(content: bytearray, act: FileAct) -> None:
    if act.what == "truncate":
        del content[act.offset :]
        content.extend(bytes(act.offset - len(content)))
    else:
        if len(content) < act.offset:
            content.extend(bytes(act.offset - len(content)))
        content[act.offset : act.offset + len(act.data)] = act.data


async def cut_power(folder: Path, cuts: int, acts: int, seed: int, *, pragma: str = SYNCED) -> Tries:
    """So many cuts in days of so many acts; a new day every hundred cuts."""
    chance, tries = random.Random(seed), Tries("power cuts")
    while tries.done < cuts:
        day_seed = chance.randrange(1 << 30)
        recording = await recorded_day(folder / f"day{day_seed}", acts_by_chance(acts, day_seed), pragma)
        moments = sorted(chance.randrange(len(recording.files)) for _ in range(min(CUTS_A_DAY, cuts - tries.done)))
        disk, taken = Disk(), 0
        for moment in moments:
            for act in recording.files[taken:moment]:
                disk.take(act)
            taken = max(taken, moment)
            shutil.rmtree(folder / "cut", ignore_errors=True)
            disk.cut(folder / "cut", chance)
            wrong = await _opened_again(folder / "cut", recording, recording.during[moment], tries)
            if wrong:
                tries.failed(f"day {day_seed} of {acts} acts, at {moment}", "; ".join(wrong[:5]))
            else:
                tries.held()
        shutil.rmtree(folder / f"day{day_seed}")
    return tries


async def _opened_again(folder: Path, recording: Recording, act: int, tries: Tries) -> list[str]:
    """What is wrong with what a cut left that came within this act of the day."""
    if act < 0:  # the file itself was being made: an empty one counts as not begun
        for empty in folder.glob("history.db*"):
            if not empty.stat().st_size:
                empty.unlink()
    begun = perf_counter()
    try:
        history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
        try:
            found = await state_of(history)
        finally:
            await history.close()
    except Exception as error:  # noqa: BLE001 - whatever it is, the history could not be read
        return [f"{type(error).__name__}: {error}"]
    tries.recovered(perf_counter() - begun)
    return lost_of(found, recording.states[max(0, act)], recording.states[act + 1])

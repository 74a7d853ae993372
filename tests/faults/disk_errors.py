"""A disk that fails, or is full, at every single write and sync of a day.

Before each act of the day the history is copied; on the copy the act is done again and again, its first write failing,
then its second, and so on. It must be refused with an error for the user, with nothing of it there and nothing else
gone; once the disk works again the same act succeeds.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop_app.core.errors import PlimsollError
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.faults.acts import Act, State, lost_of, state_of
from tests.faults.sqlite_files import FULL, IOERR, OK, FileAct, watched_files
from tests.faults.tries import Tries

WAYS: Final = (("disk full from here on", FULL, True), ("one error of the disk", IOERR, False))
MOST_WRITES: Final = 500
"""No act of a day writes as often."""


class FailingDisk:
    """Fails the write, sync, truncation or deletion number `at` (from 1), and where `stays` all that follow."""

    def __init__(self, at: int, code: int, *, stays: bool) -> None:
        self._at, self._code, self._stays = at, code, stays
        self._left = 0
        self.failed = False

    def fails_from_now(self) -> None:
        """Counts from now on."""
        self._left = self._at

    def works(self) -> None:
        """It works, again or still."""
        self._left = 0

    def judge(self, _act: FileAct) -> int:
        """Whether this one fails."""
        if not self._left:
            return OK
        self._left -= 1
        if self._left:
            return OK
        self.failed = True
        self._left = int(self._stays)
        return self._code


async def fail_everywhere(folder: Path, acts: Sequence[Act]) -> Tries:
    """Tries every write of every act, in both ways."""
    tries = Tries("writes and syncs that fail")
    day = folder / "day"
    history = await SqliteHistory.open(day / "history.db", quiet_s=None)
    try:
        before = await state_of(history)
        for number, act in enumerate(acts):
            shutil.rmtree(folder / "before", ignore_errors=True)
            shutil.copytree(day, folder / "before", ignore=shutil.ignore_patterns("*-shm"))
            await act.do(history)
            trial = _Trial(folder, act, before, await state_of(history))
            for way, code, stays in WAYS:
                for at in range(1, MOST_WRITES):
                    if (wrong := await trial.fail(FailingDisk(at, code, stays=stays))) is None:
                        break
                    if wrong:
                        tries.failed(f"act {number} ({act.name}), {way}, write {at}", "; ".join(wrong[:4]))
                    else:
                        tries.held()
                    tries.notes[way] += 1
            before = trial.after
    finally:
        await history.close()
    return tries


@dataclass(frozen=True, slots=True)
class _Trial:
    """One act, with the states before and after it; `folder / "before"` holds the history as it was before."""

    folder: Path
    act: Act
    before: State
    after: State

    async def fail(self, disk: FailingDisk) -> list[str] | None:
        """What is wrong afterwards; None where the act does not write so often."""
        trial = self.folder / "trial"
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(self.folder / "before", trial)
        with watched_files(disk.judge):
            history = await SqliteHistory.open(trial / "history.db", quiet_s=None)
            try:
                wrong = await self._done(history, disk)
            except PlimsollError as error:
                wrong = [f"afterwards: {error.failure.message}"]
            finally:
                disk.works()
                await history.close()
        if wrong is None:
            return None
        again = await SqliteHistory.open(trial / "history.db", quiet_s=None)
        try:
            return wrong + [f"opened again: {one}" for one in lost_of(await state_of(again), self.after, self.after)]
        finally:
            await again.close()

    async def _done(self, history: SqliteHistory, disk: FailingDisk) -> list[str] | None:
        wrong: list[str] = []
        disk.fails_from_now()
        refused = True
        try:
            await self.act.do(history)
            refused = False
        except PlimsollError as error:
            if error.failure.code != "store":
                wrong.append(f"refused as {error.failure.code}: {error.failure.message}")
        except Exception as error:  # noqa: BLE001 - no fault of a disk may come out as anything else
            wrong.append(f"{type(error).__name__}: {error}")
        disk.works()
        if not disk.failed:
            return None
        expected = self.before if refused else self.after
        wrong += lost_of(await state_of(history), expected, expected)
        if refused:
            await self.act.do(history)
            wrong += [f"again: {one}" for one in lost_of(await state_of(history), self.after, self.after)]
        return wrong

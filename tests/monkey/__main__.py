"""`./dev monkey [--minutes N] [--seed S]`: the real window, played by chance, killed and started again on one folder.

Each life ends by the kill signal, by SIGTERM or in order. It fails, with seed and place, on any exception, crash
report, error in the log or warning of Qt, on a window that stands still or does not end, on a history that SQLite finds
fault with, and on typed text that is nowhere: in the window at once, after a kill what was typed two seconds before it.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.monkey.script import write_script
from tests.monkey.words import KEEPING_S, problem_of, stored_words

STILL_S: Final = 40.0
"""A window that does nothing for so long stands still; a slow computer needs a few seconds for a start.

What other programs had the processor for while it was ready to go on does not count.
"""
ENDING_S: Final = 30.0
STATUS: Final = {"kill": -9, "term": 128 + signal.SIGTERM, "order": 0}


@dataclass
class Life:
    """What one life of the window left."""

    acts: list[tuple[float, str, frozenset[str]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    taking: bool = False
    """It ended in the midst of an act that may take words away."""

    @property
    def now(self) -> set[str]:
        """Words that were there at the last act."""
        return set(self.acts[-1][2]) if self.acts and not self.taking else set()

    def owed(self, until: float) -> set[str]:
        """Words that were there two seconds before `until`, and ever since."""
        early = [typed for at, _, typed in self.acts if at <= until - KEEPING_S]
        late = [typed for at, _, typed in self.acts if at > until - KEEPING_S]
        owed = set(early[-1]) if early and not self.taking else set[str]()
        for typed in late:
            owed &= typed
        return owed


class Window:
    """The program with the monkey inside, as a process."""

    def __init__(self, folder: Path, seed: int, first_word: int, seconds: float) -> None:
        """It ends by itself after `seconds`."""
        environ = {
            **{name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")},
            "HOME": str(folder),
            "QT_QPA_PLATFORM": "offscreen",
            "LC_ALL": "C.UTF-8",
            "PLIMSOLL_SCRIPT": str(folder / "script.jsonl"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        command = [sys.executable, "-m", "tests.monkey.child", str(folder / "data")]
        command += [str(seed), str(seconds), str(first_word)]
        self._told = folder / "stderr.txt"
        with self._told.open("w", encoding="utf-8") as told:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=told, text=True, env=environ, cwd=folder
            )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def told(self) -> str:
        """What it wrote to stderr."""
        return self._told.read_text("utf-8", "replace")

    def follow(self, life: Life, seconds: float | None) -> bool:
        """Takes what it says, for so long from its first act or until its end; False where it says nothing too long."""
        silent, until = self._own_time(), None
        while until is None or time.monotonic() < until:
            if seconds is not None and life.acts and until is None:
                until = time.monotonic() + seconds
            try:
                line = self._lines.get(timeout=0.2)
            except queue.Empty:
                if self._own_time() - silent > STILL_S:
                    return False
                continue
            if line is None:
                self._lines.put(None)  # for whoever asks next
                return True
            silent = self._own_time()
            _take(line, life)
        return True

    def end(self, how: str, life: Life) -> bool:
        """Ends it, or waits for its own end; False where it goes on all the same."""
        if how == "kill":
            self.process.kill()
        elif how == "term":
            self.process.send_signal(signal.SIGTERM)
        begun = self._own_time()
        while (status := self.process.poll()) is None:
            if self._own_time() - begun > ENDING_S:
                return False
            time.sleep(0.05)
        if status != STATUS[how]:
            life.faults.append(f"exit status {status}, not {STATUS[how]}, after {how}")
        return self.follow(life, None)

    def close(self) -> None:
        """Has it write down where its threads are if it still lives, and ends it."""
        if self.process.poll() is None:
            if sys.platform != "win32":
                self._let_tell()
            self.process.kill()
            self.process.wait()
        self._reading.join(ENDING_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _let_tell(self) -> None:
        """Returns when it has written where its threads are: something came, and then nothing more."""
        before, seen, asked = self.told, "", time.monotonic()
        if sys.platform != "win32":
            self.process.send_signal(signal.SIGUSR1)
        while (told := self.told) == before or told != seen:
            if time.monotonic() - asked > ENDING_S:
                return
            seen = told
            time.sleep(0.05)

    def _own_time(self) -> float:
        """The time in seconds, less what its main thread has waited for a processor so far, where the system tells."""
        try:
            waited = int(Path(f"/proc/{self.process.pid}/schedstat").read_text("ascii").split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            waited = 0.0
        return time.monotonic() - waited

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)


def live(folder: Path, seed: int, first_word: int, seconds: float, end: str) -> Life:
    """One life: `end` is `kill`, `term` or `order`."""
    life = Life()
    window = Window(folder, seed, first_word, seconds if end == "order" else 100_000)
    try:
        moves = window.follow(life, None if end == "order" else seconds)
        killed = time.monotonic()
        if not moves:
            life.faults.append("the window stands still")
        elif not window.end(end, life):
            life.faults.append(f"the window does not end after {end}")
    finally:
        window.close()
    if life.faults or "Traceback" in window.told:
        life.faults.append(f"stderr: {window.told[-4000:]}")
    if (folder / "data" / "history.db").exists():
        _look_at(folder / "data", life, life.owed(killed) if end == "kill" else life.now)
    return life


def _take(line: str, life: Life) -> None:
    if not line.endswith("\n"):
        return  # a kill cuts the last one
    facts = json.loads(line)
    if "fault" in facts:
        life.faults.append(facts["fault"])
    if "taking" in facts:
        life.taking = True
    if "act" in facts:
        life.taking = False
        life.acts.append((facts["at"], facts["act"], frozenset(facts["typed"])))
        life.words |= set(facts["typed"])


def _look_at(data_dir: Path, life: Life, owed: set[str]) -> None:
    """What is on disk after a life."""
    if lost := owed - stored_words(data_dir):
        life.faults.append(f"not on disk: {sorted(lost)}")
    if problem := problem_of(data_dir):
        life.faults.append(f"the history: {problem}")
    for report in sorted((data_dir / "logs").glob("crash-*")):
        life.faults.append(f"{report.name}: {report.read_text('utf-8', 'replace')[-3000:]}")
        report.unlink()


def play(
    folder: Path, seed: int, *, minutes: float = 0.0, ends: tuple[str, ...] = (), life_s: float = 0.0
) -> list[str]:
    """Plays for so long, or one life for each of `ends`; what went wrong."""
    chance, faults, number, acts = random.Random(seed), list[str](), 0, 0
    write_script(folder / "script.jsonl", seed)
    until = time.monotonic() + minutes * 60
    while number < len(ends) if ends else time.monotonic() < until:
        end = ends[number] if ends else chance.choice(("kill", "kill", "term", "order"))
        seconds = life_s or chance.uniform(8, 45)
        life = live(folder, seed * 1_000 + number, (number + 1) * 10_000, seconds, end)
        acts += len(life.acts)
        number += 1
        last = "; ".join(did for _, did, _ in life.acts[-6:])
        print(
            f"life {number}: {len(life.acts)} acts, {len(life.words)} words, ended by {end}; {len(life.faults)} faults",
            flush=True,
        )
        for fault in life.faults:
            print(f"  seed {seed}, life {number}: {fault}\n  last: {last}", flush=True)
        faults += life.faults
    print(f"{number} lives, {acts} acts, seed {seed}: {len(faults)} faults")
    return faults


def main() -> int:
    """Plays as long as is asked for; 1 where anything went wrong."""
    parser = argparse.ArgumentParser(prog="dev monkey")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1_000_000)
    with tempfile.TemporaryDirectory(prefix="monkey.") as folder:
        return 1 if play(Path(folder), seed, minutes=chosen.minutes) else 0


if __name__ == "__main__":
    sys.exit(main())

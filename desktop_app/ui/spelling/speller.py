"""The facts known of words: right, wrong, what may be meant; and the process that looks them up, from start to end."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from desktop_app.system.own_processes import bare_environment
from desktop_app.ui.spelling.spelling_worker import worker_command
from desktop_app.ui.widgets.parts import single_shot

LONGEST_MS: Final = 20_000
"""An order that takes longer brought the process to a stand: it is ended. Opening two dictionaries takes 0.3 s."""
LONGEST_END_MS: Final = 5_000
"""A process that was killed is gone at once, but on a busy computer that is told late."""
MOST_STARTS: Final = 4
"""A process that ends by itself so often has something that Plimsoll can't mend."""
_OF_DICTIONARIES: Final = (
    "DICPATH",
    *("XDG_DATA_HOME", "XDG_DATA_DIRS", "LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"),
)
"""The environment variables that name places where dictionaries may be."""

Answered = Callable[[Mapping[str, Any] | None], None]


class SpellingProcess(QObject):
    """At most one process. Orders are answered in turn; an order marked `first` goes before those that still wait."""

    started_anew = Signal()  # the process before ended by itself: what it knew has to be told again
    gave_up = Signal()

    def __init__(self, command: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._process: QProcess | None = None
        self._waiting: deque[tuple[dict[str, Any], Answered]] = deque()
        self._asked: Answered | None = None
        self._starts = 0
        self._late = single_shot(self, self._kill, LONGEST_MS)

    @property
    def pid(self) -> int:
        """The process's id; 0 where there is none."""
        return self._process.processId() if self._process is not None else 0

    def ask(self, order: dict[str, Any], answered: Answered, *, first: bool = False) -> None:
        """Carries out an order; `answered` gets None where the process ended before it could tell."""
        if first:
            self._waiting.appendleft((order, answered))
        else:
            self._waiting.append((order, answered))
        self._go_on()

    def close(self) -> None:
        """Ends the process for good: what is asked from now on starts none. Returns when none is left."""
        self.end()
        self._starts = MOST_STARTS
        for child in self.findChildren(QProcess):
            child.waitForFinished(LONGEST_END_MS)

    def end(self) -> None:
        """Ends the process; what was asked before is not answered any more."""
        self._waiting.clear()
        self._asked = None
        self._starts = 0
        self._late.stop()
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect(self._read)
            process.finished.disconnect(self._over)
            process.errorOccurred.disconnect(self._failed)
            process.finished.connect(process.deleteLater)
            process.kill()  # it has nothing that could be lost

    def _go_on(self) -> None:
        if self._asked is not None or not self._waiting:
            return
        if self._process is None and not self._start():
            waiting, self._waiting = self._waiting, deque()
            for _, answered in waiting:
                answered(None)
            return
        order, self._asked = self._waiting.popleft()
        assert self._process is not None
        self._process.write(json.dumps(order).encode() + b"\n")
        self._late.start()

    def _start(self) -> bool:
        if self._starts >= MOST_STARTS:
            return False
        self._starts += 1
        process = self._process = QProcess(self)
        process.setProcessEnvironment(_environment())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._over)
        process.errorOccurred.connect(self._failed)
        process.start(self._command[0], self._command[1:])
        return True

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            answer = json.loads(bytes(self._process.readLine().data()))
            asked, self._asked = self._asked, None
            self._late.stop()
            if asked is not None:
                asked(answer)
            self._go_on()

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._over()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()

    def _over(self) -> None:
        """It ended by itself: whoever waits for an answer gets none, and the next order starts another one."""
        process, self._process = self._process, None
        asked, self._asked = self._asked, None
        self._late.stop()
        if process is None:
            return
        process.deleteLater()
        if asked is not None:
            asked(None)
        if self._starts >= MOST_STARTS:
            self.gave_up.emit()
        else:
            self.started_anew.emit()
        self._go_on()


def _environment() -> QProcessEnvironment:
    environment = QProcessEnvironment()
    for name, value in bare_environment(*_OF_DICTIONARIES).items():
        environment.insert(name, value)
    return environment


BATCH: Final = 60
"""Words of one order: a few milliseconds at most, so that a suggestion asked for meanwhile comes soon."""
MOST_KNOWN: Final = 20_000
"""Words whose verdict is kept: two megabytes."""


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """The dictionaries that are there: `found` (code and folder of each), the codes in use, and what went wrong.

    `problem`: "", "not_installed" (the library), "stopped" (the process ended again and again), else what a dictionary
    says of itself.
    """

    found: tuple[tuple[str, str], ...] = ()
    used: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Places:
    """Files of the data folder: the user's own words, and a folder for dictionaries of the user's own."""

    words: Path
    dictionaries: Path

    @classmethod
    def in_folder(cls, root: Path) -> Places:
        return cls(root / "words.txt", root / "dictionaries")


class Speller(QObject):
    """Verdicts for all fields of the app.

    `verdicts_changed`: some word is known now, or known otherwise. `dictionaries_changed(Dictionaries)`.
    `suggested(word)`: what may have been meant is known, or its process ended over it (`suggestions` is None then).
    `learned(word, kept)`: the user's own words have grown; not `kept`: they could not be written to the file.
    """

    verdicts_changed = Signal()
    dictionaries_changed = Signal(object)
    suggested = Signal(str)
    learned = Signal(str, bool)

    def __init__(
        self, places: Places, system: Sequence[str], parent: QObject, command: Sequence[str] | None = None
    ) -> None:
        """`system`: the languages of the computer, the first first, such as `de_DE`."""
        super().__init__(parent)
        self.places = places
        self._system = tuple(system)
        self._process = SpellingProcess(command or worker_command(), self)
        self._process.started_anew.connect(self._tell_again)
        self._process.gave_up.connect(self._give_up)
        self._known: dict[str, bool] = {}
        self._ignored: set[str] = set()
        self._wanted: dict[str, None] = {}
        self._asking = False
        self.known_suggestions: dict[str, tuple[str, ...]] = {}
        self._looked_for: set[str] = set()
        self._languages: tuple[str, ...] = ()
        self._on = False
        self.dictionaries = Dictionaries()

    @property
    def pid(self) -> int:
        """The id of the process that looks words up; 0 where there is none."""
        return self._process.pid

    def use(self, languages: Sequence[str], *, on: bool) -> None:
        """Takes the dictionaries of these languages (none: the system's and English).

        Not `on`: only looks what is there.
        """
        self._languages, self._on = tuple(languages), on
        self._forget()
        self._tell_again()

    def end(self) -> None:
        """Ends the process for good, and waits until it is gone."""
        self.rest()
        self._process.close()

    def rest(self) -> None:
        """Ends the process; the next `use` starts another one."""
        self._process.end()
        self._on = self._asking = False
        self._wanted.clear()
        self._looked_for.clear()
        self._forget()

    def is_wrong(self, word: str) -> bool:
        """Return True if the word is known to be in no dictionary."""
        return self._known.get(word) is False and word not in self._ignored

    def look_up(self, words: Iterable[str]) -> None:
        """Sees to it that these words are known soon."""
        if not self._on or self.dictionaries.problem in ("not_installed", "stopped"):
            return
        self._wanted.update((word, None) for word in words if word not in self._known)
        self._go_on()

    def suggestions(self, word: str) -> tuple[str, ...] | None:
        """Return the words that may have been meant; None: not known yet."""
        return self.known_suggestions.get(word)

    def suggest(self, word: str, *, soon: bool = True) -> None:
        """Looks for suggestions; `suggested` tells when that is done. Not `soon`: all else goes first."""
        if word in self.known_suggestions:
            self.suggested.emit(word)
            return
        if not soon and word in self._looked_for:
            return
        self._looked_for.add(word)

        def answered(answer: Mapping[str, Any] | None) -> None:
            self._looked_for.discard(word)
            if answer is not None:
                self.known_suggestions[word] = tuple(answer["suggestions"])
            self.suggested.emit(word)

        self._process.ask({"do": "suggest", "word": word}, answered, first=soon)

    def ignore(self, word: str) -> None:
        """The word is not marked any more until Plimsoll ends."""
        self._ignored.add(word)
        self.verdicts_changed.emit()

    def learn(self, word: str) -> None:
        """Adds the word to the user's own."""
        self._ignored.add(word)
        self.verdicts_changed.emit()

        def answered(answer: Mapping[str, Any] | None) -> None:
            kept = answer is not None and bool(answer["learned"])
            # with it go the same word in capitals, and with another apostrophe
            self._forget()
            self.verdicts_changed.emit()
            self.learned.emit(word, kept)

        self._process.ask({"do": "learn", "word": word}, answered, first=True)

    # --- inside

    def _forget(self) -> None:
        self._known.clear()
        self.known_suggestions.clear()

    def _tell_again(self) -> None:
        order = {
            "do": "open",
            "languages": list(self._languages),
            "system": list(self._system),
            "own": str(self.places.dictionaries),
            "words": str(self.places.words),
            "open": self._on,
        }
        self._process.ask(order, self._opened, first=True)

    def _opened(self, answer: Mapping[str, Any] | None) -> None:
        if answer is None:
            return
        found = tuple((code, folder) for code, folder in answer["found"])
        self._forget()
        self.dictionaries = Dictionaries(found, tuple(answer["used"]), answer["problem"])
        self.dictionaries_changed.emit(self.dictionaries)
        self.verdicts_changed.emit()

    def _give_up(self) -> None:
        self.dictionaries = Dictionaries(self.dictionaries.found, (), "stopped")
        self._forget()
        self.dictionaries_changed.emit(self.dictionaries)
        self.verdicts_changed.emit()

    def _go_on(self) -> None:
        if self._asking or not self._wanted:
            return
        batch = [word for word, _ in zip(self._wanted, range(BATCH), strict=False)]
        for word in batch:
            del self._wanted[word]
        self._asking = True

        def answered(answer: Mapping[str, Any] | None) -> None:
            self._asking = False
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            wrong = frozenset(answer["wrong"]) if answer is not None else frozenset[str]()
            if answer is None:
                self._ignored.update(batch)  # one of them brought the process down
            self._known.update((word, word not in wrong) for word in batch)
            if wrong:
                self.verdicts_changed.emit()
            self._go_on()

        self._process.ask({"do": "check", "words": batch}, answered, first=True)

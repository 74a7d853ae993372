"""The real program with a monkey inside: `python -m tests.monkey.child DATA_DIR SEED SECONDS FIRST_WORD`.

Prints a line of JSON for each act: `{"act", "typed"}`, `typed` being the words that must still be somewhere, and
`{"fault"}` for what must not be. Ends by itself after SECONDS, in order.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import random
import signal
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMessageLogContext, QObject, QTimer, QtMsgType, QUrl, Slot, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit

from desktop_app.ui.shell.session import WindowSession
from tests.monkey.hands import Hands
from tests.monkey.words import stored_words, words_in

OF_NO_SCREEN = ("This plugin does not support", "systemTrayWindowChanged", "Mouse event")
EDITING_S = 6.0
"""Longest that a word may be in nobody's hands, on its way from one place to another, on a busy computer."""


def tell(**facts: object) -> None:
    sys.stdout.write(json.dumps({"at": time.monotonic(), **facts}) + "\n")
    sys.stdout.flush()


class LogWatch(logging.Handler):
    """Errors that are logged."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        place = ""
        if error is not None:
            import traceback

            place = "".join(traceback.format_exception(error))[-1500:]
        tell(fault=f"log: {record.name}: {record.getMessage()[:400]} {place}")


class Links(QObject):
    """Takes addresses that would open another program."""

    @Slot(QUrl)
    def take(self, _url: QUrl) -> None:
        return


class Monkey:
    """Plays until its time is over, then ends the window in order."""

    def __init__(self, session: WindowSession, data_dir: Path, seed: int, seconds: float, first_word: int) -> None:
        self._session = session
        self._data_dir = data_dir
        self._chance = random.Random(seed)
        self._hands = Hands(session, self._chance)
        self._seconds = seconds
        self._word = first_word
        self._typed: set[str] = set()
        self._did: deque[str] = deque(maxlen=12)

    async def play(self) -> None:
        await self._session.opened_first.wait()
        # Each with whether it may take words away: keys edit, a click may delete or drop.
        hands = self._hands
        acts: list[tuple[Callable[[], str], int, bool]] = [
            (self._write, 24, False),
            (hands.send, 14, False),
            (hands.thread, 8, False),
            (hands.new_thread, 3, False),
            (hands.page, 6, False),
            (hands.size, 3, False),
            (hands.wheel, 8, False),
            (hands.keys, 16, True),
            (hands.click, 14, True),
            (hands.drag, 6, True),
            (hands.shortcut, 10, True),
        ]
        until = time.monotonic() + self._seconds
        # nobody types into a window that has gone
        while time.monotonic() < until and not self._session.ended.done():
            act, _, takes = self._chance.choices(acts, [weight for _, weight, _ in acts])[0]
            if not takes:
                await self._from_outside(hands.put_away_popups)
            else:
                tell(taking=True)  # whoever ends the program now can't know what was taken away
            did = await self._from_outside(act)
            self._did.append(did)
            await asyncio.sleep(self._chance.choice((0, 0, 0.005, 0.03, 0.15, 0.4)))
            if takes:
                await self._until_kept()
                if self._session.ended.done():  # by a signal, and the window is gone
                    break
                self._typed &= self._found()
            else:
                await self._look_for_words()
            tell(act=did, typed=sorted(self._typed))
        await self._from_outside(hands.put_away_popups)
        await asyncio.sleep(0.5)
        self._session.end(0)

    async def _from_outside(self, act: Callable[[], str]) -> str:
        """Acts as the screen's server does: what a key sets going must not begin inside of a task, as this one is."""
        done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def now() -> None:
            did = "nothing: a fault"
            try:
                did = act()
            finally:  # the fault itself is told by the hook for faults
                if not done.done():
                    done.set_result(did)

        QTimer.singleShot(0, self._session.window, now)
        return await done

    def _write(self) -> str:
        self._word += 1
        word = f"mk{self._word}q"
        did = self._hands.write(f"{word} ")
        window = self._session.window
        if not self._session.app_state.private and word in window.composer.text():
            self._typed.add(word)
        return did

    async def _until_kept(self) -> None:
        """Until what was taken away is gone from the disk, too: a stored draft may be older than the field."""
        until, drafts = time.monotonic() + EDITING_S, self._session.presenters.drafts
        await asyncio.sleep(0.12)
        while not self._session.ended.done() and not drafts.all_saved:
            if time.monotonic() > until:
                return
            await asyncio.sleep(0.02)

    async def _look_for_words(self) -> None:
        until = time.monotonic() + EDITING_S
        while not self._session.ended.done() and (missing := self._typed - self._found()):
            if time.monotonic() > until:
                tell(fault=f"lost: {sorted(missing)} after {'; '.join(self._did)}")
                self._typed -= missing
                return
            await asyncio.sleep(0.05)

    def _found(self) -> set[str]:
        """The words that are in a field, wait in the queue, or are stored."""
        if not self._typed:
            return set()
        fields: list[str] = []
        fields += [one.toPlainText() for one in self._session.window.findChildren(QTextEdit)]
        fields += [one.toPlainText() for one in self._session.window.findChildren(QPlainTextEdit)]
        fields += [one.text() for one in self._session.window.findChildren(QLineEdit)]
        turns = self._session.presenters.sending
        fields += [str(parts) for parts in turns._queued.values()]
        fields += self._session.presenters.pages.unsaved_texts().values()
        found = {word for field in fields for word in words_in(field)}
        if self._typed <= found:
            return found
        try:
            return found | stored_words(self._data_dir)
        except sqlite3.Error:
            return found


def main() -> int:
    data_dir, seed, seconds, first_word = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    faulthandler.enable()
    if sys.platform != "win32":
        faulthandler.register(signal.SIGUSR1)

    def on_qt(kind: QtMsgType, _place: QMessageLogContext, words: str) -> None:
        if kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg) and not any(
            one in words for one in OF_NO_SCREEN
        ):
            tell(fault=f"Qt: {words}")

    qInstallMessageHandler(on_qt)
    before = sys.excepthook

    def on_error(kind: type[BaseException], error: BaseException, place: Any) -> None:
        import traceback

        tell(fault="".join(traceback.format_exception(kind, error, place))[-2000:])
        before(kind, error, place)

    sys.excepthook = on_error
    sys.unraisablehook = lambda hint: tell(fault=f"unraisable: {hint.exc_value!r} {hint.object!r}")
    watch = LogWatch(logging.ERROR)
    for name in ("", "desktop_app"):
        logging.getLogger(name).addHandler(watch)
    run = WindowSession.run

    async def run_with_monkey(session: WindowSession) -> int:
        links = Links(session.window)
        for scheme in ("http", "https", "file", "mailto"):
            QDesktopServices.setUrlHandler(scheme, links, "take")  # type: ignore[arg-type]  # the stub is wrong
        monkey = asyncio.ensure_future(Monkey(session, data_dir, seed, seconds, first_word).play())

        def over(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (error := task.exception()) is not None:
                import traceback

                tell(fault="the monkey: " + "".join(traceback.format_exception(error))[-2000:])
                session.end(1)

        monkey.add_done_callback(over)
        try:
            return await run(session)
        finally:
            monkey.cancel()

    WindowSession.run = run_with_monkey  # type: ignore[assignment, method-assign]
    from desktop_app.app import main as open_window
    from desktop_app.window_options import WindowOptions

    status = open_window(WindowOptions(data_dir=str(data_dir), backend="scripted"))
    tell(ended=status)
    return status


if __name__ == "__main__":
    sys.exit(main())

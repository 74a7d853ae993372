"""What a private thread leaves on disk, whatever is done in it: nothing, while the window is open and afterwards.

Everything that is written lands in one folder: data, home, cache, temporary files of every process.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPdfWriter, QTextDocument
from PySide6.QtWidgets import QApplication

from desktop_app import logs
from desktop_app.core.messages import Failure, MessageMark
from desktop_app.core.stream_events import Ended, Failed, TextDelta
from tests.builders.leftovers import leftovers
from tests.controller.test_tool_loop import asks, call
from tests.fakes.gated_backend import Gate
from tests.ui.artifacts.test_artifact_pane import pane_of, says
from tests.ui.attaching import attach, drawn, written
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

WORD, CJK, KEY = "quokkaesque", "龘齉爩鱻", "sk-ant-api03-quokkakey0123456789"
WORDS = (WORD, CJK, KEY)
DOCUMENT = f"# The {WORD} plan\n\n" + "\n".join(f"{number}. A {WORD} line, {CJK}." for number in range(40))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that everything is written to."""
    place = tmp_path / "place"
    for variable, name in (
        ("TMPDIR", "tmp"),
        ("HOME", "home"),
        ("XDG_CACHE_HOME", "home/.cache"),
        ("XDG_CONFIG_HOME", "home/.config"),
        ("XDG_DATA_HOME", "home/.local"),
    ):
        (place / name).mkdir(parents=True, exist_ok=True)
        monkeypatch.setenv(variable, str(place / name))
    monkeypatch.setattr(tempfile, "tempdir", None)
    (place / "data").mkdir(mode=0o700)
    return place


@pytest.fixture
def log(place: Path) -> Iterator[None]:
    (place / "data" / "logs").mkdir(mode=0o700)
    close = logs.open_log(place / "data" / "logs" / "plimsoll.log", level=logging.DEBUG)
    yield
    close()


def readable_by_others(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(folder)} {stat.S_IMODE(path.stat().st_mode):o}"
        for path in folder.rglob("*")
        if not path.is_symlink() and path.stat().st_mode & 0o077
    ]


def pdf(path: Path, text: str) -> Path:
    document = QTextDocument(text)
    document.print_(QPdfWriter(str(path)))
    return path


@pytest.mark.usefixtures("log")
async def test_nothing_of_a_private_thread_is_in_any_file(place: Path, tmp_path: Path, qapp: QApplication) -> None:
    before = os.umask(0o077)  # as the program does at its start
    theirs = tmp_path / "theirs"

    def clean(what: str, found: Callable[[], list[str]] = lambda: leftovers(place, WORDS)) -> None:
        assert found() == [], what

    try:
        async with OpenWindow.opened(place / "data") as window:
            window.window.resize(1360, 860)
            await window.send("in the open")
            window.shortcut("new_private_thread")
            window.type(f"a draft, {WORD} ")
            window.editor.insertPlainText(CJK)
            await window.settled()
            clean("a draft")
            gate = Gate()
            window.backend.reply(TextDelta(f"A {WORD} answer {CJK} "), gate, Ended("end_turn"))
            window.press(Qt.Key.Key_Return)
            await gate.arrive()
            clean("a growing answer")
            window.press(Qt.Key.Key_Escape)
            await window.until(lambda: not window.composer.streaming, "the stop")
            await window.settled()
            clean("a stopped answer")

            await attach(
                window,
                written(theirs, "notes.txt", f"{WORD} notes {CJK}\n" * 400),
                drawn(theirs, "map.png"),
                pdf(theirs / "plan.pdf", f"The {WORD} plan. " * 50),
            )
            clean("attachments, read by the worker")
            window.shortcut("new_private_thread")
            await window.settled()
            await attach(window, written(theirs, "more.txt", f"{WORD} more {CJK}\n"))
            window.backend.text = f"read, {WORD}"
            await window.send(f"what does it say, {WORD}?")
            clean("attachments, sent")

            window.backend.accepts_tools = True
            window.backend.reply(*asks(call(f"deep {WORD}"), say=f"let me look, {WORD}"))
            window.backend.reply(*says(f"found {WORD}"))
            await window.send(f"look it up: {WORD}")
            clean("a tool")

            window.backend.reply(*says(DOCUMENT))
            await window.send(f"write the {WORD} plan")
            answer = window.transcript.messages[-1]
            window.transcript.row_actions.message_acted.emit(answer.id, "keep")
            await window.until(window.window.artifacts.isVisible, "the artifact")
            await window.settled()
            clean("an artifact")
            assert pane_of(window).isVisible()
            thread = window.app_state.thread_id
            assert thread is not None
            await window.services.history.save_mark(thread, answer.id, MessageMark("up", f"a {WORD} note"))
            clean("a note")

            window.shortcut("find")
            window.type(WORD, QApplication.focusWidget())
            await window.settled()
            window.press(Qt.Key.Key_Escape, widget=QApplication.focusWidget())
            window.threads.search.setText(WORD)
            await window.settled()
            window.threads.leave_search()
            clean("searches")

            window.shortcut("edit_system")
            await window.settled()
            page = window.presenters.pages.page
            assert page is not None
            page.field.insertPlainText(f"a {WORD} system prompt")  # type: ignore[attr-defined]
            await window.settled()
            window.presenters.pages.unsaved_changed.emit()
            await window.session.unsaved._write()
            clean("what is typed on a page")
            await window.services.chat.set_system(thread, f"a {WORD} system prompt")
            await window.services.library.rename(thread, f"the {WORD} thread")
            clean("system prompt and title")

            window.backend.reply(
                TextDelta(f"half {WORD}"), Failed(Failure("backend", f"refused {WORD} {KEY}", f"said {WORD} {KEY}"))
            )
            await window.services.chat.send(thread, answer.parts)
            await window.settled()
            clean("a failure of the provider")

            for error in (ValueError(WORD), KeyError(CJK), RuntimeError(KEY)):
                try:
                    raise error
                except Exception:
                    logging.getLogger("desktop_app.test").exception("a bug")
            assert list((place / "data" / "logs").glob("crash-*.txt")), "reports were written"
            clean("crash reports and logs")
            told = (await window.services.diagnose()).report
            assert not any(word in told for word in WORDS)
            clean("doctor")

            await window.services.history.copy_to(place / "data" / "backups" / "copy.db")
            clean("a backup")
            copy = await window.services.library.duplicate(thread)
            assert copy.private
            await window.services.library.delete(copy.id)
            assert await window.services.trash.items() == []
            clean("a copy, deleted")
            assert readable_by_others(place / "data") == []
        clean("after the window")
        assert leftovers(place, ["in the open"]) != [], "what is not private is found"
        assert readable_by_others(place / "data") == []
        assert [path for path in (place / "tmp").rglob("*") if path.is_file()] == []
    finally:
        os.umask(before)

"""Nothing is cut: every page, pane, menu and popover in a low and narrow window, in German, with large text."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.shell.page_specs import PAGES
from desktop_app.ui.shortcuts.keymap import ROWS
from tests.ui.cut_text import cut_texts
from tests.ui.shell.test_focus_return import by_hand
from tests.ui.views import (
    ABOUT,
    BARS,
    PANES,
    POPOVERS,
    SHOWS_NOTHING,
    VIEWS,
    leave,
    needs,
    opened,
    resized,
    windows_of,
)


@pytest.mark.slow
@pytest.mark.parametrize("used", [True, False], ids=["used", "empty"])
@pytest.mark.parametrize(
    "kind",
    [
        (480, 600, "de", 150),
        (480, 600, "de", 100),
        (480, 600, "en", 150),
        (480, 600, "zh_CN", 150),
        (640, 600, "de", 100),
        (900, 700, "de", 150),
        (900, 700, "en", 100),
        (1280, 720, "de", 150),
    ],
    ids=lambda kind: "-".join(map(str, kind)),
)
async def test_nothing_is_cut(data_dir: Path, qapp: QApplication, kind: tuple[int, int, str, int], used: bool) -> None:
    found: list[str] = []
    *_, language, percent = kind
    size = kind[:2]
    async with opened(data_dir, used=used, language=language, percent=percent) as window:
        for view in VIEWS:
            if view.used != used:
                continue
            await resized(window, size)
            await view.open(window)
            await window.settled()
            await by_hand(QApplication.processEvents)
            if (window.window.width(), window.window.height()) != size:
                found.append(f"{view.name}: makes the window {window.window.width()}x{window.window.height()}")
            for root in windows_of(window):
                found += [f"{view.name}: {words}" for words in cut_texts(root)]
            await leave(window)
    assert not found, "\n".join(found)


def test_every_page_and_every_action_that_opens_something_is_looked_at() -> None:
    """Who adds one says what it is about (`ABOUT`), or that it opens nothing (`SHOWS_NOTHING`)."""
    assert {name for name in PAGES if needs(name)} <= set(ABOUT)
    of_pages = {spec.action for spec in PAGES.values()}
    known = of_pages | {*POPOVERS, *BARS, *PANES} | SHOWS_NOTHING
    assert {row.id for row in ROWS} <= known, "an action that no view opens"


def test_what_is_cut_is_found(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    root.resize(300, 200)
    row = QWidget(root)
    row.setGeometry(0, 0, 300, 50)
    lay = QHBoxLayout(row)
    lay.setContentsMargins(0, 0, 0, 0)
    lay.addWidget(QPushButton("Fine"))
    cut = QPushButton("Keep as artifact", root)
    cut.setGeometry(0, 50, 30, 30)
    tipless = QLabel("Some long ti…", root)
    tipless.setGeometry(0, 80, 200, 20)
    wrapped = QLabel("some words " * 20, root)
    wrapped.setWordWrap(True)
    wrapped.setGeometry(0, 100, 120, 24)
    outside = QPushButton("Away", root)
    outside.setGeometry(260, 130, 90, 30)
    over, under = QLabel("over", root), QLabel("under", root)
    over.setGeometry(0, 160, 90, 24)
    under.setGeometry(40, 160, 90, 24)
    rich = QLabel("<b>Bold</b> and more", root)
    rich.setTextFormat(Qt.TextFormat.RichText)
    rich.setGeometry(200, 50, 20, 10)
    root.show()
    told = "\n".join(cut_texts(root))
    for name in ("'Keep as artifact'", "'Some long ti…'", "'some words", "'Away'", "lie over each other", "Bold"):
        assert name in told, name
    assert "'Fine'" not in told

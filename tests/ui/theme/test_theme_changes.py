"""One theme counts: who follows it hears of every change, once, and whoever is gone is not asked any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.style import apply_theme
from desktop_app.ui.theme.theme import Theme, load_theme, set_icon
from desktop_app.ui.widgets.parts import set_look
from tests.ui.open_window import OpenWindow
from tests.ui.views import TEXT_SIZES, VIEWS, leave, opened, resized, windows_of


class Follower(QLabel):
    """Counts how often it was told, and what the theme was then."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.seen: list[tuple[str, int, float]] = []
        theme.set_font("small", self)
        theme.follow(self.apply)

    def apply(self) -> None:
        self.seen.append((self.theme.name, self.theme.text_size, self.font().pointSizeF()))


def test_a_change_is_heard_once_and_fonts_come_first(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    follower = Follower(theme)
    qtbot.addWidget(follower)
    small = follower.font().pointSizeF()
    theme.change("dark", 22)
    assert follower.seen == [("light", 11, small), ("dark", 22, small + 11)]
    assert theme.color("background") == load_theme("dark").color("background")


def glyphs(words: str, font: QFont) -> list[int]:
    layout = QTextLayout(words, font)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return [number for run in layout.glyphRuns() for number in run.glyphIndexes()]


async def test_no_font_draws_signs_as_another_one(window: OpenWindow) -> None:
    """A line such as `a --> b` is read as it was typed: Inter, and JetBrains Mono, have one long arrow for it."""
    theme = load_theme("light", 11)
    shown = [window.editor.font(), window.window.stage.transcript.font(), window.window.composer.picker.font()]
    for font in (*shown, theme.body_font(), theme.small_font(), theme.title_font(), theme.strong_font()):
        for words in ("-->", "!=", "10x10", "=>"):
            assert glyphs(words, font) == [one for sign in words for one in glyphs(sign, font)]


def test_who_is_deleted_is_not_asked(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    follower = Follower(theme)
    follower.deleteLater()
    QCoreApplication.sendPostedEvents(follower, QEvent.Type.DeferredDelete)
    theme.change("dark", 11)
    assert len(follower.seen) == 1


def test_icons_are_drawn_in_the_new_color_and_size(qtbot: QtBot) -> None:
    theme = load_theme("light", 11)
    button, label = QPushButton(), QLabel()
    for place in (button, label):
        qtbot.addWidget(place)
        set_icon(place, "close", theme)
    light, small = button.icon().pixmap(16).toImage(), label.pixmap().width()
    theme.change("dark", 22)
    assert button.icon().pixmap(16).toImage() != light
    assert label.pixmap().width() == 2 * small


Looks = dict[str, dict[str, object]]


def looks(window: OpenWindow) -> Looks:
    """How all that is seen looks, by its place among the others: fonts, margins, icons, what it asks for, rows."""
    found: Looks = {}

    def look_at(widget: QWidget, place: str) -> None:
        inside = [one for one in widget.children() if isinstance(one, QWidget) and one.isVisible()]
        margins, layout = widget.contentsMargins(), widget.layout()
        inner = layout.contentsMargins() if layout is not None else margins
        look: dict[str, object]
        found[place] = look = {"margins": [(one.left(), one.right(), one.bottom()) for one in (margins, inner)]}
        if not widget.objectName().startswith("qt_"):  # what Qt scrolls in
            look["font"] = widget.font().key()
        if isinstance(widget, QAbstractButton):
            look["icon"] = widget.iconSize().toTuple()
        if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
            rows = range(min(30, model.rowCount()))
            look["rows"] = [widget.visualRect(model.index(row, 0)).height() for row in rows]
        elif not inside and not (isinstance(widget, QLabel) and widget.wordWrap()):
            look["hint"] = widget.sizeHint().toTuple()
        taken: Counter[str] = Counter()
        for child in inside:
            words = child.accessibleName() or (child.text() if isinstance(child, QLabel | QAbstractButton) else "")
            name = f"{type(child).__name__} {words[:30]!r}"
            taken[name] += 1
            if not child.isWindow():
                look_at(child, f"{place} / {name}{taken[name]}")

    for root in windows_of(window):
        look_at(root, type(root).__name__)
    return found


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[Theme]:
    """A theme that the whole application wears for as long as a test runs."""
    theme, before = load_theme("light", 11), (qapp.font(), qapp.palette(), qapp.styleSheet())
    apply_theme(qapp, theme)
    theme.changing.connect(partial(apply_theme, qapp, theme))
    yield theme
    theme.changing.disconnect()
    qapp.setFont(before[0])
    qapp.setPalette(before[1])
    qapp.setStyleSheet(before[2])


def test_a_look_that_changes_later_keeps_the_font_of_the_theme(qtbot: QtBot, dressed: Theme) -> None:
    label = QLabel("Not saved")
    qtbot.addWidget(label)
    dressed.set_font("small", label)
    set_look(label, "tone", "secondary")
    label.show()
    dressed.change("light", 22)
    set_look(label, "tone", "danger")
    assert label.font().pointSizeF() == dressed.small_font().pointSizeF()


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(150, 100), (100, 150)])
async def test_a_live_change_leaves_all_as_a_fresh_start_does(
    data_dir: Path, qapp: QApplication, before: int, after: int
) -> None:
    """In every view that is no popup: fonts, sizes, margins, icons are those of a window that began so."""
    views = [view for view in VIEWS if view.used and not view.popup and view.name != "bar-rename_thread"]
    fresh: dict[str, Looks] = {}
    async with opened(data_dir / "a", used=True, percent=after, theme="light") as window:
        for view in views:
            await resized(window, (1280, 800))
            window.window.show_list(False)  # its width is kept, as it was chosen
            await view.open(window)
            await window.settled()
            fresh[view.name] = looks(window)
            await leave(window)
    faults = []
    async with opened(data_dir / "b", used=True, percent=before, theme="dark") as window:
        for view in views:
            for percent, theme in ((before, "dark"), (after, "light")):
                values: dict[str, str | int] = {"appearance.text_size": TEXT_SIZES[percent], "appearance.theme": theme}
                await window.services.preferences.set_values(values)
                await window.settled()
                if percent == before:
                    await resized(window, (1280, 800))
                    window.window.show_list(False)
                    await view.open(window)
                await window.settled()
            now, then = looks(window), fresh[view.name]
            faults += [
                f"{view.name}: {place}: {what} is {value}, not {then[place][what]}"
                for place, look in now.items()
                if place in then
                for what, value in look.items()
                if what in then[place]
                and value != then[place][what]
                and not (what == "hint" and "BoldChoice" in place)  # words as long as the list is wide
            ]
            await leave(window)
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(150, 100), (100, 150)])
async def test_panes_that_are_moved_after_a_change_look_as_after_a_fresh_start(
    data_dir: Path, qapp: QApplication, before: int, after: int
) -> None:
    """Over a narrow window they have another parent than in a wide one, and what is moved takes old fonts back."""
    found: list[list[dict[str, object]]] = []
    for percent in (after, before):
        looked: list[dict[str, object]] = []
        async with opened(data_dir / str(percent), used=True, percent=percent) as window:
            await resized(window, (1560, 800))
            window.shortcut("toggle_inspector")
            await window.settled()
            await resized(window, (700, 800))
            await window.services.preferences.set_values({"appearance.text_size": TEXT_SIZES[after]})
            await window.settled()
            for size in ((700, 800), (1560, 800)):
                await resized(window, size)
                window.window.show_list(True)
                await window.settled()
                looked.append({place: look.get("font") for place, look in looks(window).items()})
        found.append(looked)
    faults = [
        f"{place} has {font}, not {fresh[place]}"
        for now, fresh in zip(found[1], found[0], strict=True)
        for place, font in now.items()
        if fresh.get(place, font) != font
    ]
    assert not faults, "\n".join(faults)

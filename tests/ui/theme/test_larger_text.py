"""With larger text grow also the marks and signs that stand beside it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFontMetricsF, QImage
from PySide6.QtWidgets import QRadioButton, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.composer.composer_rows import AttachmentChip
from desktop_app.ui.theme.style import style_sheet
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.canvas.canvas import TASK
from desktop_app.ui.transcript.items.code_item import header_words
from desktop_app.ui.transcript.items.item import TextStyle
from desktop_app.ui.transcript.message.action_bar import GAP, HIGHEST, ActionBar, MessageAction
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.page import Switch
from tests.gallery.fitted import message

USUAL, LARGE = 11, 22


def extent(image: QImage, color: QColor) -> tuple[int, int]:
    """Width and height of what is painted in a colour."""
    places = [
        (x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y).rgb() == color.rgb()
    ]
    across, down = ({place[side] for place in places} for side in (0, 1))
    return max(across) - min(across) + 1, max(down) - min(down) + 1


@pytest.mark.parametrize("points", [7, 9, 11, 13, 14, 17, 20, 22, 31, 40])
def test_a_radio_button_is_round_and_as_large_chosen_or_not(qtbot: QtBot, points: int) -> None:
    theme = load_theme("light", points)
    sides = set()
    for chosen in (False, True):
        button = QRadioButton("Everything")
        qtbot.addWidget(button)
        button.setStyleSheet(style_sheet(theme))
        button.setFont(theme.body_font())
        button.setChecked(chosen)
        button.resize(button.sizeHint())
        image = button.grab().toImage()
        option = QStyleOptionButton()
        button.initStyleOption(option)
        box = button.style().subElementRect(QStyle.SubElement.SE_RadioButtonIndicator, option, button)
        assert box.width() == box.height()
        sides.add(box.width())
        # a circle covers 0.785 of its square, which leaves its corners free
        ground = image.pixelColor(image.width() - 1, image.height() // 2)
        for corner in (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()):
            assert image.pixelColor(corner) == ground, f"a square at {points} points"
    (side,) = sides
    assert side == 2 * round(7 * points / USUAL)


def test_a_switch_grows_with_the_text(qtbot: QtBot) -> None:
    theme = load_theme("light", USUAL)
    ground = QWidget()
    qtbot.addWidget(ground)
    made = Switch(theme, ground)
    made.setChecked(True)
    made.resize(200, 100)
    usual, size = extent(made.grab().toImage(), theme.color("accent")), made.sizeHint()
    theme.change("light", LARGE)
    larger = extent(made.grab().toImage(), theme.color("accent"))
    assert made.sizeHint() == size * 2
    assert all(abs(after - 2 * before) <= 2 for after, before in zip(larger, usual, strict=True))


def test_the_cross_of_a_chip_grows_as_far_as_the_chip_is_high(qtbot: QtBot) -> None:
    theme = load_theme("light", USUAL)
    ground = QWidget()
    qtbot.addWidget(ground)
    chip = AttachmentChip(theme, "document", ground)
    cross = chip.cross
    usual = cross.width(), cross.iconSize().width()
    theme.change("light", LARGE)
    assert cross.width() > usual[0]
    assert cross.iconSize().width() > usual[1]
    assert cross.height() < chip.sizeHint().height()


def test_buttons_of_a_message_grow_and_stay_in_the_gap(qtbot: QtBot) -> None:
    theme = load_theme("light", USUAL)
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    bar = ActionBar(view, lambda _index: False)
    bar.show_offers([MessageAction("copy", "copy", "Copy")])
    button = bar.buttons["copy"]
    usual = button.iconSize().width()
    for points in (17, USUAL, LARGE):
        view.set_theme(larger := load_theme("light", points))
        assert button.iconSize().width() == min(larger.pixels(usual), HIGHEST - 2 * GAP)
        assert button.iconSize().width() < button.height() == bar.height() <= HIGHEST


def test_a_check_box_in_an_answer_grows(qtbot: QtBot) -> None:
    sizes = []
    for points in (USUAL, LARGE):
        theme = load_theme("light", points)
        view = TranscriptView(theme)
        qtbot.addWidget(view)
        view.resize(700, 300)
        view.show_path([message(0, "assistant", "- [x] done")])
        view.show()
        sizes.append(extent(view.grab().toImage(), theme.color("accent")))
    usual, larger = sizes
    assert all(abs(side - TASK) <= 1 for side in usual)
    assert all(abs(side - 2 * TASK) <= 2 for side in larger), "with the border around it"


def test_the_sign_beside_copy_has_the_room_that_it_needs(qtbot: QtBot) -> None:
    beside = []
    for points in (USUAL, LARGE):
        style = TextStyle(load_theme("light", points))
        copy = header_words(style, 700, copied=False, wrap=None)[-1]
        beside.append(copy.width - QFontMetricsF(style.label.font).horizontalAdvance(copy.text))
    assert beside[1] == 2 * beside[0]


@pytest.mark.parametrize("mark", ["check", "arrow"])
def test_the_marks_of_a_menu_grow(qtbot: QtBot, mark: str) -> None:
    sizes = []
    for points in (USUAL, LARGE):
        theme = load_theme("light", points)
        ground = QWidget()
        qtbot.addWidget(ground)
        ground.setStyleSheet(style_sheet(theme))
        menu = Menu(ground)
        menu.setFont(theme.body_font())
        action = menu.addAction(" ") if mark == "check" else menu.add_submenu(" ").menuAction()
        action.setCheckable(mark == "check")
        action.setChecked(mark == "check")
        menu.resize(menu.sizeHint())
        place, image = menu.actionGeometry(action), menu.grab().toImage()
        inside = image.copy(place.adjusted(1, 1, -1, -1))
        ground_color = inside.pixelColor(inside.width() // 2, inside.height() // 2)
        rows = [
            y
            for y in range(inside.height())
            if any(inside.pixelColor(x, y) != ground_color for x in range(inside.width()))
        ]
        sizes.append(rows[-1] - rows[0] + 1)
    usual, larger = sizes
    assert 6 <= usual <= 12
    assert abs(larger - 2 * usual) <= 3

"""What floats has one look, and what it leaves behind is nothing: no shadow, no button that looks pointed at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QCursor, QPaintEvent, QPixmap, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.widgets.floating import Menu, Shadow
from tests.ui.open_window import OpenWindow


def shadows(window: QWidget) -> list[Shadow]:
    return [one for one in window.findChildren(Shadow) if one.isVisible()]


def close_popups() -> None:
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()


def header_menu(window: OpenWindow) -> QWidget:
    return window.window.header.menu_button


def parameters(window: OpenWindow) -> QWidget:
    return window.composer.parameters


@pytest.mark.parametrize("button_of", [header_menu, parameters])
async def test_a_button_that_opened_something_looks_as_before_when_that_closes(
    window: OpenWindow, button_of: Callable[[OpenWindow], QWidget]
) -> None:
    button = button_of(window)
    away = window.window.mapToGlobal(QPoint(5, 5))
    QTest.mouseMove(button)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await window.until(lambda: QApplication.activePopupWidget() is not None, "what it opens")
    # the pointer goes away while the popup has the mouse: the button is not told
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    QCursor.setPos(away)
    close_popups()
    await window.settled()
    assert not button.underMouse()
    assert isinstance(button, QToolButton)
    assert not button.isDown()


class Painted(QObject):
    """Remembers what of a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.region = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


async def test_a_button_is_painted_whole_when_what_it_opened_closes(window: OpenWindow) -> None:
    """Qt may have told it already that the pointer left, and then paints only where the popup has lain."""
    button = window.window.header.menu_button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await window.until(lambda: QApplication.activePopupWidget() is not None, "what it opens")
    await window.settled()
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    painted = Painted(button)
    close_popups()
    await window.until(lambda: painted.region.boundingRect() == button.rect(), "all of it painted")


async def test_a_popup_has_a_shadow_in_the_window_as_long_as_it_is_open(window: OpenWindow) -> None:
    QTest.mouseClick(window.window.header.menu_button, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    (shadow,) = shadows(window.window)
    corner = window.window.mapFromGlobal(menu.mapToGlobal(QPoint()))
    assert shadow.geometry().contains(menu.rect().translated(corner))
    menu.close()
    await window.settled()
    assert not shadows(window.window)


async def test_the_toast_has_one_too_and_clicks_go_through_it(window: OpenWindow) -> None:
    window.window.toast.show_message("Done")
    (shadow,) = shadows(window.window)
    assert shadow.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    window.window.toast.hide()
    assert not shadows(window.window)


def test_the_corners_of_a_menu_let_through_what_is_beneath(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    menu = Menu(parent)
    menu.addAction("One")
    menu.popup(QPoint(10, 10))
    drawn = QPixmap(menu.size())
    drawn.fill(Qt.GlobalColor.transparent)
    menu.render(drawn)
    assert menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert menu.windowFlags() & Qt.WindowType.NoDropShadowWindowHint
    menu.close()


@pytest.mark.slow
async def test_all_that_floats_opens_at_once_whatever_the_system_does(window: OpenWindow) -> None:
    effects = (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_FadeTooltip)
    assert window.window.isVisible()
    assert not any(QApplication.isEffectEnabled(effect) for effect in effects)

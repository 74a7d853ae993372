"""The theme that counts now, the setting's or the system's, and its conversion into Qt's palette and style sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.theme import Theme, ThemeName, radius, space, tokens

if TYPE_CHECKING:
    from desktop_app.core.settings import AppearanceSettings, ThemeChoice


_SHEET = """
QToolTip { background: @raised; color: @text; border: @line.hair solid @hairline; border-radius: @radius.control;
    padding: @space.quiet-y @space.quiet-x; }
QMainWindow, QWidget#centre, QFrame[kind="side"] { background: @background; }
QWidget#threads, QFrame#inspector { background: @surface; }
QSplitter::handle { background: @hairline; }
QLineEdit { background: @background; color: @text; border: @line.hair solid @hairline;
    border-radius: @radius.control; padding: @space.field-y @space.field-x; placeholder-text-color: @text-secondary;
    selection-background-color: @selection; selection-color: @text; }
QLineEdit:focus { border-color: @focus; }
QLineEdit:disabled, QLineEdit:read-only { color: @text-secondary; background: @surface; }
QLineEdit[kind="heading"] { background: transparent; border-color: transparent; padding-left: 0; padding-right: 0; }
QLineEdit[kind="heading"]:hover { border-color: @hairline; }
QLineEdit[kind="heading"]:focus { border-color: @focus; }
QPushButton { background: @raised; color: @text; border: @line.hair solid @hairline;
    border-radius: @radius.control; padding: @space.button-y @space.button-x; }
/* Enter presses the button that has the keyboard, as Space does; of itself Qt does so in dialogs only. A click leaves
   the keyboard where it is. */
QPushButton { qproperty-autoDefault: true; qproperty-focusPolicy: TabFocus; }
/* the border is the focus frame: Qt's own would be a second one inside */
QPushButton, QRadioButton, QTabBar { outline: none; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border-color: @focus; }
QPushButton:disabled { color: @text-secondary; background: @surface; }
QPushButton[kind="listening"] { background: @background; border: @line.focus solid @focus;
    padding: @inner.button-y @inner.button-x; }
QPushButton[kind="primary"] { background: @accent; color: @on-accent; border-color: @accent; font-weight: 600; }
QPushButton[kind="primary"]:focus { border: @line.focus solid @text; padding: @inner.button-y @inner.button-x; }
QPushButton[kind="primary"]:disabled { background: @track; color: @text-secondary; border-color: @track; }
QPushButton[kind="quiet"], QToolButton { background: transparent; border: @line.hair solid transparent;
    border-radius: @radius.control;
    padding: @space.quiet-y @space.quiet-x; color: @text-secondary; }
QPushButton[kind="heading"] { background: transparent; border: @line.hair solid transparent; text-align: left;
    border-radius: @radius.control; padding: @space.quiet-y @space.quiet-x; }
QPushButton[kind="heading"]:hover { background: @hover; }
QPushButton[kind="heading"]:focus { border-color: @focus; }
QPushButton[kind="quiet"]:disabled, QToolButton:disabled { color: @text-disabled; background: transparent; }
QPushButton[kind="quiet"]:hover, QToolButton:hover { background: @hover; color: @text; }
QPushButton[kind="quiet"]:focus, QToolButton:focus { border-color: @focus; }
/* the pointer led there, so no frame says where the keyboard is */
QPushButton[pointed="true"]:focus { border-color: @hairline; }
QPushButton[kind="quiet"][pointed="true"]:focus, QPushButton[kind="heading"][pointed="true"]:focus,
QToolButton[pointed="true"]:focus { border-color: transparent; }
QPushButton[kind="primary"][pointed="true"]:focus { border: @line.hair solid @accent;
    padding: @space.button-y @space.button-x; }
QPushButton, QToolButton { icon-size: @space.icon; }
/* its room in a line of text is given by Qt, and does not grow */
QLineEdit QToolButton { icon-size: 16px; }
QToolButton[slim="true"] { padding-left: 0; padding-right: 0; }
QToolButton[kind="cross"] { padding: @space.cross; border-radius: @radius.cross; }
QToolButton[kind="cross"]:checked, QToolButton[kind="switch"]:checked { background: @track; }
QPushButton[kind="quiet"]:checked { background: @track; color: @text; }
QTabBar::tab { background: transparent; color: @text-secondary; border: @line.hair solid transparent;
    border-radius: @radius.control;
    padding: @space.quiet-y @space.quiet-x; margin-right: @space.half; }
QTabBar::tab:hover { background: @hover; color: @text; }
QTabBar::tab:selected { background: @track; color: @text; }
QTabBar::tab:selected:focus { border-color: @focus; }
QPushButton[kind="round"] { border-radius: @radius.round; padding: 0; background: @accent; border: none; }
QPushButton[kind="round"]:disabled, QPushButton[kind="round"][rests="true"] { background: @track; }
QPushButton[kind="round"]:focus { border: @line.focus solid @text; }
QPushButton[kind="choice"] { background: transparent; border: @line.hair solid transparent;
    padding: @space.choice-y @space.choice-x;
    color: @text-secondary; }
QPushButton[kind="choice"]:hover { background: @hover; color: @text; }
QPushButton[kind="choice"]:checked { background: @surface; border-color: @hairline; color: @text; font-weight: 600; }
QPushButton[kind="choice"]:focus { border-color: @focus; }
QPushButton[kind="chip"] { background: transparent; padding: @space.chip-y @space.chip-x; color: @text-secondary; }
QPushButton[kind="chip"]:hover { background: @hover; color: @text; }
QPushButton[kind="chip"]:checked { background: @track; color: @text; font-weight: 600; }
QPushButton[kind="chip"]:focus { border-color: @focus; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QRadioButton { color: @text; background: transparent; spacing: @space.grid; padding: @space.half;
    border: @line.hair solid transparent; }
QRadioButton::indicator { width: @radio.off; height: @radio.off; border: @line.hair solid @text-secondary;
    border-radius: @radio.corner; }
QRadioButton::indicator:checked { width: @radio.on; height: @radio.on; border: @radio.ring solid @accent;
    background: @background; }
QRadioButton:focus { border: @line.hair solid @focus; border-radius: @radius.small; }
QProgressBar { background: @track; border: none; border-radius: @radius.small; max-height: @space.half;
    min-height: @space.half; }
QProgressBar::chunk { background: @accent; border-radius: @radius.small; }
QLabel { color: @text; background: transparent; }
QLabel[tone="secondary"] { color: @text-secondary; }
QLabel[tone="danger"] { color: @danger; }
QMenu { background: @raised; color: @text; border: @line.hair solid @hairline; border-radius: @radius.control;
    padding: @space.half; menu-scrollable: 1; }
QMenu::item { padding: @space.item-y @space.item-end @space.item-y @space.item-x; border-radius: @radius.small; }
QMenu::item:selected { background: @hover; }
QMenu::item:disabled { color: @text-secondary; }
QMenu::separator { height: @line.hair; background: @hairline; margin: @space.half @space.grid; }
QMenu::indicator { left: @space.half; }
/* it draws its marks itself, as large as its words; Qt's are of one size */
Menu::indicator, Menu::right-arrow { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: @space.scroll; margin: 0; }
QScrollBar::handle:vertical { background: @track; border-radius: @radius.scroll; min-height: @space.row;
    margin: 2px; }
QScrollBar::handle:vertical:disabled { background: transparent; }
QScrollBar::handle:vertical:hover { background: @fill; }
QScrollBar:horizontal { background: transparent; height: @space.scroll; margin: 0; }
QScrollBar::handle:horizontal { background: @track; border-radius: @radius.scroll; min-width: @space.row;
    margin: 2px; }
QScrollBar::handle:horizontal:hover { background: @fill; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QPlainTextEdit { background: transparent; border: none; color: @text; placeholder-text-color: @text-secondary;
    selection-background-color: @selection;
    selection-color: @text; }
/* a text to be read shows that it has the keyboard: it has no cursor */
QPlainTextEdit[kind="reading"] { border: @line.hair solid transparent; border-radius: @radius.small; }
QPlainTextEdit[kind="reading"]:focus { border-color: @focus; }
QTableView { background: transparent; border: none; outline: none; color: @text;
    selection-background-color: @selection; selection-color: @text; }
QTableView::item { border-bottom: @line.hair solid @hairline; padding: 0 @space.grid; }
QTableView::item:focus { border: @line.hair solid @focus; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; color: @text-secondary; border: none;
    border-bottom: @line.hair solid @hairline; padding: @space.half @space.head-x; }
QTableView[kind="figures"] QHeaderView::section:!first { padding-left: @space.half; }
QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }
QHeaderView::section:hover { background: @hover; color: @text; }
QListView, QTableView { background: transparent; border: none; outline: none; }
QListView::item:focus { border: @line.hair solid @focus; }
QListView[kind="sections"]::item { padding: 0 @space.grid; border-radius: @radius.control; color: @text-secondary;
    border: @line.hair solid transparent; }
QListView[kind="sections"]::item:hover { background: @hover; }
QListView[kind="sections"]::item:selected { background: @track; color: @text; }
QListView[kind="sections"]::item:selected:focus { border-color: @focus; }
QTableView[kind="rows"] { selection-background-color: transparent; }
QSlider::groove:horizontal { height: @space.groove; background: @track; border-radius: @radius.swatch; }
QSlider::handle:horizontal { width: @space.handle; height: @space.handle; margin: -5px 0;
    border-radius: @radius.handle; background: @accent; }
QSlider[resting="unknown"]::handle:horizontal { background: transparent; }
QSlider[resting="known"]::handle:horizontal { background: @raised; border: @line.focus solid @text-secondary;
    width: 10px; height: 10px; }
QSlider::handle:horizontal:focus { border: @line.focus solid @text; width: 10px; height: 10px; }
QFrame[kind="popover"] { background: @raised; border: @line.hair solid @hairline; border-radius: @radius.control; }
QFrame[kind="field"] { background: @raised; border: @line.hair solid @hairline; border-radius: @radius.card; }
QFrame[kind="field"][focused="true"] { border-color: @focus; }
QFrame[kind="quick"] { background: @background; border: @line.hair solid @hairline; border-radius: @radius.card; }
QFrame[kind="rule"] { background: @hairline; border: none; }
"""
_FIXED = frozenset({"choice-x", "scroll", "groove", "handle", "swatch", "strip"})
"""Measures of bars and marks, which hold no text, and the sides of choices, of which several stand in a row."""
_TOKEN = re.compile(r"@([a-z][a-z.-]*)")


def style_sheet(theme: Theme) -> str:
    """The sheet with every `@role` replaced by the theme's colour and every `@kind.name` by that measure in pixels.

    Spaces and corners grow with the text. `inner` is a space within the thicker frame of what has the focus.
    """
    table, radio = tokens(), _radio_measures(theme)

    def value(found: re.Match[str]) -> str:
        kind, _, name = found[1].rpartition(".")
        if not kind:
            return theme.css_color(name)
        if kind == "radio":
            return f"{radio[name]}px"
        measure = table["space" if kind == "inner" else kind][name]
        assert not isinstance(measure, str)
        if kind != "line" and name not in _FIXED:
            measure = theme.pixels(measure)
        return f"{measure - (kind == 'inner')}px"

    return _TOKEN.sub(value, _SHEET)


def _radio_measures(theme: Theme) -> Mapping[str, int]:
    """A circle has corners of half its side, or Qt draws them square; chosen or not it is as large."""
    corner, ring = theme.pixels(radius("handle")), theme.pixels(space("half"))
    return {"corner": corner, "ring": ring, "off": 2 * (corner - 1), "on": 2 * (corner - ring)}


def palette(theme: Theme) -> QPalette:
    """The palette for what the sheet does not reach: text cursors, selections, placeholder text, native dialogs."""
    made = QPalette()
    role = QPalette.ColorRole
    for qt_role, name in (
        (role.Window, "background"),
        (role.WindowText, "text"),
        (role.Base, "background"),
        (role.AlternateBase, "surface"),
        (role.Text, "text"),
        (role.Button, "raised"),
        (role.ButtonText, "text"),
        (role.ToolTipBase, "raised"),
        (role.ToolTipText, "text"),
        (role.PlaceholderText, "text-secondary"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "text"),
        (role.Link, "link"),
        (role.Mid, "hairline"),
        (role.Dark, "hairline"),
        (role.Shadow, "shadow"),
    ):
        made.setColor(qt_role, theme.color(name))
    for qt_role in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, qt_role, QColor(theme.color("text-secondary")))
    return made


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Gives the whole application the theme's fonts, palette and style sheet."""
    app.setFont(theme.body_font())
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))


class Appearance(QObject):
    """Changes the theme when the setting or the system's color scheme changed."""

    def __init__(
        self,
        choice: ThemeChoice = "system",
        text_size: int = 11,
        parent: QObject | None = None,
        *,
        list_previews: bool = False,
    ) -> None:
        """`text_size` in points."""
        super().__init__(parent)
        self._choice: ThemeChoice = choice
        self.theme = Theme(self._name(), text_size, list_previews=list_previews)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._look_again)

    def dress(self, app: QApplication) -> None:
        """Gives the whole application the look that counts, now and after every change."""
        self._app = app
        self._apply_theme()
        self.theme.changing.connect(self._apply_theme)

    def take(self, settings: AppearanceSettings) -> None:
        """The setting as it is now."""
        self._choice = settings.theme
        self._change(settings.text_size, list_previews=settings.list_previews)

    def _look_again(self, _scheme: object = None) -> None:
        self._change(self.theme.text_size, list_previews=self.theme.list_previews)

    def _change(self, text_size: int, *, list_previews: bool) -> None:
        name, now = self._name(), self.theme
        if (name, text_size, list_previews) != (now.name, now.text_size, now.list_previews):
            now.change(name, text_size, list_previews=list_previews)

    def _name(self) -> ThemeName:
        if self._choice != "system":
            return self._choice
        return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"

    def _apply_theme(self) -> None:
        apply_theme(self._app, self.theme)

"""Owns how a theme becomes Qt's palette and style sheet. Knows no particular widget, only kinds of controls."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme import Theme

_SHEET = """
QToolTip { background: @raised; color: @text; border: 1px solid @hairline; padding: 4px 8px; }
QMainWindow, QWidget#centre { background: @background; }
QWidget#threads, QFrame#inspector { background: @surface; }
QSplitter::handle { background: @hairline; }
QLineEdit { background: @background; color: @text; border: 1px solid @hairline; border-radius: 8px; padding: 5px 8px;
    selection-background-color: @selection; selection-color: @text; }
QLineEdit:focus { border-color: @focus; }
QLineEdit:disabled { color: @text-secondary; background: @surface; }
QPushButton { background: @raised; color: @text; border: 1px solid @hairline; border-radius: 8px; padding: 5px 12px; }
/* Enter presses the button that has the keyboard, as Space does; of itself Qt does so in dialogs only. */
QPushButton { qproperty-autoDefault: true; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border-color: @focus; }
QPushButton:disabled { color: @text-secondary; background: @surface; }
QPushButton[kind="primary"] { background: @accent; color: @on-accent; border-color: @accent; font-weight: 600; }
QPushButton[kind="primary"]:focus { border: 2px solid @text; padding: 4px 11px; }
QPushButton[kind="primary"]:disabled { background: @track; color: @text-secondary; border-color: @track; }
QPushButton[kind="quiet"], QToolButton { background: transparent; border: 1px solid transparent; border-radius: 8px;
    padding: 4px 8px; color: @text-secondary; }
QPushButton[kind="quiet"]:hover, QToolButton:hover { background: @hover; color: @text; }
QPushButton[kind="quiet"]:focus, QToolButton:focus { border-color: @focus; }
QToolButton[kind="cross"] { padding: 3px; border-radius: 6px; }
QPushButton[kind="quiet"]:checked { background: @track; color: @text; }
QTabBar::tab { background: transparent; color: @text-secondary; border: 1px solid transparent; border-radius: 8px;
    padding: 4px 8px; margin-right: 4px; }
QTabBar::tab:hover { background: @hover; color: @text; }
QTabBar::tab:selected { background: @track; color: @text; }
QTabBar:focus::tab:selected { border-color: @focus; }
QPushButton[kind="round"] { border-radius: 16px; padding: 0; background: @accent; border: none; }
QPushButton[kind="round"]:disabled { background: @track; }
QPushButton[kind="round"]:focus { border: 2px solid @text; }
QPushButton[kind="choice"] { background: transparent; border: 1px solid transparent; padding: 4px 10px;
    color: @text-secondary; }
QPushButton[kind="choice"]:hover { background: @hover; color: @text; }
QPushButton[kind="choice"]:checked { background: @surface; border-color: @hairline; color: @text; font-weight: 600; }
QPushButton[kind="choice"]:focus { border-color: @focus; }
QPushButton[kind="chip"] { background: transparent; padding: 2px 6px; color: @text-secondary; }
QPushButton[kind="chip"]:hover { background: @hover; color: @text; }
QPushButton[kind="chip"]:checked { background: @track; color: @text; font-weight: 600; }
QPushButton[kind="chip"]:focus { border-color: @focus; }
QLabel { color: @text; background: transparent; }
QLabel[tone="secondary"] { color: @text-secondary; }
QLabel[tone="danger"] { color: @danger; }
QMenu { background: @raised; color: @text; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 16px; border-radius: 4px; }
QMenu::item:selected { background: @hover; }
QMenu::item:disabled { color: @text-secondary; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QMenu::indicator { left: 4px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: @track; border-radius: 3px; min-height: 32px; margin: 2px; }
QScrollBar::handle:vertical:disabled { background: transparent; }
QScrollBar::handle:vertical:hover { background: @fill; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: @track; border-radius: 3px; min-width: 32px; margin: 2px; }
QScrollBar::handle:horizontal:hover { background: @fill; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QPlainTextEdit { background: transparent; border: none; color: @text; selection-background-color: @selection;
    selection-color: @text; }
QTableView { background: transparent; border: none; outline: none; color: @text;
    selection-background-color: @selection; selection-color: @text; }
QTableView::item { border-bottom: 1px solid @hairline; padding: 0 8px; }
QTableView::item:focus { border: 1px solid @focus; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; color: @text-secondary; border: none;
    border-bottom: 1px solid @hairline; padding: 4px 11px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }
QHeaderView::section:hover { background: @hover; color: @text; }
QListView, QTableView { background: transparent; border: none; outline: none; }
QTableView[kind="rows"] { selection-background-color: transparent; }
QSlider::groove:horizontal { height: 4px; background: @track; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: @accent; }
QSlider::handle:horizontal:focus { border: 2px solid @text; width: 10px; height: 10px; }
QFrame[kind="popover"] { background: @raised; border: 1px solid @hairline; border-radius: 8px; }
QFrame[kind="field"] { background: @raised; border: 1px solid @hairline; border-radius: 12px; }
QFrame[kind="field"][focused="true"] { border-color: @focus; }
QFrame[kind="quick"] { background: @background; border: 1px solid @hairline; border-radius: 12px; }
QFrame[kind="rule"] { background: @hairline; border: none; }
"""


def style_sheet(theme: Theme) -> str:
    """The sheet with every `@role` replaced by the theme's colour; longer role names first, as some begin alike."""
    sheet = _SHEET
    for role in sorted(theme.colors, key=len, reverse=True):
        sheet = sheet.replace(f"@{role};", f"{theme.css_color(role)};")
    return sheet


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
    ):
        made.setColor(qt_role, theme.color(name))
    for qt_role in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, qt_role, QColor(theme.color("text-secondary")))
    return made


def dress(app: QApplication, theme: Theme) -> None:
    """Gives the whole application the theme's fonts, palette and style sheet."""
    app.setFont(theme.body_font())
    app.setPalette(palette(theme))
    app.setStyleSheet(style_sheet(theme))

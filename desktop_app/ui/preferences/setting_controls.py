"""The controls of a setting, one per kind: switch, choice, menu, field, number. Uses no other setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_app.core.settings import SettingKey, SettingRule
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.preferences.setting_list import allowed_words, read_entry, value_words, written, wrong_words
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.page import SettingField, Switch, TextField
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, fill, frame_in, in_column, in_row


class PopupButton(ElidedButton):
    """`chosen(value)`: another one was chosen, in the menu or by Up and Down, which step without opening it."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, options: Mapping[Any, str], parent: QWidget) -> None:
        """`options`: the words of each value, in order."""
        super().__init__(theme, parent)
        self.options = options
        self.value: object = None
        self.menu_shown: Menu | None = None
        set_icon(self, "chevron", theme, size=12)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.clicked.connect(self.open)

    def show_value(self, value: object, words: str = "") -> None:
        """`words`: what stands for a value that is none of the options."""
        self.value = value
        self.setText(self.options.get(value, words))

    def open(self) -> None:
        """The menu, with what is chosen marked and under the keyboard."""
        menu = self.menu_shown = Menu(self)
        menu.setAccessibleName(self.accessibleName())
        group = QActionGroup(menu)
        for value, words in self.options.items():
            action = menu.addAction(words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(value == self.value)
            action.triggered.connect(lambda _on=False, wished=value: self.chosen.emit(wished))
            group.addAction(action)
            if value == self.value:
                menu.setActiveAction(action)
        menu.open_at(self, end=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (step := {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
            return
        values = list(self.options)
        at = values.index(self.value) + step if self.value in values else 0
        if 0 <= at < len(values):
            self.chosen.emit(values[at])


TEXT_WIDTH = 30 * GRID
"""Pixels that a text has at least, at the usual text size."""


class Control(QWidget):
    """`chosen(value)`: what the user wants, None for the default. `refused(words)`: why not; "" where that is over."""

    chosen = Signal(object)
    refused = Signal(str)

    def set_name(self, name: str, description: str) -> None:
        """Set the control's name and description for a screen reader."""
        raise NotImplementedError

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        """Shows a value. What is being written stays, unless `anyway`."""
        raise NotImplementedError

    def set_beside(self, beside: bool) -> None:
        """Set whether it stands beside its words, else beneath them with the whole width."""

    @property
    def parts(self) -> list[QWidget]:
        """The widgets that take the keyboard, in order."""
        raise NotImplementedError

    @property
    def writing(self) -> bool:
        """True where something is written that was not taken yet."""
        return False

    @property
    def across(self) -> bool:
        """True where the control always asks for the whole width under its words."""
        return False

    @property
    def narrow(self) -> bool:
        """True where the control stands beside its words however little room there is."""
        return False

    def focus(self) -> None:
        """Puts the keyboard here."""
        self.parts[0].setFocus(Qt.FocusReason.OtherFocusReason)


class SwitchControl(Control):
    """On or off."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.switch = Switch(theme, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)  # a click beside it is none
        row.addWidget(self.switch)
        self.switch.clicked.connect(self._take)

    def set_name(self, name: str, description: str) -> None:
        self.switch.setAccessibleName(name)
        self.switch.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self.switch.setChecked(bool(value))

    @property
    def parts(self) -> list[QWidget]:
        return [self.switch]

    @property
    def narrow(self) -> bool:
        return True

    def _take(self) -> None:
        self.chosen.emit(self.switch.isChecked())


class ChoiceControl(Control):
    """One of a few values, all in sight; arrow keys move between them."""

    def __init__(self, theme: Theme, words: Mapping[str | None, str], parent: QWidget) -> None:
        """`words` of each value; None: nothing is said."""
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self.buttons: dict[str | None, QPushButton] = {}
        row = in_row(Stretch(), of=self, spacing=GRID // 2, margins=0)
        for value, text in words.items():
            button = button_in(self, text, lambda _down=False, wished=value: self.chosen.emit(wished), kind="choice")
            button.setCheckable(True)
            self._group.addButton(button)
            row.addWidget(button)
            self.buttons[value] = button
        self._theme = theme
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        # the chosen one is bolder, for which Qt leaves no room
        font = self._theme.body_font()
        font.setWeight(QFont.Weight.DemiBold)
        bolder = QFontMetrics(font)
        for button in self.buttons.values():
            button.setMinimumWidth(bolder.horizontalAdvance(button.text()) + 3 * GRID)

    def set_name(self, name: str, description: str) -> None:
        self.setAccessibleName(name)
        for button in self.buttons.values():
            button.setAccessibleName(f"{name}: {button.text()}")
            button.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        wanted = self.buttons.get(value if isinstance(value, str) else None)
        # a value that is not offered leaves all of them up
        self._group.setExclusive(wanted is not None)
        for button in self.buttons.values():
            button.setChecked(button is wanted)
        self._group.setExclusive(True)

    @property
    def parts(self) -> list[QWidget]:
        return list(self.buttons.values())

    def focus(self) -> None:
        down = (button for button in self.buttons.values() if button.isChecked())
        next(down, self.parts[0]).setFocus(Qt.FocusReason.OtherFocusReason)


class PopupControl(Control):
    """One of many values, the chosen one in sight."""

    def __init__(self, theme: Theme, words: Mapping[str | None, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.button = PopupButton(theme, words, self)
        in_row(Stretch(), self.button, of=self, margins=0)
        self.button.chosen.connect(self.chosen)

    def set_name(self, name: str, description: str) -> None:
        self._name, self._description = name, description
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        # one that is not offered is called as the file does
        self.button.show_value(value, str(value))
        self.button.setAccessibleName(f"{self._name}: {self.button.text()}")

    @property
    def parts(self) -> list[QWidget]:
        return [self.button]


class FieldControl(Control):
    """A number, a text or an address: taken with Enter and when the keyboard leaves the field."""

    def __init__(self, theme: Theme, rule: SettingRule, unit: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._rule = rule
        self._value: object = None
        self._unit = unit
        self.field = SettingField(self)
        self._unit_label = QLabel(unit, self)
        self._unit_label.setProperty("tone", "secondary")
        theme.set_font("small", self._unit_label)
        self._unit_label.setVisible(bool(unit))
        numeric = rule.kind in ("whole", "number")
        if numeric:
            self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        fill(
            in_row(Stretch(), of=self, spacing=GRID, margins=0), self._unit_label, (self.field, 0 if numeric else 1000)
        )
        self._numeric, self._theme, self._beside = numeric, theme, False
        self.field.editingFinished.connect(self._take)
        self.field.given_up.connect(self.give_up)
        self.field.textEdited.connect(lambda _text: self.refused.emit(""))
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        if self._numeric:
            # as wide as the widest number with limits of ten digits, at any text size
            longest = max(written(self._rule.high), self.field.placeholderText(), key=len)
            self.field.setFixedWidth(self.field.fontMetrics().horizontalAdvance(longest) + 4 * GRID)
        else:
            self.field.setMinimumWidth(self._theme.pixels(TEXT_WIDTH) if self._beside else 1)

    def set_name(self, name: str, description: str) -> None:
        self.field.setAccessibleName(f"{name}, {self._unit}" if self._unit else name)
        self.field.setAccessibleDescription(description)
        if self._numeric or self._rule.kind == "address":
            words = allowed_words(self._rule)
            self.field.setToolTip(words[0].upper() + words[1:])

    def set_beside(self, beside: bool) -> None:
        self._beside = beside
        self._apply_theme()

    def set_placeholder(self, words: str) -> None:
        """Set the words that an empty field shows."""
        self.field.setPlaceholderText(words)
        self._apply_theme()

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = value
        if anyway or not self.field.isModified():
            text = written(value)
            self.field.setText(text)
            self.field.setCursorPosition(0)

    @property
    def parts(self) -> list[QWidget]:
        return [self.field]

    @property
    def writing(self) -> bool:
        return self.field.isModified()

    def focus(self) -> None:
        super().focus()
        self.field.selectAll()

    def _take(self) -> None:
        if not self.field.isModified():
            return
        if not (entry := read_entry(self._rule, self.field.text())).right:
            self.refused.emit(wrong_words(self._rule, self.field.text()))
            return
        self.field.setModified(False)
        self.refused.emit("")
        if entry.value == self._value:
            self.show_value(self._value)
        else:
            self.chosen.emit(entry.value)

    def give_up(self) -> None:
        """Shows the value that counts in place of what is written."""
        self.show_value(self._value, anyway=True)
        self.refused.emit("")


class TextControl(Control):
    """A text of many lines: taken when writing rests, and when the keyboard leaves the field."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._value = ""
        self._frame = frame_in(self, "field")
        self.field = TextField(self._frame)
        theme.set_font("body", self.field)
        in_column(self.field, of=self._frame, margins=(GRID, GRID, GRID, GRID))
        in_column(self._frame, of=self, margins=0)
        self._resting = QTimer(self, singleShot=True, interval=REST_MS)
        self._resting.timeout.connect(self._take)
        self.field.textChanged.connect(lambda: self._resting.start() if self.writing else None)
        self.field.focus_changed.connect(self._show_focus)

    def set_name(self, name: str, description: str) -> None:
        self.field.setAccessibleName(name)
        self.field.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        keeps = self.writing and not anyway
        self._value = written(value)
        if not keeps and self.field.toPlainText() != self._value:
            self.field.setPlainText(self._value)

    @property
    def parts(self) -> list[QWidget]:
        return [self.field]

    @property
    def writing(self) -> bool:
        return self.field.toPlainText().strip() != self._value.strip()

    @property
    def across(self) -> bool:
        return True

    def _show_focus(self, on: bool) -> None:
        self._frame.setProperty("focused", on)
        self._frame.style().unpolish(self._frame)
        self._frame.style().polish(self._frame)
        if not on:
            self._take()

    def _take(self) -> None:
        self._resting.stop()
        if self.writing:
            self.chosen.emit(self.field.toPlainText().strip() or None)


REST_MS = 800
"""Of no key, after which a text of many lines is taken."""
CUSTOM = "custom"
"""Stands for an exact number among those to choose from."""


class PresetControl(Control):
    """A number of a few that most people want; an exact one is written in the field that Custom shows."""

    def __init__(self, theme: Theme, key: SettingKey, exact: FieldControl, parent: QWidget) -> None:
        """`exact`: the field, which this control takes into itself."""
        super().__init__(parent)
        options: dict[object, str] = {} if key.default is not None else {None: tr("Default")}
        options |= {value: value_words(key, value) for value in key.presets}
        self.exact = exact
        self.button = PopupButton(theme, options | {CUSTOM: tr("Custom")}, self)
        self._key, self._value, self._name = key, key.default, ""
        exact.setParent(self)
        in_row(Stretch(), exact, self.button, of=self, spacing=GRID, margins=0)
        exact.hide()
        exact.chosen.connect(self.chosen)
        exact.refused.connect(self.refused)
        exact.field.editingFinished.connect(self._close)
        self.button.chosen.connect(self._choose)

    @property
    def field(self) -> SettingField:
        """The field in which an exact number is written."""
        return self.exact.field

    def set_name(self, name: str, description: str) -> None:
        self._name = name
        self.exact.set_name(name, description)
        self.button.setAccessibleName(f"{name}: {self.button.text()}")
        self.button.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = value
        self.exact.show_value(value, anyway=anyway)
        self._show_which()

    @property
    def parts(self) -> list[QWidget]:
        return [self.field, self.button]

    @property
    def writing(self) -> bool:
        return self.exact.writing

    def focus(self) -> None:
        if self.exact.isHidden():
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.exact.focus()

    def open_field(self) -> None:
        """The field for an exact number, with the keyboard in it."""
        self.exact.show()
        self._show_which()
        self.exact.focus()

    def _choose(self, value: object) -> None:
        if value == CUSTOM:
            self.open_field()
            return
        self.exact.give_up()
        self.exact.hide()
        before, self._value = self._value, value
        self._show_which()
        if value != before:
            self.chosen.emit(value)

    def _close(self) -> None:
        """Left with a number that is among those to choose from: the field is not needed."""
        if not self.field.hasFocus() and not self.writing and self._value in self.button.options:
            self.exact.hide()
            self._show_which()

    def _show_which(self) -> None:
        if self._value not in self.button.options:
            self.exact.show()
        self.button.show_value(CUSTOM if not self.exact.isHidden() else self._value)
        self.button.setAccessibleName(f"{self._name}: {self.button.text()}")

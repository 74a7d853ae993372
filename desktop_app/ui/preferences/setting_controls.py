"""Owns the controls of a setting, one per kind: switch, choice, field. Knows no file and no other setting."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop_app.core.settings import SettingRule
from desktop_app.ui.preferences.setting_text import read_entry, written
from desktop_app.ui.preferences.setting_words import allowed_words, wrong_words
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.flow_layout import FlowRow
from desktop_app.ui.widgets.setting_field import SettingField
from desktop_app.ui.widgets.switch import Switch

NUMBER_WIDTH = 15 * GRID
TEXT_WIDTH = 40 * GRID


class Control(QWidget):
    """`chosen(value)`: what the user wants, None for the default. `refused(words)`: why not; "" where that is over."""

    chosen = Signal(object)
    refused = Signal(str)

    def set_name(self, name: str, description: str) -> None:
        """What a screen reader calls the control, and says of it."""
        raise NotImplementedError

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        """Shows a value. What is being written stays, unless `anyway`."""
        raise NotImplementedError

    @property
    def parts(self) -> list[QWidget]:
        """What takes the keyboard, in order."""
        raise NotImplementedError

    @property
    def writing(self) -> bool:
        """Whether something is written that was not taken yet."""
        return False

    @property
    def across(self) -> bool:
        """Whether the control asks for the whole width under its words."""
        return False

    @property
    def narrow(self) -> bool:
        """Whether the control stands beside its words however little room there is."""
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
        row.addWidget(self.switch)
        row.addStretch(1)  # a click beside it is none
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
    """One of some values, all in sight; arrow keys move between them."""

    def __init__(self, theme: Theme, words: Mapping[str | None, str], parent: QWidget) -> None:
        """`words` of each value; None: nothing is said."""
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self.buttons: dict[str | None, QPushButton] = {}
        row = FlowRow(across=GRID // 2, down=GRID // 2)
        for value, text in words.items():
            button = QPushButton(text, self)
            button.setProperty("kind", "choice")
            button.setCheckable(True)
            button.clicked.connect(lambda _down=False, wished=value: self.chosen.emit(wished))
            self._group.addButton(button)
            row.addWidget(button)
            self.buttons[value] = button
        self.setLayout(row)
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

    @property
    def across(self) -> bool:
        return len(self.buttons) > 3

    def focus(self) -> None:
        down = (button for button in self.buttons.values() if button.isChecked())
        next(down, self.parts[0]).setFocus(Qt.FocusReason.OtherFocusReason)


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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        if numeric:
            self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
            row.addWidget(self.field)
            row.addWidget(self._unit_label)
        else:
            self.field.setMaximumWidth(TEXT_WIDTH)
            row.addWidget(self.field, 1000)
        row.addStretch(1)
        self._numeric = numeric
        self.field.editingFinished.connect(self._take)
        self.field.given_up.connect(self._give_up)
        self.field.textEdited.connect(lambda _text: self.refused.emit(""))
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        if self._numeric:
            # as wide as the widest number with limits of ten digits, at any text size
            digits = self.field.fontMetrics().horizontalAdvance("10,000,000") + 3 * GRID
            self.field.setFixedWidth(max(NUMBER_WIDTH, digits))

    def set_name(self, name: str, description: str) -> None:
        self.field.setAccessibleName(f"{name}, {self._unit}" if self._unit else name)
        self.field.setAccessibleDescription(description)
        if self._numeric or self._rule.kind == "address":
            words = allowed_words(self._rule)
            self.field.setToolTip(words[0].upper() + words[1:])

    def set_placeholder(self, words: str) -> None:
        """What an empty field shows."""
        self.field.setPlaceholderText(words)

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

    @property
    def across(self) -> bool:
        return not self._numeric

    def focus(self) -> None:
        super().focus()
        self.field.selectAll()

    def _take(self) -> None:
        if not self.field.isModified():
            return
        entry = read_entry(self._rule, self.field.text())
        if not entry.right:
            self.refused.emit(wrong_words(self._rule, self.field.text()))
            return
        self.field.setModified(False)
        self.refused.emit("")
        if entry.value == self._value:
            self.show_value(self._value)
        else:
            self.chosen.emit(entry.value)

    def _give_up(self) -> None:
        self.show_value(self._value, anyway=True)
        self.refused.emit("")

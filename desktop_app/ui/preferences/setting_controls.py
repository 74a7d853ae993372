"""The controls of a setting, one per kind: switch, choice, menu, field, number, and what is chosen elsewhere (a model,
a folder or file, the languages of the spell check)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.setting_fields import SettingKey, SettingRule
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.preferences.setting_list import allowed_words, read_entry, value_words, written, wrong_words
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.floating import Menu
from desktop_app.ui.widgets.page import SettingField, Switch, TextField
from desktop_app.ui.widgets.parts import (
    ElidedButton,
    Stretch,
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    label_in,
    set_look,
    single_shot,
)

if TYPE_CHECKING:
    from desktop_app.ui.spelling.speller import Dictionaries, Places


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
        menu = self.menu_shown = Menu(self, self.accessibleName())
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
    across = False
    """True where the control always asks for the whole width under its words."""
    narrow = False
    """True where the control stands beside its words however little room there is."""
    parts: Sequence[QWidget] = ()
    """The widgets that take the keyboard, in order."""
    name = description = ""

    def set_name(self, name: str, description: str) -> None:
        """Set the control's name and description for a screen reader."""
        self.name, self.description = name, description
        for part in self.parts:
            words = part.text() if isinstance(part, QPushButton) else ""
            part.setAccessibleName(f"{name}: {words}" if words else name)
            part.setAccessibleDescription(description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        """Shows a value. What is being written stays, unless `anyway`."""
        raise NotImplementedError

    def set_beside(self, beside: bool) -> None:
        """Set whether it stands beside its words, else beneath them with the whole width."""

    @property
    def writing(self) -> bool:
        """True where something is written that was not taken yet."""
        return False

    def reset(self) -> None:
        """The default is about to count: what was opened to write another value is closed."""

    def focus(self) -> None:
        """Puts the keyboard here."""
        self.parts[0].setFocus(Qt.FocusReason.OtherFocusReason)


class SwitchControl(Control):
    """On or off."""

    narrow = True

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.switch = Switch(theme, self)
        self.parts = [self.switch]
        in_row(Stretch(), self.switch, of=self, margins=0)  # a click beside it is none
        self.switch.clicked.connect(lambda on: self.chosen.emit(on))  # noqa: PLW0108 - other types

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self.switch.setChecked(bool(value))


class ChoiceControl(Control):
    """One of a few values, all in sight; arrow keys move between them."""

    def __init__(self, theme: Theme, words: Mapping[str | None, str], parent: QWidget) -> None:
        """`words` of each value; None: nothing is said."""
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self.buttons: dict[str | None, QPushButton] = {}
        row = FlowRow(across=GRID // 2, down=GRID // 2, at_end=True)
        in_row((row, 1), of=self, margins=0)
        for value, text in words.items():
            button = button_in(self, text, lambda _down=False, wished=value: self.chosen.emit(wished), kind="choice")
            button.setCheckable(True)
            self._group.addButton(button)
            row.addWidget(button)
            self.buttons[value] = button
        self.parts = list(self.buttons.values())

    def set_name(self, name: str, description: str) -> None:
        super().set_name(name, description)
        self.setAccessibleName(name)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        wanted = self.buttons.get(value if isinstance(value, str) else None)
        # a value that is not offered leaves all of them up
        self._group.setExclusive(wanted is not None)
        for button in self.buttons.values():
            button.setChecked(button is wanted)
        self._group.setExclusive(True)

    def focus(self) -> None:
        down = (button for button in self.buttons.values() if button.isChecked())
        next(down, self.parts[0]).setFocus(Qt.FocusReason.OtherFocusReason)


class PopupControl(Control):
    """One of many values, the chosen one in sight."""

    def __init__(self, theme: Theme, words: Mapping[str | None, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.button = PopupButton(theme, words, self)
        self.parts = [self.button]
        in_row(Stretch(), self.button, of=self, margins=0)
        self.button.chosen.connect(self.chosen)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        # one that is not offered is called as the file does
        self.button.show_value(value, str(value))
        self.set_name(self.name, self.description)


class FieldControl(Control):
    """A number, a text or an address: taken with Enter and when the keyboard leaves the field."""

    def __init__(self, theme: Theme, rule: SettingRule, unit: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._rule = rule
        self._value: object = None
        self._unit = unit
        self.field = SettingField(self)
        self.parts = [self.field]
        unit_label = label_in(self, unit, tone="secondary")
        theme.set_font("small", unit_label)
        unit_label.setVisible(bool(unit))
        numeric = rule.kind in ("whole", "number")
        if numeric:
            self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        fill(in_row(Stretch(), of=self, spacing=GRID, margins=0), unit_label, (self.field, 0 if numeric else 1000))
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
        super().set_name(f"{name}, {self._unit}" if self._unit else name, description)
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

    across = True

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._value = ""
        self._frame = frame_in(self, "field")
        self.field = TextField(self._frame)
        self.parts = [self.field]
        theme.set_font("body", self.field)
        in_column(self.field, of=self._frame, margins=(GRID, GRID, GRID, GRID))
        in_column(self._frame, of=self, margins=0)
        self._resting = single_shot(self, self._take, REST_MS)
        self.field.textChanged.connect(lambda: self._resting.start() if self.writing else None)
        self.field.focus_changed.connect(self._show_focus)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        keeps = self.writing and not anyway
        self._value = written(value)
        if not keeps and self.field.toPlainText() != self._value:
            self.field.setPlainText(self._value)

    @property
    def writing(self) -> bool:
        return self.field.toPlainText().strip() != self._value.strip()

    def _show_focus(self, on: bool) -> None:
        set_look(self._frame, "focused", on)
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
        self._key, self._value = key, key.default
        self.field = exact.field
        """The field in which an exact number is written."""
        self.parts = [exact.field, self.button]
        exact.setParent(self)
        in_row((FlowRow(exact, self.button, across=GRID, down=GRID // 2, at_end=True), 1), of=self, margins=0)
        exact.hide()
        exact.chosen.connect(self.chosen)
        exact.refused.connect(self.refused)
        exact.field.editingFinished.connect(self._close)
        self.button.chosen.connect(self._choose)

    def set_name(self, name: str, description: str) -> None:
        super().set_name(name, description)
        self.exact.set_name(name, description)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = value
        self.exact.show_value(value, anyway=anyway)
        self._close()
        self._show_which()

    @property
    def writing(self) -> bool:
        return self.exact.writing

    def focus(self) -> None:
        if self.exact.isHidden():
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.exact.focus()

    def reset(self) -> None:
        self._choose(self._key.default, tell=False)

    def open_field(self) -> None:
        """The field for an exact number, with the keyboard in it."""
        self.exact.show()
        self._show_which()
        self.exact.focus()

    def _choose(self, value: object, *, tell: bool = True) -> None:
        if value == CUSTOM:
            self.open_field()
            return
        self.exact.give_up()
        self.exact.hide()
        before, self._value = self._value, value
        self._show_which()
        if tell and value != before:
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
        self.set_name(self.name, self.description)


class PathControl(FieldControl):
    """`path_requested`: the user wants to choose; `take_path` has the choice."""

    path_requested = Signal()

    def __init__(self, theme: Theme, key: SettingKey, parent: QWidget) -> None:
        super().__init__(theme, key.rule, "", parent)
        self.is_folder = key.holds == "folder"
        self.set_placeholder(self.tr("Default"))
        self.browse = button_in(self, self.tr("Choose…"), self.path_requested)
        self.parts = [self.field, self.browse]
        if (row := self.layout()) is not None:
            row.addWidget(self.browse)

    def take_path(self, path: Path) -> None:
        """Replace the written text with the path that was chosen."""
        self.give_up()
        self.chosen.emit(str(path))


class ModelControl(Control):
    """The default, the models on offer, or an ID that is written in the list's field of search.

    A click asks for the choices, which `show_choices` then opens.
    """

    models_requested = Signal()

    def __init__(self, theme: Theme, backend: str, parent: QWidget) -> None:
        """`backend`: whose models are offered; "": those of all connections, each ID once."""
        super().__init__(parent)
        self._theme = theme
        self._backend = backend
        self._value: str | None = None
        self._names: dict[str, str] = {}  # of models, as their connections call them
        self.menu_shown: ModelMenu | None = None
        self.button = ElidedButton(theme, self)
        set_icon(self.button, "chevron", theme, size=12)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.button.clicked.connect(self.models_requested)
        self.parts = [self.button]
        in_row(Stretch(), self.button, of=self, margins=0)

    @property
    def own_model(self) -> tuple[str, str] | None:
        """The connection and the model that the setting names; None: the default, or a model of any connection."""
        return (self._backend, self._value) if self._backend and self._value else None

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = str(value) if value is not None else None
        words = self.tr("Default")
        if self._value:
            words = self._names.get(self._value) or shipped_name(self._value, self._backend or None)
        self.button.setText(words)
        self.set_name(self.name, self.description)

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the list, what counts marked and under the keyboard."""
        offered = self._offered(choices)
        chosen = next((one.key for one in offered if one.model == (self._value or "") and one.available), None)
        menu = self.menu_shown = ModelMenu(self._theme, chosen, self.button, connections=False)
        menu.take_typed(self._backend)
        menu.chosen.connect(self._choose)
        menu.hidden.connect(self._forget)
        menu.show_choices(offered)
        menu.open_at(self.button, end=True)

    def update_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Shows later facts in the open list."""
        if self.menu_shown is not None:
            self.menu_shown.show_choices(self._offered(choices))

    # --- inside

    def _offered(self, choices: Sequence[ModelChoice]) -> Sequence[ModelChoice]:
        """The default first; of the open thread's costs nothing is said."""
        offered = {"": ModelChoice("", "", "", self.tr("Default"))}
        if self._value and not any(choice.model == self._value for choice in choices):
            offered[self._value] = ModelChoice("", "", self._value, self._value)
        further = []  # connections without a model
        for choice in choices:
            if self._backend not in ("", choice.backend):
                continue
            plain = replace(choice, lacks=(), anew="", recent=0)
            if choice.available:
                offered.setdefault(choice.model, plain)
                self._names[choice.model] = choice.model_name
            elif self._backend:
                further.append(plain)
        return (*offered.values(), *further)

    def _choose(self, _backend: str, model: str) -> None:
        if (model or None) != self._value:
            self.chosen.emit(model or None)

    def _forget(self) -> None:
        if self.menu_shown is not None:
            self.menu_shown.deleteLater()
            self.menu_shown = None


class SpellingLanguagesControl(Control):
    """A button for each language that has a dictionary here, and one for "as the system"; several may be down."""

    across = True

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._codes: tuple[str, ...] = ()
        self._wanted: tuple[str, ...] = ()
        self.automatic = self._button(tr("System"))
        self.parts = [self.automatic]
        self.automatic.clicked.connect(lambda: self.chosen.emit(None))
        self.buttons: dict[str, QPushButton] = {}
        self._row = FlowRow(self.automatic, across=GRID // 2, down=GRID // 2)
        self.note = label_in(self, tone="secondary", wrap=True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.hide()
        in_column(self._row, self.note, of=self, spacing=GRID, margins=0)
        theme.set_font("small", self.note)

    def set_name(self, name: str, description: str) -> None:
        super().set_name(name, description)
        self.setAccessibleName(name)

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._wanted = codes_in(value if isinstance(value, str) else "")
        self._show_state()

    def show_dictionaries(self, dictionaries: Dictionaries, places: Places) -> None:
        """The languages to choose from, and what is to be said of them."""
        codes = tuple(code for code, _ in dictionaries.found)
        if codes != self._codes:
            self._codes = codes
            self._make_buttons()
        self.note.setText(" ".join(dictionary_words(dictionaries, places, self._wanted)))
        self.note.setVisible(True)
        self._show_state()

    def _make_buttons(self) -> None:
        for button in self.buttons.values():
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = {}
        before: QWidget = self.automatic
        for code in self._codes:
            button = self._button(language_title(code))
            button.setToolTip(code)
            button.clicked.connect(self._take)
            self._row.addWidget(button)
            button.show()
            QWidget.setTabOrder(before, button)
            self.buttons[code], before = button, button
        self.parts = [self.automatic, *self.buttons.values()]
        self.set_name(self.name, self.description)
        self.updateGeometry()

    def _button(self, words: str) -> QPushButton:
        button = button_in(self, words, kind="choice")
        button.setCheckable(True)
        return button

    def _take(self) -> None:
        down = [code for code, button in self.buttons.items() if button.isChecked()]
        # languages without a dictionary here stay in the file: it may be there another day
        kept = [code for code in self._wanted if code not in self.buttons]
        self.chosen.emit(", ".join([*kept, *down]) or None)

    def _show_state(self) -> None:
        self.automatic.setChecked(not self._wanted)
        for code, button in self.buttons.items():
            button.setChecked(code in self._wanted)


def codes_in(value: str) -> tuple[str, ...]:
    """The codes in a setting such as "en_US, de-DE"."""
    return tuple(code.replace("-", "_") for code in value.replace(",", " ").split())


def language_title(code: str) -> str:
    """A language as those call it who speak it, with its country: "Deutsch (Deutschland)"."""
    locale = QLocale(code)
    if locale.language() == QLocale.Language.C:
        return code
    name = locale.nativeLanguageName() or QLocale.languageToString(locale.language())
    # some are called by their country already: Österreichisches Deutsch, American English (which Qt takes for plain)
    english = locale.language() == QLocale.Language.English
    alone = "English" if english else QLocale(code.partition("_")[0]).nativeLanguageName()
    country = locale.nativeTerritoryName() if "_" in code and name == alone else ""
    last = code.rpartition("_")[2]
    variant = last if code.count("_") > 1 and last.islower() else ""
    beside = ", ".join(part for part in (country, variant) if part)
    title = f"{name} ({beside})" if beside else name
    return title[:1].upper() + title[1:]


def dictionary_words(dictionaries: Dictionaries, places: Places, wanted: Sequence[str]) -> list[str]:
    """Return the words on dictionaries: those used, those missing, where others come from, where the own words are."""
    if dictionaries.problem == "not_installed":
        return [
            tr(
                "The spell checker is not installed. Install the Python package “chunspell” beside Plimsoll, "
                "then start Plimsoll again."
            )
        ]
    if dictionaries.problem == "stopped":
        return [tr("The spell checker failed several times. It stays off until Plimsoll starts again.")]
    words: list[str] = []
    found = {code for code, _ in dictionaries.found}
    if not found:
        words.append(tr("No dictionary was found on this computer."))
    elif dictionaries.used:
        titles = ", ".join(language_title(code) for code in dictionaries.used)
        words.append(tr("In use: {languages}.").format(languages=titles))
    missing = [code for code in wanted if code not in found and not any(each.startswith(code + "_") for each in found)]
    if missing:
        words.append(tr("No dictionary was found for {languages}.").format(languages=", ".join(missing)))
    if dictionaries.problem:
        words.append(tr("A dictionary can't be read: {problem}.").format(problem=dictionaries.problem.rstrip(".")))
    words.append(_more_words().format(folder=places.dictionaries))
    words.append(tr("Words that you add are kept in {file}.").format(file=places.words))
    return words


def _more_words() -> str:
    linux = sys.platform.startswith("linux")
    if linux:
        return tr(
            "For more languages install a package such as hunspell-de-de or hunspell-fr, or put a dictionary's two "
            "files (.aff and .dic) into {folder}."
        )
    return tr("For more languages install LibreOffice, or put a dictionary's two files (.aff and .dic) into {folder}.")

"""The controls of settings that are chosen elsewhere: a model, a folder or file, the languages of the spell check."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_app.core.model_catalog import shipped_name
from desktop_app.core.settings import SettingKey
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.preferences.setting_controls import Control, FieldControl
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, in_column, in_row, label_in

if TYPE_CHECKING:
    from desktop_app.ui.models.model_menu import ModelMenu
    from desktop_app.ui.spelling.speller import Dictionaries, Places


class PathControl(FieldControl):
    """`path_requested`: the user wants to choose; `take_path` has the choice."""

    path_requested = Signal()

    def __init__(self, theme: Theme, key: SettingKey, parent: QWidget) -> None:
        super().__init__(theme, key.rule, "", parent)
        self.is_folder = key.holds == "folder"
        self.set_placeholder(self.tr("Default"))
        self.browse = button_in(self, self.tr("Choose…"), self.path_requested)
        row = self.layout()
        if row is not None:
            row.addWidget(self.browse)

    def set_name(self, name: str, description: str) -> None:
        super().set_name(name, description)
        self.browse.setAccessibleName(f"{name}: {self.browse.text()}")

    @property
    def parts(self) -> list[QWidget]:
        return [self.field, self.browse]

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
        self._name = ""
        self._names: dict[str, str] = {}  # of models, as their connections call them
        self.menu_shown: ModelMenu | None = None
        self.button = ElidedButton(theme, self)
        set_icon(self.button, "chevron", theme, size=12)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron stands behind the words
        self.button.clicked.connect(self.models_requested)
        in_row(Stretch(), self.button, of=self, margins=0)

    @property
    def own_model(self) -> tuple[str, str] | None:
        """The connection and the model that the setting names; None: the default, or a model of any connection."""
        return (self._backend, self._value) if self._backend and self._value else None

    def set_name(self, name: str, description: str) -> None:
        self._name = name
        self.button.setAccessibleDescription(description)
        self._show_words()

    def show_value(self, value: object, *, anyway: bool = False) -> None:
        self._value = str(value) if value is not None else None
        self._show_words()

    @property
    def parts(self) -> list[QWidget]:
        return [self.button]

    def show_choices(self, choices: Sequence[ModelChoice]) -> None:
        """Opens the list, what counts marked and under the keyboard."""
        from desktop_app.ui.models.model_menu import ModelMenu

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

    def _show_words(self) -> None:
        words = self.tr("Default")
        if self._value:
            words = self._names.get(self._value) or shipped_name(self._value, self._backend or None)
        self.button.setText(words)
        self.button.setAccessibleName(f"{self._name}: {words}")


class SpellingLanguagesControl(Control):
    """A button for each language that has a dictionary here, and one for "as the system"; several may be down."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = self._description = ""
        self._codes: tuple[str, ...] = ()
        self._wanted: tuple[str, ...] = ()
        self.automatic = self._button(tr("System"))
        self.automatic.clicked.connect(lambda: self.chosen.emit(None))
        self.buttons: dict[str, QPushButton] = {}
        self._row = FlowRow(self.automatic, across=GRID // 2, down=GRID // 2)
        self.note = label_in(self, tone="secondary", wrap=True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.note.hide()
        in_column(self._row, self.note, of=self, spacing=GRID, margins=0)
        theme.set_font("small", self.note)

    def set_name(self, name: str, description: str) -> None:
        self._name, self._description = name, description
        self.setAccessibleName(name)
        for button in self.parts:
            assert isinstance(button, QPushButton)
            button.setAccessibleName(f"{name}: {button.text()}")
            button.setAccessibleDescription(description)

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

    @property
    def parts(self) -> list[QWidget]:
        return [self.automatic, *self.buttons.values()]

    @property
    def across(self) -> bool:
        return True

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
        self.set_name(self._name, self._description)
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

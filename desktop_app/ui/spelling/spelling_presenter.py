"""Owns whether words are checked, and in which fields. Knows no word; what checks is loaded when it is first wanted."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QLocale, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.checked_edit import CheckedEdit
from desktop_app.ui.widgets.toast import Toast

if TYPE_CHECKING:
    from desktop_app.core.settings import ComposerSettings
    from desktop_app.ui.spelling.field_spelling import FieldSpelling
    from desktop_app.ui.spelling.speller import Dictionaries, Places, Speller


@runtime_checkable
class ShowsDictionaries(Protocol):
    """A page that tells which dictionaries there are."""

    def show_dictionaries(self, dictionaries: Dictionaries, places: Places) -> None: ...


NEEDED = tuple(
    f"desktop_app.ui.spelling.{name}" for name in ("spelling_process", "checked_words", "speller", "field_spelling")
)
"""What is imported when the check is first wanted: 5 ms each."""
MARK = "danger"
"""The colour role of the waves."""


class SpellCheck(QObject):
    """Every field that takes the keyboard is checked while the setting is on."""

    def __init__(self, root: Path, first: CheckedEdit, toast: Toast, theme: Theme, parent: QObject) -> None:
        """`root`: the data folder. `first`: the field that is there from the start."""
        super().__init__(parent)
        self._root = root
        self._first = first
        self._toast = toast
        self._theme = theme
        self._on = self._following = self._closed = False
        self._languages: tuple[str, ...] = ()
        self._speller: Speller | None = None
        self._fields: dict[CheckedEdit, FieldSpelling] = {}
        self._page: ShowsDictionaries | None = None
        theme.changed.connect(self._apply_theme)

    def take(self, settings: ComposerSettings) -> None:
        """The setting as it is now."""
        languages = tuple(part for part in (settings.spell_languages or "").replace(",", " ").split() if part)
        if (settings.spell_check, languages) == (self._on, self._languages):
            return
        self._on, self._languages = settings.spell_check, languages
        if not self._on:
            self._turn_off()
        if self._on or self._page is not None:
            self._load()
        elif self._speller is not None:
            self._speller.rest()

    def close(self) -> None:
        """Leaves no process behind; what is still being imported begins nothing any more."""
        self._closed = True
        if self._speller is not None:
            self._speller.end()

    def _apply_theme(self) -> None:
        for spelling in self._fields.values():
            spelling.set_color(self._theme.color(MARK))

    def page_changed(self, page: object) -> None:
        """The page of preferences (of any) is told which dictionaries there are, while it is shown."""
        before, self._page = self._page, page if isinstance(page, ShowsDictionaries) else None
        if self._page is not None:
            self._load()  # somebody may have put a dictionary there just now
        elif before is not None and not self._on and self._speller is not None:
            self._speller.rest()

    @property
    def speller(self) -> Speller:
        """What knows the words, made when it is first asked for."""
        if self._speller is None:
            from desktop_app.ui.spelling.speller import Places, Speller

            system = [name.replace("-", "_") for name in QLocale.system().uiLanguages()]
            self._speller = Speller(Places.in_folder(self._root), system, self)
            self._speller.dictionaries_changed.connect(self._show)
            self._speller.learned.connect(self._learned)
        return self._speller

    def attach(self, field: CheckedEdit) -> None:
        """Checks a field from now on."""
        if not self._on or field in self._fields:
            return
        from desktop_app.ui.spelling.field_spelling import FieldSpelling

        self._fields[field] = FieldSpelling(field, self.speller, self._theme.color(MARK))
        field.destroyed.connect(lambda: self._fields.pop(field, None))

    def _load(self) -> None:
        """Imports what is needed piece by piece, so that typing goes on meanwhile, then begins."""
        if self._closed:
            return
        missing = next((name for name in NEEDED if name not in sys.modules), None)
        if missing is None:
            self._begin()
            return
        importlib.import_module(missing)
        QTimer.singleShot(0, self, self._load)

    def _begin(self) -> None:
        if self._on or self._page is not None:
            self.speller.use(self._languages, on=self._on)
        if self._on and not self._following:
            self._following = True
            self._app.focusChanged.connect(self._focus_changed)
            self.attach(self._first)
            self._focus_changed(None, QApplication.focusWidget())

    def _turn_off(self) -> None:
        if self._following:
            self._following = False
            self._app.focusChanged.disconnect(self._focus_changed)
        fields, self._fields = self._fields, {}
        for spelling in fields.values():
            spelling.end()

    @property
    def _app(self) -> QApplication:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        return app

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, CheckedEdit):
            self.attach(now)

    def _show(self, dictionaries: Dictionaries) -> None:
        if self._page is not None and self._speller is not None:
            self._page.show_dictionaries(dictionaries, self._speller.places)

    def _learned(self, word: str, kept: bool) -> None:
        if kept:
            words = self.tr("“{word}” is in your dictionary now.")
        else:
            words = self.tr(
                "“{word}” could not be added to your dictionary. It is not marked until Plimsoll is closed."
            )
        self._toast.show_message(words.format(word=word))

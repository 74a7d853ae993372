"""The decision to check words, and in which fields. The code that checks is loaded when it is first wanted."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtCore import QLocale, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.message_field import CheckedEdit

if TYPE_CHECKING:
    from desktop_app.core.settings import ComposerSettings
    from desktop_app.ui.spelling.field_spelling import FieldSpelling
    from desktop_app.ui.spelling.speller import Dictionaries, Places, Speller


@runtime_checkable
class ShowsDictionaries(Protocol):
    """A page that tells which dictionaries there are."""

    def show_dictionaries(self, dictionaries: Dictionaries, places: Places) -> None: ...


NEEDED = tuple(f"desktop_app.ui.spelling.{name}" for name in ("speller", "field_spelling"))
"""The modules that are imported when the check is first wanted: 5 ms each."""
MARK = "danger"
"""The colour role of the waves."""


class SharedSpeller(QObject):
    """The speller of all windows, and the fields that are checked with it. Made when first asked for."""

    dictionaries_changed = Signal(object)  # Dictionaries
    learned = Signal(str, bool)

    def __init__(self, root: Path) -> None:
        """`root`: the data folder."""
        super().__init__()
        self._root = root
        self._users = 0
        self.made: Speller | None = None
        self.fields: dict[CheckedEdit, FieldSpelling] = {}

    def enter(self) -> None:
        """A window more uses it."""
        self._users += 1

    def leave(self) -> None:
        """A window less: behind the last one no process is left."""
        self._users -= 1
        if self._users <= 0 and self.made is not None:
            self.made.end()

    @property
    def speller(self) -> Speller:
        if self.made is None:
            from desktop_app.ui.spelling.speller import Places, Speller

            system = [name.replace("-", "_") for name in QLocale.system().uiLanguages()]
            self.made = Speller(Places.in_folder(self._root), system, self)
            self.made.dictionaries_changed.connect(self.dictionaries_changed)
            self.made.learned.connect(self.learned)
        return self.made


class SpellCheck(QObject):
    """Every field of a window that takes the keyboard is checked while the setting is on."""

    def __init__(self, shared: SharedSpeller, first: CheckedEdit, toast: Toast, theme: Theme, parent: QObject) -> None:
        """`first`: the field that is there from the start."""
        super().__init__(parent)
        self._shared = shared
        self._first = first
        self._toast = toast
        self._theme = theme
        self._on = self._following = self._closed = False
        self._languages: tuple[str, ...] = ()
        self._page: ShowsDictionaries | None = None
        shared.enter()
        shared.dictionaries_changed.connect(self._show)
        shared.learned.connect(self._learned)
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
        elif self._shared.made is not None:
            self._shared.made.rest()

    def close(self) -> None:
        """Leaves no process behind the last window; what is still being imported begins nothing any more."""
        if not self._closed:
            self._closed = True
            self._shared.leave()

    def _apply_theme(self) -> None:
        for spelling in self._shared.fields.values():
            spelling.set_color(self._theme.color(MARK))

    def page_changed(self, page: object) -> None:
        """The page of preferences (of any) is told which dictionaries there are, while it is shown."""
        before, self._page = self._page, page if isinstance(page, ShowsDictionaries) else None
        if self._page is not None:
            self._load()  # somebody may have put a dictionary there just now
        elif before is not None and not self._on and self._shared.made is not None:
            self._shared.made.rest()

    @property
    def speller(self) -> Speller:
        """The speller, made when it is first asked for."""
        return self._shared.speller

    def attach(self, field: CheckedEdit) -> None:
        """Checks a field from now on."""
        fields = self._shared.fields
        if not self._on or field in fields:
            return
        from desktop_app.ui.spelling.field_spelling import FieldSpelling

        fields[field] = FieldSpelling(field, self.speller, self._theme.color(MARK))
        field.destroyed.connect(lambda: fields.pop(field, None))

    def _load(self) -> None:
        """Imports what is needed piece by piece, so that typing goes on meanwhile, then begins."""
        if self._closed:
            return
        if (missing := next((name for name in NEEDED if name not in sys.modules), None)) is None:
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
        fields = self._shared.fields
        while fields:
            fields.popitem()[1].end()

    @property
    def _app(self) -> QApplication:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        return app

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, CheckedEdit):
            self.attach(now)

    def _show(self, dictionaries: Dictionaries) -> None:
        if self._page is not None:
            self._page.show_dictionaries(dictionaries, self.speller.places)

    def _learned(self, word: str, kept: bool) -> None:
        if QApplication.activeWindow() not in (None, self._first.window()):
            return  # another window tells it
        if kept:
            words = self.tr("“{word}” is in your dictionary now.")
        else:
            words = self.tr(
                "“{word}” could not be added to your dictionary. It is not marked until Plimsoll is closed."
            )
        self._toast.show_message(words.format(word=word))

"""Qt's application before any window: its name, fonts and style, and the look that the settings ask for.

Knows no window, so that each pays only for its own panes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_app.ui.i18n.language import speak
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.theme.theme import load_bundled_fonts

APP_ID = "org.plimsoll.Plimsoll"


def make_application() -> QApplication:
    """The application with its name, fonts and style, before any window."""
    # By `setStyle` Qt would hand the style over, for which PySide makes tables of 6 ms in Python.
    app = QApplication([*sys.argv[:1], "-style", "fusion"])
    app.setApplicationName("Plimsoll")
    app.setDesktopFileName(APP_ID)
    # The window ends the program in order; Qt must not do it first.
    app.setQuitOnLastWindowClosed(False)
    load_bundled_fonts()
    return app


def read_appearance(path: Path, *, safe_mode: bool = False) -> Appearance:
    """The look that the settings ask for, in the language that they ask for.

    Where there are none, reading settings is not even imported.
    """
    try:
        text = "" if safe_mode else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    if not text:
        _speak("system")
        return Appearance()
    from desktop_app.core.settings import parse_settings

    settings = parse_settings(text)[0].appearance
    _speak(settings.language)
    return Appearance(settings.theme, settings.text_size)


def _speak(choice: str) -> None:
    if speak(choice).startswith("zh"):
        from desktop_app.ui.theme.tall_lines import give_room

        give_room()

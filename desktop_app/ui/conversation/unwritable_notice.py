"""The line above the composer while the history can't be written. Keeps nothing itself."""

from __future__ import annotations

from PySide6.QtCore import QObject

from desktop_app.core.events import WritingChanged
from desktop_app.core.messages import Failure
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.i18n.language import parted


class UnwritableNotice(QObject):
    """Says it once; closed, the line comes back with the next thing that can't be saved."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer)
        self._composer = composer
        self._shown = False

    def changed(self, fact: WritingChanged) -> None:
        """Take the change in the history's state: it can be written now, or can't be any more."""
        if fact.problem is not None:
            self.show_problem(fact.problem)
        elif self._shown:
            self._composer.line("unwritable").say("")

    def show_problem(self, failure: Failure) -> None:
        """Something could not be saved."""
        what, _ = parted(failure.message)
        rest = self.tr("You can read, search and export. What you type stays here and is saved as soon as possible.")
        self._composer.line("unwritable").say(f"{what}. {rest}")
        self._shown = True

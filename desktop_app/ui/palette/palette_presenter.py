"""Owns what the command palette offers in this window, and what a choice does. Searches and paints nothing itself.

The palette itself is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.core.prompts import Prompt
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import Theme

if TYPE_CHECKING:  # loaded when the palette is opened for the first time
    from desktop_app.ui.palette.palette_entries import PaletteEntry, PaletteOffer
    from desktop_app.ui.palette.palette_overlay import Palette

ACTION = "command_palette"
AT_ONCE = 50
"""Threads that are there when the palette opens, the newest; the others come in portions, so that no key waits."""
PORTION = 400
UPDATED = attrgetter("thread.updated")
REMEMBERED = 40
"""Entries used last that are kept."""


class PalettePresenter(QObject):
    """Ctrl+K opens and closes. A thread and a model are chosen on the same way as in the list and in the menu."""

    thread_chosen = Signal(str)
    model_chosen = Signal(str, str)  # backend, model
    prompt_chosen = Signal(str)  # prompt id

    def __init__(
        self,
        window: MainWindow,
        *,
        models: Callable[[], Sequence[ModelChoice]],
        prompts: Callable[[], Sequence[Prompt]],
        theme: Callable[[], Theme],
        state: WindowState,
    ) -> None:
        """`models`: what the backend that answers now has on offer, as far as it is known. `prompts`: the library."""
        super().__init__(window)
        self._window = window
        self._models = models
        self._prompts = prompts
        self._theme = theme
        self._state = state
        self._coming: Iterator[Sequence[PaletteEntry]] | None = None
        self._offer: PaletteOffer | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._add_portion)
        self.palette: Palette | None = None

    def connect_window(self) -> None:
        """Connects the action and the choices; after the actions are made."""
        self._window.actions_by_id[ACTION].triggered.connect(self.toggle)
        self.thread_chosen.connect(self._window.threads.thread_chosen)
        self.model_chosen.connect(self._window.composer.picker.model_chosen)

    def set_theme(self, theme: Theme) -> None:
        if self.palette is not None:
            self.palette.set_theme(theme)

    @property
    def complete(self) -> bool:
        """Whether everything is on offer by now."""
        return self._coming is None

    def toggle(self) -> None:
        """Opens the palette, or closes it."""
        if self.palette is not None and self.palette.isVisible():
            self.palette.leave()
            return
        from desktop_app.ui.palette.palette_entries import PaletteOffer
        from desktop_app.ui.palette.palette_overlay import Palette

        if self.palette is None:
            self.palette = Palette(self._theme(), self._window)
            self.palette.chosen.connect(self._choose)
            self.palette.closed.connect(self._forget)
        self._offer = PaletteOffer(self._state.palette_recent)
        self._coming = self._portions()
        self._add_portion()
        self.palette.open(self._offer)
        self._timer.start()

    def remember(self, entry_id: str) -> None:
        """An entry was used: the next time it comes before others."""
        self._state.remember_in_palette(entry_id, REMEMBERED)

    # --- what is on offer

    def _add_portion(self) -> None:
        """Prepares the next few entries: a letter typed meanwhile searches what is there, and then the rest."""
        if self._coming is None or self._offer is None:
            return
        portion = next(self._coming, None)
        if portion is not None:
            self._offer.add(portion)
            return
        self._timer.stop()
        self._coming = None
        if self.palette is not None:
            self.palette.offer_changed()

    def _portions(self) -> Iterator[Sequence[PaletteEntry]]:
        from desktop_app.ui.palette.palette_sources import of_model, of_prompt, of_thread

        answering = self._window.composer.picker.choice
        summaries = self._window.threads.model.threads()
        newest = nlargest(AT_ONCE, summaries, key=UPDATED)
        used = {entry_id.removeprefix("thread:") for entry_id in self._state.palette_recent}
        first = {summary.thread.id for summary in newest}
        newest += [one for one in summaries if one.thread.id in used and one.thread.id not in first]
        first |= used
        yield [*self._actions(), *(of_thread(summary.thread) for summary in newest)]
        yield [of_prompt(prompt) for prompt in self._prompts()]
        yield [
            of_model(choice, answering.key if answering is not None else None)
            for choice in self._models()
            if choice.available
        ]
        ordered = sorted(summaries, key=UPDATED, reverse=True)
        yield ()
        for start in range(0, len(ordered), PORTION):
            some = (summary.thread for summary in ordered[start : start + PORTION])
            yield [of_thread(thread) for thread in some if thread.id not in first]

    def _actions(self) -> list[PaletteEntry]:
        from desktop_app.ui.palette.palette_sources import of_action

        actions = self._window.actions_by_id.items()
        return [of_action(name, action) for name, action in actions if action.isEnabled() and name != ACTION]

    def _forget(self) -> None:
        self._timer.stop()
        self._coming = self._offer = None

    # --- what a choice does

    def _choose(self, entry: PaletteEntry) -> None:
        if not entry.private:
            self.remember(entry.id)
        if entry.kind == "thread":
            self.thread_chosen.emit(entry.key)
        elif entry.kind == "model":
            self.model_chosen.emit(entry.key.partition("/")[0], entry.key.partition("/")[2])
        elif entry.kind == "prompt":
            self.prompt_chosen.emit(entry.key)
        else:
            self._window.actions_by_id[entry.key].trigger()

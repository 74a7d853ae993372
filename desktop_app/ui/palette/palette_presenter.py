"""The offer of the command palette in this window, and the effect of a choice. Searches and paints nothing itself.

The palette itself is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.core.prompts import Prompt
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import Theme

if TYPE_CHECKING:  # loaded when the palette is opened for the first time
    from desktop_app.ui.palette.palette_entries import PaletteEntry, PaletteOffer
    from desktop_app.ui.palette.palette_overlay import Palette

TakeModels: TypeAlias = Callable[[Sequence[ModelChoice]], None]
COMMAND_PALETTE = "command_palette"
AT_ONCE = 50
"""Threads that are there when the palette opens, the newest; the others come in portions, so that no key waits."""
PORTION = 400
UPDATED = attrgetter("thread.updated")
FOUND = ("message", "passage", "search")
"""Kinds that the history finds; which of them was chosen is not kept."""
REMEMBERED = 40
"""Entries used last that are kept."""


class PalettePresenter(QObject):
    """Ctrl+K opens and closes. A thread and a model are chosen on the same way as in the list and in the menu."""

    thread_chosen = Signal(str)
    model_chosen = Signal(str, str)  # backend, model
    prompt_chosen = Signal(str)  # prompt id
    project_chosen = Signal(str)  # project id
    message_chosen = Signal(str, str, str)  # thread id, message id, the words that found it
    passage_chosen = Signal(str, str, object, str)  # as `AppState.passage_wanted`
    search_chosen = Signal(str)  # words

    def __init__(
        self,
        window: QWidget,
        actions: Mapping[str, QAction],
        app_state: AppState,
        *,
        threads: Callable[[], Iterable[ThreadSummary]],
        projects: Callable[[], Sequence[tuple[str, str]]],
        project_name: Callable[[str | None], str],
        answering: Callable[[], ModelChoice | None],
        models: Callable[[], Sequence[ModelChoice]],
        list_models: Callable[[TakeModels, TakeModels], Coroutine[Any, Any, None]],
        prompts: Callable[[], Sequence[Prompt]],
        theme: Theme,
        state: WindowState,
    ) -> None:
        """`actions`: those of the window by name. `answering`: the chosen model. `prompts`: the library.

        `projects`: id and name of each. `models`: what the backend that answers now has on offer, as far as it is
        known; `list_models` asks all of them.
        """
        super().__init__(window)
        self._window = window
        self._actions = actions
        self._app_state = app_state
        self._threads = threads
        self._projects = projects
        self._project_name = project_name
        self._answering = answering
        self._models = models
        self._list_models = list_models
        self._models_listed = False  # since it was opened
        self._prompts = prompts
        self._theme = theme
        self.state = state
        self._coming: Iterator[Sequence[PaletteEntry]] | None = None
        self.offer: PaletteOffer | None = None
        self._words, self._passages = "", list[str]()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._add_portion)
        self.palette: Palette | None = None

    @property
    def complete(self) -> bool:
        """True where everything is on offer by now."""
        return self._coming is None

    def toggle(self) -> None:
        """Opens the palette, or closes it."""
        if self.palette is not None and self.palette.isVisible():
            self.palette.leave()
            return
        from desktop_app.ui.palette.palette_entries import PaletteOffer, PaletteSearch
        from desktop_app.ui.palette.palette_overlay import Palette

        if self.palette is None:
            self.palette = Palette(self._theme, self._window)
            self.palette.chosen.connect(self._choose)
            self.palette.closed.connect(self._forget)
            search = PaletteSearch(self._app_state, self)
            self.palette.asked.connect(search.ask)
            self.palette.field.textChanged.connect(self._look_for_models)
            search.found.connect(self._show_found)
        self.offer = PaletteOffer(self.state.palette_recent)
        self._coming, self._models_listed = self._portions(), False
        self._add_portion()
        self.palette.open(self.offer)
        self._timer.start()

    def remember(self, entry_id: str) -> None:
        """An entry was used: the next time it comes before others."""
        self.state.remember_in_palette(entry_id, REMEMBERED)

    # --- what is on offer

    def _add_portion(self) -> None:
        """Prepares the next few entries: a letter typed meanwhile searches what is there, and then the rest."""
        if self._coming is None or self.offer is None:
            return
        if (portion := next(self._coming, None)) is not None:
            self.offer.add(portion)
            return
        self._timer.stop()
        self._coming = None
        if self.palette is not None:
            self.palette.offer_changed()

    def _portions(self) -> Iterator[Sequence[PaletteEntry]]:
        from desktop_app.ui.palette.palette_entries import of_project, of_prompt

        summaries = list(self._threads())
        newest = nlargest(AT_ONCE, summaries, key=UPDATED)
        used = {entry_id.removeprefix("thread:") for entry_id in self.state.palette_recent}
        first = {summary.thread.id for summary in newest}
        newest += [one for one in summaries if one.thread.id in used and one.thread.id not in first]
        first |= used
        yield [*self._enabled_actions(), *(self._of_thread(summary.thread) for summary in newest)]
        yield [of_project(*project) for project in self._projects()]
        yield [of_prompt(prompt) for prompt in self._prompts()]
        yield self._of_models(self._models())
        ordered = sorted(summaries, key=UPDATED, reverse=True)
        yield ()
        for start in range(0, len(ordered), PORTION):
            some = (summary.thread for summary in ordered[start : start + PORTION])
            yield [self._of_thread(thread) for thread in some if thread.id not in first]

    def _of_models(self, choices: Sequence[ModelChoice]) -> list[PaletteEntry]:
        """Of a connection that has not said yet that it can be used only the model that answers is offered."""
        from desktop_app.ui.palette.palette_entries import of_model

        answering = self._answering()
        key = answering.key if answering is not None else ("", "")
        sure = (one for one in choices if one.available and (one.reach != "asking" or one.backend == key[0]))
        return [of_model(choice, key) for choice in sure]

    def _look_for_models(self, typed: str) -> None:
        """Only who looks for models has every connection asked for them."""
        if typed.startswith("@") and not self._models_listed:
            self._models_listed = True
            self._app_state.look(self._list_models(self._take_models, self._take_models))

    def _take_models(self, choices: Sequence[ModelChoice]) -> None:
        if self.palette is not None and self.offer is not None and self.complete:
            self.offer.replace_models(self._of_models(choices))
            self.palette.offer_changed()

    def _of_thread(self, thread: Thread) -> PaletteEntry:
        from desktop_app.ui.palette.palette_entries import of_thread

        return of_thread(thread, self._project_name(thread.project))

    def _enabled_actions(self) -> list[PaletteEntry]:
        from desktop_app.ui.palette.palette_entries import of_action

        actions = self._actions.items()
        return [of_action(name, action) for name, action in actions if action.isEnabled() and name != COMMAND_PALETTE]

    def _show_found(self, words: str, entries: Sequence[PaletteEntry]) -> None:
        if self.palette is not None:
            self._words = words
            self._passages = [entry.key for entry in entries if entry.kind == "passage"]
            self.palette.show_found(words, entries)

    def _forget(self) -> None:
        self._timer.stop()
        self._coming = self.offer = None

    # --- what a choice does

    def _choose(self, entry: PaletteEntry) -> None:
        if entry.kind in FOUND:
            self._go_to_found(entry)
            return
        if not entry.private:
            self.remember(entry.id)
        if entry.kind == "thread":
            self.thread_chosen.emit(entry.key)
        elif entry.kind == "model":
            self.model_chosen.emit(entry.key.partition("/")[0], entry.key.partition("/")[2])
        elif entry.kind == "project":
            self.project_chosen.emit(entry.key)
        elif entry.kind == "prompt":
            self.prompt_chosen.emit(entry.key)
        else:
            self._actions[entry.key].trigger()

    def _go_to_found(self, entry: PaletteEntry) -> None:
        place, _, one = entry.key.partition("/")
        if entry.kind == "message":
            self.message_chosen.emit(place, one, self._words)
        elif entry.kind == "passage":
            beside = [key.partition("/")[2] for key in self._passages if key.startswith(f"{place}/")]
            words = " ".join((*(entry.name[start:end] for start, end in entry.spans), self._words))
            self.passage_chosen.emit(place, one, beside, words)
        else:
            self.search_chosen.emit(entry.key)

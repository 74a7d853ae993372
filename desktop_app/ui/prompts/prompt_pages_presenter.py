"""The flows behind the page of the prompt library and behind the editor of one prompt."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import HistoryChangedElsewhere, PromptsChanged
from desktop_app.core.prompts import Prompt
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.prompts.prompt_editor import PromptEditor, joined, parted
from desktop_app.ui.prompts.prompt_examples import Example
from desktop_app.ui.prompts.prompts_page import PromptsPage
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.widgets.dialogs import asked_file_to_write, asked_files
from desktop_app.ui.widgets.floating import Toast
from desktop_app.ui.widgets.page import PROMPT

FILE_NAME: Final = "plimsoll-prompts.json"


class PromptsPresenter(QObject):
    """Keeps the page true while it is shown, and does what is wished there; deleting can be undone."""

    insert_requested = Signal(object)  # Prompt
    edit_requested = Signal(str)  # prompt id; "": a new one

    def __init__(self, app_state: AppState, page: PromptsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._ended = False
        page.insert_requested.connect(self.insert_requested)
        page.new_requested.connect(lambda: self.edit_requested.emit(""))
        page.edit_requested.connect(lambda prompt: self.edit_requested.emit(prompt.id))
        page.duplicate_requested.connect(lambda prompt: app_state.start(self._duplicate(prompt)))
        page.delete_requested.connect(lambda prompt: app_state.start(self._delete(prompt)))
        page.example_wanted.connect(lambda example: app_state.start(self._add(example)))
        page.import_requested.connect(lambda: app_state.start(self._import()))
        page.export_requested.connect(lambda: app_state.start(self._export()))
        app_state.bridge.subscribe(PromptsChanged, self._reload)
        app_state.bridge.subscribe(HistoryChangedElsewhere, self._reload)
        app_state.start(self._show())

    def end(self) -> None:
        self._ended = True

    def _reload(self, _fact: object) -> None:
        if not self._ended:
            self._app_state.start(self._show())

    async def _show(self, chosen: str = "") -> None:
        services = await self._app_state.services()
        prompts = await services.prompts.all()
        if not self._ended:
            self.page.show_prompts(prompts, chosen=chosen)

    async def _duplicate(self, prompt: Prompt) -> None:
        services = await self._app_state.services()
        try:
            copy = await services.prompts.duplicate(prompt.id)
        except PlimsollError as error:
            self._say(error)
            return
        await self._show(copy.id)

    async def _delete(self, prompt: Prompt) -> None:
        services = await self._app_state.services()
        try:
            await services.prompts.delete(prompt.id)
        except PlimsollError as error:
            self._say(error)
            return
        # The undo outlives the page.
        app_state, library = self._app_state, services.prompts
        self._toast.show_message(
            self.tr("Prompt deleted"), self.tr("Undo"), lambda: app_state.start(library.restore(prompt))
        )

    async def _add(self, example: Example) -> None:
        services = await self._app_state.services()
        try:
            await services.prompts.add(example.title, example.text)
        except PlimsollError as error:
            self._say(error)

    async def _import(self) -> None:
        files = await asked_files(self.page, self.tr("Import prompts"))
        services = await self._app_state.services()
        added = already = 0
        for path in files:
            try:
                done = await services.prompts.import_file(path)
            except PlimsollError as error:
                self._say(error)
                return
            added, already = added + done.added, already + done.already
        if files:
            words = self.tr("{count} prompts added") if added != 1 else self.tr("1 prompt added")
            there = self.tr("{count} were there already") if already != 1 else self.tr("1 was there already")
            told = [words.format(count=added), *([there.format(count=already)] if already else [])]
            self._toast.show_message(" · ".join(told))

    async def _export(self) -> None:
        path = await asked_file_to_write(self.page, self.tr("Export prompts"), FILE_NAME)
        if path is None:
            return
        services = await self._app_state.services()
        try:
            count = await services.prompts.export(path)
        except PlimsollError as error:
            self._say(error)
            return
        words = self.tr("{count} prompts written to {name}") if count != 1 else self.tr("1 prompt written to {name}")
        self._toast.show_message(words.format(count=count, name=path.name))

    def _say(self, error: PlimsollError) -> None:
        self._toast.show_message(translated(error.failure.message))


class PromptEditorPresenter(QObject):
    """One prompt, stored or not yet. What changes elsewhere is shown as long as nothing was typed here."""

    saved = Signal()

    def __init__(
        self,
        app_state: AppState,
        page: PromptEditor,
        *,
        toast: Toast,
        services: WindowServices,
        prompt_id: str,
        private: bool,
        parent: QObject,
    ) -> None:
        """`prompt_id`: of a prompt of the library, or of one that is about to be written; out of `private` words."""
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._toast = toast
        self._services = services
        self._id = prompt_id
        self.private = private
        self._ended = False
        page.save_requested.connect(lambda _text: app_state.start(self._save_or_say()))
        app_state.bridge.subscribe(PromptsChanged, self._reload)
        app_state.bridge.subscribe(HistoryChangedElsewhere, self._reload)

    @property
    def key(self) -> tuple[str, str]:
        return PROMPT, self._id

    def unsaved(self) -> str | None:
        return self.page.unsaved()

    def end(self) -> None:
        self._ended = True

    async def save(self) -> None:
        """Stores what stands on the page; `UserError` where it can't be."""
        title, text = parted(self.page.text())
        stored = await self._services.prompts.write(self._id, title, text)
        if not self._ended:
            self.page.show_saved(joined(title, text))
            self.page.show_saved(joined(stored.title, stored.text))

    async def load(self) -> None:
        """Reads the prompt; one that is not there, or not any more, has nothing stored."""
        prompts = await self._services.prompts.all()
        prompt = next((one for one in prompts if one.id == self._id), None)
        if not self._ended:
            self.page.show_saved(joined(prompt.title, prompt.text) if prompt is not None else joined("", ""))

    def _reload(self, _fact: object) -> None:
        if not self._ended:
            self._app_state.start(self.load())

    async def _save_or_say(self) -> None:
        problem = ""
        try:
            await self.save()
        except PlimsollError as error:
            problem = translated(error.failure.message)
        if self._ended:
            return
        self.page.show_problem(problem)
        if not problem:
            self._toast.show_message(self.tr("Prompt saved"))
            self.saved.emit()

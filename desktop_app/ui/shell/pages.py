"""Owns which page stands in the transcript's place, and that nothing typed on one is lost. Knows no page's matter.

A page and its flow are imported and made when they are first asked for, and go when they are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ThreadDeleted
from desktop_app.core.messages import DocumentPart, Failure
from desktop_app.core.prompts import Prompt, suggested_title
from desktop_app.ui.shell.stage import Stage
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.dialogs import asked_to_save
from desktop_app.ui.widgets.page_presenter import PROMPT, SYSTEM_PROMPT, EditorPresenter, PagePresenter
from desktop_app.ui.widgets.toast import Toast

if TYPE_CHECKING:  # pages are loaded when the first one is shown
    from desktop_app.ui.connections.available_models import AvailableModels
    from desktop_app.ui.connections.server_form import ServerEntry
    from desktop_app.ui.shortcuts.keymap import KeyMap
    from desktop_app.ui.transfer.running_transfer import RunningTransfer
    from desktop_app.ui.widgets.page import PageFrame


class Pages(QObject):
    """Opens and leaves pages. `page_changed(Page | None)`: what is to be shown, None: the transcript."""

    page_changed = Signal(object)
    page_left = Signal()  # the page that was shown is about to go, whatever takes its place
    message_wanted = Signal(str)  # message id: to be brought into view
    link_wanted = Signal(str)  # an address that was clicked
    attach_wanted = Signal(object)  # tuple[Path, ...]: to be attached to the message, whose composer is there again
    prompt_chosen = Signal(object)  # Prompt: to be inserted into the composer, which is there again
    window_may_close = Signal()
    covering_changed = Signal(bool)  # a page hides the transcript and the composer
    unsaved_changed = Signal()  # what `lasting_texts` tells may be something else

    def __init__(self, app_state: AppState, stage: Stage, toast: Toast, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self._stage = stage
        self._toast = toast
        self._theme = theme
        self._flow: PagePresenter | None = None
        self._editing: EditorPresenter | None = None
        self._back: Callable[[], None] | None = None  # shows the page that the one shown was opened from
        self._again: Callable[[], None] | None = None  # shows the page that is shown, after it was left
        self._kept: dict[tuple[str, str], str] = {}
        self._private: set[tuple[str, str]] = set()  # what is typed there is never to be on disk
        self._server_typed: ServerEntry | None = None  # in the form for a server, when its page was left
        self._asking = False
        self.keymap: KeyMap | None = None
        """Which keys the window's actions have; there as soon as the actions are."""
        self.transfers: RunningTransfer | None = None
        """What is imported or exported."""
        stage.currentChanged.connect(self._look_whether_left)

    @property
    def page(self) -> PageFrame | None:
        """The page that is shown."""
        return self._flow.page if self._flow is not None else None

    # --- opening

    def show_usage(self) -> None:
        """What was used and paid."""
        from desktop_app.ui.usage.usage_page import UsagePage
        from desktop_app.ui.usage.usage_presenter import UsagePresenter

        if isinstance(self._flow, UsagePresenter):
            self._flow.page.focus_first()
            return
        flow = UsagePresenter(self._app_state, UsagePage(self._theme, self._stage), self)
        flow.thread_chosen.connect(self._open_thread)
        self._show(flow, again=self.show_usage)

    def show_caps(self) -> None:
        """The usage page, with the keyboard on the first spend cap."""
        from desktop_app.ui.usage.usage_page import UsagePage

        self.show_usage()
        page = self.page
        if isinstance(page, UsagePage):
            page.focus_caps()

    def show_preferences(self) -> None:
        """Every setting."""
        from desktop_app.ui.preferences.preferences_page import PreferencesPage
        from desktop_app.ui.preferences.preferences_presenter import PreferencesPresenter

        if isinstance(self._flow, PreferencesPresenter):
            self._flow.page.focus_first()
            return
        page, keymap = PreferencesPage(self._theme, self._stage), self.keymap
        page.shortcuts_requested.connect(self.show_shortcuts)

        def problems() -> tuple[str, ...]:
            return keymap.problems if keymap is not None else ()

        self._show(
            PreferencesPresenter(self._app_state, page, self, further_problems=problems), again=self.show_preferences
        )

    def show_shortcuts(self) -> None:
        """Every action with its keys, which can be changed there."""
        from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
        from desktop_app.ui.shortcuts.shortcuts_presenter import ShortcutsPresenter

        if isinstance(self._flow, ShortcutsPresenter):
            self._flow.page.focus_first()
            return
        if self.keymap is None:
            return
        services = self._app_state.ready
        sends = services is None or services.preferences.settings.composer.enter_sends
        page = ShortcutsPage(self._theme, self.keymap, self._stage, enter_sends=sends)
        self._show(ShortcutsPresenter(self._app_state, page, self._toast, self), again=self.show_shortcuts)

    def show_connections(self, connections: AvailableModels, *, key_of: str = "") -> None:
        """Every way to a model; `key_of`: with the field for that backend's key. Back leads where one came from."""
        from desktop_app.ui.connections.connections_page import ConnectionsPage
        from desktop_app.ui.connections.connections_presenter import ConnectionsPresenter

        if isinstance(self._flow, ConnectionsPresenter):
            self._flow.refresh()
            self._flow.page.focus_first()
            return
        back = self._again
        flow = ConnectionsPresenter(
            self._app_state,
            ConnectionsPage(self._theme, self._stage),
            self._toast,
            take=connections.take,
            answers=lambda: connections.chosen,
            parent=self,
            key_of=key_of,
            typed=self._server_typed,
        )
        flow.finished.connect(self.leave)
        flow.entry_left.connect(self._keep_server)
        self._show(flow)
        self._back = back

    def show_import(self, offered: Sequence[Path] = ()) -> None:
        """What can be imported, and how far an import is; `offered`: files that were dropped."""
        from desktop_app.ui.transfer.import_page import ImportPage
        from desktop_app.ui.transfer.transfer_pages_presenter import ImportPresenter

        if self.transfers is None:
            return
        if isinstance(self._flow, ImportPresenter):
            page = self._flow.page
        else:
            page = ImportPage(self._theme, self._stage)
            flow = ImportPresenter(self._app_state, page, self.transfers, self)
            flow.attach_wanted.connect(self._attach)
            self._show(flow)
        if offered:
            page.offer_files(offered)
        page.focus_first()

    def show_export(self, ids: Sequence[str] = ()) -> None:
        """Which threads to export in which format; `ids`: those that were chosen, none: the open one, or all."""
        from desktop_app.ui.transfer.export_page import ExportPage
        from desktop_app.ui.transfer.transfer_pages_presenter import ExportPresenter, scopes

        if self.transfers is not None:
            page = ExportPage(self._theme, scopes(self._app_state, ids), self._stage)
            self._show(ExportPresenter(self._app_state, page, self.transfers, self))

    def show_help(self) -> None:
        """The user guide."""
        from desktop_app.ui.help.guide_page import GuidePage
        from desktop_app.ui.help.help_presenter import GuidePresenter

        flow = GuidePresenter(self._app_state, GuidePage(self._theme, self._stage), self)
        flow.page.link_wanted.connect(self.link_wanted)
        self._show(flow)

    def show_about(self) -> None:
        """Version, licenses, and what `doctor` tells."""
        from desktop_app.ui.help.about_page import AboutPage
        from desktop_app.ui.help.help_presenter import AboutPresenter

        self._show(AboutPresenter(self._app_state, AboutPage(self._theme, self._stage), self))

    def _attach(self, paths: object) -> None:
        self._app_state.start(self._leave(lambda: self.attach_wanted.emit(paths)))

    def show_document(self, document: DocumentPart) -> None:
        """The text of an attached document."""
        from desktop_app.ui.attachments.document_page import DocumentPage
        from desktop_app.ui.attachments.document_presenter import DocumentPresenter

        page = DocumentPage(self._theme, document, self._stage)
        self._show(DocumentPresenter(self._app_state, page, document, self))

    def show_prompts(self) -> None:
        """The library of prompts."""
        from desktop_app.ui.prompts.prompt_pages_presenter import PromptsPresenter
        from desktop_app.ui.prompts.prompts_page import PromptsPage

        if isinstance(self._flow, PromptsPresenter):
            self._flow.page.focus_first()
            return
        flow = PromptsPresenter(self._app_state, PromptsPage(self._theme, self._stage), self._toast, self)
        flow.insert_requested.connect(self.insert_prompt)
        flow.edit_requested.connect(lambda prompt_id: self.edit_prompt(prompt_id, back=self.show_prompts))
        self._show(flow, again=self.show_prompts)

    def edit_prompt(
        self, prompt_id: str = "", *, title: str = "", text: str = "", back: Callable[[], None] | None = None
    ) -> None:
        """The editor of a prompt, or of a new one that begins with a title and a text; `back` follows when it is left.

        Nothing is stored before the user says so.
        """
        self._app_state.start(self._edit_prompt(prompt_id, (title, text), back))

    def open_summary(self, thread_id: str, summary_id: str) -> None:
        """The editor of a summary; the thread is opened where it is not open."""
        self._app_state.start(self._open_summary(thread_id, summary_id))

    def edit_system(self) -> None:
        """The system prompt of the open thread, or of the one that is about to be written."""
        self._app_state.start(self._edit_system())

    async def _open_summary(self, thread_id: str, summary_id: str) -> None:
        from desktop_app.ui.summary.summary_editor import SummaryEditor
        from desktop_app.ui.summary.summary_presenter import SummaryPresenter, summary_of

        if self._editing is not None and self._editing.key == (thread_id, summary_id):
            self._editing.page.focus_first()
            return
        services = await self._app_state.services()
        if not self._app_state.is_open(thread_id):
            await self._app_state.open_thread(thread_id)
        opened = await services.chat.open_thread(thread_id)
        if summary_of(opened.thread, summary_id) is None:
            self._tell_gone(self._kept.pop((thread_id, summary_id), None))
            return
        page = SummaryEditor(self._theme, self._stage)
        flow = SummaryPresenter(
            self._app_state,
            page,
            toast=self._toast,
            services=services,
            opened=opened,
            summary_id=summary_id,
            parent=self,
        )
        flow.message_chosen.connect(self._go_to_message)
        flow.finished.connect(self._finish)
        self._edit(flow, private=opened.thread.private)

    def _tell_gone(self, text: str | None) -> None:
        if text is None:
            self._toast.show_message(self.tr("This summary does not exist any more."))
        else:
            QGuiApplication.clipboard().setText(text)
            self._toast.show_message(self.tr("This summary does not exist any more. Your text is in the clipboard."))

    async def _edit_prompt(self, prompt_id: str, begun: tuple[str, str], back: Callable[[], None] | None) -> None:
        from desktop_app.ui.prompts.prompt_editor import PromptEditor, joined
        from desktop_app.ui.prompts.prompt_pages_presenter import PromptEditorPresenter

        if prompt_id and self._editing is not None and self._editing.key == (PROMPT, prompt_id):
            self._editing.page.focus_first()
            return
        services = await self._app_state.services()
        page = PromptEditor(self._theme, self._stage)
        flow = PromptEditorPresenter(
            self._app_state,
            page,
            toast=self._toast,
            services=services,
            prompt_id=prompt_id or services.prompts.new_id(),
            parent=self,
        )
        await flow.load()
        if any(begun):
            page.take_unsaved(joined(*begun))
        flow.saved.connect(self.leave)
        # words of a private thread stay so until they are saved as a prompt
        self._edit(flow, back, private=any(begun) and self._app_state.private)

    async def _edit_system(self) -> None:
        from desktop_app.ui.prompts.system_prompt_editor import SystemPromptEditor
        from desktop_app.ui.prompts.system_prompt_presenter import SystemPromptPresenter

        key = (self._app_state.thread_id or "", SYSTEM_PROMPT)
        if self._editing is not None and self._editing.key == key:
            self._editing.page.focus_first()
            return
        services = await self._app_state.services()
        page = SystemPromptEditor(self._theme, self._stage)
        flow = SystemPromptPresenter(self._app_state, page, toast=self._toast, services=services, parent=self)
        self._edit(flow, private=self._app_state.private)

    # --- leaving

    def leave(self) -> None:
        """Back to the transcript; asks first where something is not saved."""
        if self._flow is not None and not self._asking:
            self._app_state.start(self._leave(self._back))

    def tell(self, failure: Failure) -> None:
        """What went wrong elsewhere: its card stands in the transcript, which a page covers."""
        if self._flow is not None:
            self._toast.show_message(failure.message)

    def forget_thread(self, deleted: ThreadDeleted) -> None:
        """What was kept for a thread goes with it."""
        for key in [key for key in self._kept if key[0] == deleted.thread_id]:
            del self._kept[key]
        self.unsaved_changed.emit()

    def has_unsaved(self) -> bool:
        """Whether closing the window now would lose something typed on a page."""
        return bool(self._kept) or (self._editing is not None and self._editing.unsaved() is not None)

    def unsaved_texts(self) -> dict[tuple[str, str], str]:
        """What was typed on pages and not saved, by thread and summary (or `SYSTEM_PROMPT`)."""
        texts, editing = dict(self._kept), self._editing
        text = editing.unsaved() if editing is not None else None
        if editing is not None and text is not None:
            texts[editing.key] = text
        return texts

    def lasting_texts(self) -> dict[tuple[str, str], str]:
        """Those of `unsaved_texts` that may outlive the window: nothing of a private thread."""
        return {key: text for key, text in self.unsaved_texts().items() if key not in self._private}

    def take_unsaved(self, texts: Mapping[tuple[str, str], str]) -> None:
        """What the window before was ended with: it waits on its pages, and is told of."""
        self._kept = {**texts, **self._kept}
        if texts:
            self._tell_kept(next(iter(texts)))

    def ask_before_closing(self) -> None:
        """Asks what to do with it; `window_may_close` where that is settled."""
        if not self._asking:
            self._app_state.start(self._ask_before_closing())

    async def _leave(self, then: Callable[[], None] | None = None) -> bool:
        """False where the user stays."""
        editing = self._editing
        if editing is not None and editing.unsaved() is not None:
            answer = await self._ask(editing.page, self.tr("Save the changes?"))
            if answer == "stay" or self._editing is not editing:
                return False
            if answer == "save" and not await self._saved(editing):
                return False
        self._drop(keep=False)
        self.page_changed.emit(None)
        if then is not None:
            then()
        return True

    async def _ask_before_closing(self) -> None:
        window = self._stage.window()
        answer = await self._ask(
            window,
            self.tr("There are changes to a summary, a system prompt or a prompt that are not saved. Save them?"),
        )
        if answer == "stay":
            return
        self._drop(keep=answer == "save")
        self.page_changed.emit(None)
        while answer == "save" and self._kept:
            key, text = next(iter(self._kept.items()))
            await self._store(key, text)
            self._kept.pop(key, None)
        self._kept.clear()
        self.unsaved_changed.emit()
        self.window_may_close.emit()

    async def _ask(self, parent: QWidget, question: str) -> str:
        self._asking = True
        try:
            return await asked_to_save(parent, question)
        finally:
            self._asking = False

    async def _saved(self, editing: EditorPresenter) -> bool:
        try:
            await editing.save()
        except PlimsollError as error:
            self._toast.show_message(error.failure.message)
            return False
        return editing.unsaved() is None

    async def _store(self, key: tuple[str, str], text: str) -> None:
        services = await self._app_state.services()
        thread_id, summary_id = key
        if thread_id == PROMPT:
            title, _, body = text.partition("\n")
            await services.prompts.write(summary_id, title.strip() or suggested_title(body), body)
        elif summary_id != SYSTEM_PROMPT:
            await services.chat.context_editing.edit_summary(thread_id, summary_id, text)
        elif thread_id:
            await services.chat.set_system(thread_id, text)
        else:
            await services.chat.new_thread(system=text)

    # --- inside

    def _edit(self, flow: EditorPresenter, back: Callable[[], None] | None = None, *, private: bool = False) -> None:
        self._show(flow)
        self._editing, self._back = flow, back
        kept = self._kept.pop(flow.key, None)
        if kept is None:
            self._private.discard(flow.key)
        if private:
            self._private.add(flow.key)
        flow.page.edited.connect(self.unsaved_changed)
        if kept is not None:
            flow.page.take_unsaved(kept)

    def _show(self, flow: PagePresenter, *, again: Callable[[], None] | None = None) -> None:
        self._drop(keep=True)
        self._flow, self._again = flow, again
        self.covering_changed.emit(True)
        flow.page.left.connect(self.leave)
        self.page_changed.emit(flow.page)
        flow.page.focus_first()

    def _keep_server(self, entry: ServerEntry) -> None:
        self._server_typed = entry

    def _finish(self) -> None:
        """The page's matter is gone: there is nothing to stay for."""
        self._drop(keep=False)
        self.page_changed.emit(None)

    def _look_whether_left(self, _index: int) -> None:
        """Another thread or a new one was asked for: the page gives way, what was typed on it is kept."""
        if self._flow is not None and self._stage.currentWidget() is not self._flow.page:
            self._drop(keep=True)

    def _drop(self, *, keep: bool) -> None:
        flow, editing = self._flow, self._editing
        self._flow = self._editing = self._back = self._again = None
        if flow is None:
            return
        self.covering_changed.emit(False)
        if editing is not None and keep:
            self._keep(editing)
        flow.end()
        self._stage.removeWidget(flow.page)
        self.page_left.emit()
        for dialog in flow.page.findChildren(QDialog):
            dialog.reject()  # whoever waits for its answer has to hear that none comes
        self._app_state.tasks.after_running(partial(_destroy, flow))
        self.unsaved_changed.emit()

    def _keep(self, editing: EditorPresenter) -> None:
        text, key = editing.unsaved(), editing.key
        if text is None:
            return
        self._kept[key] = text
        self._tell_kept(key)

    def _tell_kept(self, key: tuple[str, str]) -> None:
        words = self.tr("Your changes are not saved yet.")
        self._toast.show_message(words, self.tr("Go back"), lambda: self._go_back(key))

    def _go_back(self, key: tuple[str, str]) -> None:
        thread_id, summary_id = key
        if thread_id == PROMPT:
            self.edit_prompt(summary_id)
        elif summary_id != SYSTEM_PROMPT:
            self.open_summary(thread_id, summary_id)
        else:
            self._app_state.start(self._go_back_to_system(thread_id))

    async def _go_back_to_system(self, thread_id: str) -> None:
        if thread_id and not self._app_state.is_open(thread_id):
            await self._app_state.open_thread(thread_id)
        elif not thread_id and self._app_state.current is not None:
            self._app_state.close_thread()
        await self._edit_system()

    def _go_to_message(self, message_id: str) -> None:
        self._app_state.start(self._leave(lambda: self.message_wanted.emit(message_id)))

    def insert_prompt(self, prompt: Prompt) -> None:
        self._app_state.start(self._leave(lambda: self.prompt_chosen.emit(prompt)))

    def _open_thread(self, thread_id: str) -> None:
        self._app_state.start(self._leave_for(thread_id))

    async def _leave_for(self, thread_id: str) -> None:
        if await self._leave() and not self._app_state.is_open(thread_id):
            await self._app_state.open_thread(thread_id)


def _destroy(flow: PagePresenter) -> None:
    flow.page.deleteLater()
    flow.deleteLater()

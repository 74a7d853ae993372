"""The page in the transcript's place, and the rule that nothing typed on one is lost, not even by a crash."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import ThreadDeleted
from desktop_app.core.messages import Failure
from desktop_app.core.prompts import Prompt
from desktop_app.core.redaction import found_secrets
from desktop_app.paths import put_aside
from desktop_app.system.private_files import write_atomically
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.connections.available_models import AvailableModels, ServerEntry
from desktop_app.ui.shell.main_window import Stage
from desktop_app.ui.shortcuts.keymap import KeyMap
from desktop_app.ui.state.app_state import ABOUT, OF_MESSAGE, AppState, UnfinishedTexts, UnsavedArtifacts
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transfer.running_transfer import RunningTransfer
from desktop_app.ui.widgets.floating import Toast, asked_to_save
from desktop_app.ui.widgets.page import EditorPresenter, PageFrame, PagePresenter, editor_of
from desktop_app.ui.widgets.parts import single_shot


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page in one row. `make(pages, *what)` imports and makes it; None: it was there already, or can't be yet.

    `action`: the window's action that opens it. `stays`: asked for again it stays as it is. Back from a page that
    `returns` leads to the one before it, where that stays or returns and edits no text. `store(services, *what, text)`:
    the page edits one text, which is stored so when its page is gone; `make` then takes the same `what`, and gives an
    `EditorPresenter`.
    """

    make: Callable[..., PagePresenter | Coroutine[Any, Any, PagePresenter | None] | None]
    action: str = ""
    stays: bool = False
    returns: bool = False
    store: Callable[..., Coroutine[Any, Any, object]] | None = None


class Pages(QObject):
    """Opens and leaves pages. `page_changed(Page | None)`: what is to be shown, None: the transcript."""

    page_changed = Signal(object)
    page_left = Signal()  # the page that was shown is about to go, whatever takes its place
    message_wanted = Signal(str)  # message id: to be brought into view
    link_wanted = Signal(str)  # an address that was clicked
    rows_changed = Signal(object)  # list[str]: threads, or the key of a group, to be in sight in the list
    attach_wanted = Signal(object)  # tuple[Path, ...]: to be attached to the message, whose composer is there again
    prompt_chosen = Signal(object)  # Prompt: to be inserted into the composer, which is there again
    key_added = Signal()  # the one that a card asked for, which is in view again
    window_may_close = Signal()
    restart_wanted = Signal()  # what was changed counts from the next start
    covering_changed = Signal(bool)  # a page hides the transcript and the composer
    unsaved_changed = Signal()  # what `lasting_texts` tells may be something else

    def __init__(
        self,
        app_state: AppState,
        stage: Stage,
        toast: Toast,
        theme: Theme,
        parent: QObject,
        *,
        specs: Mapping[str, PageSpec],
    ) -> None:
        """`specs`: every page, by name."""
        super().__init__(parent)
        self._specs = specs
        self.app_state = app_state
        self.stage = stage
        self.toast = toast
        self.theme = theme
        self.flow: PagePresenter | None = None
        self._back: partial[None] | None = None  # shows the page that the one shown was opened from
        self._again: partial[None] | None = None  # shows the page that is shown, after it was left
        self._kept: dict[tuple[str, str], str] = {}
        self._private: set[tuple[str, str]] = set()  # what is typed there is never to be on disk
        self.server_typed: ServerEntry | None = None  # in the form for a server, when its page was left
        self._asking = False
        self._name = ""  # of the page that is shown
        self._about: tuple[object, ...] = ()  # what that page is about
        self.connections: AvailableModels | None = None
        """Which connections there are."""
        self.keymap: KeyMap | None = None
        """Which keys the window's actions have; there as soon as the actions are."""
        self.state: WindowState | None = None  # what is remembered between starts
        self.transfers: RunningTransfer | None = None
        """The import or export that is running."""
        stage.currentChanged.connect(self._look_whether_left)

    @property
    def page(self) -> PageFrame | None:
        return self.flow.page if self.flow is not None else None

    @property
    def _editing(self) -> EditorPresenter | None:
        """The page that is shown, if it edits a text."""
        return cast("EditorPresenter", self.flow) if self.flow is not None and self._specs[self._name].store else None

    # --- opening

    def show(self, name: str, *what: object) -> None:
        """The page of that name, about `what`. One that stays is not made again."""
        spec = self._specs[name]
        if spec.stays and (self._name, self._about) == (name, what) and self.flow is not None:
            self.flow.page.focus_first()
            return
        if isinstance(made := spec.make(self, *what), Coroutine):
            self.app_state.start(self._show_made(name, made, what))
        else:
            self._show(name, made, what)

    def show_caps(self, setting: str = "") -> None:
        """The preferences, with the keyboard on that cap; "": on the first of spending."""
        from desktop_app.ui.preferences.preferences_page import PreferencesPage

        self.show("preferences")
        if isinstance(page := self.page, PreferencesPage):
            page.reveal(setting or "costs.day_cap_usd")

    def set_up_server(self, address: str = "", key: str = "") -> None:
        """The form for a server on the connections page, with the keyboard in it and what was typed elsewhere."""
        from desktop_app.ui.connections.connections_presenter import ConnectionsPresenter

        if address or key:
            self.server_typed = ServerEntry(address, key)
        self.show("connections")
        if isinstance(self.flow, ConnectionsPresenter):
            self.flow.set_up_server()

    def add_key(self, composer: Composer) -> None:
        """The field for a key, with the key that stands in the message; the message is without it then."""
        from desktop_app.ui.connections.connections_presenter import ConnectionsPresenter

        found = next((one for one in found_secrets(composer.text()) if one.noun == "key"), None)
        key = "" if found is None else found.text
        self.show("connections", "" if found is None else found.backend)
        if isinstance(self.flow, ConnectionsPresenter):
            self.flow.take_key(key, lambda: composer.editor.replace_text(composer.text().replace(key, "").strip()))

    def is_editing(self, key: tuple[str, str]) -> bool:
        """Return True if the page that is shown edits that text already; it then has the keyboard."""
        if (editing := self._editing) is None or editing.key != key:
            return False
        editing.page.focus_first()
        return True

    def tell_gone(self, key: tuple[str, str]) -> None:
        """A summary is asked for that was removed: what was typed for it is not lost."""
        if (text := self._kept.pop(key, None)) is None:
            self.toast.show_message(self.tr("This summary no longer exists."))
        else:
            QGuiApplication.clipboard().setText(text)
            self.toast.show_message(self.tr("This summary no longer exists. Your text is in the clipboard."))

    # --- leaving

    def attach(self, paths: object) -> None:
        self.app_state.start(self._leave(lambda: self.attach_wanted.emit(paths)))

    def leave(self) -> None:
        """Back to the transcript; asks first where something is not saved."""
        if self.flow is not None and not self._asking:
            self.app_state.start(self._leave(self._back))

    def tell(self, failure: Failure) -> None:
        """Tell of a failure elsewhere: its card stands in the transcript, which a page covers."""
        if self.flow is not None:
            self.toast.show_message(failure.message)

    def tell_of_key(self, words: str, button: str, insist: Callable[[], None] | None) -> None:
        """Tell of a key whose card was left; one that was not stored stands on its card on the page of connections."""
        from desktop_app.ui.connections.connections_presenter import ConnectionsPresenter

        if insist is not None and isinstance(self.flow, ConnectionsPresenter):
            self.flow.refresh()
        else:
            self.toast.show_message(words, button, insist)

    def forget_thread(self, deleted: ThreadDeleted) -> None:
        """Forget all texts that were kept for the deleted thread."""
        for key in [key for key in self._kept if key[0] == deleted.thread_id]:
            del self._kept[key]
        self.unsaved_changed.emit()

    def has_unsaved(self) -> bool:
        """Return True if closing the window now would lose something typed on a page."""
        return bool(self._kept) or (self._editing is not None and self._editing.unsaved() is not None)

    def unsaved_texts(self) -> dict[tuple[str, str], str]:
        """Return the texts typed on pages and not saved, by thread and summary (or `SYSTEM_PROMPT`)."""
        texts, editing = dict(self._kept), self._editing
        text = editing.unsaved() if editing is not None else None
        if editing is not None and text is not None:
            texts[editing.key] = text
        return texts

    def lasting_texts(self) -> dict[tuple[str, str], str]:
        """Those of `unsaved_texts` that may outlive the window: nothing of a private thread."""
        return {key: text for key, text in self.unsaved_texts().items() if key not in self._private}

    def hand_over(self, thread_id: str, to: Pages) -> None:
        """Another window shows a thread that was left here: what was typed on its pages waits there."""
        moved = {key: self._kept.pop(key) for key in tuple(self._kept) if key[0] == thread_id}
        to._private |= self._private & moved.keys()
        to.take_unsaved(moved)

    def take_unsaved(self, texts: Mapping[tuple[str, str], str]) -> None:
        """Take the texts the window before was ended with: they wait on their pages, and the user is told of them."""
        self._kept = {**texts, **self._kept}
        if texts:
            self._tell_kept(next(iter(texts)))

    def ask_before_closing(self) -> None:
        """Asks what to do with it; `window_may_close` where that is settled."""
        if not self._asking:
            self.app_state.start(self._ask_before_closing())

    async def _leave(self, then: Callable[[], None] | None = None) -> bool:
        """False where the user stays."""
        if (editing := self._editing) is not None and editing.unsaved() is not None:
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
        window = self.stage.window()
        answer = await self._ask(
            window,
            self.tr("A summary, system prompt or prompt has unsaved changes. Save them?"),
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
            self.toast.show_message(error.failure.message)
            return False
        return editing.unsaved() is None

    async def _store(self, key: tuple[str, str], text: str) -> None:
        name, what = editor_of(key)
        if (store := self._specs[name].store) is not None:
            await store(await self.app_state.services(), *what, text)

    # --- inside

    async def _show_made(
        self, name: str, made: Coroutine[Any, Any, PagePresenter | None], about: tuple[object, ...]
    ) -> None:
        self._show(name, await made, about)

    def _show(self, name: str, flow: PagePresenter | None, about: tuple[object, ...]) -> None:
        if flow is None:
            return
        # from one document to another, Back leads to where the first was opened from
        spec, back = self._specs[name], self._again or self._back
        if back is not None and back.args[0] == name:
            back = self._back if self._again is back else None
        self._drop(keep=True)
        self.flow, self._name, self._about = flow, name, about
        leads_back = spec.stays or (spec.returns and spec.store is None)
        self._again = partial(self.show, name, *about) if leads_back else None
        self._back = back if spec.returns else None
        self.covering_changed.emit(True)
        flow.page.left.connect(self.leave)
        self.page_changed.emit(flow.page)
        flow.page.focus_first()
        if (editing := self._editing) is not None:
            self._begin_editing(editing)

    def _begin_editing(self, editing: EditorPresenter) -> None:
        if (kept := self._kept.pop(editing.key, None)) is None:
            self._private.discard(editing.key)
        if editing.private:
            self._private.add(editing.key)
        editing.page.edited.connect(self.unsaved_changed)
        if kept is not None:
            editing.page.take_unsaved(kept)

    def keep_server(self, entry: ServerEntry) -> None:
        self.server_typed = entry

    def finish(self) -> None:
        """The page's matter is gone: there is nothing to stay for."""
        self._drop(keep=False)
        self.page_changed.emit(None)

    def _look_whether_left(self, _index: int) -> None:
        """Another thread or a new one was asked for: the page gives way, what was typed on it is kept."""
        if self.flow is not None and self.stage.currentWidget() is not self.flow.page:
            self._drop(keep=True)

    def _drop(self, *, keep: bool) -> None:
        flow, editing = self.flow, self._editing
        self.flow = self._back = self._again = None
        self._name = ""
        if flow is None:
            return
        self.covering_changed.emit(False)
        if editing is not None and keep:
            self._keep(editing)
        flow.end()
        self.stage.removeWidget(flow.page)
        self.page_left.emit()
        for dialog in flow.page.findChildren(QDialog):
            dialog.reject()  # whoever waits for its answer has to hear that none comes
        self.app_state.tasks.after_running(partial(_destroy, flow))
        self.unsaved_changed.emit()

    def _keep(self, editing: EditorPresenter) -> None:
        text, key = editing.unsaved(), editing.key
        if text is None:
            return
        self._kept[key] = text
        self._tell_kept(key)

    def _tell_kept(self, key: tuple[str, str]) -> None:
        words = self.tr("Your changes are not saved yet.")
        self.toast.show_message(words, self.tr("Go back"), lambda: self._go_back(key))

    def _go_back(self, key: tuple[str, str]) -> None:
        name, what = editor_of(key)
        self.show(name, *what)

    def go_to_message(self, message_id: str) -> None:
        self.app_state.start(self._leave(lambda: self.message_wanted.emit(message_id)))

    def insert_prompt(self, prompt: Prompt) -> None:
        self.app_state.start(self._leave(lambda: self.prompt_chosen.emit(prompt)))

    def open_thread(self, thread_id: str) -> None:
        self.app_state.start(self._leave_for(thread_id))

    async def _leave_for(self, thread_id: str) -> None:
        if await self._leave() and not self.app_state.is_open(thread_id):
            await self.app_state.open_thread(thread_id)


def _destroy(flow: PagePresenter) -> None:
    flow.page.deleteLater()
    flow.deleteLater()


log = logging.getLogger(__name__)

SAVE_WITHIN_MS = 400
"""From the first key to the write, however long typing goes on; with the way to the disk it is under 0.5 s (HIS-1)."""

Texts = Mapping[tuple[str, str], str]
"""The typed texts, by thread and summary as `Pages` names them, or artifact."""


class UnsavedPages(QObject):
    """Follows the pages of all windows. It begins with `give_back`: what is in the file by then is kept before."""

    def __init__(self, front: Callable[[], AppState], path: Path, parent: QObject) -> None:
        """`front`: the window that starts what is written, and shows what goes wrong."""
        super().__init__(parent)
        self._front = front
        self._windows: list[tuple[Pages, UnsavedArtifacts, UnfinishedTexts]] = []
        self._path = path
        self._written: Texts | None = None  # None: what is in the file is not known yet
        self._order = asyncio.Lock()
        self._latest = single_shot(self, lambda: self._front().start(self._write()), SAVE_WITHIN_MS)

    def follow(self, pages: Pages, artifacts: UnsavedArtifacts, of_messages: UnfinishedTexts) -> None:
        """A window more. The first is given back what the one before was ended with."""
        self._windows.append((pages, artifacts, of_messages))
        pages.unsaved_changed.connect(self._changed)
        artifacts.changed.connect(self._changed)
        of_messages.changed.connect(self._changed)

    def leave(self, pages: Pages) -> None:
        """A window less."""
        self._windows = [one for one in self._windows if one[0] is not pages]
        self._changed()

    async def give_back(self, services: WindowServices) -> None:
        """Give back the texts of the window before: they wait on their pages, unless their thread is gone."""
        odd: list[str] = []
        there = await asyncio.to_thread(read_texts, self._path, odd.append)
        for words in odd:
            self._front().tasks.failed.emit(Failure("store", words, actions=("open_data_folder",)))
        texts = dict(there)
        for key in there:
            if key[0] and not key[0].startswith("\0"):
                try:
                    await services.library.find(key[0])
                except PlimsollError:
                    del texts[key]  # its thread was deleted
        of_artifacts = {key: text for key, text in texts.items() if key[1].startswith(ABOUT)}
        of_messages = {key: text for key, text in texts.items() if key[1].startswith(OF_MESSAGE)}
        pages, artifacts, unfinished = self._windows[0]
        artifacts.give_back(of_artifacts)
        unfinished.give_back(of_messages)
        others = texts.keys() - of_artifacts.keys() - of_messages.keys()
        pages.take_unsaved({key: text for key, text in texts.items() if key in others})
        self._written = there
        self._changed()

    async def close(self) -> None:
        """Keeps what stands there now."""
        self._latest.stop()
        await self._write()

    def _changed(self) -> None:
        if self._written is not None and not self._latest.isActive():
            self._latest.start()

    async def _write(self) -> None:
        async with self._order:
            texts: dict[tuple[str, str], str] = {}
            for pages, artifacts, of_messages in self._windows:
                texts |= pages.lasting_texts() | artifacts.lasting_texts() | of_messages.lasting_texts()
            if self._written is None or texts == self._written:
                return
            try:
                await asyncio.to_thread(write_texts, self._path, texts)
            except OSError as error:
                # the text is still on its page; the next key tries again
                log.warning("what is typed on a page could not be kept: %s", type(error).__name__)
            else:
                self._written = texts


def read_texts(path: Path, tell: Callable[[str], None] = log.warning) -> dict[tuple[str, str], str]:
    """Read the texts that `write_texts` wrote; none where there is no such file. Another one is set aside, which
    `tell` is told.
    """
    try:
        kept = json.loads(path.read_bytes())
        return {(str(thread_id), str(about)): str(text) for thread_id, about, text in kept}
    except OSError:
        return {}
    except (ValueError, TypeError, RecursionError):
        tell(put_aside(path))
        return {}


def write_texts(path: Path, texts: Texts) -> None:
    """Puts these in place of what was kept, as a whole or not at all; raises `OSError`."""
    if not texts:
        path.unlink(missing_ok=True)
        return
    write_atomically(path, json.dumps([[*key, text] for key, text in texts.items()]).encode())

"""The flows behind the pages for import and export: which files, where to. Reads and writes nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from desktop_app.ui.i18n.language import grouped, title_of, tr
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transfer.running_transfer import RunningTransfer
from desktop_app.ui.transfer.transfer_pages import ExportPage, ImportPage
from desktop_app.ui.transfer.transfer_state import ExportScope, ExportWish, Kind
from desktop_app.ui.transfer.transfer_work import found_words
from desktop_app.ui.widgets.dialogs import asked_file_to_write, asked_files, asked_folder

TITLE_SHOWN = 40
"""Characters of a title in a choice."""


def scopes(app_state: AppState, ids: Sequence[str]) -> list[ExportScope]:
    """Return the scopes of an export: chosen threads, the open one, all, and all there is. Private ones stay here."""
    found = []
    current = app_state.current
    if len(ids) > 1:
        found.append(ExportScope(tr("{count} selected threads").format(count=grouped(len(ids))), tuple(ids)))
    elif ids and (current is None or current.id != ids[0]):
        found.append(ExportScope(tr("The selected thread"), tuple(ids), "thread"))
    if current is not None and not current.private and (len(ids) != 1 or current.id == ids[0]):
        whole = title_of(current)
        title = whole if len(whole) <= TITLE_SHOWN else whole[:TITLE_SHOWN].rstrip() + "…"
        found.append(ExportScope(tr("This thread: {title}").format(title=title), (current.id,), whole))
    everything = ExportScope(tr("Everything"), None, "everything", everything=True)
    return [*found, ExportScope(tr("All threads"), None), everything]


class _Watching(QObject):
    """Keeps a page true to what is running, of its kind."""

    def __init__(self, transfers: RunningTransfer, page: ImportPage | ExportPage, kind: Kind, parent: QObject) -> None:
        super().__init__(parent)
        self._transfers, self._shown, self._kind = transfers, page, kind
        transfers.forget()
        transfers.watched = True
        transfers.changed.connect(self._show)
        self._show()

    def end(self) -> None:
        """The page is left; what is running goes on."""
        self._transfers.watched = False
        self._transfers.changed.disconnect(self._show)

    def _show(self) -> None:
        state = self._transfers.state
        self._shown.show_state(state if state is not None and state.kind == self._kind else None)


class ImportPresenter(QObject):
    """`attach_wanted(paths)`: what was dropped is to be attached after all."""

    attach_wanted = Signal(object)

    def __init__(self, app_state: AppState, page: ImportPage, transfers: RunningTransfer, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state, self.page, self._transfers = app_state, page, transfers
        self._watching = _Watching(transfers, page, "import", self)
        page.files_wanted.connect(lambda: app_state.start(self._choose("files")))
        page.folder_wanted.connect(lambda: app_state.start(self._choose("folder")))
        page.found_wanted.connect(transfers.import_found)
        page.accepted.connect(transfers.accept)
        page.declined.connect(transfers.decline)
        page.attach_wanted.connect(self.attach_wanted)
        page.cancel_wanted.connect(transfers.cancel)
        transfers.chats_found.connect(page.show_found)
        page.show_found(found_words(transfers.found))
        transfers.look_for_chats()

    def end(self) -> None:
        self._watching.end()
        self._transfers.chats_found.disconnect(self.page.show_found)

    def offer(self, paths: Sequence[Path]) -> None:
        """Shows what is in files that were dropped; they can be attached all the same."""
        self.page.offer_files(paths)
        self._transfers.preview(paths)

    async def _choose(self, what: Literal["files", "folder"]) -> None:
        title = self.tr("Import")
        if what == "files":
            paths = await asked_files(self.page, title)
        else:
            folder = await asked_folder(self.page, title)
            paths = () if folder is None else (folder,)
        if paths:
            self.page.offer_files(())
            self._transfers.preview(paths)


class ExportPresenter(QObject):
    """Asks where to and exports."""

    def __init__(self, app_state: AppState, page: ExportPage, transfers: RunningTransfer, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state, self.page, self._transfers = app_state, page, transfers
        self._watching = _Watching(transfers, page, "export", self)
        page.export_wanted.connect(lambda wish: app_state.start(self._export(wish)))
        page.cancel_wanted.connect(transfers.cancel)
        page.folder_wanted.connect(lambda folder: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))

    def end(self) -> None:
        self._watching.end()

    async def _export(self, wish: ExportWish) -> None:
        from desktop_app.controller.formats import ENDINGS
        from desktop_app.controller.thread_export import file_stem

        place: Path | None
        if wish.scope.everything:
            place = await asked_file_to_write(self.page, self.tr("Export"), f"{wish.scope.name}.zip")
        elif wish.kind == "json" or wish.one_file or not wish.scope.several:
            name = f"{file_stem(wish.scope.name)}{ENDINGS[wish.kind]}"
            place = await asked_file_to_write(self.page, self.tr("Export"), name)
        else:
            place = await asked_folder(self.page, self.tr("Export to folder"))
        if place is not None:
            self._transfers.export(wish, place)

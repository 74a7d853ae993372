"""The import or export that is running, from its start to its report, whether its page is shown or not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import PlimsollError
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.transfer.transfer_state import ExportWish, Kind, TransferState
from desktop_app.ui.widgets.dragging import DroppedFiles, Incoming
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.transfer import FoundChats

MAY_BE_EXPORTS = (".json", ".jsonl", ".zip", ".db", "")
"""Endings of what is looked into before it is attached; a folder has none."""

Work = Callable[["WindowServices"], Awaitable[TransferState]]


class RunningTransfer(QObject):
    """One import or export at a time. `changed`: `state` is another.

    `not_exports(Incoming)`: what was dropped is to be attached. `import_offered(paths)`: it looks like exports.
    `exports_seen`: all that is dragged over the window looks like exports.
    `chats_found(words)`: what a button says that imports `found`; "": there is nothing.
    """

    changed = Signal()
    not_exports = Signal(object)  # Incoming
    import_offered = Signal(object)  # tuple[Path, ...]
    exports_seen = Signal()
    chats_found = Signal(str)

    def __init__(self, app_state: AppState, toast: Toast) -> None:
        super().__init__(toast)
        self._app_state = app_state
        self._toast = toast
        self._task: asyncio.Future[TransferState] | None = None
        self._canceled = False
        self._dragged: tuple[Path, ...] = ()
        self.state: TransferState | None = None
        self.watched = False
        self.found: FoundChats | None = None
        self._previewed: tuple[tuple[Path, ...], int, bool] | None = None
        self._unseen = False
        """True where no page shows `state`, so that a toast says how it ended."""

    @property
    def busy(self) -> bool:
        """True while something is running."""
        return self.state is not None and self.state.phase == "running"

    def forget(self) -> None:
        """Forget a transfer that is over, so that it is not shown again, unless nobody has seen how it ended; what was
        looked at waits to be imported or declined.
        """
        if not self.busy and not self._unseen and (self.state is None or self.state.phase != "ready"):
            self._previewed = self.state = None
        self._unseen = False

    # --- wishes

    def look_at(self, brought: DroppedFiles) -> None:
        """Something is dragged over the window."""
        self._dragged = brought.paths
        if all(path.suffix.lower() in MAY_BE_EXPORTS for path in brought.paths):
            self._app_state.look(self._look_at(brought.paths))

    def take(self, brought: Incoming) -> None:
        """Sorts what was dropped: exports are offered to be imported, all else is attached."""
        if isinstance(brought, DroppedFiles) and any(path.suffix.lower() in MAY_BE_EXPORTS for path in brought.paths):
            self._app_state.start(self._sort(brought.paths))
        else:
            self.not_exports.emit(brought)

    def preview(self, paths: Sequence[Path]) -> None:
        """Looks at what importing files and folders would do; `accept` then imports them."""
        names = ", ".join(path.name for path in paths[:3]) + (", ..." if len(paths) > 3 else "")

        async def look(services: WindowServices) -> TransferState:
            from desktop_app.ui.transfer.transfer_work import preview_files

            ended, self._previewed = await preview_files(services, paths, self._show)
            return ended

        self._begin(TransferState("import", "running", self.tr("Reading {names}").format(names=names)), look)

    def accept(self, with_settings: bool = True) -> None:
        """Imports what was looked at, without what is broken."""
        if self.state is not None and self.state.phase == "ready" and self._previewed is not None:
            self.import_files(*self._previewed, with_settings=with_settings)

    def decline(self) -> None:
        """Forgets what was looked at."""
        if not self.busy:
            self._previewed = self.state = None
            self.changed.emit()

    def import_files(
        self, paths: Sequence[Path], expected: int = 0, partial: bool = False, *, with_settings: bool = True
    ) -> None:
        """Imports files and folders: all of them, or none; `partial`: what is not broken.

        `expected`: threads in them, 0 where that is not known.
        """
        self._previewed = None

        async def bring_in(services: WindowServices) -> TransferState:
            from desktop_app.ui.transfer.transfer_work import import_files

            ended = await import_files(
                services, paths, expected, self._show, partial=partial, with_settings=with_settings
            )
            if self.found is not None:
                self.found = None
                self.chats_found.emit("")
                self.look_for_chats()
            return ended

        self._begin(TransferState("import", "running", self.tr("Importing")), bring_in)

    def look_for_chats(self, *, new: bool = True) -> None:
        """Looks whether another program keeps chats on this computer, `new` ones: `chats_found`."""
        self._app_state.look(self._look_for_chats(new=new))

    def import_found(self) -> None:
        """Imports the chats that were found; those that can't be read are left out."""
        if self.found is not None:
            self.import_files((self.found.folder,), partial=True)

    def export(self, wish: ExportWish, output: Path) -> None:
        """Writes threads, or everything, to a file or folder."""

        async def write_out(services: WindowServices) -> TransferState:
            from desktop_app.ui.transfer.transfer_work import export_everything, export_threads

            if wish.scope.everything:
                return await export_everything(services, output, self._show)
            return await export_threads(services, wish, output, self._show)

        self._begin(TransferState("export", "running", self.tr("Exporting")), write_out)

    def cancel(self) -> None:
        """Ends what is running. Of an import nothing stays."""
        if self._task is not None:
            self._canceled = True
            self._task.cancel()

    # --- doings

    async def _look_at(self, paths: Sequence[Path]) -> None:
        from desktop_app.controller.transfer import can_be_imported

        exports = await asyncio.to_thread(lambda: all(can_be_imported(path) for path in paths))
        if exports and paths == self._dragged:
            self.exports_seen.emit()

    async def _sort(self, paths: Sequence[Path]) -> None:
        from desktop_app.controller.transfer import can_be_imported

        exports = tuple(await asyncio.to_thread(lambda: [path for path in paths if can_be_imported(path)]))
        if others := tuple(path for path in paths if path not in exports):
            self.not_exports.emit(DroppedFiles(others))
        if exports:
            self.import_offered.emit(exports)

    def _begin(self, state: TransferState, work: Work) -> None:
        if not self.busy:
            self._show(state)
            self._app_state.start(self._run(state.kind, work))

    async def _run(self, kind: Kind, work: Work) -> None:
        services = await self._app_state.services()
        self._canceled = False
        task = self._task = asyncio.ensure_future(work(services))
        try:
            ended = await task
        except PlimsollError as error:
            ended = TransferState(kind, "failed", translated(error.failure.message))
        except asyncio.CancelledError:
            words = self.tr("Import canceled. Nothing was imported.")
            if kind == "export":
                words = self.tr("Export canceled. Files written so far stay.")
            self._show(TransferState(kind, "canceled", words))
            if not self._canceled:
                raise  # the window closes
            return
        finally:
            self._task = None
        self._show(ended)
        self._unseen = not self.watched
        if self._unseen:
            waits = self.tr("Not imported yet: {what}").format(what=ended.words)
            self._toast.show_message(waits if ended.phase == "ready" else ended.words)

    async def _look_for_chats(self, *, new: bool) -> None:
        from desktop_app.ui.transfer.transfer_work import look_for_chats

        self.found, words = await look_for_chats(await self._app_state.services(), new=new)
        self.chats_found.emit(words)

    def _show(self, state: TransferState) -> None:
        self.state = state
        self.changed.emit()

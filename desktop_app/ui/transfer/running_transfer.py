"""Owns the import or export that is running, from its start to its report, whether its page is shown or not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop_app.core.errors import PlimsollError
from desktop_app.ui.i18n.language import grouped, spoken
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.transfer.transfer_state import Kind, TransferState
from desktop_app.ui.widgets.dropped_data import DroppedFiles, Incoming
from desktop_app.ui.widgets.toast import Toast

if TYPE_CHECKING:  # the controller is loaded after the first paint
    from desktop_app.controller.transfer import ImportReport
    from desktop_app.ui.state.services import WindowServices
    from desktop_app.ui.transfer.export_wish import ExportWish

MAY_BE_EXPORTS = (".json", ".zip", "")
"""Endings of what is looked into before it is attached; a folder has none."""

SHARES = 1_000
"""Steps of a bar where the number of threads is not known."""

Work = Callable[["WindowServices"], Awaitable[TransferState]]


class RunningTransfer(QObject):
    """One import or export at a time. `changed`: `state` is another.

    `not_exports(Incoming)`: what was dropped is to be attached. `import_offered(paths)`: it looks like exports.
    `exports_seen`: all that is dragged over the window looks like exports.
    """

    changed = Signal()
    not_exports = Signal(object)  # Incoming
    import_offered = Signal(object)  # tuple[Path, ...]
    exports_seen = Signal()

    def __init__(self, app_state: AppState, toast: Toast) -> None:
        super().__init__(toast)
        self._app_state = app_state
        self._toast = toast
        self._task: asyncio.Future[TransferState] | None = None
        self._canceled = False
        self._dragged: tuple[Path, ...] = ()
        self.state: TransferState | None = None
        self.watched = False
        """Whether a page shows `state`; else a toast says how it ended."""

    @property
    def busy(self) -> bool:
        """Whether something is running."""
        return self.state is not None and self.state.phase == "running"

    def forget(self) -> None:
        """What is over is not shown again."""
        if not self.busy:
            self.state = None

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

    def import_files(self, paths: Sequence[Path], expected: int = 0) -> None:
        """Imports files and folders: all of them, or none. `expected`: threads in them, 0 where that is not known."""
        names = ", ".join(path.name for path in paths[:3]) + (", ..." if len(paths) > 3 else "")
        self._begin(
            TransferState("import", "running", self.tr("Reading {names}").format(names=names)),
            lambda services: self._import(services, paths, expected),
        )

    def export(self, wish: ExportWish, output: Path) -> None:
        """Writes threads to a file or folder."""
        self._begin(
            TransferState("export", "running", self.tr("Exporting")),
            lambda services: self._export(services, wish, output),
        )

    def cancel(self) -> None:
        """Ends what is running. Of an import nothing stays."""
        if self._task is not None:
            self._canceled = True
            self._task.cancel()

    # --- doings

    async def _look_at(self, paths: Sequence[Path]) -> None:
        from desktop_app.controller.export_sources import looks_like_export

        exports = await asyncio.to_thread(lambda: all(looks_like_export(path) for path in paths))
        if exports and paths == self._dragged:
            self.exports_seen.emit()

    async def _sort(self, paths: Sequence[Path]) -> None:
        from desktop_app.controller.export_sources import looks_like_export

        exports = tuple(await asyncio.to_thread(lambda: [path for path in paths if looks_like_export(path)]))
        others = tuple(path for path in paths if path not in exports)
        if others:
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
            ended = TransferState(kind, "failed", spoken(error.failure.message))
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
        if not self.watched:
            self._toast.show_message(ended.words)

    async def _import(self, services: WindowServices, paths: Sequence[Path], expected: int) -> TransferState:
        def progress(done: int, share: float) -> None:
            if expected:
                words = self.tr("Importing {done} of {total} threads").format(
                    done=grouped(done), total=grouped(expected)
                )
                self._show(TransferState("import", "running", words, min(done, expected), expected))
            else:
                words = self.tr("{count} threads so far").format(count=grouped(done))
                self._show(TransferState("import", "running", words, round(share * SHARES), SHARES))

        return self._reported(await services.transfer.import_files(paths, progress))

    async def _export(self, services: WindowServices, wish: ExportWish, output: Path) -> TransferState:
        from desktop_app.controller.formats.exported_thread import ExportContents

        ids = wish.scope.ids
        count = len(await services.library.threads()) if ids is None else len(ids)

        def progress(done: int, total: int) -> None:
            if total == 1:
                return  # what is said already holds until the end
            words = self.tr("Exporting {done} of {total} threads").format(done=grouped(done), total=grouped(total))
            self._show(TransferState("export", "running", words, done, total))

        contents = ExportContents(details=wish.details, attached=wish.attached)
        files = await services.thread_export.export(ids, wish.kind, output, contents, progress)
        words = self.tr("1 thread exported") if count == 1 else self.tr("{count} threads exported")
        place = files[0] if len(files) == 1 else output
        where = self.tr("To {place}").format(place=place)
        folder = files[0].parent if files else None
        return TransferState("export", "done", words.format(count=grouped(count)), details=(where,), folder=folder)

    def _reported(self, report: ImportReport) -> TransferState:
        threads, messages = grouped(report.threads), grouped(report.messages)
        if report.threads == 1:
            words = self.tr("1 thread imported, with {messages} messages").format(messages=messages)
        elif report.threads or not report.already:
            words = self.tr("{threads} threads imported, with {messages} messages").format(
                threads=threads, messages=messages
            )
        else:
            words = self.tr("Nothing new to import")
        details = []
        if report.already == 1:
            details.append(self.tr("1 thread was already here"))
        elif report.already:
            details.append(self.tr("{count} threads were already here").format(count=grouped(report.already)))
        details += [
            self.tr("Skipped: {what} ({why})").format(what=spoken(skip.what), why=spoken(skip.why))
            for skip in report.skipped
        ]
        return TransferState("import", "done", words, details=tuple(details))

    def _show(self, state: TransferState) -> None:
        self.state = state
        self.changed.emit()

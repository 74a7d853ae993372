"""The work of an import or export while it runs; loaded with the first one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from desktop_app.controller.formats.exported_thread import ExportContents
from desktop_app.controller.transfer import FoundChats, find_chats, find_new_chats
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.transfer.import_words import found_words, preview_words, report_words, setting_lines
from desktop_app.ui.transfer.transfer_state import Phase, TransferState

if TYPE_CHECKING:
    from desktop_app.ui.state.services import WindowServices
    from desktop_app.ui.transfer.export_wish import ExportWish

SHARES = 1_000
"""Steps of a bar where the number of threads is not known."""

Show: TypeAlias = Callable[[TransferState], None]
Previewed: TypeAlias = tuple[tuple[Path, ...], int, bool]
"""The files looked at, how many good threads are in them, and whether anything is broken."""


async def preview_files(services: WindowServices, paths: Sequence[Path], show: Show) -> tuple[TransferState, Previewed]:
    """Looks at what an import would do."""
    preview = await services.transfer.preview(paths, lambda done, share: show(_share(done, share)))
    words = preview_words(preview)
    phase: Phase = "ready" if words.button else "failed" if preview.broken else "done"
    lines, taken = tuple(setting_lines(preview.settings)), sum(one.taken for one in preview.settings)
    state = TransferState(
        "import", phase, words.line, details=words.details, button=words.button, settings=lines, taken=taken
    )
    return state, (tuple(paths), preview.threads + preview.already, bool(preview.broken))


async def import_files(
    services: WindowServices,
    paths: Sequence[Path],
    expected: int,
    show: Show,
    *,
    partial: bool,
    with_settings: bool = True,
) -> TransferState:
    """Imports; `expected` as in `RunningTransfer.import_files`."""

    def progress(done: int, share: float) -> None:
        if not expected:
            show(_share(done, share))
            return
        words = tr("Importing {done} of {total} threads").format(done=grouped(done), total=grouped(expected))
        show(TransferState("import", "running", words, min(done, expected), expected))

    done = await services.transfer.import_files(paths, progress, partial=partial, with_settings=with_settings)
    words = report_words(done)
    return TransferState("import", "done", words.line, details=words.details)


async def look_for_chats(services: WindowServices, *, new: bool) -> tuple[FoundChats | None, str]:
    """The chats that another program keeps on this computer, and what a button says that imports them."""
    found = await (find_new_chats(services.transfer) if new else find_chats())
    return found, found_words(found)


async def export_threads(services: WindowServices, wish: ExportWish, output: Path, show: Show) -> TransferState:
    """Writes threads to a file or folder."""
    ids = wish.scope.ids
    count = len(await services.library.threads()) if ids is None else len(ids)

    def progress(done: int, total: int) -> None:
        if total == 1:
            return  # what is said already holds until the end
        words = tr("Exporting {done} of {total} threads").format(done=grouped(done), total=grouped(total))
        show(TransferState("export", "running", words, done, total))

    contents = ExportContents(details=wish.details, attached=wish.attached)
    files = await services.thread_export.export(ids, wish.kind, output, contents, progress)
    words = tr("1 thread exported") if count == 1 else tr("{count} threads exported")
    where = tr("To {place}").format(place=files[0] if len(files) == 1 else output)
    folder = files[0].parent if files else None
    return TransferState("export", "done", words.format(count=grouped(count)), details=(where,), folder=folder)


async def export_everything(services: WindowServices, output: Path, show: Show) -> TransferState:
    """Writes the archive of all there is."""

    def progress(share: float) -> None:
        show(TransferState("export", "running", tr("Exporting everything"), round(share * SHARES), SHARES))

    file = await services.everything.write(output, progress)
    where = tr("To {place}").format(place=file)
    return TransferState("export", "done", tr("Everything exported"), details=(where,), folder=file.parent)


def _share(done: int, share: float) -> TransferState:
    words = tr("{count} threads so far").format(count=grouped(done))
    return TransferState("import", "running", words, round(share * SHARES), SHARES)

"""Runs `doctor`, `backup`, `import`, `export`, `sync`; gives commands that only look an empty history where none is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from desktop_app.cli.command_process import DONE, EXIT_STATUS, Output, counted
from desktop_app.cli.json_shapes import backup_shape, restore_shape
from desktop_app.cli.options import BackupOptions, DoctorOptions, ExportOptions, ImportOptions, SyncOptions
from desktop_app.composition import AppServices, compose
from desktop_app.controller.backup_copies import Backups
from desktop_app.controller.everything import ImportReport
from desktop_app.controller.formats import details_by_default
from desktop_app.controller.formats.exported_thread import ExportContents
from desktop_app.controller.history_sync import Sync
from desktop_app.controller.transfer import ImportPreview, Transfer
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import Backup
from desktop_app.core.messages import FailureCode, Json
from desktop_app.core.phrases import phrase
from desktop_app.core.sync import SyncExchange, SyncRefused, SyncStatus
from desktop_app.diagnosis import connections, installation, is_usable, report
from desktop_app.paths import DataPaths
from desktop_app.storage.repair_marks import is_gone
from desktop_app.system.private_files import PrivateFolder


@contextlib.asynccontextmanager
async def looking(paths: DataPaths, environ: Mapping[str, str], *, empty: bool = False) -> AsyncIterator[AppServices]:
    """Services for reading. `empty`: over an empty history even where there is one."""
    if not empty and await asyncio.to_thread(lambda path: path.exists() or is_gone(path), paths.history):
        services = await compose(paths, environ=environ, only_looking=True, reading=True)
        try:
            yield services
        finally:
            await services.close()
        return
    with PrivateFolder() as folder:
        scratch = DataPaths(folder)
        await asyncio.to_thread(_copy_small, paths, scratch)
        services = await compose(scratch, environ=environ, only_looking=True)
        try:
            yield services
        finally:
            await services.close()


def _copy_small(paths: DataPaths, scratch: DataPaths) -> None:
    for source, copy in (
        (paths.settings, scratch.settings),
        (paths.claude_check, scratch.claude_check),
        (paths.models, scratch.models),
    ):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            shutil.copyfile(source, copy)


async def examine(paths: DataPaths, environ: Mapping[str, str], options: DoctorOptions, output: Output) -> int:
    """Prints all checks. The status: 0 usable, 6 the history is not, 3 something else is missing."""
    checks = await installation(paths)
    history = next(check for check in checks if check.name == "history")
    async with looking(paths, environ, empty=True) as services:
        checks += await connections(services)
    ok = is_usable(checks)
    if options.json:
        output.json({"ok": ok, "checks": [{"name": c.name, "ok": c.ok, "detail": c.detail} for c in checks]})
    else:
        output.line(report(checks))
    if not history.ok:
        return EXIT_STATUS["store"]
    return DONE if ok else EXIT_STATUS["config"]


MEGABYTE = 1_000_000


async def run_backup(backups: Backups, options: BackupOptions, output: Output) -> int:
    """Makes one, lists them, or restores from one."""
    match options.act:
        case "now":
            made = await backups.make()
            if options.json:
                output.json(backup_shape(made))
            else:
                output.line(_line(made))
        case "list":
            every = await backups.all()
            if options.json:
                output.json([backup_shape(one) for one in every])
            elif not every:
                output.tell("There are no backups yet.")
            else:
                for one in every:
                    output.line(_line(one))
        case "restore":
            done = await backups.restore(options.backup, options.thread)
            if options.json:
                output.json(restore_shape(done))
            else:
                output.line(
                    f"Back from {done.backup}: threads {done.threads}, messages {done.messages}; "
                    f"threads that were here already: {done.already}"
                )
                output.tell(f"What was here before is in the backup {done.before}.")
    return DONE


def _line(one: Backup) -> str:
    day, _, time = one.at.partition("T")
    state = "verified" if one.verified else "damaged "
    return (
        f"{one.id}  {day} {time[:5]}  {state}  {one.threads:>6} threads  {one.messages:>8} messages  "
        f"{one.bytes / MEGABYTE:.1f} MB"
    )


DATE = len("2026-03-01")
"""Characters of a time that name the day."""


async def bring_in(transfer: Transfer, options: ImportOptions, output: Output) -> int:
    """Imports the files together, or looks at what that would do, and prints the report."""
    paths = [Path(name) for name in options.files]
    if options.preview:
        if (preview := await transfer.preview(paths)).broken and not options.partial:
            _hint(preview, output)
            raise _refused(preview)
        report: ImportReport = replace(preview, skipped=(*preview.skipped, *preview.broken))
    else:
        try:
            report = await transfer.import_files(paths, partial=options.partial)
        except UserError as error:
            if error.failure.code == "store" and not options.partial:
                _hint(await transfer.preview(paths), output)
            raise
    if options.json:
        skipped = [{"what": skip.what, "why": skip.why} for skip in report.skipped]
        output.json(
            {
                "threads": report.threads,
                "messages": report.messages,
                "skipped": skipped,
                "already": report.already,
                "from": report.earliest,
                "to": report.latest,
                "settings": [
                    {"key": one.key, "value": one.value, "taken": one.taken, "why": one.why} for one in report.settings
                ],
                "changes": [
                    {"kind": one.kind, "change": one.change, "id": one.id, "name": one.name, **one.counts}
                    for one in report.changes
                ],
            }
        )
        return DONE
    _tell(report, output)
    if options.preview:
        output.line("This is a preview: nothing was imported.")
    return DONE


def _tell(report: ImportReport, output: Output) -> None:
    output.line(f"{counted(report.threads, 'new thread')}, {counted(report.messages, 'new message')}.")
    if report.earliest is not None and report.latest is not None:
        output.line(f"From {report.earliest[:DATE]} to {report.latest[:DATE]}.")
    if report.already:
        output.line(f"{counted(report.already, 'thread')} had been imported before.")
    for change in (one for one in report.changes if one.kind != "thread" or one.change == "more"):
        counts = ", ".join(counted(count, what.removesuffix("s")) for what, count in change.counts.items() if count)
        output.line(": ".join(filter(None, (change.kind.capitalize(), change.change, change.name, counts))) + ".")
    for setting in report.settings:
        shown = json.dumps(setting.value, ensure_ascii=False) if setting.taken else f"not taken, {setting.why}"
        output.line(f"Setting {setting.key}: {shown}.")
    for skip in report.skipped:
        output.line(f"Left out: {skip.what}: {skip.why}.")


def _hint(preview: ImportPreview, output: Output) -> None:
    good = preview.threads + preview.already
    if preview.broken and good:
        output.tell(f"{counted(good, 'thread')} can be read. --partial imports those.")


def _refused(preview: ImportPreview) -> UserError:
    name = next(file.name for file in preview.files if file.broken)
    one = preview.broken[0]
    why = one.why if one.what == name else f"{one.what}: {one.why}"
    return UserError("store", phrase("{name} can't be imported: {why}. Nothing was imported.", name=name, why=why))


async def write_out(services: AppServices, options: ExportOptions, output: Output) -> int:
    """Writes the threads, or everything, and prints the paths of the files."""
    target = Path(options.output)
    if options.everything:
        output.line(str(await services.everything.write(target)))
        return DONE
    if options.format is None:
        raise UserError("usage", phrase("Choose a format: --format markdown, html, json or pdf."))
    history = services.history
    chosen = None if options.threads is None else [(await history.find_thread(one)).id for one in options.threads]
    details = details_by_default(options.format) if options.details is None else options.details
    contents = ExportContents(details=details, attached=options.attached)
    for path in await services.thread_export.export(chosen, options.format, target, contents):
        output.line(str(path))
    return DONE


LONGEST_PASSPHRASE: Final = 10_000
"""Bytes of its file."""
CODES: Final[Mapping[str, FailureCode]] = {"config": "config", "removed": "config", "network": "network"}
"""Failures by the kind of trouble; the others are the store's."""
SECOND_LINE: Final = "Without a keyring, write the current passphrase on the second line of the file."
NOT_SET_UP: Final = "Sync is not set up here. Run `plimsoll sync setup PLACE --passphrase-file FILE`."


def read_passphrase(path: str | None) -> str:
    """The passphrase in a file, without the end of its line; "" where no file is named."""
    if path is None:
        return ""
    try:
        with Path(path).open("rb") as file:
            text = file.read(LONGEST_PASSPHRASE + 1).decode().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError("usage", f"{path} can't be read: {reason}.") from None
    if not text or len(text) > LONGEST_PASSPHRASE:
        raise UserError("usage", f"{path} holds no passphrase. Write it on the first line.")
    return text


def from_anywhere(options: SyncOptions) -> SyncOptions:
    """The options as they mean the same from another working folder."""
    folder = options.place and "://" not in options.place
    return replace(options, place=str(Path(options.place).expanduser().absolute())) if folder else options


async def run_sync(sync: Sync, options: SyncOptions, passphrase: str, output: Output) -> int:
    """Does what the options name; the exit status. Raises `UserError` where the engine refuses."""
    try:
        if options.act not in ("setup", "status") and not sync.status().place:
            raise UserError("config", NOT_SET_UP)
        return await _carry_out(sync, options, passphrase, output)
    except SyncRefused as refused:
        trouble = refused.trouble
        message = trouble.message
        if options.act == "revoke" and trouble.kind == "config" and len(passphrase.splitlines()) == 1:
            message = f"{message} {SECOND_LINE}"
        raise UserError(CODES.get(trouble.kind, "store"), message, detail=trouble.detail) from refused


async def _carry_out(sync: Sync, options: SyncOptions, passphrase: str, output: Output) -> int:
    match options.act:
        case "setup":
            key = await sync.setup(options.place, passphrase, options.device, accept_store=options.accept_store)
            _print_setup(sync.status(), key, output, json=options.json)
        case "now":
            exchange = sync.accept_store if options.accept_store else sync.now
            _print_exchange(await exchange(passphrase or None), output, json=options.json)
            if (trouble := sync.status().trouble) is not None:  # a clock that is ahead
                output.tell(trouble.message)
        case "status" if options.json:
            output.json(status_shape(await sync.read_status()))
        case "status":
            _print_status(await sync.read_status(), output)
        case "pause":
            await sync.pause()
            output.tell("Sync is paused. `plimsoll sync resume` goes on.")
        case "resume":
            await sync.resume()
            output.tell("Sync goes on.")
        case "leave":
            await sync.leave()
            output.tell("Sync is off here. Your threads stay on this computer, and in the place as they are.")
        case "revoke":
            new, *current = passphrase.splitlines()
            key = await sync.revoke(options.device, new, *current[:1])
            output.tell("Removed. It keeps what it had. Change the credentials of the place yourself.")
            output.tell("A recovery key from before no longer lets a device join.")
            _print_key(key, output)
    return DONE


def status_shape(status: SyncStatus) -> dict[str, Json]:
    """The shape of `sync status --json`."""
    return {
        "place": status.place,
        "device": status.device,
        "devices": [
            {"id": one.id, "name": one.name, "last": one.last or None} for one in status.devices if not one.revoked
        ],
        "waiting": status.waiting,
        "paused": status.paused,
    }


def _print_setup(status: SyncStatus, key: str, output: Output, *, json: bool) -> None:
    if json:
        output.json({**status_shape(status), "recovery_key": key})
        return
    output.line(f"Syncing with {status.place} as {status.device}")
    _print_key(key, output)


def _print_exchange(done: SyncExchange, output: Output, *, json: bool) -> None:
    if json:
        output.json({"sent": done.sent, "received": done.received, "threads": done.threads, "bytes": done.bytes})
        return
    size = f"{done.bytes / 1e6:,.1f} MB"
    output.line(f"Sent {done.sent:,}, received {done.received:,} · {counted(done.threads, 'thread')} · {size}")


def _print_key(key: str, output: Output) -> None:
    if key:
        output.line(f"Recovery key: {key}")
        output.tell("Print it or write it down. It opens your threads if you forget the passphrase.")


def _print_status(status: SyncStatus, output: Output) -> None:
    if not status.place:
        output.tell(NOT_SET_UP)
        return
    output.line(f"{status.place}  ({'paused' if status.paused else f'{status.waiting:,} waiting'})")
    for one in status.devices:
        said = "this device" if one.here else "removed" if one.revoked else ""
        seen = f"last {one.last[:16].replace('T', ' ')} UTC" if one.last else "never synced"
        output.line(f"  {one.id}  {one.name}  ({' · '.join(filter(None, (said, seen)))})")
    if status.still_on:
        output.line(f"Deleted for good here, still on {', '.join(status.still_on)}")
    if status.trouble is not None:
        output.tell(status.trouble.message)

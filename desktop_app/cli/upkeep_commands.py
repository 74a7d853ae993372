"""Runs `doctor` and `backup`, and gives commands that only look an empty history where there is none.

The empty one lives in a folder that is gone afterwards, with the user's settings beside it, and with what is known of
the `claude` program and of the providers' models.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from desktop_app.cli.command_process import DONE, EXIT_STATUS, Output
from desktop_app.cli.json_shapes import backup_shape, restore_shape
from desktop_app.cli.options import BackupOptions, DoctorOptions
from desktop_app.composition import AppServices, compose
from desktop_app.controller.backup_copies import Backups
from desktop_app.core.history_records import Backup
from desktop_app.diagnosis import connections, installation, is_usable, report
from desktop_app.paths import DataPaths
from desktop_app.storage.repair_marks import is_gone
from desktop_app.system.private_files import PrivateFolder


@contextlib.asynccontextmanager
async def looking(paths: DataPaths, environ: Mapping[str, str], *, empty: bool = False) -> AsyncIterator[AppServices]:
    """Services for reading. `empty`: over an empty history even where there is one."""
    if not empty and await asyncio.to_thread(_has_history, paths.history):
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


def _has_history(path: Path) -> bool:
    return path.exists() or is_gone(path)


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

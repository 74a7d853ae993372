"""Runs `doctor`, and gives commands that only look an empty history where there is none.

The empty one lives in a folder that is gone afterwards, with the user's settings beside it, and with what is known of
the `claude` program and of the providers' models.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from desktop_app.cli.exit_codes import DONE, EXIT_STATUS
from desktop_app.cli.options import DoctorOptions
from desktop_app.cli.output import Output
from desktop_app.composition import AppServices, compose
from desktop_app.diagnosis import connections, installation, is_usable, report
from desktop_app.paths import DataPaths
from desktop_app.storage.repair_marks import is_gone
from desktop_app.system.private_folder import PrivateFolder


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

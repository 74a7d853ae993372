"""Owns how a command looks without leaving a trace: over the history where there is one, else over an empty one.

The empty one lives in a folder that is gone afterwards, with the user's settings beside it, and with what is known of
the `claude` program and of the providers' models.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from desktop_app.composition import AppServices, compose
from desktop_app.paths import DataPaths


@contextlib.asynccontextmanager
async def looking(paths: DataPaths, environ: Mapping[str, str], *, empty: bool = False) -> AsyncIterator[AppServices]:
    """Services for reading. `empty`: over an empty history even where there is one."""
    if not empty and await asyncio.to_thread(paths.history.exists):
        services = await compose(paths, environ=environ, only_looking=True)
        try:
            yield services
        finally:
            await services.close()
        return
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as folder:
        scratch = DataPaths(Path(folder))
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

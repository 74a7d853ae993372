"""The text typed on a page or an artifact, which outlives a crash: in a file at once, given back at the next start.

Knows no page. Nothing of a private thread comes near the file, and nobody else may read it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from desktop_app.atomic_write import write_atomically
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Failure
from desktop_app.paths import put_aside
from desktop_app.ui.shell.pages import Pages
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.unsaved_artifacts import ABOUT, UnsavedArtifacts

log = logging.getLogger(__name__)

SAVE_WITHIN_MS = 400
"""From the first key to the write, however long typing goes on; with the way to the disk it is under 0.5 s (HIS-1)."""

Texts = Mapping[tuple[str, str], str]
"""The typed texts, by thread and summary as `Pages` names them, or artifact."""


class UnsavedPages(QObject):
    """Follows the pages of all windows. It begins with `give_back`: what is in the file by then is not overwritten
    before.
    """

    def __init__(self, front: Callable[[], AppState], path: Path, parent: QObject) -> None:
        """`front`: the window that starts what is written, and shows what goes wrong."""
        super().__init__(parent)
        self._front = front
        self._windows: list[tuple[Pages, UnsavedArtifacts]] = []
        self._path = path
        self._written: Texts | None = None  # None: what is in the file is not known yet
        self._order = asyncio.Lock()
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        self._latest.setInterval(SAVE_WITHIN_MS)
        self._latest.timeout.connect(lambda: self._front().start(self._write()))

    def follow(self, pages: Pages, artifacts: UnsavedArtifacts) -> None:
        """A window more. The first is given back what the one before was ended with."""
        self._windows.append((pages, artifacts))
        pages.unsaved_changed.connect(self._changed)
        artifacts.changed.connect(self._changed)

    def leave(self, pages: Pages) -> None:
        """A window less."""
        self._windows = [one for one in self._windows if one[0] is not pages]
        self._changed()

    async def give_back(self, services: WindowServices) -> None:
        """Give back the texts that the window before was ended with: they wait on their pages, unless their thread
        is gone.
        """
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
        pages, artifacts = self._windows[0]
        artifacts.give_back(of_artifacts)
        pages.take_unsaved({key: text for key, text in texts.items() if key not in of_artifacts})
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
            for pages, artifacts in self._windows:
                texts |= pages.lasting_texts() | artifacts.lasting_texts()
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

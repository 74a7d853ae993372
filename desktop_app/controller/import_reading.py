"""Reads what is imported, in a thread of its own, as many conversations at a time as are written at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from desktop_app.controller.export_sources import OpenedSource, open_source
from desktop_app.controller.formats.export_reading import Importer, Skipped, UnreadableExportError
from desktop_app.controller.formats.importers import EXPECTED, importer_of
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedProject, ImportedThread, in_batches

ImportProgress: TypeAlias = Callable[[int, float], None]
"""Called on the event loop with how many threads were found so far, and the share of the files that was read."""

NO_TIME = "1970"
"""Begins the times of what names none."""


@dataclass(slots=True)
class PreviewedFile:
    """The contents of one of the paths: the product it comes from ("": unknown) and its good threads."""

    name: str
    product: str = ""
    threads: int = 0
    broken: list[Skipped] = field(default_factory=list)


class ImportReading:
    """Reads the paths one after the other; what it found so far is in its attributes.

    `only_good`: what is broken is collected in `broken`; else it raises `UserError`.
    """

    def __init__(self, paths: Sequence[Path], *, only_good: bool, progress: ImportProgress | None = None) -> None:
        self.skipped: list[Skipped] = []
        self.broken: list[Skipped] = []
        self.files: list[PreviewedFile] = []
        self.instructions: dict[str, str] = {}
        """Those of projects, by their names in one case; a project is found before its threads."""
        self.earliest: str | None = None
        self.latest: str | None = None
        self.found = 0
        self._paths = tuple(paths)
        self._only_good = only_good
        self._progress = progress
        self._share = 0.0
        self._threads = self._read()
        self._batches = in_batches(self._threads)
        self._next: asyncio.Future[Sequence[ImportedThread] | None] | None = None

    async def next_batch(self) -> Sequence[ImportedThread] | None:
        """The next threads, None at the end; the ones after them are read meanwhile."""
        batch = await asyncio.shield(self._next or self._begin())
        self._next = None if batch is None else self._begin()
        if batch is not None and self._progress is not None:
            self._progress(self.found, self._share)
        return batch

    async def close(self) -> None:
        """Ends the reading and closes what is open."""
        if self._next is not None:
            await asyncio.wait([self._next])
            self._next.exception()  # nobody waits for it any more
        await asyncio.to_thread(self._threads.close)

    def _begin(self) -> asyncio.Future[Sequence[ImportedThread] | None]:
        self._next = asyncio.ensure_future(asyncio.to_thread(next, self._batches, None))
        return self._next

    def _read(self) -> Generator[ImportedThread, None, None]:
        for number, path in enumerate(self._paths):
            file = PreviewedFile(path.name)
            self.files.append(file)
            try:
                with open_source(path, only_good=self._only_good) as source:
                    for imported in self._found(source, file):
                        file.threads += 1
                        self._look_at(imported)
                        self._share = (number + source.share_read) / len(self._paths)
                        yield imported
                    file.broken += source.broken
            except UserError as error:
                if not self._only_good or error.failure.code == "usage":
                    raise
                cause = error.__cause__
                why = cause.why if isinstance(cause, UnreadableExportError) else error.failure.message
                file.broken.append(Skipped(path.name, why))
            self.broken += file.broken

    def _found(self, source: OpenedSource, file: PreviewedFile) -> Iterator[ImportedThread]:
        importer = self._importer(source)
        file.product = importer.name
        for found in importer.read(source):
            if isinstance(found, ImportedThread):
                yield found
            elif isinstance(found, ImportedProject):
                self.instructions.setdefault(found.name.casefold(), found.instructions)
            else:
                self.skipped.append(found)

    def _importer(self, source: OpenedSource) -> Importer:
        importer = importer_of(source)
        if importer is None and source.add_inner_archives():
            importer = importer_of(source)
        if importer is None:
            if len(source.members) == 1 and source.members[0].lower().endswith(".json"):
                deque(source.items(source.members[0]), 0)  # it may be no JSON, which is what there is to say then
            raise UnreadableExportError(EXPECTED)
        return importer

    def _look_at(self, imported: ImportedThread) -> None:
        self.found += 1
        for message in imported.messages:
            if not message.created.startswith(NO_TIME):
                self.earliest = min(self.earliest or message.created, message.created)
                self.latest = max(self.latest or message.created, message.created)

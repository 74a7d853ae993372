"""Writes threads to files: Markdown, HTML and PDF to read, JSON to import again. Each file is whole or as it was.

One thread at a time is in memory, and all but the reading of the history is done in threads of the operating system.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from desktop_app.controller.export_files import FormulaTypesetting, PdfPrinting, PrintedFile, WrittenFile
from desktop_app.controller.formats import ENDINGS, ExportFormat, details_by_default, exported_thread, plimsoll_json
from desktop_app.controller.formats.exported_thread import ExportContents, ExportedThread, title_of
from desktop_app.controller.ports import History
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Thread
from desktop_app.core.phrases import phrase

_Result = TypeVar("_Result")

Progress: TypeAlias = Callable[[int, int], None]
"""Called on the event loop with how many threads are done, and of how many."""

STEP_S: Final = 0.1
"""Seconds for which pieces are written before it is looked whether the export was cancelled."""

_CHUNK: Final = 2**20
_OTHER_ENDINGS: Final[Mapping[ExportFormat, tuple[str, ...]]] = {"markdown": (".markdown",), "html": (".htm",)}


@dataclass(frozen=True, slots=True)
class _Job:
    """The common facts of all files of an export; `projects`: their names by id."""

    kind: ExportFormat
    contents: ExportContents
    projects: Mapping[str, str]


class ThreadExport:
    """Exports one, some, many or all threads of the history, which holds no private ones."""

    def __init__(self, history: History, printing: PdfPrinting, formula_command: Sequence[str]) -> None:
        self._history, self._printing = history, printing
        self._formula_command = list(formula_command)

    async def export(
        self,
        thread_ids: Sequence[str] | None,
        kind: ExportFormat,
        output: Path,
        contents: ExportContents | None = None,
        progress: Progress | None = None,
    ) -> Sequence[Path]:
        """Writes the threads (None: all) and returns the files written, each whole or not at all.

        Where it is cancelled, the files that are written by then stay.

        A folder gets one file per thread, beside what is there; so does a new path for several threads without the
        format's ending, but for JSON. Otherwise all go into the one file. JSON holds everything, the others the current
        branch. Raises `UserError("usage")` for an unknown thread, none at all, or an output that is neither a plain
        file nor a folder, `UserError("store")` if writing fails.
        """
        everything = thread_ids is None
        if not (threads := await self._chosen(thread_ids)) and (kind != "json" or not everything):
            raise UserError("usage", phrase("There are no threads to export."))
        projects = {one.id: one.name for one in await self._history.projects.all()}
        job = _Job(kind, contents or ExportContents(details=details_by_default(kind)), projects)
        several = everything or len(threads) > 1
        is_folder = await asyncio.to_thread(output.is_dir)
        if not (is_folder or (several and kind != "json" and not _is_file_name(output, kind))):
            return [await self._write(job, threads, WrittenFile(output), progress)]
        files: list[Path] = []
        taken: set[str] = set()
        for done, thread in enumerate(threads):
            if progress is not None:
                progress(done, len(threads))
            file = output / file_name(thread, ENDINGS[kind], taken)
            files.append(await self._write(job, [thread], WrittenFile(file, beside=True), None))
        return files

    async def _chosen(self, thread_ids: Sequence[str] | None) -> Sequence[Thread]:
        if thread_ids is not None:
            return [await self._history.thread(one) for one in dict.fromkeys(thread_ids)]
        # Oldest first and not by last use, so that two exports of the same threads are the same bytes.
        threads = [summary.thread for summary in await self._history.threads()]
        return sorted(threads, key=lambda thread: (thread.created, thread.id))

    async def _write(
        self, job: _Job, threads: Sequence[Thread], target: WrittenFile, progress: Progress | None
    ) -> Path:
        titles = [title_of(thread) for thread in threads]
        async with self._file(job, target, titles) as file:
            await _in_thread(file.begin)
            for number, thread in enumerate(threads, 1):
                if progress is not None:
                    progress(number - 1, len(threads))
                pieces = file.pieces(await self._read(thread.id, job.projects), number)
                while await _in_thread(partial(_step, pieces)):
                    pass
            if progress is not None:
                progress(len(threads), len(threads))  # pages are laid out only now
            return await file.finish()

    async def _read(self, thread_id: str, projects: Mapping[str, str]) -> ExportedThread:
        thread = await self._history.thread(thread_id)
        named = replace(thread, project=projects.get(thread.project or ""))
        artifacts = self._history.artifacts
        kept = [(one, (await artifacts.versions(one.id))[-1].text) for one in await artifacts.of_thread(thread_id)]
        messages, marks = await self._history.messages(thread_id), await self._history.marks(thread_id)
        return ExportedThread(named, messages, marks, kept)

    @asynccontextmanager
    async def _file(self, job: _Job, target: WrittenFile, titles: Sequence[str]) -> AsyncIterator[_TextFile]:
        """The file, which is discarded where it was not finished."""
        formulas = FormulaTypesetting(self._formula_command)
        contents, several = job.contents, len(titles) > 1
        file: _TextFile
        match job.kind:
            case "json":
                file = _TextFile(target, plimsoll_json.BEGINNING, _json_pieces, plimsoll_json.END)
            case "markdown":
                file = _TextFile(target, "", partial(_markdown_pieces, contents, several), "")
            case "html":
                from desktop_app.controller.formats import html_export

                beginning = await asyncio.to_thread(html_export.write_beginning, titles)
                file = _TextFile(
                    target,
                    beginning,
                    lambda one, number: html_export.write_thread(one, contents, formulas.typeset, number),
                    html_export.END,
                )
            case "pdf":
                from desktop_app.controller.formats.html_export import print_style

                style = await asyncio.to_thread(print_style)
                title = f"{len(titles):,} threads" if several else titles[0]
                file = _PdfFile(target, contents, formulas, self._printing.document(title, style))
        try:
            yield file
        finally:
            await _in_thread(formulas.close)
            await _in_thread(file.discard)


def _json_pieces(one: ExportedThread, number: int) -> Iterator[str]:
    return plimsoll_json.write_thread(one.thread, one.messages, one.marks, first=number == 1)


def _markdown_pieces(contents: ExportContents, several: bool, one: ExportedThread, number: int) -> Iterator[str]:
    return (
        exported_thread.write_section(one, contents, number) if several else exported_thread.write_file(one, contents)
    )


class _TextFile:
    """A file in one format on its way; all of its methods but `finish` are called in a thread."""

    def __init__(
        self, file: WrittenFile, beginning: str, texts: Callable[[ExportedThread, int], Iterator[str]], end: str
    ) -> None:
        self._file, self._beginning, self._texts, self._end = file, beginning, texts, end

    def begin(self) -> None:
        """Says what can't be written before anything is laid out."""
        self._file.write(self._beginning.encode("utf-8", "replace"))

    def pieces(self, one: ExportedThread, number: int) -> Iterator[None]:
        """Writes one thread, the `number`th from 1 on, a piece a step."""
        for text in self._texts(one, number):
            self._file.write(text.encode("utf-8", "replace"))
            yield

    async def finish(self) -> Path:
        return await _in_thread(self._finished)

    def discard(self) -> None:
        self._file.discard()

    def _finished(self) -> Path:
        self._file.write(self._end.encode("utf-8", "replace"))
        return self._file.finish()


class _PdfFile(_TextFile):
    def __init__(
        self, file: WrittenFile, contents: ExportContents, formulas: FormulaTypesetting, document: PrintedFile
    ) -> None:
        super().__init__(file, "", lambda _, __: iter(()), "")
        self._contents, self._formulas, self._document = contents, formulas, document

    def pieces(self, one: ExportedThread, number: int) -> Iterator[None]:
        from desktop_app.controller.formats.html_export import write_pieces

        for piece in write_pieces(one, self._contents, self._formulas.typeset):
            self._document.add(piece)
            yield

    async def finish(self) -> Path:
        printed = await self._document.printed()
        return await _in_thread(lambda: self._copied(printed))

    def discard(self) -> None:
        super().discard()
        self._document.remove()

    def _copied(self, printed: Path) -> Path:
        with printed.open("rb") as source:
            while piece := source.read(_CHUNK):
                self._file.write(piece)
        return self._file.finish()


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    """Run work in a thread and return its result; a cancelled caller waits for it, so that nothing is written later."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def file_stem(title: str) -> str:
    """A title's letters and digits, as every file system takes them."""
    return re.sub(r"[^\w]+", "-", title, flags=re.UNICODE).strip("-_")[:60] or "thread"


def file_name(thread: Thread, ending: str, taken: set[str]) -> str:
    """A name that every file system takes: the title's letters and the first characters of the id."""
    words = file_stem(thread.title)
    length = 8
    while (name := f"{words}-{_plain(thread.id[:length])}{ending}").casefold() in taken and length < len(thread.id):
        length += 4
    taken.add(name.casefold())
    return name


def _is_file_name(output: Path, kind: ExportFormat) -> bool:
    return output.suffix.lower() in (ENDINGS[kind], *_OTHER_ENDINGS.get(kind, ()))


def _plain(thread_id: str) -> str:
    return re.sub(r"[^\w]", "", thread_id)


def _step(pieces: Iterator[None]) -> bool:
    """Writes pieces for a moment; False where none is left."""
    until = time.monotonic() + STEP_S
    return any(time.monotonic() > until for _ in pieces)

"""Reads the documents of projects that wait for it, in the background, one after the other."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from desktop_app.controller.announcements import Announcements
from desktop_app.controller.document_files import copy_of, fingerprint, hash_of, keep_copy, shown_name
from desktop_app.controller.project_documents import ProjectDocuments
from desktop_app.controller.project_ports import DocumentExtractor, ProjectHistory
from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.core.errors import PlimsollError, UserError
from desktop_app.core.events import ReadingProgressed
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import DocumentText, ProjectDocument

log = logging.getLogger(__name__)

WRITTEN_AT_ONCE: Final = 50
"""Documents whose facts are written together: each write makes whoever shows them read them again."""
WRITTEN_AFTER_S: Final = 0.5
"""Seconds after which the documents read are written, however few they are."""
LARGEST_HASHED: Final = 512 * 2**20
"""Bytes of a file up to which it is looked up by its hash first; larger ones are refused when they are opened."""
COUNTED_AT_ONCE: Final = 32_000
"""Characters whose tokens are counted in one go, between which other threads get their turn."""


class DocumentReading:
    """One task per project, while anything waits. A file that can't be read keeps its error and holds up nothing."""

    def __init__(
        self,
        history: ProjectHistory,
        documents: ProjectDocuments,
        extractor: DocumentExtractor,
        folder: Path,
        announcements: Announcements,
    ) -> None:
        """`folder`: where copies of files are kept."""
        self._history = history
        self._documents = documents
        self._extractor = extractor
        self._folder = folder
        self._announcements = announcements
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[str, ReadingProgressed] = {}
        self._problems: dict[str, Failure] = {}

    def start(self, project_id: str) -> None:
        """Reads what waits in a project, if that is not under way already."""
        if project_id not in self.tasks:
            self._problems.pop(project_id, None)
            task = asyncio.get_running_loop().create_task(self._run(project_id), name=f"reading {project_id}")
            self.tasks[project_id] = task

    async def finish(self, project_id: str) -> None:
        """Waits until nothing of a project waits; raises the `UserError("store")` that ended the reading."""
        self.start(project_id)
        # whoever waits may be cancelled without the reading
        await asyncio.wait([self.tasks[project_id]])
        problem = self._problems.get(project_id)
        if problem is not None:
            raise UserError(problem.code, problem.message, detail=problem.detail)

    async def stop(self, project_id: str) -> bool:
        """Ends the reading; what was not read goes on waiting. False where nothing was read."""
        task = self.tasks.get(project_id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            if self.tasks.get(project_id) is task:  # cancelled before it began, it had no end of its own
                del self.tasks[project_id]
        return task is not None

    async def close(self) -> None:
        """Ends all reading."""
        for project_id in tuple(self.tasks):
            await self.stop(project_id)

    def progress(self, project_id: str) -> ReadingProgressed | None:
        """Return the progress of the reading; None where there is none."""
        return self._progress.get(project_id)

    def problem(self, project_id: str) -> Failure | None:
        """Return the failure that ended the last reading early: nothing could be written."""
        return self._problems.get(project_id)

    async def _run(self, project_id: str) -> None:
        done = 0
        try:
            done = await self._read_waiting(project_id)
        except PlimsollError as error:
            log.warning("the reading of documents ended: %s", error.failure.code)
            self._problems[project_id] = error.failure
        except Exception:
            log.exception("the reading of documents failed")
            words = phrase("Reading the documents failed. Try again; if it fails again, run “plimsoll doctor”.")
            self._problems[project_id] = Failure("store", words)
        finally:
            # in one step with the last look at what waits: what is added afterwards starts a task of its own
            del self.tasks[project_id]
            last = self._progress.pop(project_id, None)
            if last is not None:
                self._announcements.publish(ReadingProgressed(project_id, max(done, last.done), last.total, ""))

    async def _read_waiting(self, project_id: str) -> int:
        done, loop = 0, asyncio.get_running_loop()
        while waiting := [one for one in (await self._documents.of(project_id)).values() if one.state == "waiting"]:
            facts: dict[str, Mapping[str, Any]] = {}
            until, total = loop.time() + WRITTEN_AFTER_S, done + len(waiting)
            try:
                for document in waiting[:WRITTEN_AT_ONCE]:
                    self._tell(ReadingProgressed(project_id, done, total, document.name))
                    facts[document.id] = await self._read(document)
                    done += 1
                    if loop.time() > until:
                        break
            finally:
                await self._documents.change(project_id, facts)
        return done

    def _tell(self, progress: ReadingProgressed) -> None:
        self._progress[progress.project_id] = progress
        self._announcements.publish(progress)

    async def _read(self, document: ProjectDocument) -> Mapping[str, Any]:
        """The facts of a document after its file was read, or after that failed."""
        seen: dict[str, Any] = {}
        below = await self._documents.folder_of(document)
        try:
            path, modified, size = await self._file(document, below)
            seen = {"size": size, "modified": modified}
            text = await self._text(document, path, below)
        except UserError as error:
            if error.failure.code != "usage":
                raise
            # with the file's time: one that can't be read is no changed file at each look into its folder
            return {**seen, "state": "failed", "error": error.failure.message, "note": ""}
        return {
            **seen,
            "state": "ready",
            "error": "",
            "note": text.note,
            "media_type": text.media_type,
            "sha256": text.sha256,
            "tokens": await asyncio.to_thread(_tokens, text.text),
            "pages": text.pages,
            "passages": len(text.passages),
        }

    async def _file(self, document: ProjectDocument, below: Path | None) -> tuple[Path, str, int]:
        """Return the file's path, its time and size. One that can't be looked at is for the extractor to tell of."""
        path = await self._documents.path_of(document)
        if path is None and document.sha256 and await asyncio.to_thread(copy_of(self._folder, document.sha256).is_file):
            # there is nothing but the copy; the name tells its kind
            named = self._folder / "imported" / shown_name(document.name).replace("/", " ")
            return named, document.modified, document.size
        if path is None:
            words = phrase("“{name}” has no file any more. Add it again.", name=document.name)
            raise UserError("usage", words)
        try:
            found = await asyncio.to_thread(fingerprint, path, below)
        except (OSError, ValueError):
            return path, document.modified, document.size
        return path, found.modified, found.size

    async def _text(self, document: ProjectDocument, path: Path, below: Path | None) -> DocumentText:
        """The text of a file, stored; the file of a document that is in no followed folder is copied first."""
        if document.sha256 and not await asyncio.to_thread(os.path.exists, path):
            return await self._of_copy(document, path, below)
        for _ in range(2):
            text = await self._known(path, below) or await self._extractor.extract(path, below)
            if document.folder_id is not None or await self._kept(document, path, text.sha256):
                await self._history.save_text(text)
                return text
        words = phrase(
            "“{name}” changes while it is read. Close it in other programs, then read it again.", name=path.name
        )
        raise UserError("usage", words)

    async def _of_copy(self, document: ProjectDocument, path: Path, below: Path | None) -> DocumentText:
        """Reads the copy of a file that is gone, under the file's own name: it tells the kind, and is in errors."""
        copy = copy_of(self._folder, document.sha256)
        if not await asyncio.to_thread(copy.is_file):
            return await self._extractor.extract(path, below)  # says that the file is gone
        with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
            named = Path(folder, shown_name(path.name))
            await asyncio.to_thread(shutil.copyfile, copy, named)
            text = await self._extractor.extract(named)
        await self._history.save_text(text)
        return text

    async def _known(self, path: Path, below: Path | None) -> DocumentText | None:
        """The text of a file with the same bytes that was read before."""
        try:
            if (await asyncio.to_thread(fingerprint, path, below)).size > LARGEST_HASHED:
                return None
            sha256 = await asyncio.to_thread(hash_of, path, below)
        except (OSError, ValueError):
            return None  # the extractor says why it can't be read
        return await self._history.text(sha256) if await self._history.has_text(sha256) else None

    async def _kept(self, document: ProjectDocument, path: Path, sha256: str) -> bool:
        try:
            return await asyncio.to_thread(keep_copy, path, sha256, self._folder)
        except OSError as error:
            words = phrase(
                "No copy of “{name}” could be kept: {reason}. Make room or check the file, then read it again.",
                name=document.name,
                reason=(error.strerror or type(error).__name__).lower(),
            )
            raise UserError("usage", words) from None


def _tokens(text: str) -> int:
    """Estimated tokens of a document's text."""
    estimator, counted = TokenEstimator.seeded("unknown"), CONSTANT
    for start in range(0, len(text), COUNTED_AT_ONCE):
        counted = plus(counted, features(text[start : start + COUNTED_AT_ONCE]))
    return round(estimator.tokens(counted))

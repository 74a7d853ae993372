"""Everything that a user has, as one zip that restores the same state on another computer.

The archive holds a verified copy of the history, the copies of projects' files, the settings and the user's own words;
no key, as keys are in no file. Bringing it in merges it with what is there: nothing of that is lost or replaced.
"""

from __future__ import annotations

import asyncio
import errno
import json
import re
import shutil
import tomllib
import zipfile
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any, Final, TypeAlias

from desktop_app import __version__
from desktop_app.controller.document_files import CHUNK, copy_of, keep_copy
from desktop_app.controller.export_files import WrittenFile
from desktop_app.controller.formats.export_reading import Skipped
from desktop_app.controller.ports import Announcements, Clock, History
from desktop_app.controller.preferences import Preferences, SettingValue, read_text, value_in
from desktop_app.core.errors import UserError
from desktop_app.core.events import HistoryChangedElsewhere, ProjectsChanged, PromptsChanged
from desktop_app.core.history_records import ImportChange, MergePreview
from desktop_app.core.phrases import phrase
from desktop_app.core.settings import dotted_name, find_key
from desktop_app.system.private_files import PrivateFolder, write_atomically

FORMAT: Final = "plimsoll-everything"
VERSION: Final = 1
"""Raised when a reader of this version could lose something of a newer archive."""

MANIFEST: Final = "manifest.json"
HISTORY: Final = "history.db"
SETTINGS: Final = "settings.toml"
WORDS: Final = "words.txt"

_DOCUMENT: Final = re.compile(r"documents/([0-9a-f]{2})/(\1[0-9a-f]{62})")
_MOST_TEXT: Final = 4 * 1024**2
"""Bytes of a manifest or of words: ours have some thousand."""
_MOST_SETTINGS_TEXT: Final = 64 * 1024
"""Bytes of settings: ours have some hundred, and a name of many parts takes their square to read."""
_DEEPEST: Final = 3
"""Parts of the name of a setting, at most."""
_LONGEST_WORD: Final = 100
_MOST_SETTINGS: Final = 1_000
"""Settings of an archive that are looked at: a settings.toml has some ten."""
_ROOM: Final = 1.1
"""So many times its size must be free where the history is unpacked."""

_FAULTS: Final = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError, KeyError)

_README: Final = """This is everything that Plimsoll kept: threads, projects, documents, artifacts, prompts, settings.
To bring it back: in Plimsoll, choose Import and this zip, or run: plimsoll import THIS.zip
history.db is a SQLite file; documents holds the files of projects, each named by its SHA-256. Keys are not in it.
"""

Progress: TypeAlias = Callable[[float], None]
"""Called on the event loop with the share that is done."""


@dataclass(frozen=True, slots=True)
class EverythingPlaces:
    """The places of the parts of everything: the copies of projects' files, the settings, the user's own words."""

    documents: Path
    settings: Path
    words: Path


@dataclass(frozen=True, slots=True)
class ImportedSetting:
    """A setting of an archive: taken, with its `value`, or not, and `why`."""

    key: str
    value: SettingValue = None
    why: str = ""

    @property
    def taken(self) -> bool:
        return not self.why


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import, done or foreseen.

    New threads and messages, what was left out and why, threads that were there already; the ISO 8601 times of the
    first and last message of all threads in the files, None if they name none. `settings`: those in the files, taken
    or not. `changes`: all that is added or added to.
    """

    threads: int
    messages: int
    skipped: tuple[Skipped, ...]
    already: int
    earliest: str | None = None
    latest: str | None = None
    settings: tuple[ImportedSetting, ...] = ()
    changes: tuple[ImportChange, ...] = ()


def is_everything(path: Path) -> bool:
    """Return True if a file is an archive of everything; looks at names only and raises nothing."""
    try:
        if not path.is_file() or not zipfile.is_zipfile(path):  # a pipe never ends
            return False
        with zipfile.ZipFile(path) as archive:
            return {MANIFEST, HISTORY} <= set(archive.namelist()) and _manifest(archive) is not None
    except (OSError, UserError, *_FAULTS):
        return False


class Everything:
    """Writes and brings in archives of everything."""

    def __init__(
        self,
        history: History,
        preferences: Preferences,
        announcements: Announcements,
        places: EverythingPlaces,
        clock: Clock | None = None,
        *,
        read_documents: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`read_documents` begins to read the documents that wait: what an archive says of their texts is not taken."""
        self._read_documents = read_documents
        self._history = history
        self._preferences = preferences
        self._announcements = announcements
        self._places = places
        self._clock = clock or Clock()

    async def write(self, output: Path, progress: Progress | None = None) -> Path:
        """Writes the archive; `output` holds the old or the whole new file.

        Raises `UserError("usage")` where it is no plain file, `UserError("store")` where the history can't be read or
        the file not written. Private threads are not in it.
        """
        with PrivateFolder() as folder:
            copy = folder / HISTORY
            await self._history.copy_to(copy)
            hashes = await self._files()
            cancelled, loop = Event(), asyncio.get_running_loop()

            def tell(share: float) -> None:
                if cancelled.is_set():
                    raise _CancelledError
                if progress is not None:
                    loop.call_soon_threadsafe(progress, share)

            writing = asyncio.ensure_future(asyncio.to_thread(self._write, output, copy, hashes, tell))
            try:
                return await asyncio.shield(writing)
            except asyncio.CancelledError:
                cancelled.set()
                await asyncio.wait([writing])
                writing.exception()
                raise

    async def preview(self, path: Path) -> ImportReport:
        """The result that bringing it in would have; changes nothing. `UserError("store")` if it can't be read."""
        async with _unpacked(path) as folder:
            found = await self._history.merge_preview(folder / HISTORY)
            return await asyncio.to_thread(self._expected, path, folder, found)

    async def bring_in(
        self, path: Path, progress: Progress | None = None, *, with_settings: bool = True
    ) -> ImportReport:
        """Merges the archive with what is there: all of its history, or none of it.

        Anybody may have made it: it changes what `preview` says, and nothing else. What is set here stays.
        Raises `UserError("store")`; then the copies that were made are gone.
        """
        async with _unpacked(path) as folder:
            found = await self._history.merge_preview(folder / HISTORY)
            expected = await asyncio.to_thread(self._expected, path, folder, found)
            taken: list[Path] = []
            try:
                skipped = await asyncio.to_thread(self._take_files, path, found.files, taken)
                copies = [one for one in found.files if copy_of(self._places.documents, one).is_file()]

                def tell(waiting: int) -> None:
                    if progress is not None:
                        progress(1 - waiting / max(1, expected.threads + expected.already))

                count = await self._history.merge(folder / HISTORY, None, tell, copies)
            except BaseException:
                for copy in taken:
                    copy.unlink(missing_ok=True)
                raise
            if count.unreadable:
                what = phrase("{count} messages or requests", count=count.unreadable)
                skipped.append(Skipped(what, phrase("they can't be read in the archive")))
            if with_settings:
                skipped += await self._take_settings(expected.settings)
            else:
                why = phrase("you left them out")
                unwanted = tuple(replace(one, value=None, why=one.why or why) for one in expected.settings)
                expected = replace(expected, settings=unwanted)
            await asyncio.to_thread(self._take_words, folder / WORDS)
        for event in (HistoryChangedElsewhere(), ProjectsChanged(), PromptsChanged()):
            self._announcements.publish(event)
        if self._read_documents is not None:
            await self._read_documents()
        files = {"files": len(taken), "bytes": sum(one.stat().st_size for one in taken)}
        changes = [replace(one, counts=files) if one.kind == "files" else one for one in expected.changes]
        kept = tuple(one for one in changes if taken or one.kind != "files")
        return replace(expected, skipped=(*expected.skipped, *skipped), changes=kept)

    def _expected(self, path: Path, folder: Path, found: MergePreview) -> ImportReport:
        """Return the changes that an archive would make; threads that come into the trash are not counted. Blocks."""
        shown = [one for one in found.changes if one.kind == "thread" and one.change != "trash"]
        changes = list(found.changes)
        with _opened(path) as archive:
            files = dict(self._files_in(archive, found.files))
        size = sum(member.file_size for member in files.values())
        needed = int(_ROOM * size + 2 * (folder / HISTORY).stat().st_size)
        if shutil.disk_usage(self._places.settings.parent).free < needed:
            raise _refused(path, phrase("it takes {mb:,} MB of free space", mb=needed // 10**6 + 1))
        if files:
            changes.append(ImportChange("files", "new", counts={"files": len(files), "bytes": size}))
        if words := self._new_words(folder / WORDS):
            changes.append(ImportChange("words", "more", counts={"words": len(words)}))
        return ImportReport(
            threads=sum(one.change in ("new", "back") for one in shown),
            messages=sum(one.counts["messages"] for one in shown),
            already=found.already + sum(one.change == "more" for one in shown),
            earliest=found.earliest,
            latest=found.latest,
            skipped=consents_left_out(found.consents),
            settings=self._settings_in(folder / SETTINGS),
            changes=tuple(changes),
        )

    # --- writing, on a thread of its own

    async def _files(self) -> list[str]:
        """The hashes of files of projects, of which there may be a copy."""
        hashes: set[str] = set()
        for project in await self._history.projects.all():
            hashes |= {one.sha256 for one in await self._history.projects.documents(project.id) if one.sha256}
        return sorted(hashes)

    def _write(self, output: Path, copy: Path, hashes: Sequence[str], tell: Progress) -> Path:
        copies = [(copy_of(self._places.documents, one), f"documents/{one[:2]}/{one}") for one in hashes]
        own = [(self._places.settings, SETTINGS), (self._places.words, WORDS)]
        files = [(file, name) for file, name in (*copies, *own) if file.is_file()]
        manifest = {"format": FORMAT, "version": VERSION, "made": self._clock.stamp(), "plimsoll": __version__}
        whole = copy.stat().st_size + sum(file.stat().st_size for file, _ in files)
        target = WrittenFile(output)
        done = 0
        try:
            with zipfile.ZipFile(_ZipTarget(target), "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
                archive.writestr("README.txt", _README)
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
                for file, name in ((copy, HISTORY), *files):
                    with file.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                        while piece := source.read(CHUNK):
                            member.write(piece)
                            done += len(piece)
                            tell(done / max(1, whole))
            return target.finish()
        except OSError as error:
            target.discard()
            reason = error.strerror or type(error).__name__
            words = phrase("{path} could not be written: {reason}.", path=output, reason=reason)
            raise UserError("store", words, detail=str(error)) from error
        except BaseException:
            target.discard()
            raise

    # --- bringing in

    def _files_in(self, archive: zipfile.ZipFile, wanted: Mapping[str, int]) -> Iterator[tuple[str, zipfile.ZipInfo]]:
        """The files that a document names and that are not here, by their hashes; none bigger than it says."""
        for member in archive.infolist():
            found = _DOCUMENT.fullmatch(member.filename)
            if (
                found is not None
                and member.file_size <= wanted.get(found[2], -1)
                and not copy_of(self._places.documents, found[2]).is_file()
            ):
                yield found[2], member

    def _take_files(self, path: Path, wanted: Mapping[str, int], taken: list[Path]) -> list[Skipped]:
        """Copies the files of projects that are not here; each proves its name by its content."""
        skipped: list[Skipped] = []
        with _opened(path) as archive, PrivateFolder() as folder:
            for sha256, member in self._files_in(archive, wanted):
                try:
                    unpacked = _extracted(archive, member, folder / "document")
                    whole = keep_copy(unpacked, sha256, self._places.documents)
                    taken += [copy_of(self._places.documents, sha256)] if whole else []
                except (OSError, *_FAULTS) as error:
                    if getattr(error, "errno", None) == errno.ENOSPC:
                        raise
                    whole = False
                if not whole:
                    what = phrase("a file of a project ({name})", name=sha256[:10])
                    skipped.append(Skipped(what, phrase("it is damaged in the archive")))
        return skipped

    async def _take_settings(self, found: Sequence[ImportedSetting]) -> list[Skipped]:
        values = {one.key: one.value for one in found if one.taken}
        try:
            if values:
                await self._preferences.set_values(values)
        except UserError as error:
            return [Skipped(phrase("the settings"), error.failure.message)]
        return []

    def _settings_in(self, path: Path) -> tuple[ImportedSetting, ...]:
        """The settings of an archive: taken is what may travel, is allowed and is not set here."""
        try:
            theirs = tomllib.loads(path.read_text("utf-8"))
            own = read_text(self._places.settings)
        except (OSError, ValueError, RecursionError, UserError):
            return ()
        found = []
        for names, value in islice(_leaves(theirs), _MOST_SETTINGS):
            if (key := find_key(names)) is None:
                continue
            why = ""
            if not key.travels:
                why = phrase("set it here")
            elif not key.accepts(value):
                why = phrase("must be {allowed}", allowed=key.allowed)
            elif value_in(own, names) is not None:
                why = phrase("set here already")
            found.append(ImportedSetting(dotted_name(names), None if why else value, why))
        return tuple(found)

    def _new_words(self, path: Path) -> list[str]:
        have = set(_lines(self._places.words))
        theirs = dict.fromkeys(_lines(path))
        return [one for one in theirs if one not in have and len(one) <= _LONGEST_WORD and one.isprintable()]

    def _take_words(self, path: Path) -> None:
        if new := self._new_words(path):
            words = [*_lines(self._places.words), *new]
            write_atomically(self._places.words, [("\n".join(words) + "\n").encode()])


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8", "replace").splitlines() if path.is_file() else []


def consents_left_out(threads: int) -> tuple[Skipped, ...]:
    """Says that what was agreed to in so many threads elsewhere is not agreed to here."""
    if not threads:
        return ()
    what = phrase(
        "web search and accepted prices in {count} threads", "web search and accepted prices in 1 thread", count=threads
    )
    return (Skipped(what, phrase("turn them on here")),)


def _leaves(table: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            if len(above) < _DEEPEST:
                yield from _leaves(value, (*above, name))
        else:
            yield (*above, name), value


class _CancelledError(Exception):
    """The writing was given up."""


class _ZipTarget:
    """A `WrittenFile` as a file that `zipfile` writes to from its beginning to its end."""

    def __init__(self, file: WrittenFile) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        """Takes all of it."""
        self._file.write(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """`WrittenFile` ends it."""


@asynccontextmanager
async def _unpacked(path: Path) -> AsyncIterator[Path]:
    """The archive's history, settings and words in a private folder of their own, as long as the context lasts."""
    folder = PrivateFolder()
    try:
        await asyncio.to_thread(_unpack, path, folder.path)
        yield folder.path
    finally:
        await asyncio.to_thread(folder.remove)


def _unpack(path: Path, folder: Path) -> None:
    with _opened(path) as archive:
        if (manifest := _manifest(archive)) is None or HISTORY not in archive.namelist():
            raise _refused(path, phrase("it isn't an archive of everything"))
        if manifest["version"] != VERSION:
            raise _refused(path, phrase("a newer Plimsoll wrote it"))
        size = archive.getinfo(HISTORY).file_size
        if shutil.disk_usage(folder).free < _ROOM * size:
            raise _refused(path, phrase("unpacking it takes {mb:,} MB of free space", mb=size // 10**6 + 1))
        for name in (HISTORY, SETTINGS, WORDS):
            if name in archive.namelist():
                member = archive.getinfo(name)
                most = _MOST_SETTINGS_TEXT if name == SETTINGS else _MOST_TEXT
                if name == HISTORY or member.file_size <= most:
                    _extracted(archive, member, folder / name)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive; what is wrong with it comes as `UserError("store")`."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except OSError as error:
        raise _refused(path, str(error.strerror or error)) from error
    except _FAULTS as error:
        raise _refused(path, phrase("damaged archive ({error})", error=error)) from error


def _extracted(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> Path:
    """Unpacks one member, no more of it than the archive says it has."""
    left = member.file_size
    with archive.open(member) as source, target.open("wb") as file:
        target.chmod(0o600)
        while piece := source.read(CHUNK):
            left -= len(piece)
            if left < 0:
                raise zipfile.BadZipFile(f"{member.filename} is bigger than it says")
            file.write(piece)
    return target


def _manifest(archive: zipfile.ZipFile) -> Mapping[str, Any] | None:
    """Return the archive's own description; None where it is not one of ours."""
    if MANIFEST not in archive.namelist() or archive.getinfo(MANIFEST).file_size > _MOST_TEXT:
        return None
    found = json.loads(archive.read(MANIFEST))
    ours = isinstance(found, dict) and found.get("format") == FORMAT and isinstance(found.get("version"), int)
    return found if ours else None


def _refused(path: Path, why: str) -> UserError:
    return UserError("store", phrase("{name} can't be imported: {why}. Nothing was imported.", name=path.name, why=why))

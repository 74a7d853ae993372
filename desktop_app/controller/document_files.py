"""Finds the files of folders that are meant as documents, and keeps copies of files by their hash."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from desktop_app.core.errors import UserError
from desktop_app.core.messages import Failure
from desktop_app.core.phrases import listed, phrase
from desktop_app.system.files_below import DEEPEST, entries, opened, path_of, path_text, status
from desktop_app.system.private_files import open_new, path_beside

CHUNK: Final = 2**20
PRIVATE_FOLDER: Final = 0o700

SKIPPED_FOLDERS: Final = frozenset(
    ("node_modules", "bower_components", "__pycache__", "venv", "site-packages", "$recycle.bin", "__macosx")
)
"""Folders of what programs made or fetched: nobody means them when a folder is added. Hidden ones go with them."""

_PICTURES_AND_SOUND: Final = (
    "png jpg jpeg gif bmp tif tiff webp avif heic heif ico psd ai "
    "mp3 wav flac ogg opus m4a aac mp4 m4v mov avi mkv webm"
)
_ARCHIVES: Final = "zip tar gz tgz bz2 xz zst 7z rar jar war iso dmg img"
_PROGRAMS: Final = "exe dll so dylib a o obj lib pyc pyo class wasm bin msi deb rpm apk ttf otf woff woff2"
_DATA: Final = (
    "db sqlite sqlite3 mdb parquet feather npy npz pkl pt onnx gguf safetensors lock swp tmp bak ds_store lnk"
)
UNSUPPORTED: Final = frozenset(f"{_PICTURES_AND_SOUND} {_ARCHIVES} {_PROGRAMS} {_DATA}".split())
"""Ends of names of files that hold no text, and so are left out of folders. One that is added by itself is tried."""

MOST_FILES: Final = 10_000
"""Documents of one project: more are not added."""

KINDS_TOLD: Final = 12
"""Kinds of files without text that are named, the most frequent first; all are counted."""


_HASH: Final = re.compile("[0-9a-f]{64}")
_NO_HASH: Final = "0" * 64
"""No file is known to have it."""


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """The state of a file when it was looked at: bytes, and its time as `ProjectDocument.modified` has it."""

    size: int
    modified: str


@dataclass(slots=True)
class FolderListing:
    """The files under a folder that count as documents, by their path relative to it as text, and what doesn't."""

    files: dict[str, FileFingerprint] = field(default_factory=dict)
    without_text: dict[str, list[str]] = field(default_factory=dict)
    """Names of files that are empty or of a kind that holds no text, by that kind: `.png`."""
    unopened: list[str] = field(default_factory=list)
    further: int = 0
    """Files beyond the most that were asked for."""


def fingerprint(path: Path, below: Path | None = None) -> FileFingerprint:
    """Size and time of a regular file; `OSError` for anything else. `below` this folder no link is followed."""
    found = status(path, below)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return _fingerprint(found)


def folder_listing(folder: Path, most: int = MOST_FILES) -> FolderListing:
    """Looks through a folder and those below it, sorted; hidden files and links are not meant. `OSError` for the top.

    A folder below that can't be opened is named in `unopened`. One that is too deep counts as a file, of which reading
    says so.
    """
    listing = FolderListing()
    for parts, found in _walk(folder, listing):
        name, too_deep = parts[-1], stat.S_ISDIR(found.st_mode)
        stem, _, end = name.lower().rpartition(".")
        if not too_deep and ((stem and end in UNSUPPORTED) or not found.st_size):
            listing.without_text.setdefault(f".{end}" if stem else name, []).append(name)
        elif len(listing.files) >= most:
            listing.further += 1
        else:
            listing.files[path_text("/".join(parts))] = FileFingerprint(0, "") if too_deep else _fingerprint(found)
    return listing


def _walk(folder: Path, listing: FolderListing) -> Iterator[tuple[tuple[str, ...], os.stat_result]]:
    """Regular files and what is too deep, by their parts below the folder."""
    waiting = _inside(folder, ())
    while waiting:
        parts, found = waiting.pop()
        if not stat.S_ISDIR(found.st_mode) or len(parts) > DEEPEST:
            yield parts, found
            continue
        try:
            waiting += _inside(folder, parts)
        except OSError:
            listing.unopened.append("/".join(parts))


def _inside(folder: Path, parts: tuple[str, ...]) -> list[tuple[tuple[str, ...], os.stat_result]]:
    """Return the entries that count in one folder, the first last."""
    meant = [
        ((*parts, name), found)
        for name, found in entries(folder, parts)
        if not name.startswith(".")
        and (stat.S_ISREG(found.st_mode) or (stat.S_ISDIR(found.st_mode) and name.casefold() not in SKIPPED_FOLDERS))
    ]
    return sorted(meant, key=lambda one: (one[0][-1].casefold(), one[0][-1]), reverse=True)


def is_missing(path: Path) -> bool:
    """Return True if there is nothing at a path; one that can't be looked at is for its reader to tell of."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def no_file(path: Path) -> str:
    """Return the words for a path at which there is nothing."""
    return phrase("There is no file “{name}”. Check the name, or whether it was moved.", name=path.name)


def found_files(paths: Sequence[Path], most: int) -> tuple[list[Path], list[Failure]]:
    """The files that are meant by some files and folders, each once, and what was left out and why."""
    files: dict[Path, None] = {}
    failures: list[Failure] = []
    for given in paths:
        path = whole_path(given)
        if not os.path.isdir(path):  # noqa: PTH112 (false for a path that is too long, where `Path` raises)
            if is_missing(path):
                failures.append(Failure("usage", no_file(path)))
            else:
                files[path] = None
            continue
        path = Path(os.path.realpath(path))
        try:
            listing = folder_listing(path)
        except OSError as error:
            words = phrase(
                "The folder “{name}” can't be opened. Check its permissions, then add it again.", name=path.name
            )
            failures.append(Failure("usage", words, detail=error.strerror or ""))
            continue
        files.update(dict.fromkeys(path / path_of(one) for one in listing.files))
        failures += _left_out(path, listing)
    if len(kept := list(files)) > most:
        words = phrase(
            "A project takes {most:,} documents. {count:,} files were not added. Add the others to another project.",
            "A project takes {most:,} documents. 1 file was not added. Add it to another project.",
            most=MOST_FILES,
            count=len(kept) - most,
        )
        failures.append(Failure("usage", words))
    return kept[: max(0, most)], failures


def _left_out(folder: Path, listing: FolderListing) -> list[Failure]:
    told = []
    if listing.without_text:
        most_first = sorted(listing.without_text.items(), key=lambda kind: -len(kind[1]))
        # the only one of its kind is told by its name
        kinds = listed(
            f"{len(names):,} {kind}" if names[1:] else shown_name(names[0]) for kind, names in most_first[:KINDS_TOLD]
        )
        words = phrase(
            "{count:,} files in “{name}” were left out, as they hold no text: {kinds}.",
            "1 file in “{name}” was left out, as it holds no text: {kinds}.",
            count=sum(map(len, listing.without_text.values())),
            name=folder.name,
            kinds=kinds,
        )
        told.append(Failure("usage", words))
    if listing.unopened:
        words = phrase(
            "{count:,} folders in “{name}” can't be opened, such as “{first}”. Check their permissions and try again.",
            "The folder “{first}” in “{name}” can't be opened. Check its permissions and try again.",
            count=len(listing.unopened),
            name=folder.name,
            first=listing.unopened[0],
        )
        told.append(Failure("usage", words))
    if listing.further:
        words = phrase(
            "“{name}” has more than {most:,} files. {count:,} of them were left out. Add its folders one by one.",
            name=folder.name,
            most=MOST_FILES,
            count=listing.further,
        )
        told.append(Failure("usage", words))
    if not listing.files and not told:
        words = phrase("The folder “{name}” has no files to add. Choose the files themselves.", name=folder.name)
        told.append(Failure("usage", words))
    return told


def whole_path(path: Path) -> Path:
    """A path from the root on, without `..` and links above it."""
    path = Path(os.path.normpath(path.expanduser().absolute()))
    return Path(os.path.realpath(path.parent), path.name)


def hash_of(path: Path, below: Path | None = None) -> str:
    """The SHA-256 of a file, in hex; `below` this folder no link is followed. Raises `OSError`."""
    with os.fdopen(opened(path, below), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def copy_of(folder: Path, sha256: str) -> Path:
    """Return the path of the copy of the file with that hash, kept or not; in `folder`, whatever stands for a hash."""
    name = sha256 if _HASH.fullmatch(sha256) else _NO_HASH
    return folder / name[:2] / name


def keep_copy(path: Path, sha256: str, folder: Path) -> bool:
    """Copies a file into `folder` unless a file with that hash is there already; False where it has another hash.

    Readable by this user only. Raises `OSError`; then no part of a copy is left.
    """
    kept = copy_of(folder, sha256)
    if kept.is_file():
        return True
    for made in (folder, kept.parent):
        made.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    fresh = path_beside(kept)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as source, open_new(fresh) as target:
            while piece := source.read(CHUNK):
                digest.update(piece)
                target.write(piece)
        if digest.hexdigest() == sha256:
            fresh.replace(kept)
            return True
        return False
    finally:
        fresh.unlink(missing_ok=True)


def checked_folder(path: Path) -> Path:
    """The real path of a folder that can be looked through; `UserError("usage")` naming it for anything else."""
    folder = Path(os.path.realpath(whole_path(path)))
    shown = path_text(folder)
    try:
        if folder.is_dir():
            os.scandir(folder).close()
            return folder
    except OSError as error:
        words = phrase("The folder {path} can't be opened. Check its permissions, then try again.", path=shown)
        raise UserError("usage", words, detail=error.strerror or "") from None
    if folder.exists():
        raise UserError("usage", phrase("{path} is not a folder. Choose the folder that it is in.", path=shown))
    raise UserError("usage", phrase("There is no folder {path}. Check its name.", path=shown))


def shown_name(name: str) -> str:
    """The name of a file on one line, without characters that can't be seen."""
    return " ".join("".join(one if one.isprintable() else " " for one in name).split()) or "document"


def _fingerprint(found: os.stat_result) -> FileFingerprint:
    time = datetime.fromtimestamp(max(0.0, min(found.st_mtime, 253_402_300_000.0)), UTC)
    return FileFingerprint(found.st_size, time.isoformat(timespec="microseconds").replace("+00:00", "Z"))

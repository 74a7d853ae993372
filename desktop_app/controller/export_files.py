"""Reads and writes export files: plain, in a zip archive, in a folder.

Archives are untrusted: nothing is ever unpacked to disk, names that point outside are refused, and what is read has
limits that hold whatever the archive says about itself.
"""

from __future__ import annotations

import json
import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from lzma import LZMAError
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeVar

from desktop_app.atomic_write import write_atomically
from desktop_app.controller.formats.importers import begins_as_export, is_conversations_file
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase

MAX_BYTES = 2 * 1024**3
"""Most bytes of JSON taken from one path given; the biggest known exports have a few hundred megabytes."""

MAX_MEMBERS = 200_000
"""Most files in an archive: exports hold one per picture."""

MAX_RATIO = 200
"""Most times that a member may grow: conversations compress 3 to 20 times, bombs a thousand times."""

RATIO_FROM = 16 * 1024**2
"""Below this size in bytes the ratio doesn't matter."""

_BEGINNING = 64 * 1024
"""Bytes of a file that tell whether it is an export."""

_HALF_PAIR = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class ExportFile:
    """Parsed JSON and the name to call it by in messages."""

    name: str
    data: Json


def read_export_files(path: Path) -> Iterator[ExportFile]:
    """The JSON that may hold conversations at `path`: a file, a zip archive or a folder.

    Raises `UserError("usage")` if there is nothing at `path`, `UserError("store")` for what can't be read.
    """
    try:
        if path.is_dir():
            yield from _from_folder(path)
        elif not path.exists():
            raise UserError("usage", phrase("There is no file {path}. Check the name and try again.", path=path))
        elif not path.is_file():
            raise UserError("usage", phrase("{path} is neither a file nor a folder. Give another path.", path=path))
        elif zipfile.is_zipfile(path):
            yield from _from_archive(path)
        else:
            yield ExportFile(path.name, _parsed(path.name, _file_bytes(path, MAX_BYTES)))
    except OSError as error:
        raise UserError(
            "store",
            phrase("{path} can't be read: {reason}. Nothing was imported.", path=path, reason=error.strerror or error),
        ) from error


def looks_like_export(path: Path) -> bool:
    """Whether a file, archive or folder is likely to be one that can be imported; looks at names and beginnings only.

    Raises nothing: what can't be read is none.
    """
    try:
        if path.is_dir():
            return any(is_conversations_file(one.name) for one in path.iterdir())
        if path.suffix.lower() == ".json":
            with path.open("rb") as file:
                return is_conversations_file(path.name) or begins_as_export(file.read(_BEGINNING))
        return path.suffix.lower() == ".zip" and zipfile.is_zipfile(path) and _archive_looks_like_export(path)
    except (OSError, zipfile.BadZipFile, zlib.error, LZMAError, NotImplementedError, EOFError, RuntimeError):
        return False


def _archive_looks_like_export(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist()[:MAX_MEMBERS] if one.filename.lower().endswith(".json")]
        if any(is_conversations_file(PurePosixPath(member.filename).name) for member in members):
            return True
        for member in members:
            if not member.flag_bits & 0x1:
                with archive.open(member) as stream:
                    if begins_as_export(stream.read(_BEGINNING)):
                        return True
    return False


def write_export(path: Path, pieces: Iterable[str]) -> Path:
    """Writes UTF-8 text so that `path` holds either the old or the whole new text; only this user may read it.

    Raises as `write_bytes`.
    """
    return write_bytes(path, (piece.encode("utf-8", "replace") for piece in pieces))


def write_bytes(path: Path, pieces: Iterable[bytes]) -> Path:
    """Writes a file so that `path` holds either the old or the whole new one; only this user may read it.

    Raises `UserError("usage")` if `path` is something other than a plain file, `UserError("store")` if it fails.
    """
    try:
        target = path.resolve()
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            raise UserError(
                "usage", phrase("{path} is not a plain file; nothing was written. Give another path.", path=path)
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, pieces)
    except OSError as error:
        raise UserError(
            "store", phrase("{path} could not be written: {reason}.", path=path, reason=error.strerror or error)
        ) from error
    return path


def _from_folder(folder: Path) -> Iterator[ExportFile]:
    files = sorted(path for path in folder.rglob("*.json") if path.is_file() and "__MACOSX" not in path.parts)
    chosen = _conversation_files([(path.name, path) for path in files])
    if not chosen:
        raise UserError(
            "store",
            phrase("{folder} holds no JSON file; expected conversations.json. Nothing was imported.", folder=folder),
        )
    left = MAX_BYTES
    for path in chosen:
        raw = _file_bytes(path, left)
        left -= len(raw)
        yield ExportFile(str(path), _parsed(str(path), raw))


def _from_archive(path: Path) -> Iterator[ExportFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MAX_MEMBERS:
                raise _refused(path, phrase("more than {max_members:,} files", max_members=MAX_MEMBERS))
            for member in members:
                _check_name(path, member.filename)
            usable = [
                (PurePosixPath(member.filename).name, member)
                for member in members
                if member.filename.lower().endswith(".json") and "__MACOSX" not in member.filename
            ]
            chosen = _conversation_files(usable)
            if not chosen:
                raise _refused(path, phrase("no conversations.json in it"))
            left = MAX_BYTES
            for member in chosen:
                raw = _member_bytes(path, archive, member, left)
                left -= len(raw)
                name = f"{path.name}: {member.filename}"
                yield ExportFile(name, _parsed(name, raw))
    except (zipfile.BadZipFile, zlib.error, LZMAError, NotImplementedError, EOFError) as error:
        raise _refused(path, phrase("damaged archive ({error})", error=error)) from error


def _conversation_files(named: list[tuple[str, _Item]]) -> list[_Item]:
    """The files that are named as a format names its own, else all: an export of ours may have any name."""
    known = [item for name, item in named if is_conversations_file(name)]
    return known or [item for _, item in named]


def _check_name(path: Path, name: str) -> None:
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or PureWindowsPath(name).drive:
        raise _refused(path, phrase("a file name that points outside the archive ({name})", name=repr(name)))


def _member_bytes(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, left: int) -> bytes:
    if member.flag_bits & 0x1:
        raise _refused(path, phrase("it is encrypted; unpack it first"))
    allowed = min(left, max(RATIO_FROM, member.compress_size * MAX_RATIO))
    with archive.open(member) as stream:
        raw = stream.read(allowed + 1)
    if len(raw) > allowed:
        raise _refused(
            path, phrase("{filename} unpacks to more than {allowed:,} bytes", filename=member.filename, allowed=allowed)
        )
    return raw


def _file_bytes(path: Path, allowed: int) -> bytes:
    if path.stat().st_size > allowed:
        raise _refused(path, phrase("more than {max_bytes:,} bytes in all", max_bytes=MAX_BYTES))
    return path.read_bytes()


def _parsed(name: str, raw: bytes) -> Json:
    try:
        text = raw.decode("utf-8-sig")
        data: Json = json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise UserError(
            "store",
            phrase("{name} is not UTF-8 text (byte {start:,}). Nothing was imported.", name=name, start=error.start),
        ) from error
    except RecursionError as error:
        raise UserError(
            "store", phrase("{name} is nested too deeply to be an export. Nothing was imported.", name=name)
        ) from error
    except ValueError as error:
        raise UserError(
            "store", phrase("{name} is not JSON: {error}. Nothing was imported.", name=name, error=error)
        ) from error
    # Half of a surrogate pair can be written in JSON, but is no text that any file could hold.
    return _mended(data) if "\\u" in text and _HALF_PAIR.search(text) else data


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON number")


def _mended(value: Json) -> Json:
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {str(_mended(name)): _mended(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return value


def _refused(path: Path, why: str) -> UserError:
    return UserError("store", phrase("{name} can't be imported: {why}. Nothing was imported.", name=path.name, why=why))

"""Opens files, folders and zip archives to import from, whatever is in them, and lists the formats that are read; reads
JSON piece by piece, with the place of a fault.

The standard library's decoder takes one value after the other out of a window of text that moves on: it is as fast as
reading all at once, takes what `json.loads` takes, and knows where a fault is. Event parsers (ijson) are no faster,
lose half of a surrogate pair without a sign, and take memory by the square of the depth of what is nested.

What is opened is untrusted: nothing is unpacked to where its names point, names that point outside are refused, and
what is read has limits that hold whatever an archive says about itself. A format is its module's `IMPORTER` and one
entry in `IMPORTERS`.
"""

from __future__ import annotations

import codecs
import errno
import json
import os
import re
import tempfile
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from lzma import LZMAError
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

from desktop_app.controller.formats import chatgpt_export, claude_code_sessions, claude_export, llm_logs, plimsoll_json
from desktop_app.controller.formats.export_reading import (
    ExportItem,
    ExportSource,
    Importer,
    Skipped,
    UnreadableExportError,
)
from desktop_app.core.errors import UserError
from desktop_app.core.messages import Json
from desktop_app.core.phrases import phrase

MOST_CHARACTERS = 512 * 1024**2
"""Of one value: conversations have up to 50 million, one of ours with its pictures some times more."""

WINDOW = 1024**2
"""Characters that are decoded at once, at least."""

_CUT = 16
"""Characters before the window's end in which a fault may come from the window's end: no literal is longer."""

_HALF_PAIR = re.compile(
    r"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|[c-fC-F][0-9a-fA-F]{2}(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))"
)
"""Begins with what a search skips to at once."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\n\r]*")
_TITLE = re.compile(r'"(?:title|name)"\s*:\s*("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,200}")')


def _no_constant(name: str) -> Json:
    raise json.JSONDecodeError(f"{name} is no JSON number", name, 0)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_CUT_NUMBER = 2
_SHAPE_LEVELS = 2
_SHAPE_ITEMS = 20


class JsonStream:
    """One JSON text, read once. Faults are `UnreadableExportError` with their place."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()
        self._bytes_read = 0
        self._text = ""
        self._at = 0
        self._ended = False
        self._mark = (0, 0, 1)  # a place in the window: its character, the bytes of the file before it, its line

    def items(self, key: str | None = None) -> Iterator[ExportItem]:
        """The elements of the array at the top, or under `key` of the object there; without a key that object alone."""
        if (begin := self._next()) == "[" and key is None:
            yield from self._elements()
        elif begin == "{" and key is not None:
            yield from self._under(key)
        elif key is not None:
            raise self._fault(phrase("expected an object"))
        else:
            yield self._item(0)
        if self._next():
            raise self._fault(phrase("expected the end of the file"))

    def value(self) -> Json:
        """All of it as one value."""
        value = self._value(0)
        if self._next():
            raise self._fault(phrase("expected the end of the file"))
        return value

    def _elements(self) -> Iterator[ExportItem]:
        self._at += 1
        number = 0
        if self._next() == "]":
            self._at += 1
            return
        while True:
            yield self._item(number)
            number += 1
            if (separator := self._next()) not in (",", "]"):
                raise self._fault(phrase("expected a comma or the end of the list"))
            self._at += 1
            if separator == "]":
                return

    def _under(self, wanted: str) -> Iterator[ExportItem]:
        self._at += 1
        found = False
        while True:
            if self._next() != '"':
                raise self._fault(phrase("expected a name in quotes"))
            key = self._value(0)
            if self._next() != ":":
                raise self._fault(phrase("expected a colon"))
            self._at += 1
            if key == wanted:
                if found or self._next() != "[":
                    raise self._fault(phrase("expected one list under {name}", name=wanted))
                found = True
                yield from self._elements()
            else:
                self._value(0)
            if (separator := self._next()) not in (",", "}"):
                raise self._fault(phrase("expected a comma or the end of the object"))
            if separator == "}" and not found:
                raise self._fault(phrase("expected one list under {name}", name=wanted))
            self._at += 1
            if separator == "}":
                return

    def _item(self, number: int) -> ExportItem:
        self._next()
        place = self._place(self._at)
        return ExportItem(number, self._value(number + 1), place)

    def _next(self) -> str:
        """The next character that is no space, without taking it; empty at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space is not None else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self, number: int) -> Json:
        """Takes the value that begins at the next character; `number`: which item it is, from 1; 0: none."""
        self._next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                at = error.pos if error.doc is self._text else self._at
                may_be_cut = at >= len(self._text) - _CUT or error.msg.startswith("Unterminated string")
                if not (may_be_cut and self._more()):
                    raise self._fault(error.msg.removesuffix(" at"), at, number) from error
            except ValueError as error:  # Python reads some 4,300 digits
                raise self._fault(phrase("a number that is too long"), None, number) from error
            except RecursionError as error:
                raise self._fault(phrase("nested too deeply to be an export"), None, number) from error
            else:
                # What looks whole may be the beginning of a number: 0 of "0.5", 1 of "1e+3".
                if end < len(self._text) - _CUT_NUMBER or not self._more():
                    break
        begin, self._at = self._at, end
        return value if _HALF_PAIR.search(self._text, begin, end) is None else _mended(value)

    def _more(self) -> bool:
        """Moves the window on and makes it twice as long as what is left of it; False: it had the end already."""
        if self._ended:
            return False
        self._place(self._at)
        if len(left := self._text[self._at :]) > MOST_CHARACTERS:
            raise self._fault(phrase("more than {most:,} characters in one value", most=MOST_CHARACTERS))
        self._mark, self._at = (0, *self._mark[1:]), 0
        pieces, wanted = [left], max(WINDOW, len(left))
        while wanted > 0:
            chunk = next(self._chunks, b"")
            held = len(self._utf8.getstate()[0])
            try:
                text = self._utf8.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                byte = self._bytes_read - held + error.start
                raise UnreadableExportError(phrase("not UTF-8 text (byte {byte:,})", byte=byte)) from error
            self._bytes_read += len(chunk)
            pieces.append(text)
            wanted -= len(text)
            if not chunk:
                self._ended = True
                break
        self._text = "".join(pieces)
        return True

    def _place(self, at: int) -> str:
        """The place of a character for people. Each is counted once: `at` never goes back."""
        character, byte, line = self._mark
        between = self._text[character:at]
        line += between.count("\n")
        byte += len(between) if between.isascii() else len(between.encode("utf-8", "surrogatepass"))
        self._mark = (at, byte, line)
        return phrase("line {line:,}, byte {byte:,}", line=line, byte=byte + 1)

    def _fault(self, why: str, at: int | None = None, number: int = 0) -> UnreadableExportError:
        begin = self._at
        place = self._place(begin if at is None else max(at, begin))
        if not number:
            return UnreadableExportError(phrase("not JSON: {why} at {place}", why=why, place=place))
        title = _TITLE.search(self._text, begin, max(at or begin, begin))
        item = phrase("item {number}", number=number)
        if title is not None:
            item = phrase('item {number} "{title}"', number=number, title=_mended(json.loads(title[1])))
        return UnreadableExportError(phrase("not JSON: {why} at {place}, in {item}", why=why, place=place, item=item))


def shape(beginning: bytes) -> Json:
    """Return the two upper levels of a JSON text that may be cut off, 20 elements of each; None if it is none."""
    text = beginning.decode("utf-8-sig", "replace")
    found: list[Json] = []
    with suppress(ValueError, RecursionError):  # it is cut off somewhere, as a rule
        _add_shape(text, _after_space(text, 0), _SHAPE_LEVELS, found.append)
    return found[0] if found else None


def _add_shape(text: str, at: int, levels: int, add: Callable[[Json], None]) -> int:
    """Adds the shape of the value at this place, as far as it is there, and returns where it ends."""
    begin = text[at : at + 1]
    named: dict[str, Json] = {}
    listed: list[Json] = []
    if begin == "{":
        add(named)
    elif begin == "[":
        add(listed)
    if begin not in ("{", "[") or not levels:
        value, end = _DECODER.raw_decode(text, at)
        if begin not in ("{", "["):
            add(value)
        return end
    at = _after_space(text, at + 1)
    while text[at : at + 1] not in ("}", "]"):
        if len(listed) == _SHAPE_ITEMS:
            raise ValueError("enough was seen")
        add_inner = listed.append
        if begin == "{":
            key, at = _DECODER.raw_decode(text, at)
            add_inner = partial(named.__setitem__, str(key))
            at = _after_space(text, text.index(":", at) + 1)
        at = _after_space(text, _add_shape(text, at, levels - 1, add_inner))
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
    return at + 1


def _after_space(text: str, at: int) -> int:
    return at if (space := _SPACE.match(text, at)) is None else space.end()


def _mended(value: Json) -> Json:
    """Half of a surrogate pair can be written in JSON, but is no text that any file could hold."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {str(_mended(name)): _mended(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_mended(item) for item in value]
    return value


IMPORTERS: Final = (
    plimsoll_json.IMPORTER,
    chatgpt_export.IMPORTER,
    claude_export.IMPORTER,
    claude_code_sessions.IMPORTER,
    llm_logs.IMPORTER,
)
"""Asked in this order whether they recognize what is in a source."""

EXPECTED: Final = phrase(
    "expected a ChatGPT or Claude export (conversations.json, or the zip or folder it came in), Claude Code sessions, "
    "llm's logs.db or a Plimsoll export"
)
"""Names every format of `IMPORTERS`."""


def importer_of(source: ExportSource) -> Importer | None:
    """The importer of what is in a source, None if no format recognizes it."""
    return next((one for one in IMPORTERS if one.recognizes(source)), None)


MAX_BYTES = 16 * 1024**3
"""Most bytes read from one path given, unpacked; the biggest known exports have a few gigabytes."""

MAX_MEMBERS = 200_000
"""Most files in an archive or folder: exports hold one per picture."""

MAX_RATIO = 200
"""Most times that a member may grow: conversations compress 3 to 20 times, bombs a thousand times."""

RATIO_FROM = 16 * 1024**2
"""Below this size in bytes the ratio doesn't matter."""

MAX_JSON = 64 * 1024**2
"""Most bytes of a member that is read whole."""

MAX_LINE = 256 * 1024**2
"""Most bytes of one line of a file of lines."""

_TEXTS = (".json", ".jsonl", ".db")
_NAME_SHOWN = 200
_BEGINNING = 64 * 1024
_SAMPLE = 1024**2
_MOST_SAMPLED = 16 * _SAMPLE
_CHUNK = 256 * 1024
_IN_MEMORY = 16 * 1024**2
"""An archive within an archive is kept in a file without a name from this size in bytes."""

_ARCHIVE_FAULTS = (zipfile.BadZipFile, zlib.error, LZMAError, NotImplementedError, EOFError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class _Member:
    """A file to be read: how to open it, its size as its archive says, and the most that may come out of it."""

    open: Callable[[], IO[bytes]]
    size: int
    most: int
    local: Path | None = None


class OpenedSource:
    """The source opened at a path: an `ExportSource`. To be closed by `open_source`'s context."""

    def __init__(self, name: str, *, only_good: bool) -> None:
        self.name = name
        self.broken: list[Skipped] = []
        """The faults reported to `refuse`, where only the good part is asked for."""
        self.bytes_read = 0
        """Of members read to import, unpacked."""
        self._only_good = only_good
        self._files: dict[str, _Member] = {}
        self._samples: dict[str, Json] = {}
        self._names: list[tuple[str, str]] | None = None
        self._size: int | None = None
        self._stack = ExitStack()

    @property
    def members(self) -> Sequence[str]:
        return tuple(self._files)

    @property
    def share_read(self) -> float:
        """The share of it that was read to be imported, roughly: as far as archives tell the sizes of texts."""
        if self._size is None:
            texts = [one.size for name, one in self._files.items() if name.lower().endswith(_TEXTS)]
            self._size = sum(texts) or sum(one.size for one in self._files.values())
        return min(1.0, self.bytes_read / self._size) if self._size else 1.0

    def beginning(self, member: str) -> bytes:
        with suppress(OSError, UnreadableExportError), _archive_faults(), self._member(member).open() as stream:
            return stream.read(_BEGINNING)
        return b""

    def sample(self, member: str) -> Json:
        if member not in self._samples:
            self._samples[member] = shape(self._sampled(member))
        return self._samples[member]

    def items(self, member: str, key: str | None = None) -> Iterator[ExportItem]:
        try:
            with self._reading(member) as chunks:
                yield from JsonStream(chunks).items(key)
        except UnreadableExportError as error:
            self.refuse(self._called(member), error.why)

    def lines(self, member: str) -> Iterator[ExportItem]:
        number = 0
        try:
            with self._reading(member) as chunks:
                for line, ended in _lines(chunks):
                    if line.strip():
                        value = self._line(member, number, line, ended=ended)
                        yield ExportItem(number, value, phrase("line {line:,}", line=number + 1))
                    number += 1
        except UnreadableExportError as error:
            self.refuse(self._called(member), phrase("line {line:,}: {why}", line=number + 1, why=error.why))

    def _line(self, member: str, number: int, line: bytes, *, ended: bool) -> Json:
        """The value of a line; None for one that is broken, as for the last one of a file that is still written."""
        try:
            return JsonStream([line]).value()
        except UnreadableExportError as error:
            if ended and not self._only_good:
                raise
            if ended:
                self.refuse(self._called(member), phrase("line {line:,}: {why}", line=number + 1, why=error.why))
            return None

    def json(self, member: str) -> Json:
        return JsonStream([self._whole(member, MAX_JSON)]).value()

    def content(self, member: str, most: int) -> bytes | None:
        return None if self._member(member).size > most else self._whole(member, most)

    def asset(self, asset_id: str) -> str | None:
        if self._names is None:
            self._names = sorted((PurePosixPath(member).name, member) for member in self._files)
        at = bisect_left(self._names, (asset_id, ""))
        found = self._names[at : at + 1]
        return found[0][1] if asset_id and found and found[0][0].startswith(asset_id) else None

    def local_file(self, member: str) -> Path | None:
        return self._member(member).local

    def refuse(self, what: str, why: str) -> None:
        if not self._only_good:
            raise UnreadableExportError(phrase("{what}: {why}", what=what, why=why) if what != self.name else why)
        self.broken.append(Skipped(what, why))

    def close(self) -> None:
        self._stack.close()

    def add_file(self, path: Path) -> None:
        """A single file that is no archive."""
        self._files[path.name] = _local(path)

    def add_folder(self, folder: Path) -> None:
        """The files below a folder; links to folders, and to files elsewhere, are not followed."""
        whole = folder.resolve()
        for above, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = Path(above, name)
                if path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(whole)):
                    self._add(path.relative_to(folder).as_posix(), _local(path))

    def add_archive(self, file: Path | IO[bytes], prefix: str = "") -> None:
        """The files in a zip archive; `prefix` names one that is in an archive or folder itself."""
        with _archive_faults():
            archive = self._stack.enter_context(zipfile.ZipFile(file))
            for info in archive.infolist():
                _check_name(info.filename)
                if not info.is_dir():
                    self._add(prefix + info.filename.replace("\\", "/"), _archived(archive, info))

    def add_inner_archives(self) -> bool:
        """Takes the archives among the members for folders; True if there were any."""
        inner = [member for member in self._files if member.lower().endswith(".zip")]
        for member in inner:
            file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the source
            self._stack.callback(file.close)
            with self._reading(member) as chunks:
                file.writelines(chunks)
            file.seek(0)
            if zipfile.is_zipfile(file):
                file.seek(0)
                del self._files[member]
                self.add_archive(file, f"{member}/")
        self._samples.clear()
        self._names = self._size = None
        return bool(inner)

    def _add(self, member: str, file: _Member) -> None:
        if "__MACOSX" in PurePosixPath(member).parts:
            return
        if len(self._files) >= MAX_MEMBERS:
            raise UnreadableExportError(phrase("more than {max_members:,} files", max_members=MAX_MEMBERS))
        self._files[member] = file

    def _member(self, member: str) -> _Member:
        if (found := self._files.get(member)) is None:
            raise UnreadableExportError(phrase("there is no {member} in it", member=member))
        return found

    def _called(self, member: str) -> str:
        return self.name if len(self._files) == 1 else member

    def _sampled(self, member: str) -> bytes:
        """The beginning of a JSON file, without chunks that lie within one text: a title may have megabytes."""
        kept = bytearray()
        with suppress(OSError, UnreadableExportError), _archive_faults(), self._member(member).open() as stream:
            for chunk in islice(iter(lambda: stream.read(_CHUNK), b""), _MOST_SAMPLED // _CHUNK):
                if not kept or b'"' in chunk.replace(b'\\"', b""):
                    kept += chunk
                if len(kept) >= _SAMPLE:
                    break
        return bytes(kept)

    def _whole(self, member: str, most: int) -> bytes:
        pieces = []
        with self._reading(member) as chunks:
            for chunk in chunks:
                pieces.append(chunk)
                most -= len(chunk)
                if most < 0:
                    raise UnreadableExportError(phrase("{member} is too large for an export", member=member))
        return b"".join(pieces)

    @contextmanager
    def _reading(self, member: str) -> Iterator[Iterator[bytes]]:
        with self._opened(member) as stream:
            yield self._chunks(member, stream)

    @contextmanager
    def _opened(self, member: str) -> Iterator[IO[bytes]]:
        file = self._member(member)
        with _archive_faults():
            stream = file.open()
        with stream:
            yield stream

    def _chunks(self, member: str, stream: IO[bytes]) -> Iterator[bytes]:
        most = self._member(member).most
        left = most
        while True:
            with _archive_faults():
                chunk = stream.read(_CHUNK)
            if not chunk:
                return
            left -= len(chunk)
            self.bytes_read += len(chunk)
            if left < 0:
                raise UnreadableExportError(
                    phrase("{member} unpacks to more than {most:,} bytes", member=member, most=most)
                )
            if self.bytes_read > MAX_BYTES:
                raise UnreadableExportError(phrase("more than {max_bytes:,} bytes in all", max_bytes=MAX_BYTES))
            yield chunk


@contextmanager
def open_source(path: Path, *, only_good: bool = False) -> Iterator[OpenedSource]:
    """Opens what lies at `path` to be imported.

    Raises `UserError("usage")` if there is nothing at `path`, `UserError("store")` for what can't be read: also when
    the block raises `OSError` or `UnreadableExportError` in reading it.
    """
    source = OpenedSource(path.name, only_good=only_good)
    try:
        if path.is_dir():
            source.add_folder(path)
        elif not path.exists():
            raise UserError("usage", phrase("There is no file {path}. Check the name and try again.", path=path))
        elif not path.is_file():
            raise UserError("usage", phrase("{path} is neither a file nor a folder. Give another path.", path=path))
        elif zipfile.is_zipfile(path):
            source.add_archive(path)
        else:
            source.add_file(path)
        yield source
    except OSError as error:
        raise UserError(
            "store",
            phrase("{path} can't be read: {reason}. Nothing was imported.", path=path, reason=error.strerror or error),
        ) from error
    except UnreadableExportError as error:
        words = phrase("{name} can't be imported: {why}. Nothing was imported.", name=path.name, why=error.why)
        raise UserError("store", words) from error
    finally:
        source.close()


def looks_like_export(path: Path) -> bool:
    """Return True if a file, archive or folder can likely be imported, by names and beginnings. Raises nothing."""
    try:
        with open_source(path) as source:
            return importer_of(source) is not None
    except UserError:
        return False


def _local(path: Path) -> _Member:
    return _Member(lambda: path.open("rb"), path.stat().st_size, MAX_BYTES, path)


def _archived(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Member:
    def opened() -> IO[bytes]:
        if info.flag_bits & 0x1:
            raise UnreadableExportError(phrase("it is encrypted; unpack it first"))
        return archive.open(info)

    return _Member(opened, info.file_size, max(RATIO_FROM, info.compress_size * MAX_RATIO))


def _check_name(name: str) -> None:
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or PureWindowsPath(name).drive:
        raise UnreadableExportError(
            phrase("a file name that points outside the archive ({name})", name=repr(name[:_NAME_SHOWN]))
        )


@contextmanager
def _archive_faults() -> Iterator[None]:
    try:
        yield
    except (OSError, zipfile.BadZipFile) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # of a place before the beginning
            raise
        why = phrase("damaged archive or a part of one: put all parts together, or download it again")
        raise UnreadableExportError(why) from error
    except _ARCHIVE_FAULTS as error:
        raise UnreadableExportError(phrase("damaged archive ({error})", error=error)) from error


def _lines(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether it has an end."""
    left: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        left.append(first)
        size += len(first)
        if size > MAX_LINE:
            raise UnreadableExportError(phrase("more than {most:,} bytes in one line", most=MAX_LINE))
        for other in others:
            yield b"".join(left), True
            left, size = [other], len(other)
    yield b"".join(left), False

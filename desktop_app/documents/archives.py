"""Opens zip archives and reads their XML within limits of size and depth."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol
from xml.parsers import expat

from desktop_app.documents.file_opening import BOMB, DAMAGED, PASSWORD, ReadingLimits, UnreadableError

DEEPEST: Final = 1_000
"""Elements within each other."""

CHUNK: Final = 65_536

MOST_ENTRIES: Final = 100_000
"""Files in one archive: a book of ten thousand pictures has ten thousand."""

_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, NotImplementedError, KeyError, EOFError, ValueError,
    OSError,  # bz2's, of bytes in memory
)  # fmt: skip


class XmlHandler(Protocol):
    """The receiver of the elements of an XML text. Names are `namespace local` where they have a namespace."""

    @property
    def size(self) -> int:
        """Characters taken so far; parsing ends where they are more than may be."""

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None: ...

    def closed(self, name: str) -> None: ...

    def said(self, text: str) -> None: ...


class Archive:
    """An open zip archive; what is read of it counts towards the limit."""

    def __init__(self, archive: zipfile.ZipFile, limits: ReadingLimits) -> None:
        self._archive, self._limits, self._unpacked = archive, limits, 0
        self.names = frozenset(archive.namelist())

    def bytes_of(self, entry: str) -> bytes:
        """A whole entry."""
        return b"".join(self._pieces(entry))

    def parse(self, entry: str, handler: XmlHandler) -> None:
        """Tells the handler what is in an entry. A text longer than any may be is not read to its end."""
        depth = 0

        def opened(name: str, attributes: Mapping[str, Any]) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise UnreadableError(DAMAGED)
            handler.opened(name, attributes)

        def closed(name: str) -> None:
            nonlocal depth
            depth -= 1
            handler.closed(name)

        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = opened
        parser.EndElementHandler = closed
        parser.CharacterDataHandler = handler.said
        parser.StartDoctypeDeclHandler = _refuse  # it has no business here, and is what XML bombs are made of
        for piece in self._pieces(entry):
            parser.Parse(piece, False)
            if handler.size > self._limits.characters:
                return  # what is left over is cut by whoever joins the parts
        parser.Parse(b"", True)

    def related(self, entry: str) -> dict[str, str]:
        """The entries that an entry of an Office file refers to, by the id of the reference."""
        folder, name = posixpath.split(entry)
        listed = f"{folder}/_rels/{name}.rels"
        if listed not in self.names:
            return {}
        found = _References()
        self.parse(listed, found)
        return {
            key: target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            for key, target in found.targets.items()
        }

    def _pieces(self, entry: str) -> Iterator[bytes]:
        if self._archive.getinfo(entry).file_size > self._limits.unpacked:
            raise UnreadableError(BOMB)  # it says so itself; one that lies is counted
        with self._archive.open(entry) as stream:
            while piece := stream.read(CHUNK):
                self._unpacked += len(piece)
                if self._unpacked > self._limits.unpacked:
                    raise UnreadableError(BOMB)
                yield piece


@contextmanager
def opened_archive(data: bytes, limits: ReadingLimits) -> Iterator[Archive]:
    """The archive in some bytes; whatever is wrong with it while it is read becomes an `UnreadableError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > MOST_ENTRIES:
                raise UnreadableError(BOMB)
            yield Archive(archive, limits)
    except UnreadableError:
        raise
    except RuntimeError as error:
        if isinstance(error, NotImplementedError | RecursionError):
            raise UnreadableError(DAMAGED) from None
        raise UnreadableError(PASSWORD) from None  # zipfile's word for an entry that needs a password
    except _DAMAGE:
        raise UnreadableError(DAMAGED) from None


def check_unpacked_size(data: bytes, limits: ReadingLimits) -> None:
    """Refuses an archive whose entries say themselves that they are too much. Raises `UnreadableError`.

    For readers that unpack by themselves; one that lies is stopped by the limits of the process.
    """
    with opened_archive(data, limits), zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.filelist) > limits.unpacked:
            raise UnreadableError(BOMB)


def attribute(attributes: Mapping[str, Any], name: str) -> str:
    """The value of an attribute whatever its namespace; empty where there is none."""
    if (found := attributes.get(name)) is None:
        found = next((value for key, value in attributes.items() if key.endswith(f" {name}")), "")
    return str(found)


def _refuse(*_: object) -> None:
    raise UnreadableError(DAMAGED)


class _References:
    """Reads a list of references between the entries of an Office file."""

    size = 0

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}

    def opened(self, name: str, attributes: Mapping[str, Any]) -> None:
        if name.endswith(" Relationship") and attribute(attributes, "TargetMode") != "External":
            self.targets[attribute(attributes, "Id")] = attribute(attributes, "Target")

    def closed(self, name: str) -> None:
        pass

    def said(self, text: str) -> None:
        pass

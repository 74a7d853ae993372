"""Opens files that may be anything (a pipe, endless, forbidden), and gives them names to show."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from desktop_app.core.phrases import phrase
from desktop_app.documents.reading_errors import (
    A_FOLDER,
    EMPTY,
    FORBIDDEN,
    LOCKED,
    MOST_BYTES,
    NO_FILE,
    NOT_FOUND,
    TOO_DEEP,
    TOO_LARGE,
    UnreadableError,
    megabytes,
)
from desktop_app.system.files_below import DEEPEST, opened

LONGEST: Final = 120
"""Characters of a name; longer ones lose their middle."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control characters, those that turn the direction of writing, half surrogates and the like."""


def display_name(name: str, otherwise: str = "attachment") -> str:
    """The last part of a path on one line, without characters that can't be seen; `otherwise` if nothing is left.

    Joiners, which some scripts need within words, stay.
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join(one if one in "\u200c\u200d" or unicodedata.category(one) not in _HIDDEN else " " for one in last)
    kept = " ".join(kept.split()).strip("\u200c\u200d ")
    if len(kept) > LONGEST:
        end = LONGEST // 4
        kept = f"{kept[: LONGEST - end - 1]}…{kept[-end:]}"
    return kept or otherwise


CHUNK: Final = 2**20


@contextmanager
def opened_file(path: Path, most: int, below: Path | None = None) -> Iterator[BinaryIO]:
    """A regular file of at most so many bytes, open for reading; `UnreadableError` for anything else.

    A link is followed: whoever names it means what it leads to. `below` this folder none is.
    """
    try:
        descriptor = opened(path, below)
    except OSError as error:
        raise _not_opened(path, error) from None
    except ValueError:  # a NUL in the name
        raise UnreadableError(NOT_FOUND) from None
    try:
        _check(os.fstat(descriptor), most)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    except OSError as error:
        raise _not_opened(path, error) from None
    finally:
        os.close(descriptor)


def read_bytes(path: Path, most: int = MOST_BYTES, below: Path | None = None) -> bytes:
    """Everything in a regular file of at most so many bytes; `UnreadableError` for anything else."""
    with opened_file(path, most, below) as file:
        data = _read(file, most)
    if not data:
        raise UnreadableError(EMPTY)
    return data


def _check(status: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError(A_FOLDER)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(NO_FILE)
    if status.st_size > most:
        raise _too_large(status.st_size, most)


def _read(file: BinaryIO, most: int) -> bytes:
    """To the end, but no further than the limit: some files have no size, and some grow while they are read."""
    pieces, size = [], 0
    while piece := file.read(CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise _too_large(size, most)
    return b"".join(pieces)


def _too_large(size: int, most: int) -> UnreadableError:
    return UnreadableError(TOO_LARGE, size=megabytes(size), most=most // 2**20)


def _not_opened(path: Path, error: OSError) -> UnreadableError:
    if error.errno == errno.ENAMETOOLONG:
        return UnreadableError(TOO_DEEP, most=DEEPEST)
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
        return UnreadableError(NOT_FOUND)
    if error.errno in (errno.EISDIR,) or (os.name == "nt" and path.is_dir()):
        return UnreadableError(A_FOLDER)
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnreadableError(FORBIDDEN)
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return UnreadableError(NO_FILE)
    return UnreadableError(LOCKED, why=error.strerror.lower() if error.strerror else phrase("it is in use"))

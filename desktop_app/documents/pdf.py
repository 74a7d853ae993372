"""Reads a PDF: its text page by page, or its bytes where it is a scan."""

from __future__ import annotations

import base64
import io
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop_app.core.phrases import joined, phrase
from desktop_app.documents.reading_errors import (
    DAMAGED,
    ENCRYPTED,
    MOST_CHARACTERS,
    MOST_PAGES,
    MOST_SCANNED_BYTES,
    MOST_SCANNED_PAGES,
    PAGES_TIME_S,
    PASSWORD,
    SCAN_TOO_LARGE,
    TOO_MANY_PAGES,
    UnreadableError,
    megabytes,
)

if TYPE_CHECKING:
    from pypdf import PdfReader

LEAST_OF_A_PAGE: Final = 20
"""Characters from which a page has text: a scan may bear a stamp or a page number."""


@dataclass(frozen=True, slots=True)
class ReadPdf:
    """`text` with a mark before each page; `data`: the file in base64 where its pages are pictures. `note`: see there.

    A scan's text is one line that says what it is, for whoever can't be shown the pages.
    """

    text: str
    pages: int
    data: str = ""
    note: str = ""


def read_pdf(data: bytes) -> ReadPdf:
    """What is in a PDF. Raises `UnreadableError` for what is locked, damaged or too much.

    A page that can't be read is marked as such, as long as others can.
    """
    import pypdf
    from pypdf.errors import DependencyError, FileNotDecryptedError, WrongPasswordError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError(PASSWORD)
        count = len(reader.pages)
        if count > MOST_PAGES:
            raise UnreadableError(TOO_MANY_PAGES, size=f"{count:,}", most=f"{MOST_PAGES:,}")
        pages = _texts(reader, count)
    except (UnreadableError, MemoryError):
        raise
    except (FileNotDecryptedError, WrongPasswordError):
        raise UnreadableError(PASSWORD) from None
    except DependencyError:
        raise UnreadableError(ENCRYPTED) from None
    except Exception as error:  # a damaged file breaks pypdf anywhere
        raise UnreadableError(DAMAGED) from error
    if all(text is None for text in pages):
        raise UnreadableError(DAMAGED)
    bare = sum(1 for text in pages if text is not None and len("".join(text.split())) < LEAST_OF_A_PAGE)
    if bare == len(pages):
        if reader.is_encrypted:
            raise UnreadableError(ENCRYPTED)  # no provider opens it
        return _scan(data, count)
    marked = [_marked(number, text) for number, text in enumerate(pages, 1)]
    if len(pages) < count:
        marked.append(f"[Pages {len(pages) + 1:,} to {count:,} left out]")
    note = _note(bare, sum(1 for text in pages if text is None), len(pages), count)
    return ReadPdf("\n\n".join(marked), count, note=note)


def _texts(reader: PdfReader, count: int) -> list[str | None]:
    """The text of each page, as far as it may go; None for a page that can't be read, or unpacks to far too much."""
    texts: list[str | None] = []
    size, end = 0, time.monotonic() + PAGES_TIME_S
    for number in range(count):
        if texts and (size > MOST_CHARACTERS or time.monotonic() > end):
            break
        try:
            text = _tidy(reader.pages[number].extract_text())
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  a damaged page breaks pypdf anywhere
            texts.append(None)
            continue
        texts.append(text)
        size += len(text)
    return texts


def _marked(number: int, text: str | None) -> str:
    if text is None:
        return f"[Page {number}: can't be read]"
    return f"[Page {number}]\n{text}" if text else f"[Page {number}: no text]"


def _tidy(text: str) -> str:
    """Without the spaces that layout leaves at the ends of lines, and with at most one empty line in a row."""
    lines: list[str] = []
    for line in text.replace("\r", "\n").replace("\0", "").split("\n"):
        kept = line.rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).strip("\n")


def _note(bare: int, damaged: int, read: int, count: int) -> str:
    said = []
    if read < count:
        words = phrase(
            "The first {read:,} of {pages:,} pages were read; the others are left out.", read=read, pages=count
        )
        said.append(words)
    if bare:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages hold no text; pictures are left out.",
                "1 of {pages:,} page holds no text; pictures are left out.",
                count=bare,
                pages=count,
            )
        )
    if damaged:
        said.append(
            phrase(
                "{count:,} of {pages:,} pages can't be read and are left out.",
                "1 of {pages:,} pages can't be read and is left out.",
                count=damaged,
                pages=count,
            )
        )
    return joined(said)


def _scan(data: bytes, pages: int) -> ReadPdf:
    if len(data) > MOST_SCANNED_BYTES or pages > MOST_SCANNED_PAGES:
        raise UnreadableError(
            SCAN_TOO_LARGE,
            pages=pages,
            size=megabytes(len(data)),
            most_pages=MOST_SCANNED_PAGES,
            most=MOST_SCANNED_BYTES // 2**20,
        )
    stand_in = f"[A scan of {pages} page{'' if pages == 1 else 's'} without text]"
    note = phrase("It is a scan without text; a model that can look at pages is shown them.")
    return ReadPdf(stand_in, pages, base64.b64encode(data).decode(), note)

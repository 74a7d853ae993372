"""Reads Rich Text (RTF)."""

from __future__ import annotations

import re
from typing import Final

from desktop_app.core.document_structure import DocumentSection
from desktop_app.documents.extracted_text import ExtractedText
from desktop_app.documents.reading_errors import DAMAGED, NO_TEXT, TOO_LARGE, UnreadableError, megabytes

MOST: Final = 40 * 2**20
"""Bytes: most of a larger file are pictures in hexadecimal, and reading takes a second for two megabytes."""

_EMPTY_LINES: Final = re.compile(r"\n{3,}")


def rich_text(data: bytes) -> ExtractedText:
    """The paragraphs of a Rich Text file, cells of tables between bars. Raises `UnreadableError`."""
    if len(data) > MOST:
        raise UnreadableError(TOO_LARGE, size=megabytes(len(data)), most=MOST // 2**20)
    from striprtf.striprtf import rtf_to_text

    # The library looks for links over a whole line: a line each, so that many of them stay cheap.
    source = data.decode("latin-1").replace("{\\field", "\n{\\field")
    try:
        text: str = rtf_to_text(source, errors="ignore")
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        raise UnreadableError(DAMAGED) from error
    # characters beyond the first 65,536 are written in halves
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _EMPTY_LINES.sub("\n\n", text.replace("\xad", "").replace("\0", "")).strip()
    if not text:
        raise UnreadableError(NO_TEXT)
    return ExtractedText(text, (DocumentSection(0, len(text)),))

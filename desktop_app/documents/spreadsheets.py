"""Reads tables: the sheets of Excel and OpenDocument workbooks, and CSV."""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from desktop_app.core.document_structure import (
    DocumentSection,
    heading_line,
    markdown_sections,
    table_row,
    table_rule,
)
from desktop_app.core.phrases import phrase
from desktop_app.documents.archives import check_unpacked_size
from desktop_app.documents.extracted_text import ExtractedText
from desktop_app.documents.reading_errors import DAMAGED, NO_TEXT, PASSWORD, ReadingLimits, UnreadableError

MOST_CELL: Final = 32_767
"""Characters of a cell: what Excel allows; csv gives up at the same order."""

SAMPLE: Final = 64_000
"""Characters of the first line in which the separator of a CSV file is looked for."""

MOST_SPARSE: Final = 20_000_000
"""Cells of the rectangle around all that a sheet holds: two filled corners of the largest sheet make 17 billion."""

_SEPARATORS: Final = (",", ";", "\t", "|")
_WHOLE: Final = 2**53


def workbook(data: bytes, limits: ReadingLimits) -> ExtractedText:
    """Every sheet as a table under its name; its first row counts as its header. Raises `UnreadableError`."""
    import python_calamine

    if data.startswith(b"PK"):
        check_unpacked_size(data, limits)
    try:
        with python_calamine.CalamineWorkbook.from_object(io.BytesIO(data)) as book:
            pieces: list[str] = []
            names: list[str] = []
            left = limits.characters
            for number, name in enumerate(book.sheet_names):
                sheet = book.get_sheet_by_index(number)
                if sheet.width * sheet.height > MOST_SPARSE:
                    raise UnreadableError(DAMAGED)
                lines = _lines(map(_cells, sheet.iter_rows()), left)
                pieces.append("\n".join(["", *lines, ""]) if lines else "")
                names.append(name)
                left -= len(pieces[-1])
                if left <= 0:
                    break
    except python_calamine.PasswordError:
        raise UnreadableError(PASSWORD) from None
    except (python_calamine.CalamineError, ValueError, KeyError, IndexError, OSError):
        raise UnreadableError(DAMAGED) from None
    if not any(pieces):
        raise UnreadableError(NO_TEXT)
    return _joined(names, pieces, _cut_note() if left <= 0 else "")


def csv_table(text: str, limits: ReadingLimits) -> ExtractedText | None:
    """The rows of a CSV file as a table whose header is the first; None where it is no table."""
    separator = _separator(text)
    if not separator:
        return None
    csv.field_size_limit(10 * MOST_CELL)
    try:
        lines = _lines(csv.reader(io.StringIO(text), delimiter=separator), limits.characters)
    except csv.Error:  # a quotation mark that is never closed
        return None
    if not lines:
        return None
    joined = "\n".join([*lines, ""])
    cut = _cut_note() if len(joined) >= limits.characters else ""
    return ExtractedText(joined, markdown_sections(joined), note=cut)


def _cut_note() -> str:
    return phrase("It is too long; its end is left out.")


def _joined(names: Sequence[str], pieces: Sequence[str], note: str) -> ExtractedText:
    parts: list[str] = []
    sections: list[DocumentSection] = []
    size = 0
    for name, piece in zip(names, pieces, strict=True):
        if not piece:
            continue
        part = heading_line(1, name) + piece + "\n"
        parts.append(part)
        sections.append(DocumentSection(size, size + len(part), "sheet"))
        size += len(part)
    text = "".join(parts)
    found = [one for section in sections for one in markdown_sections(text, section)]
    return ExtractedText(text, tuple(found), note=note)


def _lines(rows: Iterable[Sequence[str]], most: int) -> list[str]:
    """The rows that are not empty as lines of a table, as long as they are together."""
    lines: list[str] = []
    size = 0
    for row in rows:
        width = len(row)
        while width and not row[width - 1].strip():
            width -= 1
        if not width:
            continue
        lines.append(table_row(row[:width]))
        if len(lines) == 1:
            lines.append(table_rule(width))
        size += len(lines[-1]) + 1
        if size > most:
            break
    return lines


def _cells(row: Iterable[Any]) -> list[str]:
    return [_cell(value) for value in row]


def _cell(value: Any) -> str:
    match value:
        case str():
            return value[:MOST_CELL]
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else repr(value)
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
        case datetime.datetime():
            return value.isoformat(" ", "seconds")
        case _:
            return str(value)


def _separator(text: str) -> str:
    """The sign that stands most often in the first line, outside of quotation marks; empty where none does."""
    first = re.sub(r'"[^"]*"', "", text.lstrip()[:SAMPLE].partition("\n")[0])
    best = max(_SEPARATORS, key=first.count)
    return best if best in first else ""

"""Extracts the text of a file with its structure, whatever kind it is; Rich Text by itself."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from desktop_app.core.context.sent_content import clean_text
from desktop_app.core.context.token_estimator import TokenEstimator, cut_characters
from desktop_app.core.document_structure import (
    DocumentSection,
    code_sections,
    json_sections,
    markdown_sections,
    passages,
    whole,
)
from desktop_app.core.phrases import joined, phrase
from desktop_app.core.projects import DocumentText
from desktop_app.documents.file_kinds import MEDIA_TYPES, Kind, decoded, is_code, kind_of, text_type
from desktop_app.documents.file_opening import (
    ATTACHED,
    DAMAGED,
    EMPTY,
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_SCANNED_BYTES,
    MOST_SCANNED_PAGES,
    NO_TEXT,
    PASSWORD,
    PICTURE_WITHOUT_TEXT,
    SCAN_TOO_LARGE,
    SCAN_WITHOUT_TEXT,
    SCANNED_PAGE_TOO_LARGE,
    TOO_LARGE,
    ExtractedText,
    ReadingLimits,
    UnreadableError,
    megabytes,
    of_markdown,
    read_bytes,
)
from desktop_app.documents.images import DPI, RECOGNIZED_EDGE, as_png, read_image, recognized
from desktop_app.documents.mail_and_pages import html_text, mail_text
from desktop_app.documents.pdf import (
    LEAST_OF_A_PAGE,
    extracted,
    notes_of,
    opened_pdf,
    read_pages,
    rendered,
    text_with_marks,
)
from desktop_app.documents.zipped_documents import (
    book_text,
    csv_table,
    docx_text,
    open_document_text,
    slides_of,
    workbook,
)

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
    # it leaves out what it takes for no part of the text
    source = source.replace("{\\footnote", "{ ")
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


LONGEST_JSON: Final = 20 * 2**20
"""Characters of JSON that are indented for reading; its values take ten times as much memory as its text."""

LONGEST_LINE: Final = 2_000
"""Characters of the longest line in JSON that is left as it is: what is longer was written for programs."""

_OFFICE: Final[dict[Kind, Callable[[bytes, ReadingLimits], ExtractedText]]] = {
    "docx": lambda data, limits: of_markdown(docx_text(data, limits)),
    "slides": slides_of,
    "open_document": open_document_text,
    "sheet": workbook,
    "book": book_text,
    "rich_text": lambda data, _: rich_text(data),
    "mail": mail_text,
}


@dataclass(frozen=True, slots=True)
class Recognition:
    """The recognition of text in pictures: the program, None where there is none, and its language."""

    program: str | None
    language: str


def document_text(
    path: Path, limits: ReadingLimits, recognition: Recognition, below: Path | None = None, password: str = ""
) -> DocumentText:
    """The text of a project's document with its passages; `below` this folder no link is followed. `password`: of a
    PDF.

    Raises `UnreadableError`.
    """
    data = read_bytes(path, limits.file_bytes, below)
    kind = kind_of(data, path.name)
    sha256 = hashlib.sha256(data).hexdigest()
    if kind == "pdf":
        extracted = _pdf(data, limits, recognition, password)
    elif kind == "image":
        extracted = _picture(data, recognition)
    else:
        extracted = office_text(data, kind, limits) or _plain(data, path.name, limits)
    text = extracted.text
    if not text.strip():
        raise UnreadableError(EMPTY if kind == "text" else NO_TEXT)
    media_type = MEDIA_TYPES.get(kind) or text_type(path.name)
    found = passages(text, extracted.sections)
    return DocumentText(sha256, media_type, text, found, extracted.pages, extracted.note)


def office_text(data: bytes, kind: Kind, limits: ReadingLimits) -> ExtractedText | None:
    """The text of a file that a program for offices, books or mail has written; None for other kinds.

    Raises `UnreadableError`.
    """
    reader = _OFFICE.get(kind)
    return _bounded(reader(data, limits), limits) if reader else None


def _plain(data: bytes, name: str, limits: ReadingLimits) -> ExtractedText:
    """A text by its name: its table, its page, its program, or its paragraphs."""
    cut = len(data) > limits.characters
    text, note = decoded(_first(data, limits.characters) if cut else data)
    text = clean_text(text)
    if cut:
        note = joined(filter(None, [note, _cut_words()]))
    found: ExtractedText | None = None
    match text_type(name):
        case "text/csv" | "text/tab-separated-values":
            found = csv_table(text, limits)
        case "text/html" if said := html_text(text, limits):
            found = of_markdown(said)
        case "application/json":
            shown = _indented(text)
            found = ExtractedText(shown, json_sections(shown))
        case "text/markdown":
            found = ExtractedText(text, markdown_sections(text))
    if found is None:
        found = ExtractedText(text, code_sections(text) if is_code(name) else whole(text))
    return replace(found, note=joined(filter(None, [note, found.note])))


def _first(data: bytes, most: int) -> bytes:
    """The first bytes up to the end of a line, so that no character is cut."""
    kept = data[:most]
    return kept[: kept.rfind(b"\n") + 1] or kept


def _bounded(found: ExtractedText, limits: ReadingLimits) -> ExtractedText:
    text = clean_text(found.text)
    if len(text) != len(found.text):  # a NUL was in it; the sections are elsewhere now
        found = of_markdown(text, found.note)
    if len(text) <= limits.characters:
        return replace(found, text=text)
    sections = tuple(
        replace(one, end=min(one.end, limits.characters)) for one in found.sections if one.start < limits.characters
    )
    note = joined(filter(None, [found.note, _cut_words()]))
    return replace(found, text=text[: limits.characters], sections=sections, note=note)


def _cut_words() -> str:
    return phrase("It is too long; its end is left out.")


def _indented(text: str) -> str:
    if len(text) > LONGEST_JSON or max(map(len, text.split("\n"))) <= LONGEST_LINE:
        return text
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _picture(data: bytes, recognition: Recognition) -> ExtractedText:

    text = recognized(as_png(data), recognition.language, recognition.program) if recognition.program else None
    if not text:
        raise UnreadableError(PICTURE_WITHOUT_TEXT)
    return ExtractedText(text, whole(text), note=_recognition_words(1))


def _pdf(data: bytes, limits: ReadingLimits, recognition: Recognition, password: str) -> ExtractedText:

    started = time.monotonic()
    pages = read_pages(data, limits, password)
    bare = [number for number, text in enumerate(pages.texts) if text is not None and len(text) < LEAST_OF_A_PAGE]
    read = _recognized_pages(data, bare, recognition, started + limits.time_s, password) if bare else {}
    if read:
        texts = [read.get(number, text) for number, text in enumerate(pages.texts)]
        pages = replace(pages, texts=texts)
    if pages.scanned:
        raise UnreadableError(SCAN_WITHOUT_TEXT)
    found = extracted(pages, _recognition_words(len(read)) if read else "")
    return _cleaned_pages(found)


def _cleaned_pages(found: ExtractedText) -> ExtractedText:
    text = clean_text(found.text)  # tidy pages have no NUL, so nothing moves
    return replace(found, text=text)


def _recognized_pages(
    data: bytes, bare: list[int], recognition: Recognition, until: float, password: str
) -> dict[int, str]:
    """The texts of pages that are pictures, as far as there is time and a program."""

    found: dict[int, str] = {}
    if recognition.program is None:
        return found
    with opened_pdf(data, password) as document:
        for number in bare:
            if time.monotonic() > until:
                break
            try:
                picture = rendered(document, number + 1, dpi=DPI, longest=RECOGNIZED_EDGE)
            except UnreadableError:
                continue
            text = recognized(picture, recognition.language, recognition.program)
            if text and len(text) >= LEAST_OF_A_PAGE:
                found[number] = _BLANKS.sub("\n\n", text)
    return found


def _recognition_words(count: int) -> str:
    return phrase(
        "The text of {count:,} pages was recognized by Tesseract; it may have errors.",
        "The text of 1 page was recognized by Tesseract; it may have errors.",
        count=count,
    )


_BLANKS: Final = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts read. An image has `data` (base64) and its size in pixels; a document `text`, `sha256` and, if it is
    a scanned PDF, `data` (base64) and `pages`. `note`: one sentence where it is not whole or not sure.
    """

    media_type: str
    text: str = ""
    sha256: str = ""
    data: str = ""
    width: int = 0
    height: int = 0
    pages: int = 0
    note: str = ""


def facts_of_file(path: Path, password: str = "") -> FileFacts:
    """Return the contents of a file. `password`: of a PDF. Raises `UnreadableError`."""
    return facts_of(read_bytes(path), path.name, password)


def facts_of(data: bytes, name: str, password: str = "") -> FileFacts:
    """The facts of a file's bytes; the name tells only one kind of text from another. Raises `UnreadableError`."""
    if not data:
        raise UnreadableError(EMPTY)
    if len(data) > MOST_BYTES:
        raise UnreadableError(TOO_LARGE, size=megabytes(len(data)), most=MOST_BYTES // 2**20)
    if (kind := kind_of(data, name)) == "image":
        return facts_of_image(data)
    sha256 = hashlib.sha256(data).hexdigest()
    if kind == "pdf":
        return _pdf_facts(data, sha256, password)
    if (office := office_text(data, kind, ATTACHED)) is not None:
        return _document(MEDIA_TYPES[kind], office.text, sha256, pages=office.pages, note=office.note)
    text, note = decoded(data)
    return _document(text_type(name), text, sha256, note=note)


def facts_of_image(data: bytes) -> FileFacts:
    """The picture in some bytes. Raises `UnreadableError`."""
    image = read_image(data)
    return FileFacts(image.media_type, data=image.data, width=image.width, height=image.height, note=image.note)


def facts_of_text(text: str, name: str) -> FileFacts:
    """A text as a document. Raises `UnreadableError`."""
    return _document(text_type(name), text, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest())


def _pdf_facts(data: bytes, sha256: str, password: str) -> FileFacts:
    """The text of the pages, or the file where they are pictures; the text then says so, for who can't see them."""
    media_type, pages = MEDIA_TYPES["pdf"], read_pages(data, ATTACHED, password)
    if not pages.scanned:
        return _document(media_type, text_with_marks(pages), sha256, pages=pages.count, note=notes_of(pages))
    if password:  # the model would be sent pages that it can't open
        raise UnreadableError(PASSWORD)
    if len(data) > MOST_SCANNED_BYTES or pages.count > MOST_SCANNED_PAGES:
        one = pages.count == 1
        raise UnreadableError(
            SCANNED_PAGE_TOO_LARGE if one else SCAN_TOO_LARGE,
            **({} if one else {"pages": pages.count}),
            size=megabytes(len(data)),
            most_pages=MOST_SCANNED_PAGES,
            most=MOST_SCANNED_BYTES // 2**20,
        )
    stand_in = f"[A scan of {pages.count} page{'' if pages.count == 1 else 's'} without text]"
    note = phrase("It is a scan without text; a model that can look at pages is shown them.")
    encoded = base64.b64encode(data).decode()
    return _document(media_type, stand_in, sha256, data=encoded, pages=pages.count, note=note)


def _document(media_type: str, text: str, sha256: str, *, data: str = "", pages: int = 0, note: str = "") -> FileFacts:
    text = clean_text(text)
    if not text.strip():
        raise UnreadableError(EMPTY)
    if len(text) > MOST_CHARACTERS:
        text = cut_characters(text, MOST_CHARACTERS, TokenEstimator.seeded("unknown"))
        too_long = phrase("It is too long for any model, so its end is left out.")
        note = joined([note, too_long]) if note else too_long
    return FileFacts(media_type, text=text, sha256=sha256, data=data, pages=pages, note=note)

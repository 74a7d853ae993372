"""Extracts the text of a file with its structure, whatever kind it is; Rich Text, and pictures, by itself."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

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
    DAMAGED_IMAGE,
    EMPTY,
    IMAGE_TOO_HEAVY,
    LONGEST_EDGE,
    MOST_BYTES,
    MOST_CHARACTERS,
    MOST_IMAGE_BASE64,
    MOST_PIXELS,
    MOST_SCANNED_BYTES,
    MOST_SCANNED_PAGES,
    NO_TEXT,
    PASSWORD,
    PICTURE_WITHOUT_TEXT,
    RECOGNITION_LANGUAGE,
    SCAN_TOO_LARGE,
    SCAN_WITHOUT_TEXT,
    SCANNED_PAGE_TOO_LARGE,
    TOO_LARGE,
    TOO_MANY_PIXELS,
    ExtractedText,
    ReadingLimits,
    UnreadableError,
    megabytes,
    of_markdown,
    read_bytes,
)
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

if TYPE_CHECKING:
    from PIL.Image import Image


FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""The formats that are opened; Pillow's readers of rarer formats are not needed and little used."""

SMALLER: Final = 0.75
SMALLEST_EDGE: Final = 200
_ORIENTATION: Final = 0x0112
_TURNS: Final = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
"""The camera's values of how it was held, and the `Image.Transpose` that turns the picture upright."""

_PHOTOS: Final = ("JPEG", "MPO", "AVIF")


@dataclass(frozen=True, slots=True)
class ReadImage:
    """A picture as it is sent: base64 of the media type, size in pixels; `note` if it is one of several frames."""

    media_type: str
    data: str
    width: int
    height: int
    note: str = ""


def read_image(data: bytes) -> ReadImage:
    """The picture in the bytes of a file. Raises `UnreadableError` for what is damaged or too large."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        Image.init()
        able = tuple(form for form in FORMATS if form in Image.OPEN)
        # what Pillow only doubts is held to our own limit here
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data), formats=able) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise _too_large(opened.width * opened.height)
            source, frames = opened.format or "", getattr(opened, "n_frames", 1)
            opened.draft("RGB", (LONGEST_EDGE, LONGEST_EDGE))  # a JPEG is unpacked at half its size or less
            opened.load()
            turned = _TURNS.get(opened.getexif().get(_ORIENTATION, 1))
            picture = _in_colours(opened)
            picture.thumbnail((LONGEST_EDGE, LONGEST_EDGE), Image.Resampling.LANCZOS)
            picture = picture if turned is None else picture.transpose(Image.Transpose(turned))
    except UnreadableError:
        raise
    except (Image.DecompressionBombError, UnidentifiedImageError) as error:
        bomb = isinstance(error, Image.DecompressionBombError)
        raise (_too_large(2 * MOST_PIXELS) if bomb else UnreadableError(DAMAGED_IMAGE)) from None
    except MemoryError:
        raise
    except Exception as error:  # a damaged file breaks Pillow anywhere
        raise UnreadableError(DAMAGED_IMAGE) from error
    note = (
        phrase("It is the first of {frames:,} frames or pages; the others are left out.", frames=frames)
        if frames > 1
        else ""
    )
    return _encoded(picture, photo=source in _PHOTOS, note=note)


def as_png(data: bytes) -> bytes:
    """The picture in the bytes of a file, as PNG. Raises `UnreadableError`."""
    from PIL import Image

    read = base64.b64decode(read_image(data).data)
    with Image.open(io.BytesIO(read)) as opened:
        return _written(opened.convert("RGB"), "PNG", optimize=False)


def _too_large(pixels: int) -> UnreadableError:
    return UnreadableError(TOO_MANY_PIXELS, size=f"{pixels / 1_000_000:,.0f}", most=MOST_PIXELS // 1_000_000)


def _in_colours(image: Image) -> Image:
    """In grey or full colour with eight bits a channel, which every format here can hold."""
    if image.mode.startswith(("I", "F")):
        # 16 bits a pixel come down to 8; for more there is no such rule, so that darkest is black and brightest white
        deep = image.convert("F")
        low, high = (0.0, 65_535.0) if image.mode.startswith("I;16") else cast("tuple[float, float]", deep.getextrema())
        scale = 255.0 / (high - low) if high > low else 0.0
        offset = -low * scale
        return deep.point(lambda value: value * scale + offset).convert("L")
    if "transparency" in image.info or image.mode in ("LA", "La", "PA", "RGBa"):
        return image.convert("RGBA")
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def _encoded(picture: Image, *, photo: bool, note: str) -> ReadImage:
    """In a form without loss where that is small enough and the picture is no photo, else in ever fewer bytes."""
    from PIL import Image

    while True:
        for media_type, written in _forms(picture, photo=photo):
            if len(data := base64.b64encode(written).decode()) <= MOST_IMAGE_BASE64:
                return ReadImage(media_type, data, picture.width, picture.height, note)
        if max(picture.size) < SMALLEST_EDGE:
            raise UnreadableError(IMAGE_TOO_HEAVY)
        size = max(1, round(picture.width * SMALLER)), max(1, round(picture.height * SMALLER))
        picture = picture.resize(size, Image.Resampling.LANCZOS)


def _forms(picture: Image, *, photo: bool) -> Iterator[tuple[str, bytes]]:
    if not photo:
        yield "image/png", _written(picture, "PNG", optimize=False)
    if picture.mode == "RGBA":
        yield "image/webp", _written(picture, "WEBP", quality=90)
        return
    yield "image/jpeg", _written(picture, "JPEG", quality=90)
    yield "image/jpeg", _written(picture, "JPEG", quality=75)


def _written(picture: Image, form: str, **options: int | bool) -> bytes:
    """A new file, with nothing in it but the picture."""
    picture.info = {}
    target = io.BytesIO()
    picture.save(target, form, **options)
    return target.getvalue()


PROGRAM: Final = "tesseract"

PAGE_TIME_S: Final = 60.0
"""Seconds that one page may take; a dense page at 300 dpi takes about five."""

DPI: Final = 300
"""Dots per inch, as the program's makers ask for."""

RECOGNIZED_EDGE: Final = 5_000
"""Pixels of a page's longer side: A4 at 300 dpi has 3,508, a poster has more than memory."""

_LANGUAGES: Final = re.compile(r"[A-Za-z][\w/+-]{1,99}")
"""Names of the program's languages, several with `+`: deu+eng."""


def found() -> str | None:
    """Return the path of the program; None where it is not installed."""
    return shutil.which(PROGRAM)


def recognized(png: bytes, language: str, program: str) -> str | None:
    """The text in a picture; None where the program has failed, or took too long."""
    command = [program, "stdin", "stdout", "--dpi", str(DPI), "-l", _named(language)]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, input=png, capture_output=True, timeout=PAGE_TIME_S, check=True, env=environment)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").replace("\f", "").strip()


def _named(language: str) -> str:
    return language if _LANGUAGES.fullmatch(language) else RECOGNITION_LANGUAGE


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
    """A project document's text; `below` a folder no link is followed. `password`: of a PDF. `UnreadableError`."""
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
    """The text of a file of an office program, a book or mail; None for other kinds. Raises `UnreadableError`."""
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
    return replace(found, text=clean_text(found.text))  # tidy pages have no NUL, so nothing moves


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

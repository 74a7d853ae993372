"""`./dev bench reading`: what reading documents of projects takes, for many small files and for the largest there are.

Each file is made, read by the process that reads projects, and measured: seconds, the peak memory of that process, the
longest time that the event loop of the app stood still. `--quick` leaves out the largest, `--only WORD` all but some.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import io
import random
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_app.core.errors import UserError
from desktop_app.core.projects import DocumentText
from desktop_app.documents.document_reader import WorkerDocumentExtractor
from tests.documents.files import docx, paragraph, pdf, pdf_bomb, zipped
from tests.documents.office_files import epub, open_document, pptx, xlsx

FILES = 1_000
MOST_STALL_MS = 50.0
MOST_S = 60.0
"""Hard limits: of the event loop's longest stand, and of the many small files."""

WORDS = ("rope", "anchor", "hull", "price", "order", "delivery", "contract", "buyer", "line", "of", "the", "and")


@dataclass(slots=True)
class Measured:
    """What a reading took."""

    seconds: float = 0.0
    peak_mb: float = 0.0
    stall_ms: float = 0.0


def sentence(chance: random.Random) -> str:
    """Some words."""
    return " ".join(chance.choices(WORDS, k=12)).capitalize() + "."


def small_files(folder: Path) -> list[Path]:
    """Files of some kilobytes of every kind."""
    chance = random.Random(15)
    makers: tuple[tuple[str, Callable[[str], bytes]], ...] = (
        ("txt", str.encode),
        ("md", lambda text: f"# Part\n\n{text}".encode()),
        ("py", lambda text: f"def part():\n    return {text!r}\n".encode()),
        ("csv", lambda text: "".join(f"{word},{at}\n" for at, word in enumerate(text.split())).encode()),
        ("json", lambda text: ("{" + f'"text": "{text}"' + "}").encode()),
        ("html", lambda text: f"<h1>Part</h1><p>{text}</p>".encode()),
        ("pdf", lambda text: pdf(*[text[at : at + 90] for at in range(0, 900, 90)])),
        ("docx", lambda text: docx(paragraph(text) * 3)),
        ("xlsx", lambda text: xlsx(Words=[[word, at] for at, word in enumerate(text.split())])),
        ("pptx", lambda text: pptx(("Part", f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"))),
        ("odt", lambda text: open_document("text", f"<text:p>{text}</text:p>")),
        ("rtf", lambda text: b"{\\rtf1\\ansi " + text.encode() + b"}"),
        ("epub", lambda text: epub(f"<p>{text}</p>", f"<p>{text}</p>")),
        ("eml", lambda text: f"From: a@x.org\nMessage-ID: <1>\nSubject: Part\n\n{text}".encode()),
    )
    paths = []
    for number in range(FILES):
        ending, make = makers[number % len(makers)]
        text = " ".join(sentence(chance) for _ in range(30))
        paths.append(folder / f"{number}.{ending}")
        paths[-1].write_bytes(make(text))
    return paths


def long_text(folder: Path) -> Path:
    """200 MB of prose."""
    chance = random.Random(1)
    paragraphs = ["\n".join(sentence(chance) for _ in range(6)) + "\n\n" for _ in range(500)]
    path, size = folder / "long.txt", 0
    with path.open("w", encoding="utf-8") as file:
        while size < 199 * 2**20:
            size += file.write(chance.choice(paragraphs))
    return path


def long_pdf(folder: Path) -> Path:
    """10,000 pages of forty lines."""
    chance = random.Random(2)
    sheets = ["\n".join(sentence(chance) for _ in range(40)) for _ in range(50)]
    path = folder / "long.pdf"
    path.write_bytes(pdf(*(f"Page {number}\n{sheets[number % 50]}" for number in range(10_000))))
    return path


def _rows() -> Iterator[list[str]]:
    chance = random.Random(3)
    yield ["Number", "Name", "Kind", "Amount", "Price", "Date"]
    for number in range(1_000_000):
        name, kind = chance.choice(WORDS), chance.choice(WORDS)
        yield [str(number), f"{name} {number % 977}", kind, str(number % 512), f"{number % 10_000 / 100}", "2026-05-01"]


def long_csv(folder: Path) -> Path:
    """A table of 1,000,000 rows."""
    path = folder / "long.csv"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(",".join(row) + "\n" for row in _rows())
    return path


def long_workbook(folder: Path) -> Path:
    """The same as a workbook."""
    empty = xlsx(Table=[])
    path = folder / "long.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with zipfile.ZipFile(io.BytesIO(empty)) as before:
            for name in before.namelist():
                if "sheet1" not in name:
                    archive.writestr(name, before.read(name))
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            head = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
            sheet.write(head.encode())
            for row in _rows():
                cells = "".join(f'<c t="inlineStr"><is><t>{value}</t></is></c>' for value in row[1:3])
                numbers = "".join(f"<c><v>{value}</v></c>" for value in (row[0], *row[3:5]) if value.isascii())
                sheet.write(f"<row>{cells}{numbers if row[0].isdigit() else ''}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")
    return path


def zip_bomb(folder: Path) -> Path:
    """A document that unpacks to 3 GB."""
    path = folder / "bomb.docx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as entry,
    ):
        entry.write(b"<a>")
        piece = b" " * 2**20
        for _ in range(3_000):
            entry.write(piece)
    return path


def pdf_of_a_bomb(folder: Path) -> Path:
    """A page that unpacks to a gigabyte."""
    path = folder / "bomb.pdf"
    path.write_bytes(pdf_bomb(1_000_000_000))
    return path


def laughs(folder: Path) -> Path:
    """Entities that would be a billion words."""
    named = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))
    path = folder / "laughs.odt"
    content = f'<!DOCTYPE x [<!ENTITY a0 "ha">{named}]><x>&a9;</x>'
    path.write_bytes(zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}))
    return path


def sparse_sheet(folder: Path) -> Path:
    """A sheet with two cells at its far corners."""
    path = folder / "sparse.xlsx"
    data = xlsx(A=[])
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    with zipfile.ZipFile(io.BytesIO(data)) as before:
        entries = {name: before.read(name) for name in before.namelist()}
    entries["xl/worksheets/sheet1.xml"] = entries["xl/worksheets/sheet1.xml"].replace(
        b"<sheetData>", f"<sheetData>{cells}".encode()
    )
    path.write_bytes(zipped(entries))
    return path


BIG: dict[str, Callable[[Path], Path]] = {
    "200 MB of text": long_text,
    "10,000 pages": long_pdf,
    "1,000,000 rows (csv)": long_csv,
    "1,000,000 rows (xlsx)": long_workbook,
}
HOSTILE: dict[str, Callable[[Path], Path]] = {
    "zip bomb": zip_bomb,
    "PDF bomb": pdf_of_a_bomb,
    "billion laughs": laughs,
    "sparse sheet": sparse_sheet,
}


async def watched(reading: Callable[[], object], measured: Measured) -> object:
    """Runs a reading; beside it looks how long the loop stands still, and at the memory of the processes."""
    done = asyncio.Event()

    async def look() -> None:
        last = time.perf_counter()
        while not done.is_set():
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            measured.stall_ms = max(measured.stall_ms, (now - last - 0.005) * 1_000)
            last = now

    def weighed() -> None:
        with suppress(psutil.Error):
            resident = [child.memory_info().rss for child in psutil.Process().children(recursive=True)]
            measured.peak_mb = max([measured.peak_mb, *(size / 2**20 for size in resident)])

    async def weigh() -> None:
        while not done.is_set():
            await asyncio.to_thread(weighed)  # looking through all processes takes 30 ms itself
            await asyncio.sleep(0.25)

    looking = [asyncio.create_task(look()), asyncio.create_task(weigh())]
    started = time.perf_counter()
    try:
        made = reading()
        assert asyncio.iscoroutine(made)
        return await made
    finally:
        measured.seconds = time.perf_counter() - started
        done.set()
        await asyncio.gather(*looking)


async def one(extractor: WorkerDocumentExtractor, path: Path) -> DocumentText | str:
    """The text of a file, or why there is none."""
    try:
        return await extractor.extract(path)
    except UserError as error:
        return str(error.failure.message)


async def many(extractor: WorkerDocumentExtractor, paths: list[Path]) -> int:
    """Reads files one after the other; how many failed."""
    return sum([isinstance(await one(extractor, path), str) for path in paths])


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    status = 0
    gc.disable()  # as in the window, which collects when nobody waits for it
    with tempfile.TemporaryDirectory(prefix="plimsoll-reading-") as name:
        folder = Path(name)
        if asked.only in "small files":
            status = await _small(folder)
        cases = {**({} if asked.quick else BIG), **HOSTILE}
        for words, make in cases.items():
            if asked.only in words:
                path = await asyncio.to_thread(make, folder)
                await _big(words, path)
                path.unlink()
    return status


async def _small(folder: Path) -> int:
    paths = small_files(folder)
    extractor = WorkerDocumentExtractor()
    measured = Measured()
    failed = await watched(lambda: many(extractor, paths), measured)
    await extractor.close()
    print(
        f"{FILES:,} small files of 14 kinds: {measured.seconds:.1f} s (limit {MOST_S:.0f}), {failed} failed, peak "
        f"{measured.peak_mb:.0f} MB, longest stall {measured.stall_ms:.0f} ms (limit {MOST_STALL_MS:.0f})",
        flush=True,
    )
    return int(measured.seconds > MOST_S or measured.stall_ms > MOST_STALL_MS or bool(failed))


async def _big(words: str, path: Path) -> None:
    extractor = WorkerDocumentExtractor()
    measured = Measured()
    found = await watched(lambda: one(extractor, path), measured)
    size = path.stat().st_size / 2**20
    if isinstance(found, DocumentText):
        told = f"{len(found.text):,} characters, {len(found.passages):,} passages"
        told += f", {found.note}" if found.note else ""
    else:
        told = str(found)
    print(
        f"{words} ({size:,.1f} MB): {measured.seconds:.1f} s, peak {measured.peak_mb:,.0f} MB, longest stall "
        f"{measured.stall_ms:.0f} ms: {told}",
        flush=True,
    )
    if path.suffix == ".pdf" and isinstance(found, DocumentText):
        started = time.perf_counter()
        await extractor.page_image(path, found.pages // 2, 1_200)
        print(f"  a page of it as a picture of 1,200 pixels: {time.perf_counter() - started:.2f} s", flush=True)
    await extractor.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

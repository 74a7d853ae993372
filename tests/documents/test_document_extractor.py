"""Documents of projects through the process that reads them: texts, pages, limits, cancelling, nothing left running."""

from __future__ import annotations

import asyncio
import hashlib
import io
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from desktop_app.controller.ports import DocumentExtractor
from desktop_app.core.errors import UserError
from desktop_app.documents import project_worker
from desktop_app.documents.document_reader import WorkerDocumentExtractor
from desktop_app.documents.project_worker import Pieces, ProjectWorker, joined_text, passages_of
from tests.documents.files import PIXEL, pdf, pdf_bomb
from tests.documents.test_document_reader import ENDLESS, readers_running
from tests.patience import PATIENCE_S, until

SENTENCE = "Plimsoll's line shows how deep a ship may be loaded."


@pytest.fixture
async def extractor() -> AsyncIterator[WorkerDocumentExtractor]:
    made = WorkerDocumentExtractor()
    yield made
    await made.close()
    assert not readers_running()


async def refusal(extractor: DocumentExtractor, path: Path) -> str:
    with pytest.raises(UserError) as refused:
        await extractor.extract(path)
    assert refused.value.failure.code == "usage"
    return refused.value.failure.message


async def test_a_document_is_its_text_with_passages(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# Line\n\n{SENTENCE}\n")

    text = await extractor.extract(path)

    assert text.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert text.text == path.read_text()
    (passage,) = text.passages
    assert (passage.number, passage.heading) == (1, "Line")
    assert text.text[passage.start : passage.end].endswith(SENTENCE)


@pytest.mark.parametrize(("chosen", "used"), [("deu+eng", "deu+eng"), (None, "eng")])
async def test_scans_are_read_in_the_languages_that_were_chosen(
    chosen: str | None, used: str, tmp_path: Path, tesseract: str
) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf("", scanned=True))
    extractor = WorkerDocumentExtractor(language=lambda: chosen)

    text = await extractor.extract(tmp_path / "scan.pdf")

    assert tesseract
    assert text.text.strip() == f"Recognized words of a page in {used}"
    await extractor.close()


async def test_a_long_text_comes_whole_in_pieces(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    lines = [f"Line {number}: Größe {number * 7}. {SENTENCE}" for number in range(6_000)]
    (tmp_path / "long.txt").write_text("\n\n".join(lines))

    text = await extractor.extract(tmp_path / "long.txt")

    assert text.text == "\n\n".join(lines)
    assert [one.number for one in text.passages] == list(range(1, len(text.passages) + 1))
    assert text.passages[-1].end == len(text.text)


@pytest.mark.parametrize("size", [1, 7, 100, 10**6])
def test_whatever_the_size_of_pieces_they_make_the_text(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("# One\nx\n\n" + "\n\n" * 40 + "# Two\n" + SENTENCE * 200)
    order = {"name": "a.md", "path": str(tmp_path / "a.md"), "language": "eng", "read": "document"}
    answer = ProjectWorker().answer(order)
    text = joined_text(answer, answer["text"], passages_of(answer))
    monkeypatch.setattr(project_worker, "PIECE", size)

    pieces = Pieces(text)
    told = [pieces.piece(number) for number in range(pieces.count)]

    assert "".join(piece["text"] for piece in told) == text.text
    assert [one for piece in told for one in passages_of(piece)] == list(text.passages)


async def test_what_is_not_read_is_named(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "scan.pdf").write_bytes(pdf("", scanned=True))

    assert "“empty.txt” is empty" in await refusal(extractor, tmp_path / "empty.txt")
    assert "There is no file “gone.txt”" in await refusal(extractor, tmp_path / "gone.txt")
    if not recognition_is_there():
        assert "is a scan without text" in await refusal(extractor, tmp_path / "scan.pdf")


def recognition_is_there() -> bool:
    from desktop_app.documents.text_extraction import found

    return found() is not None


async def test_a_reading_that_is_cancelled_ends_its_process(tmp_path: Path) -> None:
    extractor = WorkerDocumentExtractor(command=ENDLESS)
    (tmp_path / "a.txt").write_text("x")
    reading = asyncio.ensure_future(extractor.extract(tmp_path / "a.txt"))
    await until(readers_running, "the process that reads")
    (running,) = readers_running()

    reading.cancel()
    await asyncio.wait({reading})

    assert reading.cancelled()
    await asyncio.to_thread(running.wait, PATIENCE_S)
    await extractor.close()


async def test_many_at_a_time_wait_for_each_other(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(20)]
    for path in paths:
        path.write_text(f"{path.name} {SENTENCE * 4_000}")

    texts = await asyncio.gather(*map(extractor.extract, paths))

    assert [text.text.partition(" ")[0] for text in texts] == [path.name for path in paths]
    assert len(readers_running()) == 1


async def test_pages_are_shown_as_pictures_of_the_width_asked_for(
    extractor: WorkerDocumentExtractor, tmp_path: Path
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(SENTENCE, "Second page."))

    picture = Image.open(io.BytesIO(await extractor.page_image(path, 2, 300)))

    assert (picture.format, picture.width) == ("PNG", 300)
    assert picture.height == pytest.approx(424, abs=2)
    assert len(picture.convert("L").getcolors() or []) > 2  # there is something on it
    assert await extractor.page_sizes(path) == [(595, 842), (595, 842)]
    with pytest.raises(UserError, match="has 2 pages, so page 3 can't be shown"):
        await extractor.page_image(path, 3, 300)


async def test_the_place_of_a_text_on_its_page_is_found(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(f"First line.\n{SENTENCE}\nLast line."))
    before = len("Firstline.")

    (box,) = await extractor.text_boxes(path, 1, before, before + len(SENTENCE.replace(" ", "")))

    left, top, right, bottom = box
    assert left == pytest.approx(50 / 595, abs=0.01)
    assert 0.4 < right < 0.7
    assert top < 1 - (700 - 14) / 842 < bottom + 0.005
    assert await extractor.text_boxes(path, 1, 900, 950) == []


async def test_what_is_no_pdf_has_no_pages(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PIXEL)

    with pytest.raises(UserError, match=r"“a\.png” is damaged or not what its name says"):
        await extractor.page_image(tmp_path / "a.png", 1, 300)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
async def test_the_process_is_held_to_its_memory(extractor: WorkerDocumentExtractor, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    await extractor.extract(tmp_path / "a.txt")
    (running,) = readers_running()

    if sys.platform == "linux":
        assert running.rlimit(psutil.RLIMIT_AS)[0] < 2**32
        assert running.rlimit(psutil.RLIMIT_FSIZE)[0] == 0
    assert not [name for name in running.environ() if name.endswith(("_KEY", "_TOKEN"))]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
async def test_a_page_that_unpacks_without_end_ends_nothing_but_its_reading(
    extractor: WorkerDocumentExtractor, tmp_path: Path
) -> None:
    (tmp_path / "bomb.pdf").write_bytes(pdf_bomb(1_000_000_000))
    (tmp_path / "a.txt").write_text(SENTENCE)

    assert "“bomb.pdf” takes too much" in await refusal(extractor, tmp_path / "bomb.pdf")
    assert (await extractor.extract(tmp_path / "a.txt")).text == SENTENCE

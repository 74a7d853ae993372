"""Threads are exported one, several or all, into one file or a folder, each file whole or as it was."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from desktop_app.composition import PDF_WORKER
from desktop_app.controller import thread_export as module
from desktop_app.controller.export_files import PdfPrinting
from desktop_app.controller.formats import ENDINGS, EXPORT_FORMATS, ExportFormat
from desktop_app.controller.formats.exported_thread import ExportContents, ExportedThread
from desktop_app.controller.thread_export import ThreadExport
from desktop_app.core.artifacts import Artifact, ArtifactVersion
from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import TextPart, ToolCallPart, ToolResultPart
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.own_processes import PRINT_PDF, own_command
from tests.builders.exported_threads import everything, hostile, talk
from tests.controller.exporting import thread_export


@pytest.fixture
async def history(tmp_path: Path) -> AsyncIterator[SqliteHistory]:
    history = await SqliteHistory.open(tmp_path / "data" / "history.db")
    yield history
    await history.close()


@pytest.fixture
async def printing() -> AsyncIterator[PdfPrinting]:
    printing = PdfPrinting(own_command(PRINT_PDF, PDF_WORKER))
    yield printing
    await printing.close()


@pytest.fixture
def export(history: SqliteHistory, printing: PdfPrinting) -> ThreadExport:
    return thread_export(history, printing)


async def kept(history: SqliteHistory, *threads: ExportedThread) -> None:
    placed = [ImportedThread(one.thread.id, replace(one.thread, project=None), tuple(one.messages)) for one in threads]
    await history.import_threads(placed)


async def one_and_another(history: SqliteHistory) -> Sequence[str]:
    await kept(history, everything("First", "aaaaaaaaa1"), everything("Second", "aaaaaaaaa2"))
    return "aaaaaaaaa1", "aaaaaaaaa2"


def text_of(pdf: Path) -> str:
    """The text that can be selected, as poppler reads it."""
    done = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True)
    return done.stdout


def titles_in(file: Path) -> list[str]:
    """Which of both threads a file holds."""
    text = text_of(file) if file.suffix == ".pdf" else file.read_text("utf-8")
    return [title for title in ("First", "Second") if re.search(rf"(?m){title}", text)]


@pytest.mark.parametrize("kind", EXPORT_FORMATS)
async def test_a_folder_gets_a_file_for_each_thread(
    kind: ExportFormat, history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    await one_and_another(history)
    folder = tmp_path / "out"
    folder.mkdir()
    files = await export.export(None, kind, folder)
    assert [titles_in(file) for file in files] == [["First"], ["Second"]]
    assert sorted(folder.iterdir()) == sorted(files)
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


@pytest.mark.parametrize("kind", EXPORT_FORMATS)
async def test_several_go_into_one_file_by_its_ending(
    kind: ExportFormat, history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    ids = await one_and_another(history)
    output = tmp_path / f"both{ENDINGS[kind]}"
    (file,) = await export.export(ids[::-1], kind, output)
    assert file == output
    assert titles_in(file) == ["First", "Second"]


async def test_a_new_path_without_the_ending_is_a_folder_but_for_json(
    history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    ids = await one_and_another(history)
    files = await export.export(ids, "html", tmp_path / "pages")
    assert [file.parent for file in files] == [tmp_path / "pages"] * 2
    (single,) = await export.export(ids[:1], "html", tmp_path / "page")
    assert single == tmp_path / "page"
    assert (await export.export(ids, "json", tmp_path / "whole")) == [tmp_path / "whole"]


async def test_where_there_is_nothing_to_read_it_says_so(export: ThreadExport, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no threads to export"):
        await export.export(None, "html", tmp_path / "all.html")
    (whole,) = await export.export(None, "json", tmp_path / "all.json")
    assert json.loads(whole.read_text())["threads"] == []


async def test_a_pdf_has_text_links_an_outline_and_page_numbers(
    history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    await kept(history, everything())
    (file,) = await export.export(None, "pdf", tmp_path / "all.pdf", ExportContents(attached=True))
    text = text_of(file)
    for words in (
        *("How it works", "How deep?", "def greet(name: str) -> None:", "2026-03-01 10:00 UTC", "12.50", "A chart"),
        *("nested", "☑", "Thinking", "Let me think.", "text of the report", "The end.", "three results"),
    ):
        assert words in text
    reader = PdfReader(file)
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots") or ()]
    assert "https://example.org/a" in {link["/A"]["/URI"] for link in links}
    assert outline(reader) == [
        *("How it works", " You: How deep? indented let a = 1;", " Claude Sonnet 4.5", "  Depths"),
    ]
    assert reader.metadata is not None
    assert reader.metadata.title == "How it works"
    assert "\t" not in "".join(page.extract_text() for page in reader.pages)
    last = reader.pages[-1].extract_text().strip().splitlines()
    assert str(len(reader.pages)) in last
    assert sum(len(page.images) for page in reader.pages) == 1


def outline(reader: PdfReader) -> list[str]:
    """Its entries in order, with a space for each level."""
    found: list[str] = []

    def read(entries: list[object], depth: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                read(entry, depth + 1)
            else:
                found.append(" " * depth + str(getattr(entry, "title", "")))

    read(list(reader.outline), 0)
    return found


async def with_artifacts(history: SqliteHistory) -> ExportedThread:
    """A tool first, then an answer that was kept and changed, and one that was kept as it is."""
    one = talk(
        ("user", (TextPart("What of the crane?"),)),
        ("assistant", (ToolCallPart("c", "search_documents", {"query": "crane"}),)),
        ("user", (ToolResultPart("c", "[2be1d87620-1] raw words of the file", extra={"passages": 1}),)),
        ("assistant", (TextPart("Seven nights, says the answer."),)),
        ("user", (TextPart("And as a program?"),)),
        ("assistant", (TextPart("One more answer."),)),
        title="Harbour",
    )
    await kept(history, one)
    versions = {
        "Rules": ("Seven nights, says the answer.", "Eight nights.\n\n- Approved by *the chair*"),
        "Short": ("One more answer.",),
        "Program": ("x = 1  # kept\n",),
    }
    for title, texts in versions.items():
        language = "python" if title == "Program" else ""
        for number, text in enumerate(texts, 1):
            artifact = Artifact(
                title, one.thread.id, title, "code" if language else "markdown", language, versions=number
            )
            version = ArtifactVersion(title, number, text, "user", "2026-03-01T12:00:00.000Z")
            await history.artifacts.add_version(artifact, version)
    return one


@pytest.mark.parametrize("kind", ["markdown", "html", "pdf"])
async def test_the_newest_version_of_each_artifact_stands_below(
    kind: ExportFormat, history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    await with_artifacts(history)
    (file,) = await export.export(None, kind, tmp_path / f"all{ENDINGS[kind]}")
    text = text_of(file) if kind == "pdf" else file.read_text("utf-8")
    text = text.replace("<span", "").replace("&nbsp;", " ")
    assert text.count("Seven nights, says the answer.") == 1
    assert text.index("One more answer.") < text.index("Artifact: Rules") < text.index("Eight nights.")
    assert "Approved by" in text
    assert "version 2" in text
    assert text.count("One more answer.") == 1
    assert "version 1, as it stands above" in text
    assert text.index("Artifact: Program") < text.rindex("kept")


@pytest.mark.parametrize("kind", ["markdown", "html", "pdf"])
async def test_a_tool_is_a_short_note_unless_more_is_asked_for(
    kind: ExportFormat, history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    await with_artifacts(history)
    output = tmp_path / f"all{ENDINGS[kind]}"

    async def written(contents: ExportContents | None = None) -> str:
        (file,) = await export.export(None, kind, output, contents)
        return text_of(file) if kind == "pdf" else file.read_text("utf-8")

    text = await written()
    assert ("raw words of the file" in text) == (kind == "html"), "a page folds it"
    assert "Searched documents" in text
    assert "raw words of the file" in await written(ExportContents(details=True))
    assert ("messages: 4" if kind == "markdown" else "4 messages") in text, "a tool's call and result are no messages"


async def test_a_hostile_thread_is_printed_as_text(
    history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    await kept(history, hostile())
    (file,) = await export.export(None, "pdf", tmp_path / "all.pdf")
    assert "<script>alert(1)</script>" in text_of(file)
    assert "passwd" in text_of(file)


async def test_what_is_copied_is_what_was_written(history: SqliteHistory, export: ThreadExport, tmp_path: Path) -> None:
    """Fonts draw some signs alike; the first of them is another one."""
    words = "日本語 一月 子 العربية 2026-03-01 -> fi"
    await kept(history, talk(("user", (TextPart(words),))))
    (file,) = await export.export(None, "pdf", tmp_path / "all.pdf")
    text = PdfReader(file).pages[0].extract_text()
    assert {*words} - {*text} == set()
    assert not {*text} & {*"\t⽇⽉⼀⼦"}


async def test_an_address_can_not_break_the_file(
    history: SqliteHistory, export: ThreadExport, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Qt writes an address between brackets as it is: `)` ended it, and what came next was read as objects."""
    text = "https://example.org/a)/S/JavaScript/JS(x) and [b](<https://example.org/b(c>) and https://example.org/d_(e)"
    await kept(history, talk(("assistant", (TextPart(text),))))
    (file,) = await export.export(None, "pdf", tmp_path / "all.pdf")
    notes = [note.get_object() for page in PdfReader(file, strict=True).pages for note in page.get("/Annots") or ()]
    assert {note["/A"]["/URI"] for note in notes} == {
        "https://example.org/a%29/S/JavaScript/JS%28x",
        "https://example.org/b%28c",
        "https://example.org/d_%28e%29",
    }
    assert {note["/A"]["/S"] for note in notes} == {"/URI"}
    assert not caplog.records


@pytest.mark.slow
async def test_long_threads_are_laid_out_a_part_at_a_time(
    history: SqliteHistory, export: ThreadExport, tmp_path: Path
) -> None:
    """No page is lost or doubled where one part ends and the next begins, and no more is held than a part."""
    turns = [("user", (TextPart(f"question {number:04}"),)) for number in range(0, 1000, 2)]
    both = [
        turn
        for number, question in enumerate(turns)
        for turn in (question, ("assistant", (TextPart(f"answer {number:04}\n\n" + "more words here " * 80),)))
    ]
    await kept(history, talk(*both))  # type: ignore[arg-type]
    (file,) = await export.export(None, "pdf", tmp_path / "all.pdf")
    text = text_of(file)
    assert re.findall(r"answer (\d{4})", text) == [f"{number:04}" for number in range(500)]
    assert text.count("more words here") >= 500 * 70
    reader = PdfReader(file)
    assert len(outline(reader)) == 1001
    numbers = [page.extract_text().strip().splitlines() for page in reader.pages]
    assert all(str(at) in lines for at, lines in enumerate(numbers, 1))


@pytest.mark.parametrize("kind", EXPORT_FORMATS)
async def test_canceled_it_leaves_what_was_there(
    kind: ExportFormat,
    history: SqliteHistory,
    export: ThreadExport,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await one_and_another(history)
    monkeypatch.setattr(module, "STEP_S", 0)  # each piece is a step
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "temporary").mkdir()
    output = tmp_path / "out" / f"all{ENDINGS[kind]}"
    output.parent.mkdir()
    output.write_text("old")
    running: asyncio.Task[Sequence[Path]] | None = None

    def progress(done: int, total: int) -> None:
        if done == 1:
            asyncio.get_running_loop().call_soon(running.cancel)  # type: ignore[union-attr]

    running = asyncio.ensure_future(export.export(None, kind, output, progress=progress))
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [path.name for path in output.parent.iterdir()] == [output.name]
    assert output.read_text() == "old"
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("kind", EXPORT_FORMATS)
async def test_texts_are_written_beside_the_event_loop(
    kind: ExportFormat,
    history: SqliteHistory,
    export: ThreadExport,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await one_and_another(history)
    threads: set[int] = set()
    step = module._step

    def watched(pieces: Iterator[None]) -> bool:
        threads.add(threading.get_ident())
        return step(pieces)

    monkeypatch.setattr(module, "_step", watched)
    await export.export(None, kind, tmp_path / f"all{ENDINGS[kind]}")
    assert threads
    assert threading.get_ident() not in threads


async def test_a_pdf_that_can_not_be_laid_out_is_said_and_nothing_is_written(
    history: SqliteHistory, tmp_path: Path
) -> None:
    await kept(history, everything())
    printing = PdfPrinting(["/bin/false"])
    try:
        with pytest.raises(UserError, match="Export it as HTML"):
            await thread_export(history, printing).export(None, "pdf", tmp_path / "out" / "all.pdf")
    finally:
        await printing.close()
    assert list((tmp_path / "out").iterdir()) == []

"""An export into a folder leaves every file that is there as it was, whatever titles and names are alike."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from desktop_app.composition import FORMULA_WORKER, PDF_WORKER
from desktop_app.controller.export_files import ArtifactExport, PdfPrinting
from desktop_app.controller.formats import ARTIFACT_FORMATS, EXPORT_FORMATS, ArtifactFormat
from desktop_app.core.artifacts import Artifact
from desktop_app.core.history_records import ImportedThread
from desktop_app.documents.file_opening import ATTACHED
from desktop_app.documents.zipped_documents import docx_text
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.system.own_processes import PRINT_PDF, TYPESET_FORMULAS, own_command
from tests.builders.exported_threads import talk
from tests.controller.exporting import thread_export

PRINTED: tuple[ArtifactFormat, ...] = ("pdf", "docx")
"""Written the same way as the others, but slow to lay out."""

TITLES = st.lists(
    st.sampled_from(("main", "Main", "main 2", "../main", "", "a.b", ".py")) | st.text(max_size=8), max_size=3
)
KINDS = st.sampled_from(("code", "markdown", "html", "text"))
MINE = b"what the user wrote"


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TITLES.filter(bool), KINDS, st.sampled_from([one for one in ARTIFACT_FORMATS if one not in PRINTED]))
@example(["main"], "code", "file")
async def test_artifacts(tmp_path: Path, titles: list[str], kind: str, form: str) -> None:
    export = ArtifactExport(
        PdfPrinting(own_command(PRINT_PDF, PDF_WORKER)), own_command(TYPESET_FORMULAS, FORMULA_WORKER)
    )

    async def exported(folder: Path) -> list[Path]:
        made = [Artifact(f"a{n}", "t", title, kind, "python") for n, title in enumerate(titles)]  # type: ignore[arg-type]
        return [await export.write(one, f"text of {n}", form, folder) for n, one in enumerate(made)]  # type: ignore[arg-type]

    await unchanged_beside(Path(tempfile.mkdtemp(dir=tmp_path)), exported)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TITLES.filter(bool), st.sampled_from([one for one in EXPORT_FORMATS if one not in PRINTED]))
@example(["Report"], "markdown")
async def test_threads(tmp_path: Path, titles: list[str], kind: str) -> None:
    home = Path(tempfile.mkdtemp(dir=tmp_path))
    history = await SqliteHistory.open(home / "data" / "history.db")
    try:
        threads = [replace(talk(("user", ()), title=title).thread, id=f"2024{n}") for n, title in enumerate(titles)]
        await history.import_threads([ImportedThread(one.id, one, ()) for one in threads])
        export = thread_export(history, PdfPrinting(own_command(PRINT_PDF, PDF_WORKER)))

        async def exported(folder: Path) -> Sequence[Path]:
            return await export.export(None, kind, folder)  # type: ignore[arg-type]

        await unchanged_beside(home / "out", exported)
    finally:
        await history.close()


async def unchanged_beside(empty: Path, exported) -> None:  # type: ignore[no-untyped-def]
    empty.mkdir(exist_ok=True)
    first = await exported(empty)
    assert len({*first}) == len(first)  # nor do they replace one another
    folder = Path(tempfile.mkdtemp(dir=empty.parent))
    for path in first:
        (folder / path.name).write_bytes(MINE)
    before = contents(folder)
    written = await exported(folder)
    after = contents(folder)
    assert {name: after[name] for name in before} == before
    assert sorted(after[path.name] for path in written) == sorted(contents(empty).values())
    assert len(after) == len(before) + len(written)
    await exported(folder)
    assert contents(folder) == after  # what is there already is not written again


@pytest.mark.parametrize("form", PRINTED)
async def test_documents_and_pages(tmp_path: Path, form: ArtifactFormat) -> None:
    printing = PdfPrinting(own_command(PRINT_PDF, PDF_WORKER))
    mine = tmp_path / f"main.{form}"
    mine.write_bytes(MINE)
    try:
        written = await ArtifactExport(printing, own_command(TYPESET_FORMULAS, FORMULA_WORKER)).write(
            Artifact("a", "t", "main"), "# Hello", form, tmp_path
        )
    finally:
        await printing.close()
    assert mine.read_bytes() == MINE
    assert written.name == f"main 2.{form}"


@pytest.mark.parametrize("form", PRINTED)
async def test_a_page_is_laid_out_as_it_reads(tmp_path: Path, form: ArtifactFormat) -> None:
    page = "<title>Harbour</title><style>p{}</style><p>Three <b>moorings</b></p><ul><li>free</li></ul>"
    printing = PdfPrinting(own_command(PRINT_PDF, PDF_WORKER))
    try:
        written = await ArtifactExport(printing, own_command(TYPESET_FORMULAS, FORMULA_WORKER)).write(
            Artifact("a", "t", "main", "html"), page, form, tmp_path
        )
    finally:
        await printing.close()
    text = PdfReader(written).pages[0].extract_text() if form == "pdf" else docx_text(written.read_bytes(), ATTACHED)
    assert "Three moorings" in " ".join(text.replace("**", "").split())
    assert "<" not in text

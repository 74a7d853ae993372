"""`artifact list|show|export` over a data folder."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desktop_app.composition import compose
from desktop_app.core.messages import TextPart
from desktop_app.documents.file_opening import PROJECT
from desktop_app.documents.zipped_documents import docx_text
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here

BRD = "# Order BRD\n\n| field | type |\n|---|---|\n| price | cents |\n\n<script>alert(1)</script> ![x](http://127.0.0.1:9/a)\n"


@pytest.fixture
def kept(plimsoll: Plimsoll) -> tuple[str, str, str]:
    """A thread with a document of two versions and a piece of code: the ids of the three."""

    async def make() -> tuple[str, str, str]:
        services = await compose(plimsoll.folder, environ={})
        try:
            thread = await services.chat.new_thread(backend="scripted", title="Orders")
            await services.chat.send(thread.id, (TextPart("Hello"),))
            document = await services.artifacts.create(thread.id, "Order BRD", "first\n")
            await services.artifacts.update(document.id, BRD)
            code = await services.artifacts.create(thread.id, "a/b: c?", "print(1)\n", kind="code", language="python")
            return thread.id, document.id, code.id
        finally:
            await services.close()

    return asyncio.run(make())


def test_artifacts_are_listed_last_updated_first(here: Here, kept: tuple[str, str, str]) -> None:
    thread, document, code = kept
    listed = here("artifact", "list", "--json").json
    assert [one["id"] for one in listed] == [code, document]
    assert set(listed[0]) == {"id", "thread", "title", "kind", "versions", "updated"}
    assert (listed[1]["title"], listed[1]["versions"], listed[1]["kind"]) == ("Order BRD", 2, "markdown")
    assert [one["id"] for one in here("artifact", "list", "--thread", thread[:8], "--json").json] == [document, code]
    assert here("artifact", "list").out.splitlines()[1].endswith("Order BRD")


def test_without_artifacts_the_list_is_empty(here: Here) -> None:
    assert here("artifact", "list", "--json").json == []
    assert here("artifact", "list").err == "There are no artifacts yet.\n"


def test_a_version_is_printed(here: Here, kept: tuple[str, str, str]) -> None:
    _, document, code = kept
    assert here("artifact", "show", document).out == BRD
    assert here("artifact", "show", document, "--version", "1").out == "first\n"
    shown = here("artifact", "show", code[:8], "--json").json
    assert (shown["text"], shown["language"], shown["version"], shown["author"]) == ("print(1)\n", "python", 1, "user")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("show", "nothing"), 2, "no artifact"),
        (("show", "{document}", "--version", "9"), 2, "has no version 9; the newest is 2"),
        (("list", "--thread", "nothing"), 2, "nothing"),
        (("export", "{document}", "--format", "docs", "--output", "x"), 2, "--format"),
        ((), 2, "artifact"),
    ],
)
def test_what_is_wrong_is_told(
    here: Here, kept: tuple[str, str, str], words: tuple[str, ...], status: int, told: str
) -> None:
    ended = here("artifact", *(word.format(document=kept[1]) for word in words))
    assert ended.status == status
    assert told.lower() in ended.err.lower()
    assert ended.out == ""


def test_a_document_is_exported(here: Here, kept: tuple[str, str, str], tmp_path: Path) -> None:
    _, document, code = kept
    assert here("artifact", "export", document, "--format", "markdown", "--output", str(tmp_path / "a.md")).status == 0
    assert (tmp_path / "a.md").read_text() == BRD
    ended = here("artifact", "export", document, "--format", "html", "--output", str(tmp_path))
    page = Path(ended.out.strip())
    assert page.name == "Order BRD.html"
    text = page.read_text()
    assert ">cents</td>" in text
    assert "<script>" not in text
    assert "<img" not in text
    assert text.index("Content-Security-Policy") < text.index("<title>")
    named = here("artifact", "export", code, "--format", "file", "--output", str(tmp_path)).out.strip()
    assert Path(named).name == "a b c.py"
    assert Path(named).read_text() == "print(1)\n"
    fenced = here("artifact", "export", code, "--format", "markdown", "--output", str(tmp_path / "c.md"))
    assert fenced.status == 0
    assert (tmp_path / "c.md").read_text() == "# a/b: c?\n\n```python\nprint(1)\n```\n"


def test_a_document_is_exported_as_pdf(plimsoll: Plimsoll, kept: tuple[str, str, str], tmp_path: Path) -> None:
    ended = plimsoll("artifact", "export", kept[1], "--format", "pdf", "--output", str(tmp_path / "a.pdf"))
    assert (ended.status, ended.err) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")


def test_a_document_is_exported_as_word_document(here: Here, kept: tuple[str, str, str], tmp_path: Path) -> None:
    ended = here("artifact", "export", kept[1], "--format", "docx", "--output", str(tmp_path))
    assert (ended.status, ended.err) == (0, "")
    file = Path(ended.out.strip())
    assert file.name == "Order BRD.docx"
    assert "| price | cents |" in docx_text(file.read_bytes(), PROJECT)

"""Whatever stands in a column of text, of an archive or of a damaged file, every command ends orderly."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from desktop_app.cli.command_process import BUG, DONE, EXIT_STATUS
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.cli.conftest import Here
from tests.storage.whole_histories import fill

EXAMPLES = 6
"""Of each, besides what was found."""

DEEP = "a list in a list ..."
"""Stands for 100,000 of them, which would be too long for what a failure prints."""

JUNK = (
    *("x", "[", "[]", "{}", "5", "null", "true", '""', "[1]", "[null]", '[{"a":1}]', '["a","b"]', '{"code":5}'),
    *('["t",["{t.__class__}",{"t":1},""]]', '["t",["{t:>99999999}",{"t":1},""]]', '["t",["{",{},""]]', '["t",[1,2,3]]'),
    *('["\\ud800"]', '"\\udfff"', DEEP, "1" * 5_000, "[1e999]", "NaN", "a\0b", "\x1b[31m", "../../etc/passwd"),
    *('{"weights":[],"covariance":5,"observations":"x","extra":[]}', '{"input":"x"}', '{"phrases":5}', "9999-99-99"),
    *('{"code":"usage","message":"m","detail":"d","phrases":{"message":["{x}"]}}', "/", "C:\\", ""),
)
SEEDS = (3, 5)


async def filled(path: Path, *seeds: int, mark: str = "") -> None:
    history = await SqliteHistory.open(path)
    try:
        for seed in seeds:
            await fill(history, seed, mark=mark)
    finally:
        await history.close()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The members of an archive of everything, one of whose projects is named as one of the user's own."""
    folder = tmp_path_factory.mktemp("archive")
    (folder / "own.txt").write_text("own words")
    made = Plimsoll(folder / "data")
    made.folder.mkdir(mode=0o700)
    asyncio.run(filled(made.folder / "history.db", *SEEDS))
    assert made("project", "add", "Taxes", str(folder / "own.txt")).status == DONE
    assert made("export", "--everything", "--format", "json", "--output", str(folder / "all.zip")).status == DONE
    with zipfile.ZipFile(folder / "all.zip") as whole:
        whole.extractall(folder / "members")
    return folder / "members"


def text_columns(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as file:
        tables = [one for (one,) in file.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE %'")]
        return [(table, row[1]) for table in tables for row in file.execute(f"PRAGMA table_info('{table}')")
                if row[2] == "TEXT" and table != "erasure"]  # fmt: skip


def spoil(path: Path, cells: Mapping[tuple[str, str], str]) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        for (table, column), junk in cells.items():
            # an id that several rows can't have is that of one
            file.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ?', ("[" * 100_000 if junk == DEEP else junk,))


@pytest.mark.parametrize("imported", [True, False], ids=["imported", "damaged"])
def test_junk_in_any_column_of_text_stops_nothing(
    imported: bool, archive: Path, here: Here, plimsoll: Plimsoll, tmp_path: Path
) -> None:
    (tmp_path / "own.txt").write_text("own words")
    (tmp_path / "more.txt").write_text("more words")
    assert here("project", "add", "Taxes", str(tmp_path / "own.txt")).status == DONE
    assert here("ask", "--project", "Taxes", "hello").status == DONE
    if not imported:
        asyncio.run(filled(plimsoll.folder / "history.db", *SEEDS))
    before = tmp_path / "before"
    shutil.copytree(plimsoll.folder, before)
    columns = text_columns(archive / "history.db")
    junk = st.sampled_from(JUNK) | st.text(st.characters(exclude_categories=["Cs"]))
    cells = st.dictionaries(st.sampled_from(columns), junk, min_size=1, max_size=6)

    @settings(
        max_examples=EXAMPLES, deadline=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @example(cells={("project_document", "note"): "x", ("document_text", "note"): '{"a":1}'})
    @example(cells={("project_document", "error"): '"ab"', ("calibration", "weights"): '{"weights":5}'})
    @example(cells={("project_document", "mode"): "", ("project_document", "device"): "x"})
    @example(cells={("message", "usage"): ""})
    @example(cells={("message", "failure"): "/", ("thread", "seen"): DEEP})
    @example(cells={("project", "backend"): "x"})
    @example(cells={("thread", "backend"): "x"})
    @example(cells={("project_document", "name"): DEEP})
    @given(cells=cells)
    def ends_orderly(cells: Mapping[tuple[str, str], str]) -> None:
        shutil.rmtree(plimsoll.folder)
        shutil.copytree(before, plimsoll.folder)
        if imported:
            shutil.copy(archive / "history.db", tmp_path / "history.db")
            spoil(tmp_path / "history.db", cells)
            with zipfile.ZipFile(tmp_path / "all.zip", "w") as whole:
                for one in archive.rglob("*"):
                    if one.is_file():
                        path = tmp_path / "history.db" if one.name == "history.db" else one
                        whole.write(path, one.relative_to(archive))
            status = here("import", str(tmp_path / "all.zip"), "--json").status
            assert status in (DONE, EXIT_STATUS["usage"], EXIT_STATUS["store"])
        else:
            spoil(plimsoll.folder / "history.db", cells)
        for one in tmp_path.glob("mine.*"):
            shutil.rmtree(one) if one.is_dir() else one.unlink()
        threads = here("threads", "--json")
        ran = {
            ("threads",): threads,
            **{one: here(*one) for one in (
                ("project", "list"), ("project", "list", "--json"), ("project", "show", "Taxes"),
                ("project", "show", "Taxes", "--json"), ("project", "add", "Taxes", str(tmp_path / "more.txt")),
                ("ask", "--project", "Taxes", "again"), ("artifact", "list"), ("usage",), ("search", "tides"),
                ("export", "--everything", "--format", "json", "--output", str(tmp_path / "mine.zip")),
                *(("export", "--all", "--format", kind, "--output", str(tmp_path / f"mine.{kind}"))
                  for kind in ("json", "markdown", "html")),
                ("doctor",),
            )},
        }  # fmt: skip
        for one in threads.json if threads.status == DONE else ():
            for asked in (("show", one["id"]), ("show", one["id"], "--json"), ("context", one["id"])):
                ran[asked] = here(*asked)
        bugs = {command: end.err[-2000:] for command, end in ran.items() if end.status == BUG}
        assert not bugs, cells
        if imported:
            others = {command: (end.status, end.err) for command, end in ran.items() if end.status != DONE}
            others.pop(("doctor",), None)
            assert not others, cells

    ends_orderly()

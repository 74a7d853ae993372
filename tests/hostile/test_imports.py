"""Foreign files are imported whole or refused in words: made from the schemas of their formats, then spoiled."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from desktop_app.controller.ports import Announcements
from desktop_app.controller.transfer import Transfer
from desktop_app.core.errors import UserError
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.controller.exporting import thread_export
from tests.hostile.imports import SAMPLES, Sample, bombs, trial, try_format

FILES = 60
"""Of each format; `python -m tests.hostile.imports` tries more."""
ROUND_TRIPS = 10


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_imported_or_refused_and_never_by_half(name: str) -> None:
    outcomes = try_format(name, FILES, 1)
    assert outcomes.total() >= FILES
    assert outcomes["imported"]
    assert outcomes["refused"]


@pytest.mark.parametrize("bomb", bombs(), ids=lambda bomb: bomb.name)
def test_a_bomb_is_refused(bomb: Sample) -> None:
    with trial() as made:
        made.check(bomb, partial=False)
        assert made.outcomes == {"refused": 1}


@pytest.mark.parametrize("name", SAMPLES)
def test_an_import_exported_and_imported_elsewhere_gives_the_same_bytes(name: str) -> None:
    @settings(max_examples=ROUND_TRIPS, phases=[Phase.generate])  # making it small would take minutes
    @given(SAMPLES[name])
    def round_trip(sample: Sample) -> None:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(there_and_back(sample, Path(folder)))

    round_trip()


async def there_and_back(sample: Sample, folder: Path) -> None:
    path = sample.write(folder)
    exports = []
    for number in range(2):
        history = await SqliteHistory.open(folder / f"{number}.db")
        try:
            with suppress(UserError):  # it may be refused: then both are empty
                await Transfer(history, Announcements()).import_files([path])
            path = folder / f"export-{number}.json"
            await thread_export(history).export(None, "json", path)
            exports.append(path.read_bytes())
        finally:
            await history.close()
    assert exports[0] == exports[1]

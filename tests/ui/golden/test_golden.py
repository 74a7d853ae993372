"""The parts of the window and whole windows look as they looked when somebody last looked at them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from tests.ui.golden.comparison import Difference, difference, save_difference
from tests.ui.golden.pictures import HERE, PICTURES, Picture, draw, lacking

MOST_BYTES_A_PICTURE = 54_000
"""On the average: they are part of every clone."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all pictures as they are drawn now."""
    out = tmp_path_factory.mktemp("golden")
    draw([one for one in PICTURES if not lacking(one)], out)
    # on a machine with too much to do a window may be seen before it has come to rest: it gets a second look
    draw([one for one in PICTURES if not lacking(one) and one.kept.exists() and _differs(one, out)], out)
    return out


@pytest.fixture(scope="module")
def failures() -> Path:
    """Where the pictures of what differs are put; it stays after the tests."""
    folder = Path(tempfile.gettempdir()) / "plimsoll-golden"
    shutil.rmtree(folder, ignore_errors=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_it_looks_as_it_did(picture: Picture, drawn: Path, failures: Path) -> None:
    if lacking(picture):
        pytest.skip(lacking(picture))
    renew = f"python -m tests.ui.golden --update {picture.name}"
    assert picture.kept.exists(), f"there is no picture {picture.kept.name}; look at what `{renew}` makes"
    if (found := _differs(picture, drawn)) is not None:
        save_difference(picture.kept, drawn / picture.kept.name, failures)
        pytest.fail(f"{found}; see {failures}/{picture.name}-difference.png. If this is meant: {renew}")


def test_the_pictures_are_those_that_are_compared_and_weigh_little() -> None:
    kept = {path.name for path in HERE.glob("*.png")}
    assert kept == {one.kept.name for one in PICTURES}
    assert sum(path.stat().st_size for path in HERE.glob("*.png")) < MOST_BYTES_A_PICTURE * len(kept)


def _differs(picture: Picture, out: Path) -> Difference | None:
    return difference(picture.kept, out / picture.kept.name)

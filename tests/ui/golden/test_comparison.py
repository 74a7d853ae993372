"""What counts as a difference between two pictures, how it is shown, and what storing a picture keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.ui.golden.comparison import GAP, LOSS, TOLERANCE, difference, save_difference, store


def picture(path: Path, *dots: tuple[int, int], size: tuple[int, int] = (40, 30), strength: int = 255) -> Path:
    made = Image.new("RGB", size, (0, 0, 0))
    for dot in dots:
        made.putpixel(dot, (0, strength, 0))
    made.save(path)
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return picture(tmp_path / "plain.png")


def test_what_differs_is_counted_and_its_box_told(tmp_path: Path, plain: Path) -> None:
    found = difference(plain, picture(tmp_path / "dots.png", (3, 4), (30, 20)))
    assert str(found) == "2 pixels differ, from (3, 4) to (31, 21)"


def test_a_little_is_no_difference(tmp_path: Path, plain: Path) -> None:
    assert difference(plain, picture(tmp_path / "pale.png", (3, 4), strength=TOLERANCE)) is None
    assert difference(plain, picture(tmp_path / "seen.png", (3, 4), strength=TOLERANCE + 1)) is not None


def test_another_size_is_a_difference(tmp_path: Path, plain: Path) -> None:
    found = difference(plain, picture(tmp_path / "wide.png", size=(41, 30)))
    assert str(found) == "the size was 40 × 30 and is 41 × 30"


def test_the_difference_is_shown_side_by_side_and_marked(tmp_path: Path, plain: Path) -> None:
    folder = tmp_path / "failures"
    save_difference(plain, picture(tmp_path / "dot.png", (3, 4)), folder)
    assert {path.name for path in folder.iterdir()} == {
        "plain-expected.png",
        "plain-actual.png",
        "plain-difference.png",
    }
    with Image.open(folder / "plain-difference.png") as beside:
        assert beside.size == (3 * 40 + 2 * GAP, 30)
        expected, actual, marked = (step * (40 + GAP) for step in range(3))
        assert beside.getpixel((expected + 3, 4)) == (0, 0, 0)
        assert beside.getpixel((actual + 3, 4)) == (0, 255, 0)
        assert beside.getpixel((marked + 3, 4)) == (255, 0, 0)
        assert beside.getpixel((marked + 4, 4)) != (255, 0, 0)


def test_pictures_of_two_sizes_are_shown_side_by_side(tmp_path: Path, plain: Path) -> None:
    save_difference(plain, picture(tmp_path / "wide.png", size=(50, 20)), tmp_path / "failures")
    with Image.open(tmp_path / "failures" / "plain-difference.png") as beside:
        assert beside.size == (40 + GAP + 50, 30)


def test_storing_changes_no_colour_visibly(tmp_path: Path) -> None:
    many = Image.frombytes("RGB", (32, 32), bytes(c for y in range(32) for x in range(32) for c in (x * 8, y * 8, x)))
    many.save(tmp_path / "many.png")
    store(tmp_path / "many.png", tmp_path / "kept.png")
    assert LOSS < TOLERANCE
    assert difference(tmp_path / "many.png", tmp_path / "kept.png") is None
    few = picture(tmp_path / "few.png", (1, 1))
    store(few, tmp_path / "small.png")
    with Image.open(tmp_path / "small.png") as small:
        assert small.mode == "P"

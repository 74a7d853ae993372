"""Pictures are decoded off the GUI thread, scaled while they are, kept while there is room."""

from __future__ import annotations

import base64

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import ImagePart
from desktop_app.ui.widgets import picture_cache as owner
from desktop_app.ui.widgets.picture_cache import PictureCache, decoded
from tests.counted_calls import CountedCalls
from tests.ui.attaching import image, png


def part(width: int, height: int, name: str = "a.png") -> ImagePart:
    return ImagePart(name, "image/png", base64.b64encode(png(image(width, height))).decode(), width, height)


@pytest.mark.parametrize(
    ("size", "box", "wanted"),
    [((800, 600), (400, 400), (400, 300)), ((30, 20), (400, 400), (30, 20)), ((4_000, 2), (100, 100), (100, 1))],
)
def test_a_picture_is_scaled_down_and_never_up(
    size: tuple[int, int], box: tuple[int, int], wanted: tuple[int, int]
) -> None:
    assert decoded(part(*size).data, QSize(*box)).size() == QSize(*wanted)


@pytest.mark.parametrize("data", ["", "not base64 at all!", "bm8gcGljdHVyZQ==", "A"])
def test_what_is_no_picture_is_null(data: str) -> None:
    assert decoded(data, QSize(10, 10)).isNull()


def test_asking_costs_the_gui_thread_nothing_and_the_picture_comes_later(qtbot: QtBot) -> None:
    pictures, large, told = PictureCache(), part(3_000, 2_000), []
    with CountedCalls() as work:
        assert pictures.picture(large, QSize(300, 300), lambda: told.append(1)) is None
        assert pictures.picture(large, QSize(300, 300), lambda: told.append(2)) is None
    assert work.calls < 90
    with qtbot.waitSignal(pictures.arrived):
        pass
    assert told == [1, 2]
    picture = pictures.picture(large, QSize(300, 300), lambda: None)
    assert picture is not None
    assert picture.size() == QSize(300, 200)
    assert not pictures.busy


def test_the_oldest_pictures_make_room(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "MOST_BYTES", 3 * 100 * 100 * 4)
    pictures = PictureCache()
    parts = [part(100, 100, f"{n}") for n in range(5)]
    for one in parts:
        pictures.picture(one, QSize(100, 100), lambda: None)
        qtbot.waitUntil(lambda: not pictures.busy)
    there = [pictures.picture(one, QSize(100, 100), lambda: None) is not None for one in parts]
    assert there == [False, False, True, True, True]
    qtbot.waitUntil(lambda: not pictures.busy)

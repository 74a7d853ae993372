"""What is next to the view is prepared, but only once scrolling rests."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.ui.transcript.canvas import canvas
from desktop_app.ui.transcript.canvas.canvas import REST_MS
from desktop_app.ui.transcript.view import TranscriptView
from tests.benchmarks.bench_transcript import thread


def test_nothing_is_prepared_while_the_reader_scrolls(
    view: TranscriptView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with qtbot.waitSignal(view.rested):
        view.show_path(thread(200))
    rests: list[None] = []
    view.rested.connect(lambda: rests.append(None))
    view.verticalScrollBar().setValue(view.row_layout.bottom // 2)
    for _ in range(25):
        view.scroll_by(3)
    # a machine with too much to do may take longer from one scroll to the next than scrolling has to rest: the last one
    # waits for so long that only a timer that an earlier scroll began could end now
    monkeypatch.setattr(canvas, "REST_MS", 600_000)
    view.scroll_by(3)
    qtbot.wait(REST_MS * 3)
    assert not rests
    above, below = view.row_layout.placed[0].message - 1, view.row_layout.placed[-1].message + 1
    assert {above - 1, below + 1} & set(view.row_layout.made) == set()
    monkeypatch.setattr(canvas, "REST_MS", REST_MS)
    view.scroll_by(3)
    assert not rests
    qtbot.waitUntil(lambda: bool(rests))
    for index in (above - 1, above, below, below + 1):
        assert view.row_layout.has_layout(index)
    ready = [view.row_layout.row_list(above).rows[-1], view.row_layout.row_list(below).rows[0]]
    assert all(row.item.laid_out for row in ready)

"""A history file that another program locks: what is unsaved is said, and saved when the lock goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.controller import late_ends
from desktop_app.core.stream import Ended, TextDelta
from desktop_app.storage import connection
from desktop_app.storage.history import SqliteHistory
from tests.fakes.gated_backend import Gate
from tests.storage.locked import locked_by_another
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_the_card_of_an_unsaved_answer_goes_when_it_is_saved(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_S", 0.05)
    monkeypatch.setattr(late_ends, "PAUSE_S", 0.05)
    async with OpenWindow.opened(data_dir) as window:
        gate = Gate()
        window.backend.reply(TextDelta("half "), gate, TextDelta("and the rest"), Ended("end_turn"))
        window.editor.replace_text("q")
        window.press(Qt.Key.Key_Return)
        await gate.arrive()
        with locked_by_another(data_dir / "history.db"):
            gate.open()
            await window.until(lambda: window.presenters.trouble.card is not None, "the card")
            card = window.presenters.trouble.card
            assert card is not None
            assert "not saved yet" in card.content.heading + card.content.sentence
            assert not window.composer.streaming
        await window.until(lambda: not window.presenters.trouble._troubles, "the end of the trouble")
        thread = await window.opened_thread()
    file = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    try:
        stored = await file.messages(thread.thread.id)
    finally:
        await file.close()
    assert [message.text for message in stored] == ["q", "half and the rest"]
    assert stored[-1].failure is None

"""A link is opened after its real target was shown and taken, and never another kind of address."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QWidget

from desktop_app.ui.shell import wiring
from tests.ui.open_window import OpenWindow

LINK = "https://bank.example@evil.example/login"


class Desktop:
    """Takes the question and, where `yes`, the address."""

    def __init__(self, *, yes: bool) -> None:
        self.yes = yes
        self.asked: list[str] = []
        self.opened: list[str] = []

    async def confirmed(self, _parent: QWidget, _title: str, text: str, _yes: str) -> bool:
        self.asked.append(text)
        assert self.opened == []
        return self.yes

    def openUrl(self, url: QUrl) -> None:  # noqa: N802  as Qt names it
        self.opened.append(url.toString())


@pytest.mark.parametrize("yes", [True, False])
async def test_the_real_host_is_shown_before_it_opens(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, *, yes: bool
) -> None:
    desktop = Desktop(yes=yes)
    monkeypatch.setattr(wiring, "confirmed", desktop.confirmed)
    monkeypatch.setattr(wiring, "QDesktopServices", desktop)
    async with OpenWindow.opened(data_dir) as window:
        window.transcript.row_actions.link_activated.emit(LINK)
        await window.settled()
        (asked,) = desktop.asked
        assert asked.startswith("Open evil.example in the browser?")
        assert desktop.opened == ([LINK] if yes else [])


async def test_other_kinds_are_not_opened(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop = Desktop(yes=True)
    monkeypatch.setattr(wiring, "confirmed", desktop.confirmed)
    monkeypatch.setattr(wiring, "QDesktopServices", desktop)
    async with OpenWindow.opened(data_dir) as window:
        for address in ("file:///etc/passwd", "javascript:alert(1)", "vscode://open", "smb://server/share"):
            window.transcript.row_actions.link_activated.emit(address)
            await window.settled()
        assert (desktop.asked, desktop.opened) == ([], [])

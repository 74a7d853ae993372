"""The settings of an archive stand under one switch in the preview, which unfolds; off, none of them is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.controller.everything import ImportedSetting
from desktop_app.ui.transfer.transfer_work import setting_lines
from tests.controller.test_everything import installed
from tests.ui.open_window import OpenWindow
from tests.ui.transfer.test_transfers import click, import_page, over

TRAVELLING = "[appearance]\ntext_size = 14\nreduced_motion = true\n[backups]\nautomatic = false\n"


@pytest.mark.parametrize("wanted", [True, False], ids=["on", "off"])
async def test_the_switch_says_how_many_come_and_unfolds(talk: OpenWindow, tmp_path: Path, wanted: bool) -> None:
    async with installed(tmp_path / "one") as one:
        project = await one.projects.create("Taxes")
        one.paths.settings.write_text(TRAVELLING)
        await one.everything.write(tmp_path / "all.zip")
    await talk.services.projects.create("Taxes")
    before = talk.services.preferences.settings
    page = await import_page(talk)
    talk.presenters.transfers.preview([tmp_path / "all.zip"])
    await over(talk)
    assert page.settings.words.text() == "Settings (2)"
    assert page.settings.switch.isChecked()
    assert page.settings.shown.isHidden()
    click(page.settings.unfold)
    assert page.settings.shown.text().splitlines() == [
        "Text size: 14",
        "Reduce motion: On",
        "Not taken: Back up automatically (set it here)",
    ]
    if not wanted:
        click(page.settings.switch)
    click(page.accept)
    await over(talk)
    now = talk.services.preferences.settings
    assert now.backups == before.backups
    assert (now.appearance.text_size, now.appearance.reduced_motion) == (
        (14, True) if wanted else (before.appearance.text_size, before.appearance.reduced_motion)
    )
    assert page.settings.isHidden()
    assert project.name == "Taxes"


def test_a_tool_server_that_has_to_be_set_up_here_is_said_once_by_its_name() -> None:
    keys = ("tool_servers.Harbour.command", "tool_servers.Harbour.on", 'tool_servers."a.b".address')
    assert setting_lines([ImportedSetting(key, None, "set it here") for key in keys]) == [
        "Not taken: tool server Harbour (set it up here)",
        "Not taken: tool server a.b (set it up here)",
    ]

"""Settings that name a model, a folder or a file: chosen, with typing as the last way."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.ui.connections import available_models
from desktop_app.ui.models.model_menu import ModelMenu
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_controls import ModelControl, PathControl
from tests.ui.open_window import OpenWindow

OF_CLAUDE = "backends.claude-cli.model"
FOR_SUMMARIES = "context.summary_model"


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own backend stands in the list, too."""
    monkeypatch.setattr(available_models, "NOT_OFFERED", ("anthropic", "local"))


async def models_section(window: OpenWindow) -> PreferencesPage:
    window.shortcut("preferences")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    await window.settled()
    page.choose_section("models")
    return page


def control(page: PreferencesPage, key: str) -> ModelControl:
    found = page.rows[key].control
    assert isinstance(found, ModelControl)
    return found


async def open_list(window: OpenWindow, page: PreferencesPage, key: str) -> ModelMenu:
    control(page, key).button.click()
    await window.until(lambda: control(page, key).menu_shown is not None, "the list")
    await window.settled()
    menu = control(page, key).menu_shown
    assert menu is not None
    return menu


def words(menu: ModelMenu) -> list[str]:
    return [row.text for row in menu.rows.rows]


async def test_the_models_of_a_connection_are_chosen_from_its_list(window: OpenWindow) -> None:
    page = await models_section(window)
    assert control(page, OF_CLAUDE).button.text() == "Default"
    menu = await open_list(window, page, OF_CLAUDE)
    assert menu.current is not None
    assert menu.current.model_name == "Default"
    assert "OpenAI" not in words(menu), "no other connection's"
    menu.search.setText("")
    menu.close()

    menu = await open_list(window, page, FOR_SUMMARIES)
    assert words(menu)[0] == "Default"
    assert {"big", "small"} <= set(words(menu))
    QTest.keyClicks(menu.search, "small")
    QTest.keyClick(menu.search, Qt.Key.Key_Return)
    await window.settled()
    assert window.services.preferences.settings.context.summary_model == "small"
    assert control(page, FOR_SUMMARIES).button.text() == "small"
    assert control(page, FOR_SUMMARIES).button.accessibleName() == "Model for summaries: small"

    menu = await open_list(window, page, FOR_SUMMARIES)
    assert menu.current is not None
    assert menu.current.model == "small", "what counts is marked"
    QTest.keyClicks(menu.search, "default")
    QTest.keyClick(menu.search, Qt.Key.Key_Return)
    await window.settled()
    assert window.services.preferences.settings.context.summary_model is None


async def test_an_id_that_is_not_listed_is_typed(window: OpenWindow) -> None:
    page = await models_section(window)
    menu = await open_list(window, page, OF_CLAUDE)
    QTest.keyClicks(menu.search, "claude-next-9")
    assert words(menu)[-1] == "Use “claude-next-9”"
    QTest.keyClick(menu.search, Qt.Key.Key_Return)
    await window.settled()
    assert window.services.preferences.settings.backend("claude-cli").model == "claude-next-9"
    menu = await open_list(window, page, OF_CLAUDE)
    assert menu.current is not None
    assert menu.current.model == "claude-next-9", "it stands in the list while it counts"
    QTest.keyClicks(menu.search, "two words")
    assert words(menu) == [], "an ID is one word"
    menu.close()


async def test_a_folder_and_a_file_are_chosen(
    window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await models_section(window)
    titles: list[str] = []

    async def folder(_parent: object, title: str) -> Path:
        titles.append(title)
        return tmp_path

    async def files(_parent: object, title: str) -> tuple[Path, ...]:
        titles.append(title)
        return ()

    monkeypatch.setattr("desktop_app.ui.preferences.preferences_presenter.asked_folder", folder)
    monkeypatch.setattr("desktop_app.ui.preferences.preferences_presenter.asked_files", files)
    backups, model = page.rows["backups.folder"].control, page.rows["backends.local.model_path"].control
    assert isinstance(backups, PathControl)
    assert isinstance(model, PathControl)
    backups.browse.click()
    await window.settled()
    assert window.services.preferences.settings.backups.folder == str(tmp_path)
    assert backups.field.text() == str(tmp_path)
    model.browse.click()
    await window.settled()
    assert window.services.preferences.settings.backend("local").model_path is None, "nothing was chosen"
    assert titles == ["Backup folder", "Model file"]

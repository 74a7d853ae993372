"""Help shows the user guide and About what this installation is, both from what is installed."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from desktop_app import __version__
from desktop_app.resources import resource, user_guide
from desktop_app.ui.help.help_pages import AboutPage, GuidePage
from tests.ui.menus import click_entry
from tests.ui.open_window import OpenWindow

ROOT = Path(__file__).parents[3]


async def chosen(window: OpenWindow, words: str) -> None:
    """Clicks on an entry of the window's menu."""
    QTest.mouseClick(window.window.header.menu_button, Qt.MouseButton.LeftButton)
    menu = next(one for one in window.window.header.findChildren(QMenu) if one.isVisible())
    click_entry(menu, "Help", words)
    await window.settled()


@pytest.mark.slow
async def test_the_menu_shows_the_user_guide(window: OpenWindow) -> None:
    await window.send("A question")
    await chosen(window, "User guide")
    page = window.presenters.pages.page
    assert isinstance(page, GuidePage)
    (guide,) = page.view.row_layout.messages
    assert page.heading.text() == "User guide"
    assert "# User guide" not in guide.text, "the page says it already"
    assert guide.text.startswith("## Start\n\nPlimsoll is a chat app")
    assert guide.text.index("## Write and read") < guide.text.index("./dev"), "building comes at the end"
    assert "![" not in guide.text, "no picture is loaded"
    assert page.view.row_layout.placed[0].top <= 20, "it is read from its beginning"
    assert not page.view.latest_button.isVisible()
    QTest.keyClick(page.view, Qt.Key.Key_Escape)
    await window.until(lambda: window.window.stage.reading, "the thread")
    await window.settled()


@pytest.mark.slow
async def test_the_guide_has_its_contents_and_words_in_it_are_found(window: OpenWindow) -> None:
    window.presenters.pages.show("help")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, GuidePage)
    sections = [action.text() for action in page.contents.actions()]
    assert sections[:4] == ["Find in the guide", "", "Start", "Write and read"]
    for title in ("Backups", "Start", "The gauge"):
        page.contents.actions()[sections.index(title)].trigger()
        await window.settled()
        tops = {one.row.item.text(0, one.row.item.length): one.top for one in page.view.row_layout.placed}
        assert 0 <= tops[title] <= 30, title
    QTest.keyClick(page.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    find = page.view.find_in_thread
    assert bool(find.shown)
    window.type("keyring", find.bar.field)
    await window.until(lambda: find.done and find.search.total > 3, "what is found")
    window.press(Qt.Key.Key_Escape, widget=find.bar.field)
    await window.until(lambda: not find.shown and page.view.hasFocus(), "the page is still there")
    page.contents.actions()[0].trigger()
    await window.until(lambda: bool(find.shown) and find.bar.field.hasFocus(), "the menu finds, too")
    window.press(Qt.Key.Key_Escape, widget=find.bar.field)
    await window.until(lambda: not find.shown, "closed again")
    page.contents_button.click()
    assert window.window.frameGeometry().contains(page.contents.geometry()), "they stand within the window"
    page.contents.close()


@pytest.mark.slow
async def test_links_of_the_guide_lead_to_addresses_only_after_a_click(window: OpenWindow) -> None:
    window.presenters.pages.show("help")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, GuidePage)
    page.show_guide("# A\n\n[How](translating.md), [there](https://example.org)\n\n![x](pictures/y.png)\n")
    assert page.view.row_layout.messages[0].text == "# A\n\nHow, [there](https://example.org)\n\n"
    wanted: list[str] = []
    window.presenters.pages.link_wanted.disconnect()
    window.presenters.pages.link_wanted.connect(wanted.append)
    page.view.row_actions.link_activated.emit("https://example.org")
    assert wanted == ["https://example.org"]


@pytest.mark.slow
async def test_about_has_version_licenses_and_what_doctor_tells_to_copy(window: OpenWindow) -> None:
    await chosen(window, "About Plimsoll")
    page = window.presenters.pages.page
    assert isinstance(page, AboutPage)
    await window.until(page.copy.isEnabled, "the report")
    assert page.version.text() == f"Version {__version__}"
    shown = {label.text() for label in page.checks.findChildren(QLabel)}
    assert {"Data folder", "History", "Keyring", "OK"} < shown
    assert not any(words.startswith(("ok ", "--")) for words in shown), "no terminal's output"
    assert "PySide6_Essentials: LGPL-3.0" in page.licenses.text()
    QTest.mouseClick(page.copy, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text.startswith(f"Plimsoll {__version__}\n")
    for check in ("python", "data folder", "history", "keyring", "backend anthropic"):
        assert re.search(rf"^(ok|--)  {check} ", text, re.MULTILINE), check
    await window.settled()


def test_the_guide_and_the_list_are_part_of_every_package() -> None:
    assert user_guide().is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"docs/user-guide.md": "desktop_app/_resources/user-guide.md"}
    assert "user-guide.md" in (ROOT / "packaging" / "plimsoll.spec").read_text("utf-8")
    listed = {name.lower().replace("_", "-") for name in json.loads(resource("third-party.json").read_text("utf-8"))}
    needed = [re.split(r"[^\w-]", line, maxsplit=1)[0] for line in project["project"]["dependencies"]]
    assert {name.lower() for name in needed} <= listed, "python packaging/third_party.py"

"""Shows settings: rows of each kind, a value that counts, one that was refused, and what a search leaves."""

from __future__ import annotations

from desktop_app.core.settings import Settings
from desktop_app.ui.preferences.setting_list import groups_of, value_at
from desktop_app.ui.preferences.setting_row import SettingGroupView
from tests.gallery.page import Page

TITLES = {"openai": "OpenAI"}
CONNECTION = "openai"


def fill(page: Page) -> None:
    """Two groups as they stand on the page."""
    settings = Settings()
    groups = {(group.section, group.kind): group for group in groups_of(settings, [CONNECTION])}
    looks = SettingGroupView(page.theme, groups["appearance", "plain"], TITLES, page)
    for setting in looks.group.settings:
        looks.rows[setting.dotted].show_value(value_at(settings, setting.path))
    looks.rows["appearance.theme"].show_value("dark")
    looks.rows["appearance.text_size"].show_problem("A whole number from 8 to 24, please. The text size stays 11.")
    page.add("Choices, numbers, switches; another value than the default; a value that was refused", looks)
    found = SettingGroupView(page.theme, groups["models", "costs"], TITLES, page)
    for setting in found.group.settings:
        found.rows[setting.dotted].show_value(value_at(settings, setting.path))
    found.narrow_to("day")
    page.add("What a search for “day” leaves of a group", found)
    server = SettingGroupView(page.theme, groups["advanced", "connection"], TITLES, page)
    for setting in server.group.settings:
        server.rows[setting.dotted].show_value(value_at(settings, setting.path))
    page.add("A connection", server)

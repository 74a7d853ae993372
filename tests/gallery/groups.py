"""Owns which groups of parts there are and where each is made. Imports a group when it is asked for, not before."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final, Protocol, cast

from PySide6.QtWidgets import QWidget

from desktop_app.ui.theme.theme import Theme
from tests.gallery.page import Page


class _Group(Protocol):
    """A module of this room that shows a group."""

    def fill(self, page: Page) -> None:
        """Puts the group's parts on a page."""
        ...


GROUPS: Final[Mapping[str, str]] = {
    "controls": "Controls",
    "composer": "Composer",
    "gauge": "Gauge",
    "cards": "Cards",
    "prose": "Prose",
    "turns": "Turns",
    "messages": "Messages",
    "boundaries": "Boundaries",
    "threads": "Threads",
    "popovers": "Popovers",
    "prompts": "Prompts",
    "documents": "Documents",
    "projects": "Projects",
    "inspector": "Inspector",
    "artifacts": "Artifacts",
    "usage": "Usage",
    "preferences": "Preferences",
    "palette": "Palette",
    "bars": "Bars",
    "shortcuts": "Shortcuts",
    "overlays": "Overlays",
    "scripts": "Scripts",
}
"""Name of the module in this room, and the title of its page."""


def page_of(group: str, theme: Theme, parent: QWidget | None = None) -> Page:
    """A group's page in a theme; `KeyError` for a group that there is not."""
    GROUPS[group]
    page = Page(theme, parent)
    cast("_Group", importlib.import_module(f"{__package__}.{group}")).fill(page)
    return page

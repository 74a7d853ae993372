"""The table of pages: each is opened by an action that exists, and what was typed leads back to its page."""

from __future__ import annotations

import pytest

from desktop_app.ui.shell.page_specs import PAGES
from desktop_app.ui.shortcuts.keymap import ROWS
from desktop_app.ui.widgets.page import PROMPT, editor_of


def test_every_page_is_opened_by_an_action_of_its_own_or_by_none() -> None:
    actions = [spec.action for spec in PAGES.values() if spec.action]
    assert set(actions) <= {row.id for row in ROWS}
    assert len(set(actions)) == len(actions)


@pytest.mark.parametrize(
    ("key", "page", "what"),
    [
        (("f" * 32, ""), "system_prompt", ("f" * 32,)),
        (("", ""), "system_prompt", ("",)),
        (("f" * 32, "s1"), "summary", ("f" * 32, "s1")),
        ((PROMPT, "p1"), "prompt", ("p1",)),
    ],
)
def test_what_was_not_saved_leads_to_the_page_that_stores_it(
    key: tuple[str, str], page: str, what: tuple[str, ...]
) -> None:
    assert editor_of(key) == (page, what)
    assert PAGES[page].store is not None

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from desktop_app.core.prompts import Prompt, PromptTemplate, checked
from desktop_app.ui.prompts.prompt_lists import LANGUAGES, examples


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_every_example_can_be_stored_and_asks_for_something(language: str) -> None:
    shown = examples(QLocale(language))
    assert len(shown) >= 4
    assert len({one.title for one in shown}) == len(shown)
    for one in shown:
        assert checked(Prompt("p", one.title, one.text, "2026", "2026")).title == one.title
        assert PromptTemplate(one.text).variables
        # what looks like a variable is one
        assert one.text.count("{{") == len(PromptTemplate(one.text).places)


def test_a_language_without_examples_gets_english_ones() -> None:
    assert examples(QLocale("fr")) == examples(QLocale("en")) != examples(QLocale("de"))
    assert examples(QLocale("zh_CN")) != examples(QLocale("en"))

"""The prompts that a new thread offers to begin with: the user's, then some of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desktop_app.core.prompts import Prompt
from desktop_app.ui.i18n.language import tr

MOST: Final = 4


def starters_of(library: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """The user's prompts that were changed last, filled up with some of ours."""
    newest = sorted(library, key=lambda prompt: prompt.updated, reverse=True)[:MOST]
    titles = {prompt.title for prompt in newest}
    return (*newest, *(prompt for prompt in _ours() if prompt.title not in titles))[:MOST]


def _ours() -> tuple[Prompt, ...]:
    texts = (
        (tr("Explain something"), tr("Explain step by step, with an example: ")),
        (
            tr("Summarize a document"),
            tr("Summarize the attached document in five points: what it says, why, and what it leaves open."),
        ),
        (
            tr("Improve my writing"),
            tr("Improve this text. Keep my voice, and list the three most important changes.\n\n"),
        ),
        (tr("Review code"), tr("Review this code: first what is wrong, then what could be simpler.\n\n")),
    )
    return tuple(Prompt(f"starter-{place}", title, text, "", "") for place, (title, text) in enumerate(texts))

"""Shows the composer: empty, with one line, with many, streaming, with marks under wrong words.

Owns only made-up words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtGui import QTextCursor

from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.spelling.field_spelling import FieldSpelling
from desktop_app.ui.spelling.speller import Places, Speller
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

QUESTION = "Which of the three suppliers would you take?"
LONG = (
    "Please compare the three offers by price, time of delivery and risk. Then say which one you would take, and what "
    "we would have to ask before we sign.\n\n- Nordwind: cheapest, but late twice\n- Ostsee: has our certificates\n- "
    "Southern: dearest, delivers within two weeks\n\nWrite it as a letter to the board, no longer than one page."
)
GERMAN = "Bitte die Donaudampfschifffahrtsgesellschaftskapitänsversorgungsrichtlinie in drei Sätzen zusammenfassen."
WRONG = frozenset({"compair", "wich", "recomend"})
MISSPELT = "Please compair the offers and say wich one you would recomend, see `compair(a)` or example.org/recomend."
MOST_HEIGHT = 15 * GRID


class _Settled(Speller):
    """Knows its words already."""

    def is_wrong(self, word: str) -> bool:
        return word in WRONG

    def look_up(self, words: Iterable[str]) -> None:
        return

    def suggest(self, word: str, then: Callable[[], None] | None = None, *, soon: bool = True) -> None:
        return


def fill(page: Page) -> None:
    """The composer in every state."""
    page.add("Nothing written", _composer(page, ""))
    page.add("One line", _composer(page, QUESTION))
    page.add("More than it shows: it scrolls", _composer(page, LONG))
    page.add("A long German word", _composer(page, GERMAN))
    streaming = _composer(page, "And the")
    streaming.set_streaming(True)
    streaming.queue.show_messages([(QUESTION, ())])
    page.add("An answer comes, one message waits", streaming)
    checked = _composer(page, MISSPELT)
    speller = _Settled(Places.in_folder(Path()), (), checked)
    FieldSpelling(checked.editor, speller, page.theme.color("danger"))
    page.add("Words that are in no dictionary", checked)


def _composer(page: Page, text: str) -> Composer:
    composer = Composer(page.theme, page)
    composer.setFixedWidth(WIDTH)
    composer.editor.set_most_height(MOST_HEIGHT)
    composer.picker.show_choice(ModelChoice("anthropic", "Anthropic", "claude-sonnet-4-5", "Claude Sonnet 4.5"))
    composer.set_text(text)
    composer.editor.moveCursor(QTextCursor.MoveOperation.End)
    return composer

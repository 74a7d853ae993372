"""Shows the prompt library: its list, the offer above the composer, the form, the editor. Owns made-up prompts."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.core.prompts import Prompt, PromptTemplate
from desktop_app.ui.prompts.prompt_form import PromptForm
from desktop_app.ui.prompts.prompt_lists import PromptCompletion
from desktop_app.ui.prompts.prompt_pages import PromptEditor, PromptsPage, joined
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.widgets.message_field import MessageField
from tests.gallery.page import WIDTH, Page

PROMPTS = tuple(
    Prompt(str(number), title, text, "2026", "2026")
    for number, (title, text) in enumerate(
        (
            ("Review code", "Review this {{language=Python}} code.\n\n```\n{{code:long}}\n```"),
            ("Summarize", "Summarize in {{length:three sentences|five points|one page}}.\n\n{{text:long}}"),
            (
                "Übergrößenträgerlösungen der Donaudampfschifffahrtsgesellschaft prüfen",
                "Prüfe {{Lösung}} bis {{date}}.",
            ),
            ("Translate", "Translate into {{language=English}}.\n\n{{clipboard}}"),
        )
    )
)
FORM = PromptTemplate("Reply to {{name=Ada}} in a {{tone:friendly|formal|brief}} tone, on {{date}}:\n{{message:long}}")


def fill(page: Page) -> None:
    """Each part as it is in use, and before anything is there."""
    library = _held(page, 56 * GRID)
    shown = PromptsPage(page.theme, library)
    shown.setGeometry(library.rect())
    shown.show_prompts(PROMPTS)
    page.add("The library", library)
    searched = _held(page, 56 * GRID)
    found = PromptsPage(page.theme, searched)
    found.setGeometry(searched.rect())
    found.show_prompts(PROMPTS)
    found.search.setText("su")
    page.add("Searched", searched)
    empty = _held(page, 70 * GRID)
    nothing = PromptsPage(page.theme, empty)
    nothing.setGeometry(empty.rect())
    nothing.show_prompts(())
    page.add("Without any prompt: examples to add", empty)
    _add_offer(page)
    _add_form(page)
    writing = _held(page, 60 * GRID)
    editor = PromptEditor(page.theme, writing)
    editor.setGeometry(writing.rect())
    editor.show_saved(joined(PROMPTS[1].title, PROMPTS[1].text))
    page.add("The editor", writing)


def _add_offer(page: Page) -> None:
    for caption, typed, further in (
        ("The list above the composer", "", "Manage prompts…"),
        ("Narrowed by letters", "re", ""),
    ):
        room = _held(page, (48 if further else 20) * GRID)
        field = QFrame(room)
        field.setProperty("kind", "field")
        field.setGeometry(0, room.height() - 6 * GRID, WIDTH, 5 * GRID)
        write = MessageField(page.theme, field)
        write.setGeometry(2 * GRID, GRID, WIDTH - 4 * GRID, 3 * GRID)
        write.setPlainText(f"/{typed}")
        offer = PromptCompletion(page.theme, write, field, room)
        offer.show_prompts([one for one in PROMPTS if one.title.lower().startswith(typed)], typed, further)
        page.add(caption, room)


def _add_form(page: Page) -> None:
    for caption, filled in (("The form", False), ("Filled in", True)):
        room = _held(page, 72 * GRID)
        asked = [variable for variable in FORM.variables if variable.name != "date"]
        form = PromptForm(page.theme, "Reply", FORM, asked=asked, given={"date": "2026-11-22"}, window=room)
        if filled:
            form.fields["message"].take("Could you send me the figures by Friday?")
        page.add(caption, room)
        form.show()


def _held(page: Page, height: int) -> QWidget:
    """Room for a part that fills whatever it is put into."""
    room = QWidget(page)
    room.setObjectName("centre")
    room.setFixedSize(WIDTH, height)
    return room

"""The way of a prompt into the composer, and of the composer's text into the library. Uses neither page nor palette."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QWidget

from desktop_app.core.prompts import (
    CLIPBOARD,
    DATE,
    SELECTION,
    Prompt,
    PromptTemplate,
    Variable,
    escaped,
    suggested_title,
)
from desktop_app.system.system_clock import local_day
from desktop_app.ui.composer.composer import Composer
from desktop_app.ui.prompts.prompt_starters import starters_of
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets.floating import Toast

if TYPE_CHECKING:
    from desktop_app.ui.prompts.prompt_form import PromptForm
    from desktop_app.ui.prompts.prompt_lists import PromptCache, PromptCompletion

SLASHES: Final = "/／、"
"""The signs that open the list when typed first: the slash, and those Chinese and Japanese keyboards write instead."""
LONGEST: Final = 60
"""Characters behind the slash that can be a prompt's name."""


class PromptPages(Protocol):
    """The pages of the library, as far as a prompt's way into the composer leads over them."""

    @property
    def page(self) -> object | None: ...

    def show(self, name: str, *what: object) -> None: ...

    def insert_prompt(self, prompt: Prompt) -> None: ...


class PromptInsertion(QObject):
    """Offers prompts while `/` is typed, asks for their variables, inserts them; begins new ones from what was said."""

    read = Signal(object)  # the library's prompts, by title

    def __init__(
        self,
        app_state: AppState,
        composer: Composer,
        transcript: TranscriptView,
        pages: PromptPages,
        *,
        toast: Toast,
        centre: QWidget,
        show_conversation: Callable[[], None],
        theme: Theme,
    ) -> None:
        """`centre`: what the list of prompts lies over. `show_conversation`: leaves the cards of the first start."""
        super().__init__(composer)
        self._app_state = app_state
        self._composer = composer
        self._transcript = transcript
        self._toast = toast
        self._centre = centre
        self._show_conversation = show_conversation
        self._pages = pages
        self._theme = theme
        self._editor = composer.editor
        self._before = ""
        self._offering = False
        self._held_back = ""  # what is written, while it is said that it is no prompt
        self._shelf: PromptCache | None = None
        self.prompts: Sequence[Prompt] = ()
        """The library as it was last read, by title."""
        self.completion: PromptCompletion | None = None
        self.form: PromptForm | None = None

    @property
    def offered(self) -> Sequence[Prompt]:
        """The library, and in a thread without messages also what that offers to begin with."""
        if self._transcript.row_layout.messages:
            return self.prompts
        return (*self.prompts, *(one for one in starters_of(self.prompts) if one not in self.prompts))

    def refresh(self, _fact: object = None) -> None:
        """Reads the library again: it changed, here or elsewhere, or is there for the first time."""
        self._app_state.start(self._read())

    # --- while a message is written

    def text_edited(self) -> None:
        """The composer's text changed: a slash typed into an empty one begins the offer, letters narrow it."""
        if self._held_back and self.completion is not None:
            self._held_back = ""
            self.completion.hide()
        long = self._editor.document().characterCount() > LONGEST + 2
        text = "\n" if long else self._editor.toPlainText()
        before, self._before = self._before, text
        if not self._offering and not before and text and text in SLASHES:
            # what was put there by anything but the keyboard has no undo
            self._offering = self._editor.hasFocus() and self._editor.document().isUndoAvailable()
        if self._offering:
            self._offering = _names_a_prompt(text)
            self._show_offer()

    def close(self) -> None:
        """Nothing is offered and nothing asked any more: another thread is open, or a page."""
        self._offering = False
        self._show_offer()
        self._close_form()

    def _show_offer(self) -> None:
        if not self._offering:
            if self.completion is not None:
                self.completion.hide()
            return
        typed = self._editor.toPlainText()[1:]
        further = "" if typed else self._library_words
        self._made_completion().show_prompts(self._called(typed), typed.strip(), further)

    @property
    def _library_words(self) -> str:
        return self.tr("Manage prompts…") if self.prompts else self.tr("Add prompts…")

    def _made_completion(self) -> PromptCompletion:
        if self.completion is None:
            from desktop_app.ui.prompts.prompt_lists import PromptCompletion

            self.completion = PromptCompletion(self._theme, self._editor, self._composer.field, self._centre)
            self.completion.chosen.connect(lambda prompt: self.insert(prompt, in_place=True))
            self.completion.library_requested.connect(self._open_library)
            self.completion.dismissed.connect(self._dismiss)
        return self.completion

    def _called(self, typed: str) -> list[Prompt]:
        offered = tuple(self.offered)
        if self._shelf is None or self._shelf.prompts != offered:
            from desktop_app.ui.prompts.prompt_lists import PromptCache

            self._shelf = PromptCache(offered)
        return self._shelf.called(typed)

    def holds_back(self) -> bool:
        """True if the text to send is only the name of a prompt that does not exist: it says so once, with examples."""
        text = self._composer.text().strip() if not self._composer.attachments else ""
        name = text[1:]
        if not name or text == self._held_back or not _names_a_prompt(text) or name.split() != [name]:
            return False
        if self._called(name):
            return False
        from desktop_app.ui.prompts.prompt_lists import PromptCache, examples

        ours = PromptCache(Prompt(f"example-{at}", one.title, one.text, "", "") for at, one in enumerate(examples()))
        self._held_back = text
        self._made_completion().show_prompts(ours.called(name), name, self._library_words, missing=text)
        return True

    def _dismiss(self) -> None:
        self._offering = False
        if self._editor.toPlainText() in SLASHES:  # typed to see the list: it is no draft
            self._editor.replace_text("")

    def _open_library(self) -> None:
        self._editor.replace_text("")
        self._pages.show("prompts")

    # --- inserting

    def insert(self, prompt: Prompt, *, in_place: bool = False) -> None:
        """Puts a prompt where the cursor is, or `in_place` of what is written; asks for its variables first."""
        self.close()
        self._show_conversation()
        template = PromptTemplate(prompt.text)
        given = self._given(template.variables)
        asked = [_for_hand(variable) for variable in template.variables if variable.name not in given]
        if not asked:
            self._put(template.filled(given), in_place=in_place)
            return
        from desktop_app.ui.prompts.prompt_form import PromptForm

        self.form = PromptForm(
            self._theme, prompt.title, template, asked=asked, given=given, window=self._composer.window()
        )
        self.form.confirmed.connect(lambda values: self._take_values(template, values, in_place=in_place))
        self.form.cancelled.connect(self._cancel)
        self.form.open()

    def insert_by_id(self, prompt_id: str) -> None:
        """As `insert`; nothing where there is no such prompt any more."""
        if (prompt := next((one for one in self.offered if one.id == prompt_id), None)) is not None:
            if self._pages.page is not None:
                self._pages.insert_prompt(prompt)
            else:
                self.insert(prompt)

    def _take_values(self, template: PromptTemplate, values: dict[str, str], *, in_place: bool) -> None:
        self._close_form()
        self._put(template.filled(values), in_place=in_place)

    def _cancel(self) -> None:
        self._close_form()
        self._composer.focus_editor()

    def _close_form(self) -> None:
        form, self.form = self.form, None
        if form is not None:
            form.hide()
            form.deleteLater()

    def _put(self, text: str, *, in_place: bool) -> None:
        """One step that Ctrl+Z takes back."""
        cursor = self._editor.textCursor()
        cursor.beginEditBlock()
        if in_place:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
        else:
            written, start, end = self._editor.toPlainText(), cursor.selectionStart(), cursor.selectionEnd()
            cursor.insertText(f"{_gap(_units(written, 0, start))}{text}")
            after = _units(written, end, None)
            if after.strip() and not after.startswith("\n"):
                at = cursor.position()
                cursor.insertText("\n\n")
                cursor.setPosition(at)
        cursor.endEditBlock()
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()
        self._composer.focus_editor()

    def _given(self, variables: Sequence[Variable]) -> dict[str, str]:
        """The values that are there without asking; one that has nothing but its default takes that."""
        wanted = {variable.name: variable for variable in variables}
        found: dict[str, str] = {}
        if CLIPBOARD in wanted:
            found[CLIPBOARD] = QGuiApplication.clipboard().text()
        if SELECTION in wanted:
            found[SELECTION] = self._transcript.copying.selected_text()
        if DATE in wanted:
            # the same in every language, so that a model can't take the day for the month
            found[DATE] = local_day().isoformat()
        told = {name: value or wanted[name].default for name, value in found.items()}
        return {name: value for name, value in told.items() if value.strip()}

    # --- keeping

    def save_draft(self) -> None:
        """Begins a prompt with what stands in the composer, its variables included."""
        text = self._composer.text()
        if text.strip():
            self._pages.show("prompt", "", suggested_title(text), text)
        else:
            self._toast.show_message(self.tr("Write a message first, then save it as a prompt."))

    def save_message(self, message_id: str) -> None:
        """Begins a prompt with what a message says; braces in it stay what they are."""
        if text := self._text_of(message_id):
            self._pages.show("prompt", "", suggested_title(text), escaped(text))

    def fill_menu(self, message_id: str, _position: QPoint) -> None:
        """The menu of a message is about to open."""
        if (menu := self._transcript.menu) is not None and self._text_of(message_id):
            menu.more.addSeparator()
            menu.add_more(self.tr("Save as a prompt…"), lambda: self.save_message(message_id))

    def _text_of(self, message_id: str) -> str:
        messages = self._transcript.row_layout.messages
        message = next((message for message in messages if message.id == message_id), None)
        return message.text.strip() if message is not None else ""

    async def _read(self) -> None:
        services = await self._app_state.services()
        self.prompts, self._shelf = await services.prompts.all(), None
        self.read.emit(self.prompts)
        if self._offering:
            self._show_offer()


def _names_a_prompt(text: str) -> bool:
    """Return True if the written text can still be the name of a prompt: one line behind one slash."""
    name = text[1:]
    return text[:1] in tuple(SLASHES) and not any(sign in name for sign in f"\n{SLASHES}") and len(name) <= LONGEST


def _for_hand(variable: Variable) -> Variable:
    """Return the variable to fill in by hand: one that usually fills itself in, but has nothing now, may be long."""
    return Variable(variable.name, long=True) if variable.name in (CLIPBOARD, SELECTION) else variable


def _gap(before: str) -> str:
    """Return the text between a text and a prompt behind it: an empty line, unless a line or word has just begun."""
    return "" if not before.strip() or before[-1:].isspace() else "\n\n"


def _units(text: str, start: int, end: int | None) -> str:
    """A piece of a text whose places are UTF-16 units, as a cursor counts them."""
    if text.isascii():
        return text[start:end]
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : None if end is None else 2 * end].decode("utf-16-le", "surrogatepass")

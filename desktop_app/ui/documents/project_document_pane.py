"""The pane of a project's document: its text by passages, or its pages, with the passage asked for marked."""

from __future__ import annotations

import asyncio
import atexit
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QButtonGroup, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.controller.project_library import weighed_documents
from desktop_app.core.document_structure import code_language, page_marks, passage_markdown, quoted_spans
from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.projects import ID_DIGITS, DocumentText, Passage, ProjectDocument
from desktop_app.core.search_terms import FindPattern
from desktop_app.system.private_files import PrivateFolder, fitting_name
from desktop_app.ui.documents.page_stack import PageStack, PageTools
from desktop_app.ui.i18n.content_words import about, characters
from desktop_app.ui.i18n.language import grouped, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import TextHighlight, utf16_length
from desktop_app.ui.transcript.view import TranscriptView
from desktop_app.ui.widgets import KEEPS_FOCUS
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow
from desktop_app.ui.widgets.parts import button_in, frame_in, in_column, in_row, label_in, say_in, tool_in

LOWEST = 20 * GRID
EDGE = 2 * GRID
"""Pixels at the left of the head: its words stand above those of the text."""


class ProjectDocumentPane(QWidget):
    """`step_requested(1 | -1)`: the next or previous passage found. `pages_requested`: pages are wanted, not the text.

    `part_requested(1 | -1)`: of a document too long to be shown at once, the part after or before.
    `file_requested`: its file is to be opened in its own program.
    """

    step_requested = Signal(int)
    pages_requested = Signal(bool)
    part_requested = Signal(int)
    file_requested = Signal()
    close_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(KEEPS_FOCUS, True)
        self._theme = theme
        self._marked, self._quotes = "", tuple[str, ...]()
        self.heading = ElidedLabel(self)
        self.open_button = tool_in(self, name=self.tr("Open in default app"))
        set_icon(self.open_button, "open", theme)
        self.close_button = tool_in(self, name=self.tr("Close document"), tip=self.tr("Close document (Esc)"))
        set_icon(self.close_button, "close", theme)
        self.facts = self._label()
        self.note = self._label()
        self.quote = self._label(tone="")
        self.found = self._label()
        self.found.setWordWrap(False)
        self.text_button = self._switch(self.tr("Text"))
        self.pages_button = self._switch(self.tr("Pages"))
        self.text_button.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.text_button)
        group.addButton(self.pages_button)
        self.page_tools = PageTools(theme, self)
        self.previous = self._quiet(self.tr("Previous"), self.tr("Previous passage"), "P")
        self.next = self._quiet(self.tr("Next"), self.tr("Next passage"), "N")
        self.earlier = self._quiet(self.tr("Show the part before"), "", "")
        self.later = self._quiet(self.tr("Show the part after"), "", "")
        self.text = TranscriptView(theme, self)
        self.text.setAccessibleName(self.tr("Text of the document"))
        self.text.setMinimumHeight(LOWEST)
        self.text.offers_latest = False
        self.text.row_layout.from_top = True
        self._finding = self.text.find_in_thread  # which has its own words stand out: ours come after
        self.text.highlights_in = self._highlights_in
        self.pages = PageStack(theme, self)
        self.pages.setAccessibleName(self.tr("Pages of the document"))
        self.pages.setMinimumHeight(LOWEST)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.text)
        self.stack.addWidget(self.pages)
        kept = self.stack.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # what stands above it stays there
        self.stack.setSizePolicy(kept)
        self._lay_out()
        self._connect()
        theme.set_font("small", self.facts, self.note, self.quote, self.found, self.text_button, self.pages_button)
        theme.set_font("small", self.previous, self.next, self.earlier, self.later)
        theme.changed.connect(self._show_theme)
        theme.follow(self._apply_theme)

    def show_document(self, name: str) -> None:
        """Another document, of which nothing is known yet but its name."""
        self._marked = ""
        self.setAccessibleName(name)
        self.heading.set_words(name)
        self.show_facts("", "")
        self.show_quote("")
        self.open_button.hide()
        self.text_button.hide()
        self.pages_button.hide()
        self.pages.mark(0)
        self.pages.show_pages(())
        self.show_passages((), {})
        self.stack.show()
        self.show_pages(pages=False)

    def show_facts(self, words: str, note: str) -> None:
        say_in(self.facts, words)
        say_in(self.note, note)

    def show_problem(self, words: str) -> None:
        """There is no text to show, and why."""
        self.note.setText(words)
        self.note.show()
        self.stack.hide()

    def show_pages_only(self) -> None:
        """There is no text, but pages can be looked at."""
        self.stack.show()
        self.show_pages(pages=True)

    def show_passages(
        self, messages: Sequence[Message], marks: Mapping[str, str], *, before: bool = False, after: bool = False
    ) -> None:
        """Passages as messages, with words above some; `before`, `after`: there are more."""
        self.text.show_path(tuple(messages), total=len(messages))
        self.text.decorations.set_load_line(None, marks=marks)
        if messages:
            self.text.navigation.scroll_to_message(messages[0].id)
        self.earlier.setVisible(before)
        self.later.setVisible(after)

    def go_to_passage(self, message_id: str, quotes: Sequence[str] = (), words: str = "") -> None:
        """Brings a passage into view and marks it, or the sentences of it that are quoted, or words of a search."""
        self._marked, self._quotes = message_id, tuple(quotes)
        self.text.navigation.jump_to(message_id)
        self._finding.unmark()
        self._finding.mark(words, message_id)
        self.text.repaint_all()

    def offer_pages(self) -> None:
        """There are pictures of pages to change to."""
        self.text_button.show()
        self.pages_button.show()

    def offer_file(self) -> None:
        """There is a file to open in its own program."""
        self.open_button.show()

    def show_pages(self, *, pages: bool) -> None:
        """Shows the pages, or the text."""
        (self.pages_button if pages else self.text_button).setChecked(True)
        self.page_tools.setVisible(pages)
        keyboard = self.stack.isAncestorOf(QApplication.focusWidget() or self)
        self.stack.setCurrentWidget(self.pages if pages else self.text)
        if keyboard:
            self.focus_inside()

    def show_place(self, words: str, *, before: bool = False, after: bool = False) -> None:
        """Which of the passages found is shown, and whether there are others before and after it."""
        self.found.setText(words)
        for part, on in ((self.found, True), (self.previous, before), (self.next, after)):
            part.setVisible(bool(words))
            part.setEnabled(on)

    def show_quote(self, words: str) -> None:
        """The passage's own words, where its place on the page is not known; empty: nothing."""
        say_in(self.quote, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_N: 1, Qt.Key.Key_P: -1}
        if event.key() == Qt.Key.Key_Escape:
            self.close_requested.emit()
        elif event.key() in steps and not event.modifiers() and self.next.isVisible():
            step = steps[Qt.Key(event.key())]
            if (self.next if step > 0 else self.previous).isEnabled():
                self.step_requested.emit(step)
        else:
            super().keyPressEvent(event)

    def focus_inside(self) -> None:
        """Gives the keyboard to what is shown."""
        shown = self.stack.currentWidget() if self.stack.isVisible() else self.close_button
        if shown is not None:
            shown.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- parts

    def _highlights_in(self, placed: PlacedRow) -> Sequence[TextHighlight]:
        """The words looked for, the sentences of the marked passage that are quoted, or its whole text."""
        if self._finding.active:
            return self._finding.highlights_in(placed)
        messages = self.text.messages[placed.message : placed.message + 1]  # none: the row stands after the last
        if not messages or messages[0].id != self._marked:
            return ()
        rows = self.text.row_layout.message_layout(placed.message).rows
        if not any(quoted_spans(row.item.reading, self._quotes) for row in rows):
            return (TextHighlight(0, placed.row.item.length),)
        text = placed.row.item.reading
        spans = quoted_spans(text, self._quotes)
        return [TextHighlight(utf16_length(text[:start]), utf16_length(text[:end])) for start, end in spans]

    def _lay_out(self) -> None:
        head = in_row((self.heading, 1), self.open_button, self.close_button, margins=(EDGE, GRID, GRID, 0))
        # first, and the buttons before the words: whatever document comes, they are where they were
        steps = (self.previous, self.next, self.found)
        views = (self.text_button, self.pages_button, self.page_tools)
        above = in_column(
            _indented(FlowRow(*steps, across=GRID, down=GRID // 2), EDGE - GRID),
            _indented(self.facts, EDGE),
            _indented(FlowRow(*views, across=GRID, down=GRID // 2), EDGE - GRID),
            _indented(self.note, EDGE),
            _indented(self.quote, EDGE),
            spacing=GRID // 2,
            margins=(0, 0, GRID, GRID // 2),
        )
        rule = frame_in(self, "rule")
        rule.setFixedHeight(1)
        in_column(head, above, rule, self.earlier, (self.stack, 1), self.later, of=self, spacing=0, margins=0)
        for widget in (self.open_button, *steps, *views, self.note, self.quote, self.earlier, self.later):
            widget.hide()

    def _connect(self) -> None:
        self.page_tools.follow(self.pages)
        self.open_button.clicked.connect(self.file_requested)
        self.text_button.clicked.connect(lambda: self.pages_requested.emit(False))
        self.pages_button.clicked.connect(lambda: self.pages_requested.emit(True))
        self.close_button.clicked.connect(self.close_requested)
        self.previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self.next.clicked.connect(lambda: self.step_requested.emit(1))
        self.earlier.clicked.connect(lambda: self.part_requested.emit(-1))
        self.later.clicked.connect(lambda: self.part_requested.emit(1))

    def _label(self, *, tone: str = "secondary") -> QLabel:
        label = label_in(self)
        label.setMinimumWidth(1)
        label.setWordWrap(True)
        if tone:
            label.setProperty("tone", tone)
        return label

    def _switch(self, words: str) -> QPushButton:
        button = button_in(self, words, kind="choice")
        button.setCheckable(True)
        return button

    def _quiet(self, words: str, name: str, keys: str) -> QPushButton:
        button = button_in(self, words, kind="quiet")
        if name:
            button.setAccessibleName(name)
            button.setToolTip(f"{name} ({keys})")
        return button

    def _apply_theme(self) -> None:
        self.heading.setFont(self._theme.title_font())

    def _show_theme(self) -> None:
        self.text.set_theme(self._theme)


def _indented(part: QWidget | FlowRow, left: int) -> QVBoxLayout:
    """A part so far from the left edge; that of buttons lies left of their words."""
    around = QVBoxLayout()
    around.setContentsMargins(left, 0, 0, 0)
    if isinstance(part, QWidget):
        around.addWidget(part)
    else:
        around.addLayout(part)
    return around


AT_ONCE = 2_000
"""Passages that are shown at a time: two to three million characters, which the view measures in a moment."""

QUOTED = 400
"""Characters of a passage that are quoted above its page where its place on it is not known."""

MOST_WORDS: Final = 20
"""Words of a search that are marked on a page, for each of which its letters are asked for."""

PDF = "application/pdf"

_RUN: Final = (
    "app applescript bash bat cmd com command cpl desktop exe hta jar js jse jsx lnk msi pl ps1 py pyw rb reg scr sh "
    "url vbe vbs wsf wsh"
)
RUN_BY_SYSTEM: Final = frozenset(f".{kind}" for kind in _RUN.split())
"""Ends of names of files that some system runs instead of showing them: these are not opened."""


class ProjectDocumentPresenter(QObject):
    """One document as it was read; its text does not change.

    `file_wanted(path)`: this file is to be opened in its own program.
    """

    file_wanted = Signal(str)

    def __init__(self, app_state: AppState, pane: ProjectDocumentPane) -> None:
        super().__init__(pane)
        self.pane = pane
        self.document: ProjectDocument | None = None
        self._app_state = app_state
        self._text: DocumentText | None = None
        self._first = 0
        self._marked = 0
        self._found: tuple[str, ...] = ()
        self._wanted, self._quotes, self._words = "", tuple[str, ...](), ""
        self._sized = self._pages_open = self._has_pages = self._text_chosen = False
        pane.step_requested.connect(self._step)
        pane.pages_requested.connect(self._choose)
        pane.part_requested.connect(self._show_part)
        pane.file_requested.connect(lambda: app_state.start(self._open_file()))
        self._copies: PrivateFolder | None = None
        pane.pages.picture_wanted.connect(lambda number, width: app_state.look(self._fetch(number, width)))

    def show(
        self,
        document: ProjectDocument,
        passage: str = "",
        found: Sequence[str] = (),
        quotes: Sequence[str] = (),
        words: str = "",
    ) -> None:
        """Shows a document with a passage marked; `found`: others to go to from it.

        An answer's `quotes` stand out in it, or the `words` of a search.
        """
        self._wanted, self._found, self._quotes, self._words = passage, tuple(found), tuple(quotes), words
        if not self._shows(document):
            self.document, self._text = document, None
            self._first = self._marked = 0
            self._sized = self._pages_open = self._has_pages = self._text_chosen = False
            self.pane.show_document(document.name)
            self._say_place()
            self._app_state.look(self._load(document))
        elif self._text is not None:
            self._go()

    def _shows(self, document: ProjectDocument) -> bool:
        """Return True if this is the document shown, as it was read."""
        return (now := self.document) is not None and (now.id, now.sha256) == (document.id, document.sha256)

    # --- loading

    async def _load(self, document: ProjectDocument) -> None:
        services = await self._app_state.services()
        text = await services.history.projects.text(document.sha256) if document.sha256 else None
        path = await services.projects.file_of(document)
        if not self._shows(document):
            return
        if path is not None and Path(document.name).suffix.lower() not in RUN_BY_SYSTEM:
            self.pane.offer_file()
        if text is None or not text.passages:
            self.pane.show_facts("", "")
            words = translated(document.error) or self.tr("“{name}” is not read yet.").format(name=document.name)
            self.pane.show_problem(words)
            if document.name.lower().endswith(".pdf"):
                await self._show_unread_pages(document)
            return
        self._text = text
        (weighed,) = (await weighed_documents(services.chat, document.project_id, [document])).documents
        if not self._shows(document):
            return
        self.pane.show_facts(self._facts(weighed, text), translated(text.note))
        if text.media_type == PDF and path is not None:
            self.pane.offer_pages()
            self._has_pages = True
        self._show_from(0)
        self._go()

    async def _show_unread_pages(self, document: ProjectDocument) -> None:
        """The pages of a scan, whose text nobody has read; nothing where the file can't be shown."""
        services = await self._app_state.services()
        if (place := await services.projects.file_of(document)) is None:
            return
        try:
            sizes = await services.extractor.page_sizes(*place)
        except PlimsollError:
            return  # the page says already what is wrong with the file
        if self._shows(document):
            self._sized = True
            self.pane.pages.show_pages(sizes)
            self.pane.show_pages_only()

    def _facts(self, document: ProjectDocument, text: DocumentText) -> str:
        kind = document.name.rpartition(".")[2].upper() if "." in document.name else ""
        pages = self.tr("1 page") if text.pages == 1 else self.tr("{count} pages").format(count=grouped(text.pages))
        tokens = self.tr("{count} tokens").format(count=about(document.tokens)) if document.tokens else ""
        told = [kind, pages if text.pages else "", tokens or characters(len(text.text))]
        return " · ".join(words for words in told if words)

    # --- the text

    def _show_part(self, step: int) -> None:
        self._show_from(self._first + step * AT_ONCE)

    def _show_from(self, first: int) -> None:
        text, document = self._text, self.document
        if text is None or document is None:
            return
        self._first = max(0, min(first, (len(text.passages) - 1) // AT_ONCE * AT_ONCE))
        shown = text.passages[self._first : self._first + AT_ONCE]
        language = code_language(document.name)
        messages = [
            Message(_id(one), "", None, "assistant", (TextPart(passage_markdown(text, one, language)),), "")
            for one in shown
        ]
        marks = {_id(one): self.tr("Page {page}").format(page=grouped(page)) for one, page in page_marks(shown)}
        after = self._first + AT_ONCE < len(text.passages)
        self.pane.show_passages(messages, marks, before=self._first > 0, after=after)

    # --- the passage

    def _go(self) -> None:
        text = self._text
        number = self._number(self._wanted)
        if text is None or not 1 <= number <= len(text.passages):
            self._marked = 0
            self.pane.show_place("")
            return
        self._marked = number
        if (part := (number - 1) // AT_ONCE * AT_ONCE) != self._first:
            self._show_from(part)
        passage = text.passages[number - 1]
        self._mark_text(passage)
        self._say_place()
        if self._pages_open:
            self._app_state.look(self._mark(passage))
        elif self._has_pages and passage.page and not self._text_chosen:
            self._turn(True)  # where it is printed says more than its words alone

    def _mark_text(self, passage: Passage) -> None:
        if self._text is not None:
            said = self._text.text[passage.start : passage.end]
            words = self._words if FindPattern(self._words, any_word=True).spans(said) else ""
            self.pane.go_to_passage(_id(passage), self._quotes if self._quoted(said) else (), words)

    def _quoted(self, said: str) -> list[tuple[int, int]]:
        """The sentences of a passage that the answer quotes, or the words looked for.

        A quote of all of it tells no more than the passage.
        """
        if found := FindPattern(self._words, any_word=True).spans(said)[:MOST_WORDS]:
            return found
        return [span for span in quoted_spans(said, self._quotes) if span != (0, len(said))]

    def _number(self, wanted: str) -> int:
        """The number of one of this text's passages; 0 for one of another text."""
        head, _, number = wanted.rpartition("-")
        ours = self.document is not None and head == self.document.sha256[:ID_DIGITS] and number.isdigit()
        return int(number) if ours else 0

    def _say_place(self) -> None:
        if (count := len(self._found)) < 2 or self._wanted not in self._found:
            self.pane.show_place("")
            return
        at = self._found.index(self._wanted) + 1
        words = self.tr("Passage {number} of {count}").format(number=grouped(at), count=grouped(count))
        self.pane.show_place(words, before=at > 1, after=at < count)

    def _step(self, step: int) -> None:
        place = self._found.index(self._wanted) + step if self._wanted in self._found else -1
        if not 0 <= place < len(self._found):
            return
        wanted = self._found[place]
        if self._number(wanted):
            self._wanted = wanted
            self._go()
        elif self.document is not None:  # it is of another document, which takes the place of this
            self._app_state.passage_wanted.emit(self.document.project_id, wanted, self._found, self._words)

    # --- the pages

    def _choose(self, pages: bool) -> None:
        """The user wants the pages, or the text, and keeps it for the passages to come."""
        self._text_chosen = not pages
        self._turn(pages)

    def _turn(self, pages: bool) -> None:
        if pages == self._pages_open:
            return
        self._pages_open = pages
        self.pane.show_quote("")
        self.pane.show_pages(pages=pages)
        if not pages:
            if self._marked and self._text is not None:
                self._mark_text(self._text.passages[self._marked - 1])
            return
        self._app_state.look(self._open_pages())

    async def _open_pages(self) -> None:
        if (document := self.document) is None:
            return
        services = await self._app_state.services()
        if (place := await services.projects.file_of(document)) is None:
            self._tell(self.tr("The file is missing; its text is kept."))
            return
        if not self._sized:
            try:
                sizes = await services.extractor.page_sizes(*place)
            except PlimsollError as error:
                self._tell(translated(error.failure.message))
                return
            if not self._shows(document):
                return
            self._sized = True
            self.pane.pages.show_pages(sizes)
        if self._marked and self._text is not None:
            await self._mark(self._text.passages[self._marked - 1])

    async def _mark(self, passage: Passage) -> None:
        text, document = self._text, self.document
        if text is None or document is None or not passage.page:
            return
        services = await self._app_state.services()
        place = await services.projects.file_of(document)
        boxes: Sequence[tuple[float, float, float, float]] = ()
        if place is not None:
            path, below = place
            said = text.text[passage.start : passage.end]
            try:
                for start, end in self._quoted(said) or [(0, len(said))]:
                    first, last = _place_on_page(text, passage, start, end)
                    boxes = (*boxes, *await services.extractor.text_boxes(path, passage.page, first, last, below))
            except PlimsollError:
                boxes = ()  # the page is framed instead
        if not self._shows(document):
            return
        said = "" if boxes else text.text[passage.start : passage.end]
        self.pane.show_quote(f"{said[:QUOTED]}…" if len(said) > QUOTED else said)
        self.pane.pages.mark(passage.page, boxes)
        self.pane.pages.go_to(passage.page)

    async def _fetch(self, number: int, width: int) -> None:
        if (document := self.document) is None:
            return
        services = await self._app_state.services()
        if (place := await services.projects.file_of(document)) is None:
            self.pane.pages.show_failure(number, self.tr("The file is missing; its text is kept."))
            return
        try:
            data = await services.extractor.page_image(place[0], number, width, place[1])
        except PlimsollError as error:
            if self._shows(document):
                self.pane.pages.show_failure(number, translated(error.failure.message))
            return
        picture = await asyncio.to_thread(QImage.fromData, data)
        if self._shows(document):
            self.pane.pages.show_picture(number, picture)

    async def _open_file(self) -> None:
        """The user's own file; where that is gone, a copy under its name, gone when Plimsoll ends."""
        if (document := self.document) is None:
            return
        services = await self._app_state.services()
        if (path := await services.projects.original_of(document)) is None:
            if (kept := await services.projects.file_of(document)) is None:
                self.pane.show_facts(self.pane.facts.text(), self.tr("The file is missing; its text is kept."))
                return
            path = await asyncio.to_thread(self._copied, kept[0], document.name)
        self.file_wanted.emit(str(path))

    def _copied(self, kept: Path, name: str) -> Path:
        if self._copies is None:
            self._copies = PrivateFolder()
            atexit.register(self._copies.remove)
        folder = self._copies.path / kept.name[:ID_DIGITS]
        folder.mkdir(exist_ok=True)
        return Path(shutil.copyfile(kept, folder / fitting_name(Path(name).name)))

    def _tell(self, words: str) -> None:
        self._pages_open = False
        self.pane.show_facts(self.pane.facts.text(), words)
        self.pane.show_pages(pages=False)


def _id(passage: Passage) -> str:
    return f"passage-{passage.number}"


def _place_on_page(text: DocumentText, passage: Passage, start: int, end: int) -> tuple[int, int]:
    """Which characters of its page the characters `start` to `end` of a passage are, counted without spaces."""
    begins = next(one.start for one in text.passages if one.page == passage.page)
    first = _solid(text.text[begins : passage.start + start])
    return first, first + _solid(text.text[passage.start + start : passage.start + end])


def _solid(text: str) -> int:
    return sum(not one.isspace() for one in text)

"""Fills the page of a project's document: its text by passages, pictures of its pages, the passage asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from desktop_app.core.errors import PlimsollError
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.passage_markdown import code_language, page_marks, passage_markdown
from desktop_app.core.projects import ID_DIGITS, DocumentText, Passage, ProjectDocument
from desktop_app.ui.documents.project_document_page import ProjectDocumentPage
from desktop_app.ui.i18n.attachment_words import about, characters
from desktop_app.ui.i18n.language import grouped, spoken
from desktop_app.ui.state.app_state import AppState

AT_ONCE = 2_000
"""Passages that are shown at a time: two to three million characters, which the view measures in a moment."""

QUOTED = 400
"""Characters of a passage that are quoted above its page where its place on it is not known."""

PDF = "application/pdf"


class ProjectDocumentPresenter(QObject):
    """One document as it was read; its text does not change."""

    def __init__(
        self, app_state: AppState, page: ProjectDocumentPage, document: ProjectDocument, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.page = page
        self._app_state = app_state
        self._document = document
        self._text: DocumentText | None = None
        self._first = 0
        self._marked = 0
        self._found: tuple[str, ...] = ()
        self._wanted = ""
        self._sized = self._pages_open = self._ended = False
        page.step_requested.connect(self._step)
        page.pages_requested.connect(self._turn)
        page.part_requested.connect(self._show_part)
        page.pages.picture_wanted.connect(lambda number, width: app_state.look(self._fetch(number, width)))
        app_state.look(self._load())

    def end(self) -> None:
        self._ended = True

    def shows(self, document: ProjectDocument) -> bool:
        """Whether this is what is shown, as it was read."""
        return (self._document.id, self._document.sha256) == (document.id, document.sha256)

    def go_to(self, passage: str, found: Sequence[str] = ()) -> None:
        """Marks a passage and brings it into view; `found`: those that can be gone to from it. Empty: none."""
        self._wanted, self._found = passage, tuple(found)
        if self._text is not None:
            self._go()

    # --- loading

    async def _load(self) -> None:
        services = await self._app_state.services()
        document = self._document
        text = await services.history.projects.text(document.sha256) if document.sha256 else None
        if self._ended:
            return
        if text is None or not text.passages:
            self.page.show_facts("", "")
            words = spoken(document.error) or self.tr("“{name}” is not read yet.").format(name=document.name)
            self.page.show_problem(words)
            if document.name.lower().endswith(".pdf"):
                await self._show_unread_pages()
            return
        self._text = text
        self.page.show_facts(self._facts(text), spoken(text.note))
        if text.media_type == PDF and await services.projects.file_of(document) is not None:
            self.page.offer_pages()
        if not self._ended:
            self._show_from(0)
            self._go()

    async def _show_unread_pages(self) -> None:
        """The pages of a scan, whose text nobody has read; nothing where the file can't be shown."""
        services = await self._app_state.services()
        path = await services.projects.file_of(self._document)
        if path is None:
            return
        try:
            sizes = await services.extractor.page_sizes(path)
        except PlimsollError:
            return  # the page says already what is wrong with the file
        if not self._ended:
            self._sized = True
            self.page.pages.show_pages(sizes)
            self.page.show_pages_only()

    def _facts(self, text: DocumentText) -> str:
        kind = self._document.name.rpartition(".")[2].upper() if "." in self._document.name else ""
        pages = self.tr("1 page") if text.pages == 1 else self.tr("{count} pages").format(count=grouped(text.pages))
        tokens = self.tr("{count} tokens").format(count=about(self._document.tokens)) if self._document.tokens else ""
        told = [kind, pages if text.pages else "", tokens or characters(len(text.text))]
        return " · ".join(words for words in told if words)

    # --- the text

    def _show_part(self, step: int) -> None:
        self._show_from(self._first + step * AT_ONCE)

    def _show_from(self, first: int) -> None:
        text = self._text
        if text is None:
            return
        self._first = max(0, min(first, (len(text.passages) - 1) // AT_ONCE * AT_ONCE))
        shown = text.passages[self._first : self._first + AT_ONCE]
        language = code_language(self._document.name)
        messages = [
            Message(_id(one), "", None, "assistant", (TextPart(passage_markdown(text, one, language)),), "")
            for one in shown
        ]
        marks = {_id(one): self.tr("Page {page}").format(page=grouped(page)) for one, page in page_marks(shown)}
        after = self._first + AT_ONCE < len(text.passages)
        self.page.show_passages(messages, marks, before=self._first > 0, after=after)

    # --- the passage

    def _go(self) -> None:
        text = self._text
        number = self._number(self._wanted)
        if text is None or not 1 <= number <= len(text.passages):
            self._marked = 0
            self.page.show_place("", many=False)
            return
        self._marked = number
        part = (number - 1) // AT_ONCE * AT_ONCE
        if part != self._first:
            self._show_from(part)
        passage = text.passages[number - 1]
        self.page.go_to_passage(_id(passage))
        self._say_place()
        if self._pages_open:
            self._app_state.look(self._mark(passage))

    def _number(self, wanted: str) -> int:
        """The number of one of this text's passages; 0 for one of another text."""
        head, _, number = wanted.rpartition("-")
        ours = head == self._document.sha256[:ID_DIGITS] and number.isdigit()
        return int(number) if ours else 0

    def _say_place(self) -> None:
        many = len(self._found) > 1 and self._wanted in self._found
        words = ""
        if many:
            at = self._found.index(self._wanted) + 1
            words = self.tr("Passage {number} of {count}").format(number=grouped(at), count=grouped(len(self._found)))
        self.page.show_place(words, many=many)

    def _step(self, step: int) -> None:
        if self._wanted not in self._found:
            return
        wanted = self._found[(self._found.index(self._wanted) + step) % len(self._found)]
        if self._number(wanted):
            self.go_to(wanted, self._found)
        else:  # it is of another document, whose page takes the place of this
            self._app_state.passage_wanted.emit(self._document.project_id, wanted, self._found)

    # --- the pages

    def _turn(self, pages: bool) -> None:
        self._pages_open = pages
        self.page.show_quote("")
        self.page.show_pages(pages=pages)
        if not pages:
            if self._marked and self._text is not None:
                self.page.go_to_passage(_id(self._text.passages[self._marked - 1]))
            return
        self._app_state.look(self._open_pages())

    async def _open_pages(self) -> None:
        services = await self._app_state.services()
        path = await services.projects.file_of(self._document)
        if path is None:
            self._tell(self.tr("The file is gone; its text is kept."))
            return
        if not self._sized:
            try:
                sizes = await services.extractor.page_sizes(path)
            except PlimsollError as error:
                self._tell(spoken(error.failure.message))
                return
            if self._ended:
                return
            self._sized = True
            self.page.pages.show_pages(sizes)
        if self._marked and self._text is not None:
            await self._mark(self._text.passages[self._marked - 1])

    async def _mark(self, passage: Passage) -> None:
        text = self._text
        if text is None or not passage.page:
            return
        services = await self._app_state.services()
        path = await services.projects.file_of(self._document)
        boxes: Sequence[tuple[float, float, float, float]] = ()
        if path is not None:
            first, last = _place_on_page(text, passage)
            try:
                boxes = await services.extractor.text_boxes(path, passage.page, first, last)
            except PlimsollError:
                boxes = ()  # the page is framed instead
        if self._ended:
            return
        said = "" if boxes else text.text[passage.start : passage.end]
        self.page.show_quote(f"{said[:QUOTED]}…" if len(said) > QUOTED else said)
        self.page.pages.mark(passage.page, boxes)
        self.page.pages.go_to(passage.page)

    async def _fetch(self, number: int, width: int) -> None:
        services = await self._app_state.services()
        path = await services.projects.file_of(self._document)
        if path is None:
            self.page.pages.show_failure(number, self.tr("The file is gone; its text is kept."))
            return
        try:
            data = await services.extractor.page_image(path, number, width)
        except PlimsollError as error:
            if not self._ended:
                self.page.pages.show_failure(number, spoken(error.failure.message))
            return
        picture = await asyncio.to_thread(QImage.fromData, data)
        if not self._ended:
            self.page.pages.show_picture(number, picture)

    def _tell(self, words: str) -> None:
        if not self._ended:
            self.page.show_facts(self.page.facts.text(), words)
            self.page.show_pages(pages=False)


def _id(passage: Passage) -> str:
    return f"passage-{passage.number}"


def _place_on_page(text: DocumentText, passage: Passage) -> tuple[int, int]:
    """Which characters of its page a passage is, counted without spaces."""
    begins = next(one.start for one in text.passages if one.page == passage.page)
    first = _solid(text.text[begins : passage.start])
    return first, first + _solid(text.text[passage.start : passage.end])


def _solid(text: str) -> int:
    return sum(not one.isspace() for one in text)

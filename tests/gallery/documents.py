"""Shows the pane of a project's document: its text at a passage, its pages with one marked, what can't be shown."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.core.messages import Message, TextPart
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from desktop_app.ui.theme.theme import GRID
from tests.gallery.page import WIDTH, Page

PASSAGES = (
    "# Delivery\n\nThe supplier delivers every order within three working days of the date on which it was placed.",
    "| Rope | Strength | Price |\n| --- | --- | --- |\n| thin | 1 t | 3.20 |\n| thick | 3 t | 9.90 |",
    "## Terms\n\nPayment is due after thirty days, without a discount.",
)
LINES = ((0.1, 0.1, 0.7, 0.13), (0.1, 0.14, 0.85, 0.17), (0.1, 0.18, 0.4, 0.21))


def fill(page: Page) -> None:
    """Each way in which a document is shown."""
    text = _made(page, "Order portal requirements v1.docx")
    text.show_facts("DOCX · ≈ 62K tokens", "")
    messages = [
        Message(str(number), "", None, "assistant", (TextPart(words),), "") for number, words in enumerate(PASSAGES)
    ]
    text.show_passages(messages, {"0": "Page 1", "2": "Page 2"}, after=True)
    text.show_place("Passage 2 of 3", before=True, after=True)
    text.go_to_passage("1")
    page.add("The text, at a passage", _holder(text))

    pages = _made(page, "Order portal requirements v1.pdf")
    pages.show_facts("PDF · 42 pages · ≈ 62K tokens", "2 of 42 pages hold no text; pictures are left out.")
    pages.offer_pages()
    pages.pages.show_pages([(595, 200), (595, 300), (595, 842)])
    for number in (1, 2):
        pages.pages.show_picture(number, _drawn(200 if number == 1 else 300))
    pages.pages.mark(1, LINES)
    pages.show_pages(pages=True)
    page.add("The pages, one marked", _holder(pages))

    framed = _made(page, "Scanned contract.pdf")
    framed.show_facts(
        "PDF · 2 pages · ≈ 1.1K tokens", "The text of 2 pages was recognized by Tesseract; it may have errors."
    )
    framed.offer_pages()
    framed.pages.show_pages([(595, 200), (595, 842)])
    framed.pages.show_picture(1, _drawn(200))
    framed.pages.mark(1)
    framed.show_quote("The supplier delivers every order within three working days.")
    framed.show_pages(pages=True)
    page.add("A scan: the page is framed, the passage quoted", _holder(framed))

    failed = _made(page, "Vertragsunterlagen der Donaudampfschifffahrtsgesellschaft.pdf")
    failed.show_problem("“Vertragsunterlagen.pdf” is protected by a password. Save a copy without one, then add that.")
    page.add("What can't be shown", _holder(failed))


def _made(page: Page, name: str) -> ProjectDocumentPane:
    held = QFrame(page)
    held.setFixedSize(WIDTH, 44 * GRID)
    made = ProjectDocumentPane(page.theme, held)
    made.show_document(name)
    made.setGeometry(held.rect())
    return made


def _holder(made: ProjectDocumentPane) -> QWidget:
    held = made.parentWidget()
    assert held is not None
    return held


def _drawn(height: int) -> QImage:
    """A page with bars in the place of its lines."""
    picture = QImage(595, height, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    for left, top, right, bottom in LINES:
        painter.fillRect(
            round(left * 595),
            round(top * height),
            round((right - left) * 595),
            round((bottom - top) * height),
            QColor("#303030"),
        )
    painter.end()
    return picture

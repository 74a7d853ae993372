"""Pictures of a project's documents in their pane: text, tables, code, pages of a PDF, a marked passage, errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.projects import Passage, ProjectDocument, passage_id
from desktop_app.ui.documents.project_document_pane import ProjectDocumentPane
from tests.documents.files import docx, paragraph, pdf, table
from tests.documents.office_files import xlsx

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

PROSE = (
    "The supplier delivers every order within three working days of the date on which it was placed, unless the buyer "
    "has agreed to another date in writing."
)
PRICES = (["Rope", "Strength", "Price"], ["thin", "1 t", "3.20"], ["thick", "3 t", "9.90"], ["chain", "8 t", "41.00"])


def report() -> bytes:
    """A PDF of five pages, with lines that fill them."""
    lines = PROSE.replace(" order", "\norder").replace(" agreed", "\nagreed")
    return pdf(
        *(
            "\n".join([f"{number}. Delivery, part {number}", *[lines] * 9, f"End of part {number}."])
            for number in range(1, 6)
        )
    )


def contract() -> bytes:
    """A Word document with headings, paragraphs and a table."""
    parts = []
    for number in range(1, 12):
        parts.append(paragraph(f"Part {number}", '<w:pStyle w:val="Heading1"/>'))
        parts.append(paragraph("Terms", '<w:pStyle w:val="Heading2"/>'))
        parts += [paragraph(f"{number}.{line} {PROSE}") for line in range(1, 5)]
        parts.append(table(*PRICES))
    return docx("".join(parts))


async def documents_of(window: OpenWindow, **files: bytes) -> dict[str, ProjectDocument]:
    """A project with these files, read, to be searched; its documents by name. `_` in a name stands for the dot."""
    folder = Path(window.session.paths.root, "files")
    folder.mkdir(exist_ok=True)
    paths = []
    for name, data in files.items():
        paths.append(folder / name.replace("_", ".").replace("..", "_"))
        paths[-1].write_bytes(data)
    projects = window.services.projects
    project = await projects.create("Ordering portal")
    await projects.add_files(project.id, paths)
    await projects.set_mode(project.id, [document.id for document in await projects.read_all(project.id)], "search")
    return {document.name: document for document in await projects.documents(project.id)}


async def passages_of(window: OpenWindow, document: ProjectDocument) -> tuple[Passage, ...]:
    """The passages of a document, as they are stored."""
    text = await window.services.history.projects.text(document.sha256)
    assert text is not None
    return text.passages


async def shown(
    window: OpenWindow, document: ProjectDocument, number: int = 0, *others: int, words: str = ""
) -> ProjectDocumentPane:
    """The pane of a document, at a passage where one is given; others were found with it, by a search for `words`."""
    found = tuple(passage_id(document.sha256, one) for one in (number, *others) if one)
    if number:
        window.app_state.passage_wanted.emit(document.project_id, found[0], found, words)
    else:
        window.app_state.document_wanted.emit(document)
    await window.until(window.window.document.isVisible, "the document's pane")
    await window.settled()
    page = window.window.document.content
    assert isinstance(page, ProjectDocumentPane)
    return page


async def document_text(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    documents = await documents_of(window, contract_docx=contract())
    await shown(window, documents["contract.docx"], 14, 20, 31)


async def document_pages(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"], 4, 6)
    page.pages_button.click()
    await window.settled()


async def document_narrow(window: OpenWindow) -> None:
    window.window.resize(480, 820)
    documents = await documents_of(window, report_pdf=report())
    page = await shown(window, documents["report.pdf"], 4, 6)
    page.pages_button.click()
    await window.settled()


async def document_table(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    head: list[str | float] = ["Name", "Strength", "Price"]
    rows: list[list[str | float]] = [[f"Part {number}", f"{number % 7} t", number * 1.25] for number in range(400)]
    documents = await documents_of(window, prices_xlsx=xlsx(Prices=[head, *rows]))
    await shown(window, documents["prices.xlsx"], 4)


async def document_code(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    source = Path(__file__).read_bytes()
    documents = await documents_of(window, scenes_py=source)
    await shown(window, documents["scenes.py"], 2)


async def document_found(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    documents = await documents_of(window, contract_docx=contract(), report_pdf=report())
    await shown(window, documents["contract.docx"], 15, 20, 31, words="buyer writing")


async def document_found_page(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    documents = await documents_of(window, report_pdf=report())
    await shown(window, documents["report.pdf"], 4, 6, words="agreed")


async def document_failed(window: OpenWindow) -> None:
    window.window.resize(1180, 820)
    documents = await documents_of(window, scan_pdf=pdf("", "", scanned=True))
    await shown(window, documents["scan.pdf"])


DOCUMENT_SCENES = (
    document_text,
    document_pages,
    document_narrow,
    document_table,
    document_code,
    document_found,
    document_found_page,
    document_failed,
)

"""Shows the pane of artifacts: reading, comparing, writing, several, a drawing; and the card in an answer."""

from __future__ import annotations

from PySide6.QtCore import Qt

from desktop_app.core.messages import JsonObject, Message, TextPart, ToolCallPart, ToolResultPart
from desktop_app.core.svg_sanitizing import safe_svg
from desktop_app.core.text_diff import compare_versions
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane, painted_drawing
from desktop_app.ui.artifacts.artifacts_presenter import version_lines
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.transcript.items.item import ARTIFACT
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.view import TranscriptView
from tests.gallery.page import Page

BEFORE = (
    "# Order BRD\n\n## Scope\n\nThe shop takes orders and sends invoices.\n\n| Field | Rule |\n|---|---|\n"
    "| price | in cents |\n| amount | 1 to 500 |\n\n1. An order has one line or more.\n"
    "2. An order is kept for ten years.\n"
)
AFTER = BEFORE.replace("in cents", "in whole euros").replace("2. An order", "2. Nobody deletes an order.\n3. An order")
LONG = "Bestellportal für Übergrößenträgerlösungen der Donaudampfschifffahrtsgesellschaft"
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><rect x="10" y="20" width="100" height="50" '
    'rx="6" fill="#cfe0ff" stroke="#334466"/><path d="M110 45 H190" stroke="#334466"/>'
    '<rect x="190" y="20" width="100" height="50" fill="#ffe0c0"/></svg>'
)


def fill(page: Page) -> None:
    """Each state of the pane, then what stands in the transcript."""
    reading = _pane(page, "Reading", 44)
    reading.show_head("Order BRD", number=2, count=3, pinned=True)
    reading.show_text(BEFORE, "Order BRD")
    comparing = _pane(page, "Comparing", 44)
    comparing.show_head("Order BRD", number=2, count=2, pinned=False)
    comparing.show_differences(version_lines(compare_versions(BEFORE, AFTER), 1, 2))
    writing = _pane(page, "Writing, with a change that failed", 44)
    writing.show_head("Order BRD", number=2, count=2, pinned=False)
    writing.show_editor(AFTER)
    writing.say("The model declined. Nothing was changed.", troubled=True)
    asking = _pane(page, "A model changes the selection", 36)
    asking.show_head("Order BRD", number=2, count=2, pinned=False)
    asking.show_editor(AFTER)
    asking.editor.wish.setText("Say it in one sentence")
    asking.say("Changing the selection…")
    asking.set_changing(True)
    several = _pane(page, "Several, long words, a drawing", 36)
    several.show_list([LONG, "Flow", "prices.py"], 0)
    several.show_head(LONG, number=12, count=12, pinned=False)
    picture = painted_drawing(safe_svg(DRAWING), 600)
    assert picture is not None
    several.show_drawing(picture, LONG)
    several.run.show()
    several.source.show()
    several.say("Needs the internet, which stays blocked: cdn.tailwindcss.com, unpkg.com")
    _add_transcript(page)


def _pane(page: Page, caption: str, height: int) -> ArtifactPane:
    pane = ArtifactPane(page.theme, page)
    pane.setFixedSize(60 * GRID, height * GRID)
    pane.show_list(["Order BRD"], 0)
    pane.reader.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    pane.editor.text.setCursorWidth(0)
    page.add_at_left(caption, pane)
    return pane


def _add_transcript(page: Page) -> None:
    def made(call_id: str, text: str, *, failed: bool = False) -> tuple[ToolCallPart, ToolResultPart]:
        call = ToolCallPart(call_id, "create_artifact", {"title": "Order BRD", "kind": "markdown", "text": text})
        facts: JsonObject = {"artifact": {"id": "a", "title": "Order BRD", "version": 2, "kind": "markdown"}}
        return call, ToolResultPart(call_id, text, failed, {} if failed else facts)

    parts = (*made("1", "ok"), TextPart("The document is beside this."), *made("2", "no", failed=True))
    waiting = ToolCallPart("3", "create_artifact", {"title": LONG, "kind": "markdown", "text": ""})
    view = TranscriptView(page.theme, page)
    view.show_path(
        (
            Message("q", "t", None, "user", (TextPart("Write the BRD"),), ""),
            Message("a", "t", "q", "assistant", (*parts, waiting), "", backend="scripted"),
            Message("q2", "t", "a", "user", (TextPart("And the terms"),), ""),
            Message("b", "t", "q2", "assistant", (TextPart("# Terms\n\nAll prices hold for a year."),), ""),
        )
    )
    offer = "A long document: each later request sends its 3.6K tokens again"
    lines = {
        "a": StepLine("a", "Kept as Order BRD v1", ((f"{ARTIFACT}a:0", "Open"),)),
        "b": StepLine("b", offer, (("keep", "Keep as artifact"), ("keep_not", "Not now"))),
    }
    view.decorations.artifact_line = lambda message: lines.get(message.id)
    view.decorations.refresh_artifacts()
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setFixedSize(78 * GRID, 84 * GRID)
    page.add_at_left("Cards, what was kept, the offer", view)

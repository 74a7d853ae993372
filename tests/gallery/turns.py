"""Shows what stands in turns beside prose: thinking, tools, look-ups, attachments, answers that ended early.

Owns only made-up messages.
"""

from __future__ import annotations

import base64

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage

from desktop_app.core.messages import (
    DocumentPart,
    Failure,
    ImagePart,
    Json,
    JsonObject,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)
from tests.gallery.fitted import FittedTranscript, message
from tests.gallery.page import Page
from tests.ui.look_up_scenes import researched

PASSAGES = (
    "[Message 3 of 64, user, 2026-03-14]\nThe budget for the move is 4,200 euros. Aunt Ursula pays for the piano.\n\n"
    "[Message 8 of 64, assistant, 2026-03-14]\nNoted: 4,200 euros in all.\n\n- van: 890\n- boxes: 120\n"
)
FOUND: JsonObject = {"passages": 2, "messages": ["m0", "m1"], "starts": [0, PASSAGES.index("[Message 8")]}
LIMIT = "The model has no room left."


def fill(page: Page) -> None:
    """Folded, unfolded, running, failed."""
    folded = FittedTranscript(page.theme, page)
    folded.show_path(_tools())
    page.add("Thinking, look-ups, tools and searches, folded; with a failure and without a result", folded)
    unfolded = FittedTranscript(page.theme, page)
    unfolded.show_path(_tools()[:2])
    unfolded.unfold(1, 0, 2, 6)
    page.add("Unfolded", unfolded)
    running = FittedTranscript(page.theme, page)
    running.show_path([message(0, "user", "What may the move cost?")])
    running.stream.begin_answer(message(1, "assistant"))
    running.stream.finish_part("m1", TextPart("I look it up."))
    running.stream.finish_part("m1", _look_up("r1", "move"))
    page.add("Running", running)
    cited = FittedTranscript(page.theme, page)
    cited.show_path(researched())
    page.add("Documents and other threads looked through, an answer that cites passages", cited)
    found = FittedTranscript(page.theme, page)
    found.show_path(researched())
    found.unfold(1, 1, 5)
    page.add("What was found, unfolded", found)
    attached = FittedTranscript(page.theme, page)
    attached.show_path(_attached())
    page.add("Attachments", attached)
    ended = FittedTranscript(page.theme, page)
    ended.show_path(_ended())
    ended.footer.set_notice("The provider has too much to do. Trying again in 40 s", (("stop", "Stop"),))
    page.add("Stopped, failed, refused, waiting to try again", ended)


def _look_up(call_id: str, query: str) -> ToolCallPart:
    return ToolCallPart(call_id, "search_this_thread", {"query": query})


def _tools() -> list[Message]:
    pages: list[Json] = [
        {"type": "web_search_result", "url": "https://peps.python.org/pep-0703/", "title": "PEP 703"},
        {"type": "web_search_result", "url": "https://docs.example.org/free", "title": "Free threading"},
    ]
    return [
        message(0, "user", "What did we say about the piano, and what may the move cost?"),
        message(
            1,
            "assistant",
            ThinkingPart("The user asks for something that was said before.\n\nI should look it up."),
            "I look at what we said about it.",
            _look_up("c1", "piano move"),
            _look_up("c2", "budget"),
            ToolResultPart("c1", PASSAGES, extra=FOUND),
            ToolResultPart("c2", PASSAGES, extra=FOUND),
            ToolCallPart("d1", "mcp__docs__search_documents", {"query": "Umsatz im dritten Quartal", "limit": 5}),
            ToolResultPart("d1", "\n".join(f"{line}: a line of the result" for line in range(6))),
            "It may cost **4,200 euros**.",
        ),
        message(2, "user", "And which Python is it?"),
        message(
            3,
            "assistant",
            ToolCallPart("e1", "read_page", {"page": 12}),
            ToolResultPart("e1", "There is no page 12.", is_error=True),
            ToolCallPart("e2", "mcp__docs__search_documents", {"query": "stopped"}),
            _look_up("e3", "the end"),
            ToolResultPart("e3", "The search could not be read.", is_error=True),
            UnknownPart(
                {"type": "server_tool_use", "id": "w1", "name": "web_search", "input": {"query": "free threading"}}
            ),
            UnknownPart({"type": "web_search_tool_result", "tool_use_id": "w1", "content": pages}),
            TextPart(
                "The free-threaded build is no longer experimental.",
                {
                    "citations": [
                        {
                            "type": "web_search_result_location",
                            "url": "https://peps.python.org/pep-0703/",
                            "title": "PEP 703",
                            "cited_text": "no longer experimental",
                        }
                    ]
                },
            ),
        ),
    ]


def _attached() -> list[Message]:
    return [
        message(
            0,
            "user",
            DocumentPart("Quartalsbericht 2026.pdf", "Umsatz " * 900, "0" * 64, "application/pdf", {"pages": 12}),
            DocumentPart("a-very-long-name-of-a-text-that-somebody-has-attached-to-a-question.txt", "1", "1" * 64),
            "What does the report say?",
        ),
        message(1, "assistant", "It tells of the third quarter."),
        message(2, "user", picture("harbour.png", "syntax-type"), picture("quay.png", "syntax-name"), "And these?"),
        message(3, "assistant", "Two plain areas."),
    ]


def picture(name: str, role: str) -> ImagePart:
    """A picture of one colour, that of a role in the light theme."""
    from desktop_app.ui.theme.theme import load_theme

    image = QImage(160, 120, QImage.Format.Format_RGB32)
    image.fill(QColor(load_theme("light").color(role)))
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return ImagePart(name, "image/png", base64.b64encode(written.data()).decode(), 160, 120)


def _ended() -> list[Message]:
    failed = Failure("overloaded", "The provider stopped. Try again.")
    return [
        message(0, "user", "One"),
        message(1, "assistant", "Half an", state="partial", stop_reason="interrupted"),
        message(2, "user", "Two"),
        message(3, "assistant", state="error", failure=failed),
        message(4, "user", "Three"),
        message(5, "assistant", state="partial", stop_reason="interrupted"),
        message(6, "user", "Four"),
    ]

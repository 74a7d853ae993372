"""Shows what is done with messages: the row of buttons, versions, ratings and notes, the fields for writing in place.

Owns only made-up messages.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import MessageMark
from desktop_app.ui.transcript.message.action_bar import ActionBar, MessageAction
from desktop_app.ui.transcript.message.decorations import StepLine
from desktop_app.ui.transcript.message.message_changes import InlineNoteEditor, InlineQuestionEditor
from desktop_app.ui.transcript.message.tool_rows import AnnotationLine
from tests.gallery.fitted import FittedTranscript, message
from tests.gallery.page import Page

BUSY = "An answer is still coming. Stop it or wait until it is complete."
LONG = (
    "The second paragraph mixes up the two buffers.\n\n"
    "Ask again with the figures of the third quarter.\n"
    "Die Donaudampfschifffahrtsgesellschaft ist gemeint, nicht ihre Tochter."
)


def fill(page: Page) -> None:
    """Each by itself."""
    page.add_at_left("Buttons of an answer", _bar(page, _answer()))
    page.add_at_left("Buttons of an answer that was cut, rated and noted", _bar(page, _answer(cut=True, marked=True)))
    page.add_at_left("While an answer is coming", _bar(page, _answer(cut=True, reason=BUSY)))
    page.add_at_left("Buttons of a question", _bar(page, _question()))
    versions = _talk(page)
    versions.decorations.set_branches({"m0": (1, 2), "m1": (2, 3), "m3": (3, 3)}, frozen=False)
    page.add("Versions: the first, one in the middle, the last", versions)
    frozen = _talk(page)
    frozen.decorations.set_branches({"m1": (2, 3)}, frozen=True)
    page.add("Versions while an answer is coming", frozen)
    marked = _talk(page)
    marked.decorations.set_annotations(
        {
            "m0": AnnotationLine(MessageMark("", "Asked by the board.")),
            "m1": AnnotationLine(MessageMark("up")),
            "m3": AnnotationLine(MessageMark("down", LONG)),
        }
    )
    page.add("Rated up; rated down with a long note; a note on a question", marked)
    unfolded = _talk(page)
    unfolded.decorations.set_annotations({"m1": AnnotationLine(MessageMark("", LONG), unfolded=True)})
    unfolded.decorations.set_branches({"m1": (2, 2)}, frozen=False)
    page.add("A note unfolded, beneath the line of versions", unfolded)
    detour = _talk(page)
    back = (("detour_back", "Go back"),)
    detour.decorations.set_detour(StepLine("m3", "This message is on another branch of the thread", back))
    detour.navigation.point_out("m3")
    page.add("A message that was found on another branch", detour)
    page.add("A question written anew, with its attachment; refused", _edit(page, ""), _edit(page, "Too long."))
    note = InlineNoteEditor(page.theme, page)
    note.begin(LONG)
    page.add("A note is written", note)


def _bar(page: Page, offers: list[MessageAction]) -> QWidget:
    view = FittedTranscript(page.theme, page)
    view.hide()  # a row of buttons belongs to one, which is not to be seen here
    bar = ActionBar(view, view.stream.is_growing)
    bar.show_offers(offers)
    bar.setParent(page)
    bar.setFixedSize(bar.sizeHint())
    return bar


def _answer(*, cut: bool = False, marked: bool = False, reason: str = "") -> list[MessageAction]:
    offers = [
        MessageAction("copy", "copy", "Copy message"),
        MessageAction("again", "again", "Regenerate", reason),
        MessageAction("again_with", "chevron", "Regenerate with another model", reason, narrow=True),
    ]
    if cut:
        offers.append(MessageAction("continue", "continue", "Continue", reason))
    return [
        *offers,
        MessageAction("rate_up", "rated-up" if marked else "rate-up", "Rate up", on=marked),
        MessageAction("rate_down", "rate-down", "Rate down", on=False),
        MessageAction("note", "noted" if marked else "note", "Write a note", on=marked),
        MessageAction("details", "details", "Details"),
    ]


def _question() -> list[MessageAction]:
    copy, note = MessageAction("copy", "copy", "Copy message"), MessageAction("note", "note", "Write a note", on=False)
    return [MessageAction("edit", "pencil", "Edit"), copy, note, MessageAction("details", "details", "Details")]


def _edit(page: Page, told: str) -> InlineQuestionEditor:
    panel = InlineQuestionEditor(page.theme, page)
    panel.begin("And when is a deque better?", ["report.pdf"])
    panel.tell(told)
    return panel


def _talk(page: Page) -> FittedTranscript:
    view = FittedTranscript(page.theme, page)
    view.show_path(
        [
            message(0, "user", "How do I write a ring buffer?"),
            message(1, "assistant", "With a list and an index that wraps around."),
            message(2, "user", "And when is a deque better?"),
            message(3, "assistant", "Nearly always."),
        ]
    )
    return view

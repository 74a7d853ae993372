"""Shows the lines that say what the model reads: load line, marks, steps, ticks, summaries. Owns made-up messages."""

from __future__ import annotations

from desktop_app.core.messages import Message
from desktop_app.ui.transcript.message.decorations import ALWAYS_SENT, PINNED, StepLine, SummaryLine
from tests.gallery.fitted import FittedTranscript, message
from tests.gallery.page import Page

LEFT_OUT = "Left out: the request would pass 150K"
TALK = (
    "How do I write a ring buffer?",
    "With a list and an index that wraps around.",
    "Shorter, please.",
    "A list and `i % n`.",
    "And when is a deque better?",
    "Nearly always.",
)


def fill(page: Page) -> None:
    """Each line by itself and all together."""
    trimmed = _talk(page)
    trimmed.decorations.set_load_line("m4", {"m0": ALWAYS_SENT, "m1": PINNED, "m2": LEFT_OUT, "m3": LEFT_OUT})
    trimmed.decorations.set_steps(
        StepLine("m4", "38 older messages left out", (("show", "Show"), ("undo", "Undo"))), {"m2": "12 left out"}
    )
    page.add("The load line, what stays above it, the newest step, a tick of an older one", trimmed)
    unfolded = _talk(page)
    unfolded.decorations.set_steps(
        StepLine(
            "m4",
            "38 older messages left out",
            (("show", "Hide"), ("undo", "Undo")),
            (
                ("157K before, 90K after", ()),
                ("Oldest first; the beginning and what is pinned stay", (("more", "Why"),)),
            ),
        )
    )
    page.add("A step unfolded", unfolded)
    summarised = _talk(page)
    text = "They talked about ring buffers.\nThe user wants short answers."
    summarised.decorations.set_summaries(
        {
            "m2": SummaryLine("2 messages stand as a summary", (("show", "Show"), ("edit", "Edit"))),
            "m4": SummaryLine("2 messages stand as a summary", (("show", "Hide"), ("edit", "Edit")), text),
        }
    )
    summarised.decorations.set_load_line(None, {"m0": "Summarized", "m1": "Summarized"}, {"m5": "Excluded"})
    page.add("Summaries, folded and unfolded; a message that is excluded", summarised)
    pointed = _talk(page)
    pointed.navigation.point_out("m3")
    page.add("The message that another pane speaks of", pointed)


def _talk(page: Page) -> FittedTranscript:
    path: list[Message] = []
    for number, text in enumerate(TALK):
        path.append(message(number, "user" if number % 2 == 0 else "assistant", text))
    view = FittedTranscript(page.theme, page)
    view.show_path(path)
    return view

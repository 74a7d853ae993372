"""Shows the cards that stand in an answer's place: failures, a question, one that is resolved.

Owns only made-up failures.
"""

from __future__ import annotations

from desktop_app.core.context.plan_questions import Remedy
from desktop_app.core.messages import Failure
from desktop_app.ui.conversation.error_cards import CardAction, CardContent, ErrorCard, describe_failure
from tests.gallery.page import Page

FAILURES = {
    "The key was refused": Failure(
        "auth",
        "Anthropic refused the key. Enter another one.",
        "401 authentication_error",
        ("open_connections", "retry"),
    ),
    "Nothing answers": Failure(
        "network", "The server can't be reached. Look whether it is running.", "", ("retry", "switch_model")
    ),
    "Busy": Failure(
        "rate_limited", "The provider has too much to do. Try again in 40 s.", "429", ("retry", "switch_model")
    ),
    "Nothing to press": Failure("store", "The history can't be written. The disk is full."),
}
TOO_LONG = CardContent(
    "This conversation is too long to continue",
    "It would take 214K tokens; Claude Sonnet takes 190K. Nothing was sent. Your draft is still below.",
    "Biggest: Quartalsbericht 2026.pdf 96K · your message 41K · the answer of 3 March 12K",
    (
        CardAction("remove_document", "Remove Quartalsb…2026.pdf", Remedy("remove_document")),
        CardAction("summarise", "Summarize and continue · $0.12", Remedy("summarise")),
        CardAction("switch_model", "Choose another model", Remedy("switch_model")),
        CardAction("new_thread", "Start a new thread with this message", Remedy("new_thread")),
    ),
    "",
    "Resolved: This conversation is too long to continue",
)
QUESTION = CardContent(
    "This thread passes 150K tokens",
    "Claude Sonnet takes more. Nothing was sent yet: keep to the limit and leave out older messages, or raise it.",
    "",
    (
        CardAction("keep_trimming", "Keep 150K · $0.31, then $0.02 a turn", Remedy("keep_trimming")),
        CardAction("raise_limit", "Raise to 190K · $0.47, then $0.03 a turn", Remedy("raise_limit")),
    ),
    "",
    "Answered",
    "question",
    has_primary=False,
)


def fill(page: Page) -> None:
    """A card per kind."""
    page.add("Too long: what is biggest, four ways out", ErrorCard(page.theme, TOO_LONG, page))
    page.add("A question, not a failure", ErrorCard(page.theme, QUESTION, page))
    for caption, failure in FAILURES.items():
        page.add(caption, ErrorCard(page.theme, describe_failure(failure), page))
    unfolded = ErrorCard(page.theme, describe_failure(FAILURES["The key was refused"], sent=True), page)
    if (details := unfolded.button("details")) is not None:
        details.click()
    page.add("With its details", unfolded)
    resolved = ErrorCard(page.theme, TOO_LONG, page)
    resolved.resolve()
    page.add("Resolved", resolved)

"""Shows what few first paints have: starters of an empty thread, marks of messages, the card of a failed answer.

Apart from the opening, so that other starts don't load it.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.core.errors import ACTIONS
from desktop_app.core.messages import Message, MessageMark, known_rating
from desktop_app.paths import DataPaths
from desktop_app.storage.newest_prompts import read_newest_prompts
from desktop_app.ui.conversation.error_card import ErrorCard, describe_failure
from desktop_app.ui.prompts.prompt_starters import MOST, starters_of
from desktop_app.ui.shell.window_places import Stage
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.transcript.message.decorations import is_cut
from desktop_app.ui.transcript.message.status_lines import AnnotationLine
from desktop_app.ui.transcript.view import TranscriptView


def show_starters(stage: Stage, paths: DataPaths) -> None:
    """Show the prompts that a thread with nothing to read offers to begin with."""
    stage.show_starters(starters_of(read_newest_prompts(paths.history, MOST)))
    stage.set_empty(True)


def show_marks(transcript: TranscriptView, marks: Sequence[tuple[str, str, str]]) -> None:
    """Show the user's marks on messages: a message's id, its rating, its note."""
    shown = {
        transcript.path.id_of(one): AnnotationLine(MessageMark(known_rating(rating), note))
        for one, rating, note in marks
    }
    transcript.decorations.set_annotations(shown)


def show_failure(transcript: TranscriptView, theme: Theme, answer: Message) -> None:
    """The card of an answer that failed; its buttons work as soon as what they do is loaded."""
    if answer.failure is not None:
        known = {*ACTIONS} - (set() if is_cut(answer) else {"continue"})
        content = describe_failure(answer.failure, sent=True, known=known)
        transcript.footer.set_card(ErrorCard(theme, content))

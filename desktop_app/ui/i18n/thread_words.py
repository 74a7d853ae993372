"""The name of a thread where it has no title yet."""

from __future__ import annotations

from desktop_app.core.messages import Thread
from desktop_app.ui.i18n.language import tr


def title_of(thread: Thread) -> str:
    """Return the name of an open thread."""
    return thread.title or tr("New thread")


def public_title(thread: Thread) -> str:
    """Return the thread's name for other programs, as in the window's frame: no word of a private one."""
    return tr("Private thread") if thread.private else title_of(thread)


def listed_title(thread: Thread) -> str:
    """Return the thread's name for lists: one that has only a draft by its first words."""
    if thread.title or not thread.draft.strip():
        return title_of(thread)
    from desktop_app.core.titles import first_words  # only where there is a draft: a start has no time for it

    return tr("Draft: {words}").format(words=first_words(thread.draft))

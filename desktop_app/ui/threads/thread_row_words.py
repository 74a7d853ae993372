"""The texts for screen readers on the rows of the thread list. Uses no model."""

from __future__ import annotations

from desktop_app.core.messages import Thread
from desktop_app.ui.i18n.language import listed_title, tr


def spoken_group(heading: str, count: int, *, collapsed: bool) -> str:
    """A heading, and how many threads belong to it."""
    if count == 1:
        words = tr("{group}, collapsed, 1 thread") if collapsed else tr("{group}, 1 thread")
    else:
        words = tr("{group}, collapsed, {n} threads") if collapsed else tr("{group}, {n} threads")
    return words.format(group=heading, n=count)


def spoken_thread(thread: Thread, mark: str) -> str:
    """The title and what the row's marks say."""
    said = [listed_title(thread)]
    if thread.private:
        said.append(tr("private"))
    if mark == "running":
        said.append(tr("answering"))
    elif mark == "unread":
        said.append(tr("new answer"))
    elif mark == "failed":
        said.append(tr("answer failed"))
    return ", ".join(said)

"""Owns what a thread is called where it has no title yet."""

from __future__ import annotations

from desktop_app.core.messages import Thread
from desktop_app.ui.i18n.language import tr


def title_of(thread: Thread) -> str:
    """What the list shows for a thread."""
    return thread.title or tr("New thread")

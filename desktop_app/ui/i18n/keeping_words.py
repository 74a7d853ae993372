"""Owns what is said of how long an answer is kept that has not come to its end. Knows no thread and no widget."""

from __future__ import annotations

from desktop_app.ui.i18n.language import tr


def kept(words: str, *, private: bool) -> str:
    """What is told of such an answer, in the window's language, as it is true: a private thread is saved nowhere.

    The sentence that is replaced ends the words of every failure that leaves a text behind, in each language alike.
    """
    if not private:
        return words
    for saved, in_memory in (
        (tr("The text so far is saved."), tr("The text so far is kept until Plimsoll is closed.")),
        (tr("What came so far is saved."), tr("What came so far is kept until Plimsoll is closed.")),
    ):
        words = words.replace(saved, in_memory)
    return words

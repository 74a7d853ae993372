"""Merging of two texts of one draft: nothing that somebody wrote is lost, and nothing stands in it twice."""

from __future__ import annotations

GAP = "\n\n"


def together(first: str, second: str) -> str:
    """Both texts, one below the other; one alone where it has the other as paragraphs of its own."""
    if not second.strip() or _holds(first, second):
        return first
    if not first.strip() or _holds(second, first):
        return second
    return first + GAP + second


def merged(base: str, mine: str, theirs: str) -> str:
    """Return the text of a writer who began with `base` and finds that another has made `theirs` of it meanwhile."""
    if mine == base:
        return theirs
    if _holds(base, theirs):  # nothing is new in it; what it lacks was sent
        return mine
    return together(mine, theirs.removeprefix(base + GAP) if base else theirs)


def without_sent(draft: str, sent: str) -> str:
    """Return the rest of a draft when a message is in the history: all but the message itself."""
    text = draft.strip("\n").rstrip()
    if text == sent.strip("\n").rstrip():
        return ""
    if text.startswith(sent + GAP):  # it waited, and more was written below it
        return text[len(sent) :].lstrip("\n")
    return text[: -len(sent)].rstrip("\n") if text.endswith(GAP + sent) else draft


def _holds(text: str, part: str) -> bool:
    return GAP + part + GAP in GAP + text + GAP

"""The words for a project's documents: kind, size, state, changes in folders. Uses no widget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from desktop_app.core.projects import FolderChange, ProjectDocument
from desktop_app.ui.i18n.amounts import thousands
from desktop_app.ui.i18n.language import grouped, tr, translated

LONGEST_KIND = 8
"""Characters of the end of a name that is shown as a kind."""


def kind_of(document: ProjectDocument) -> str:
    """`PDF`, `DOCX`: the end of its name, as file managers show it."""
    stem, _, end = document.name.rpartition(".")
    return end.upper() if stem and end.isalnum() and len(end) <= LONGEST_KIND else tr("Text")


def facts_of(document: ProjectDocument) -> str:
    """`PDF · 12 pages · 3.4K tokens`, or what is the matter with it."""
    if document.state == "failed":
        return translated(document.error) or tr("This file could not be read.")
    facts = [kind_of(document)]
    if document.state == "waiting":
        facts.append(tr("Waiting to be read"))
    else:
        if document.pages:
            facts.append(
                tr("1 page") if document.pages == 1 else tr("{count} pages").format(count=grouped(document.pages))
            )
        facts.append(tr("{tokens} tokens").format(tokens=thousands(document.tokens)))
    if document.state == "missing":
        facts.append(tr("File missing, text kept") if document.passages else tr("File missing"))
    elif document.note:
        facts.append(translated(document.note))
    return " · ".join(facts)


def mode_of(document: ProjectDocument, *, short: bool = False) -> str:
    """Return the way it gets to the model, in words; `short`: in one word."""
    return words_of(document.mode, short=short)


def words_of(mode: str, *, short: bool) -> str:
    """A mode's own words."""
    if short:
        return tr("Always") if mode == "always" else tr("Searched")
    return always_included() if mode == "always" else searched()


def always_included() -> str:
    return tr("Always included")


def searched() -> str:
    return tr("Searched when needed")


def told(document: ProjectDocument) -> str:
    """The row of a document for screen readers."""
    return ", ".join((document.name, facts_of(document), mode_of(document)))


def changes_in_short(changes: Sequence[FolderChange]) -> str:
    """`3 new, 1 changed, 1 removed`."""
    counts: Counter[str] = Counter(one.kind for one in changes)
    words = {"new": tr("{count} new"), "changed": tr("{count} changed"), "removed": tr("{count} removed")}
    return ", ".join(said.format(count=grouped(counts[kind])) for kind, said in words.items() if counts[kind])


def change_in_words(change: FolderChange) -> str:
    """`New: old/notes.txt`."""
    words = {"new": tr("New: {path}"), "changed": tr("Changed: {path}"), "removed": tr("Removed: {path}")}
    return words[change.kind].format(path=change.path)


def in_total(documents: Sequence[ProjectDocument]) -> str:
    """`124 documents, 1.2M tokens`."""
    count = len(documents)
    words = tr("1 document") if count == 1 else tr("{count} documents").format(count=grouped(count))
    tokens = sum(document.tokens for document in documents)
    return f"{words} · " + tr("{tokens} tokens").format(tokens=thousands(tokens)) if tokens else words

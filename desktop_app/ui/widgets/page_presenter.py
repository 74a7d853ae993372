"""The interface of a page's presenter for whoever opens and leaves pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop_app.ui.widgets.editor_page import EditorPage
    from desktop_app.ui.widgets.page import PageFrame

SYSTEM_PROMPT = ""
"""Stands for a thread's system prompt where otherwise the id of a summary stands."""
PROMPT = "\0prompt"
"""Stands before the id of a prompt of the library where otherwise the id of a thread stands: none is called so.

Any editor of what belongs to no thread is named so: a NUL and the name of its page.
"""


def editor_of(key: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    """The page that edits the text of that `EditorPresenter.key`, and what it is about."""
    subject, about = key
    if subject.startswith("\0"):
        return subject[1:], (about,)
    return ("system_prompt", (subject,)) if about == SYSTEM_PROMPT else ("summary", key)


class PagePresenter(Protocol):
    """A page with what goes on behind it."""

    @property
    def page(self) -> PageFrame: ...

    def end(self) -> None:
        """The page is left: facts that come later are not for it. What was wished on it is still carried out."""
        ...

    def deleteLater(self) -> None: ...


class EditorPresenter(PagePresenter, Protocol):
    """A flow whose page holds a text that is stored only when the user says so."""

    @property
    def page(self) -> EditorPage: ...

    @property
    def key(self) -> tuple[str, str]:
        """Thread id ("" while there is no thread yet), and summary id or `SYSTEM_PROMPT`; or `PROMPT` and its id."""
        ...

    @property
    def private(self) -> bool:
        """True where the typed text must never be on disk."""
        ...

    def unsaved(self) -> str | None: ...

    async def save(self) -> None: ...

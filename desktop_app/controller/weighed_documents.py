"""One figure for a project's document, wherever it is shown: that of the plan of a new thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import PlimsollError
from desktop_app.core.projects import ProjectDocument

if TYPE_CHECKING:
    from desktop_app.controller.chat import ChatController


async def weighed_documents(
    chat: ChatController, project: str, documents: Sequence[ProjectDocument]
) -> Sequence[ProjectDocument]:
    """A project's documents with the tokens that a plan has for each.

    What the reading estimated stays for those that are only searched, and where nothing can answer.
    """
    if not any(one.mode == "always" for one in documents):
        return documents
    try:
        plan = (await chat.prepared_new(project=project)).plan(())
    except PlimsollError:  # nothing is set up that could answer
        return documents
    weighed = {one.id: one.whole for one in plan.placement.documents if one.mode == "always"}
    return [replace(one, tokens=weighed.get(one.id, one.tokens)) for one in documents]

"""One figure for a project's document, wherever it is shown: that of the plan of a new thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.core.errors import PlimsollError
from desktop_app.core.projects import ProjectDocument

if TYPE_CHECKING:
    from desktop_app.controller.chat import ChatController
    from desktop_app.core.context.plan import PlacedDocument


@dataclass(frozen=True, slots=True)
class WeighedDocuments:
    """Documents with the tokens that a plan has for each, and which of them it `sent` whole, by their ids.

    `instead`: why an always included one does not go, by its id.
    """

    documents: Sequence[ProjectDocument]
    sent: frozenset[str]
    instead: Mapping[str, str]


async def weighed_documents(
    chat: ChatController, project: str, documents: Sequence[ProjectDocument]
) -> WeighedDocuments:
    """A project's documents as a plan weighs them; as they were read where nothing is set up that could answer."""
    try:
        plan = (await chat.prepared_new(project=project)).plan(())
    except PlimsollError:
        return WeighedDocuments(documents, frozenset(), {})
    return await asyncio.to_thread(_weighed, documents, plan.placement.documents)  # there may be ten thousand


def _weighed(documents: Sequence[ProjectDocument], rows: Sequence[PlacedDocument]) -> WeighedDocuments:
    placed = {one.id: one for one in rows}
    return WeighedDocuments(
        [replace(one, tokens=placed[one.id].whole) if one.id in placed else one for one in documents],
        frozenset(one.id for one in placed.values() if one.state == "whole"),
        {one.id: one.reason for one in placed.values() if one.mode == "always" and one.state == "searched"},
    )

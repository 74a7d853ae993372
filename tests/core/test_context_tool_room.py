"""Room for what tools find: a turn that can search documents begins below the soft limit, any other goes up to it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from desktop_app.core.context import planner
from desktop_app.core.context.context_choices import ContextChoices
from desktop_app.core.context.limits import TOOL_ROOM
from desktop_app.core.context.plan import ContextPlan, Overhead, RequestHasher
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.context.sent_content import HISTORY_TOOL
from desktop_app.core.document_search import SEARCH_DOCUMENTS
from desktop_app.core.messages import TextPart, ToolSpec
from desktop_app.core.recall import RECALL
from tests.core.paths import prepare, talk, words

SOFT = 30_000
HISTORY = ToolSpec(HISTORY_TOOL, "Searches other threads.", {"type": "object"})
PROJECT = ProjectContext("p1", "Acme", searchable=3)


def plans_below_the_limit(
    tools: Sequence[ToolSpec], project: ProjectContext | None = None, choices: ContextChoices | None = None
) -> list[ContextPlan]:
    """Plans whose totals, nothing left out, go from 1,000 tokens below the room for tools up to the soft limit."""
    path = talk(*[words(700)] * 26)
    prepared = prepare(
        path, tools=tools, soft_limit=SOFT, overhead=Overhead(cache_marks=4), project=project, choices=choices
    )
    begun = prepared.plan(()).tokens.total
    assert begun < SOFT - TOOL_ROOM - 1_000
    made, size = [], SOFT - TOOL_ROOM - 1_000 - begun
    while size < SOFT - begun - 200:
        made.append(prepared.plan([TextPart(words(size * 24 // 25))]))
        size += 300
    return made


def written(plan: ContextPlan) -> str:
    """All that a plan decides, and the bytes of its request."""
    decided = (
        plan.decision,
        plan.placement.boundary,
        plan.placement.left_out,
        plan.placement.newly_left_out,
        plan.tokens,
        plan.advice.events,
        plan.placement.messages,
    )
    return json.dumps([RequestHasher().of(plan), repr(decided)])


@pytest.mark.parametrize("tools", [(), (RECALL,), (RECALL, HISTORY)])
@pytest.mark.parametrize("project", [None, ProjectContext("p1", "Acme")])
def test_a_thread_that_cannot_search_documents_goes_up_to_its_soft_limit(
    tools: Sequence[ToolSpec], project: ProjectContext | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = plans_below_the_limit(tools, project)
    totals = [plan.tokens.total for plan in plans]
    assert max(totals) > SOFT - 700
    assert sum(SOFT - TOOL_ROOM < total <= SOFT for total in totals) > 10
    assert {plan.decision for plan in plans} == {"ok"}
    assert {plan.placement.left_out for plan in plans} == {0}
    monkeypatch.setattr(planner, "TOOL_ROOM", 0)
    assert list(map(written, plans)) == list(map(written, plans_below_the_limit(tools, project)))


def test_a_thread_that_can_begins_its_turn_below_the_room_for_what_is_found() -> None:
    plans = plans_below_the_limit((RECALL, SEARCH_DOCUMENTS), PROJECT)
    assert {plan.decision for plan in plans} == {"ok", "trim"}
    for plan in plans:
        assert plan.tokens.total <= SOFT - TOOL_ROOM
        if plan.decision == "trim":
            assert plan.placement.newly_left_out > 0

"""The tools that search, read and list the documents of a thread's project (DOC-2)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import ClassVar, Final

from desktop_app.controller.ports import ProjectHistory
from desktop_app.controller.turn_tools import LEAST_TOKENS, TurnState, TurnTool, no_room, result_budget, shortened
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.document_search import (
    CALL_TOKENS,
    ID_MISSING,
    LIST_DOCUMENTS,
    NO_FOLDER,
    NO_PROJECT,
    NOTHING_FOUND,
    QUERY_MISSING,
    READ_DOCUMENT,
    SEARCH_DOCUMENTS,
    TURN_IS_FULL,
    TURN_TOKENS,
    DocumentResult,
    document_path,
    documents_in_request,
    is_date,
    list_result,
    neighbours,
    passages_in_turn,
    ranked,
    read_result,
    result_facts,
    search_result,
    spent_tokens,
)
from desktop_app.core.messages import JsonObject, Thread, ToolCallPart, ToolResultPart, ToolSpec
from desktop_app.core.projects import ID_DIGITS, PassageHit, ProjectDocument, SearchedDocuments, passage_id
from desktop_app.core.recall import noted_if_few

CANDIDATES: Final = 60
"""Passages that one search looks for; how many of them are answered depends on the room."""

AROUND: Final = 4
"""Passages on each side that reading around one takes in."""

MOST_NAMED: Final = 8
"""Documents that an error names where several could be meant."""

MOST_READ: Final = 100
"""Passages that one call looks at: more than find room."""


class BadInputError(Exception):
    """The model asked for something that can't be; its text tells the model what to do."""


def document_tools(projects: ProjectHistory) -> tuple[TurnTool, ...]:
    """The three tools over the projects of a history, in the order in which they are offered."""
    return SearchDocuments(projects), ReadDocument(projects), ListDocuments(projects)


@dataclass(frozen=True, slots=True)
class DocumentTool:
    """The common part of the three document tools: offered where there is something to find, within the budgets."""

    projects: ProjectHistory

    def is_offered(self, thread: Thread, project: ProjectContext | None) -> bool:
        """In a project with documents that can be searched."""
        return project is not None and project.id == thread.project and project.searchable > 0

    async def answer(self, call: ToolCallPart, turn: TurnState) -> ToolResultPart:
        """Runs a call within what this turn may still have."""
        if turn.thread.project is None:
            return ToolResultPart(call.id, NO_PROJECT, is_error=True)
        left = TURN_TOKENS - await asyncio.to_thread(spent_tokens, turn.path, turn.estimator)
        if left < LEAST_TOKENS:
            return ToolResultPart(call.id, TURN_IS_FULL, is_error=True, extra={"budget": "turn"})
        most = min(CALL_TOKENS, int(left))
        if not (budget := result_budget(turn, most)):
            return no_room(call)
        try:
            result = await self.found(call, turn, turn.thread.project, budget)
            return replace(result, text=await asyncio.to_thread(shortened, turn, result.text, most))
        except BadInputError as error:
            return ToolResultPart(call.id, str(error), is_error=True)

    async def found(self, call: ToolCallPart, turn: TurnState, project: str, budget: float) -> ToolResultPart:
        """The result of a call in at most `budget` tokens. Raises `BadInputError`."""
        raise NotImplementedError

    async def document(self, project: str, wanted: str) -> ProjectDocument:
        """The document with a name, path or id. Raises `BadInputError` where there is none, or more than one."""
        documents = await self.projects.documents(project)
        name = wanted.strip().casefold()
        names = [(one.path.casefold(), one.name.casefold()) for one in documents]
        ids = [(one.id.casefold(), one.sha256, one.sha256[:ID_DIGITS]) if one.sha256 else () for one in documents]
        for fits in (
            [name in one for one in ids],
            [name in one for one in names],
            [any(name in part for part in one) for one in names],
        ):
            found = list(compress(documents, fits))
            if len({document.sha256 for document in found}) == 1:
                return found[0]
            if found:
                told = ", ".join(f"[{one.sha256[:ID_DIGITS]}] {document_path(one)}" for one in found[:MOST_NAMED])
                raise BadInputError(f"{len(found)} documents have {wanted} in their names: {told}. Name one by its id.")
        raise BadInputError(f"There is no document {wanted} in this project. `list_documents` tells what there is.")


@dataclass(frozen=True, slots=True)
class SearchDocuments(DocumentTool):
    """Finds the passages that say most of what is asked."""

    spec: ClassVar[ToolSpec] = SEARCH_DOCUMENTS

    async def found(self, call: ToolCallPart, turn: TurnState, project: str, budget: float) -> ToolResultPart:
        """The best passages with what stands beside them."""
        if not (query := _text(call.input, "query")):
            raise BadInputError(QUERY_MISSING)
        hits = await self.projects.search_documents(
            project, query, await self._within(call.input, project), limit=CANDIDATES
        )
        best = ranked(hits)
        known = {hit.id: hit for hit in hits}
        for near in dict.fromkeys(one for hit in best for one in neighbours(hit)):
            if near not in known and (passage := await self.projects.passage(project, near)) is not None:
                known[near] = passage
        result = await asyncio.to_thread(
            search_result,
            best,
            known,
            budget,
            turn.estimator,
            seen=passages_in_turn(turn.path),
            whole=documents_in_request(turn.plan),
        )
        result = replace(result, text=noted_if_few(result.text, len(best)))
        return _result(call, result, NOTHING_FOUND)

    async def _within(self, values: JsonObject, project: str) -> SearchedDocuments:
        for name in ("since", "until"):
            if (date := _text(values, name)) and not is_date(date):
                raise BadInputError(f"`{name}` is no date: write it as YYYY, YYYY-MM or YYYY-MM-DD.")
        named = _text(values, "document")
        ids = frozenset({(await self.document(project, named)).id}) if named else None
        return SearchedDocuments(
            document_ids=ids,
            folder=_text(values, "folder").strip("/") or None,
            since=_text(values, "since") or None,
            until=_text(values, "until") or None,
        )


@dataclass(frozen=True, slots=True)
class ReadDocument(DocumentTool):
    """Reads passages in their order."""

    spec: ClassVar[ToolSpec] = READ_DOCUMENT

    async def found(self, call: ToolCallPart, turn: TurnState, project: str, budget: float) -> ToolResultPart:
        """The passages from one number, or page, to another; without numbers those around the one that is named."""
        if not (named := _text(call.input, "id").strip("[] ")):
            raise BadInputError(ID_MISSING)
        first, last = _number(call.input, "from"), _number(call.input, "to")
        if (hit := await self.projects.passage(project, named)) is not None:
            document, number = hit.document, hit.passage.number
        else:
            document, number = await self.document(project, named), 0
        if call.input.get("pages") is True:
            passages = await self._pages(document, first or (hit.passage.page if hit else 1), last)
        else:
            if first is None and last is None and number:
                first, last = number - AROUND, number + AROUND
            first = max(1, first or last or 1)
            last = max(first, last or first + 2 * AROUND)
            passages = await self._numbered(project, document, first, min(last, first + MOST_READ - 1))
        if not passages:
            what = "pages" if call.input.get("pages") is True else "passages"
            raise BadInputError(
                f"{document_path(document)} has no such {what}: it has {document.passages} passages"
                + (f" on {document.pages} pages." if document.pages else ".")
            )
        result = await asyncio.to_thread(
            read_result,
            passages,
            budget,
            turn.estimator,
            seen=passages_in_turn(turn.path),
            whole=documents_in_request(turn.plan),
        )
        return _result(call, result, NOTHING_FOUND)

    async def _numbered(self, project: str, document: ProjectDocument, first: int, last: int) -> list[PassageHit]:
        found: list[PassageHit] = []
        for number in range(first, last + 1):
            hit = await self.projects.passage(project, passage_id(document.sha256, number))
            if hit is None:
                break
            found.append(hit)
        return found

    async def _pages(self, document: ProjectDocument, first: int, last: int | None) -> list[PassageHit]:
        if (text := await self.projects.text(document.sha256)) is None:
            return []
        pages = range(first, (last or first) + 1)
        return [
            PassageHit(document, passage, text.text[passage.start : passage.end], 0.0)
            for passage in text.passages
            if passage.page in pages
        ][:MOST_READ]


@dataclass(frozen=True, slots=True)
class ListDocuments(DocumentTool):
    """Tells what there is."""

    spec: ClassVar[ToolSpec] = LIST_DOCUMENTS

    async def found(self, call: ToolCallPart, turn: TurnState, project: str, budget: float) -> ToolResultPart:
        """A line for each document, or for each folder where they are many."""
        documents: Sequence[ProjectDocument] = await self.projects.documents(project)
        if folder := _text(call.input, "folder").strip("/"):
            documents = [
                one
                for one in documents
                if document_path(one).startswith(folder) or (folder == NO_FOLDER and "/" not in document_path(one))
            ]
            if not documents:
                raise BadInputError(f"There is no document in the folder {folder}. Leave `folder` out to see all.")
        if (first := max(1, _number(call.input, "from") or 1)) > max(1, len(documents)):
            raise BadInputError(f"There are only {len(documents):,} documents: `from` is at most that.")
        exact = turn.plan.tokens.source == "vocabulary"
        text = await asyncio.to_thread(list_result, documents, budget, turn.estimator, first, by_vocabulary=exact)
        return ToolResultPart(call.id, text, extra={"listed": len(documents)})


def _result(call: ToolCallPart, result: DocumentResult, nothing: str) -> ToolResultPart:
    return ToolResultPart(call.id, result.text or nothing, extra=result_facts(result))


def _text(values: JsonObject, name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(values: JsonObject, name: str) -> int | None:
    value = values.get(name)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:  # some models write numbers so
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None

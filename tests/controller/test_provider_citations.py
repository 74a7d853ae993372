"""Passages go to the Messages API as search results, and what it cites of them becomes marks that are checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from desktop_app.backends.anthropic_wire import search_results
from desktop_app.core.citations import SentPassages, citations_in, readable_citations
from desktop_app.core.events import AnswerGrew
from desktop_app.core.messages import TextPart, ToolResultPart
from desktop_app.core.recall import FEW_RESULTS
from tests.builders.document_texts import id_in
from tests.controller.test_documents_over_the_wire import FEES, analyst, named, results_of
from tests.controller.test_tools_over_the_wire import calling, last_is_result
from tests.controller.world import WatchedHistory, words
from tests.servers.messages_api import Answer, Block, CapturedRequest, HttpError, Think, ToolUse

FEE, INVENTED = id_in(FEES, 2), "0123456789-3"


def cited(text: str, *sources: str) -> Block:
    """A text as the API streams it when it takes it from search results."""
    citations = [
        {
            "type": "search_result_location",
            "source": source,
            "title": "fees.txt",
            "cited_text": "nine crowns",
            "search_result_index": 0,
            "start_block_index": 0,
            "end_block_index": 1,
        }
        for source in sources
    ]
    half = len(text) // 2
    deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": piece} for piece in (text[:half], text[half:])]
    deltas += [{"type": "citations_delta", "citation": one} for one in citations]
    return Block({"type": "text", "text": "", "citations": []}, tuple(deltas))


def found_in(body: Any) -> list[Any]:
    """The content of every result that a request holds."""
    blocks = [block for message in body["messages"] for block in message["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


async def test_what_the_provider_cites_is_marked_checked_and_sent_back_as_it_came(
    history: WatchedHistory, tmp_path: Path
) -> None:
    rounds = 0

    def model(request: CapturedRequest) -> Answer:
        nonlocal rounds
        if "Thanks" in json.dumps(request.body["messages"][-1]):
            return Answer("Welcome.")
        rounds += 1
        call = ToolUse(named(request.body, "search_documents"), {"query": "fee at the pier"}, f"toolu_{rounds}")
        if rounds == 1:
            return calling("anthropic", Think("Look it up."), call)
        if rounds == 2:
            first = cited("- Nine crowns a day.\n", FEE)
            return Answer(Think("Once more."), first, call, stop_reason="tool_use")
        return Answer(cited("- Nine, all in all", FEE), cited(". And more.", INVENTED, "not an id"))

    async with analyst("anthropic", model, tmp_path, history) as (world, thread_id, api):
        outcome = await world.chat.send(thread_id, words("What is the fee?"))
        assert outcome.failure is None
        assert api.violations == []
        assert last_is_result(api.answers[1].body)
        ((*blocks, note),) = found_in(api.answers[1].body)
        assert note == {"type": "text", "text": FEW_RESULTS.strip()}
        assert [block["type"] for block in blocks] == ["search_result"] * 3
        assert [block["source"] for block in blocks] == [id_in(FEES, number) for number in (1, 2, 3)]
        assert {block["title"] for block in blocks} == {"fees.txt"}
        assert all(block["citations"] == {"enabled": True} for block in blocks)
        assert "nine crowns a day" in blocks[1]["content"][0]["text"]
        assert found_in(api.answers[2].body)[0] == [*blocks, note], "the same bytes in each later request of the turn"
        said = json.dumps(api.answers[2].body["messages"])
        assert said.count(FEE) == 3, "in its block, in the citation that goes back as it came, and as in view above"
        assert f"[{FEE}] (in view above)" in said
        path = (await world.chat.open_thread(thread_id)).path
        texts = [part.text for one in path[1:] for part in one.parts if isinstance(part, TextPart)]
        assert texts == [
            f"- Nine crowns a day.[{FEE}]\n",
            f"- Nine, all in all[{FEE}]",
            f". And more.[{INVENTED}]",
        ]
        streamed = "".join(fact.delta for fact in world.of(AnswerGrew) if fact.kind == "text")
        assert streamed == "".join(texts), "what is streamed is what is kept"
        sent = SentPassages(path)
        assert [one.verified for one in citations_in("".join(texts), sent)] == [True, True, False]
        assert "Unverified" in readable_citations("".join(texts), sent)
        assert (await world.chat.send(thread_id, words("Thanks"))).failure is None
        assert api.violations == []
        later = json.dumps(api.answers[-1].body["messages"])
        assert f"- Nine, all in all[{FEE}]" in later
        assert "search_result" not in later


async def test_a_server_that_takes_no_search_results_gets_them_as_text(history: WatchedHistory, tmp_path: Path) -> None:
    asked = 0

    def model(request: CapturedRequest) -> Any:
        nonlocal asked
        if '"search_result"' in json.dumps(request.body):
            return HttpError(400, message="messages.2.content.0: Input tag 'search_result' does not match any expected")
        asked += 1
        if last_is_result(request.body):
            return Answer(f"Nine [{FEE}].")
        return calling("anthropic", ToolUse(named(request.body, "search_documents"), {"query": "fee"}, f"t{asked}"))

    async with analyst("anthropic", model, tmp_path, history) as (world, thread_id, api):
        assert (await world.chat.send(thread_id, words("What is the fee?"))).failure is None
        (content,) = found_in(api.answers[-1].body)
        (result,) = await results_of(world, thread_id)
        assert content == result.text
        refused = sum('"search_result"' in json.dumps(one.body) for one in api.answers)
        assert (await world.chat.send(thread_id, words("And now?"))).failure is None
        assert sum('"search_result"' in json.dumps(one.body) for one in api.answers) == refused == 1, "learned"


def test_what_holds_no_passages_stays_text() -> None:
    assert search_results(ToolResultPart("c", "Nothing was found.", extra={"passages": 0, "passage_ids": []})) == []
    odd = ToolResultPart("c", "x", extra={"passage_ids": [FEE], "places": [{"start": 0, "end": 1}]})
    assert search_results(odd) == [], "its id does not stand in it"

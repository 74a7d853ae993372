from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from desktop_app.core.errors import UserError
from desktop_app.core.history_records import ImportedThread, SearchHit, SearchWithin
from desktop_app.core.messages import (
    DocumentPart,
    Message,
    MessageMark,
    Part,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop_app.core.search_terms import stem
from desktop_app.storage import full_text_search
from desktop_app.storage.message_store import AT_ONCE
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.patience import PATIENCE_S
from tests.storage.conftest import TIME, Talk, a_thread, opened
from tests.storage.sql_work import sql_steps


async def ids(history: SqliteHistory, query: str, **options: object) -> list[str]:
    page = await history.search(query, SearchWithin(**options))  # type: ignore[arg-type]
    return [hit.message_id for hit in page.hits]


async def catch_up(history: SqliteHistory) -> None:
    while await history.catch_up_search():
        pass


async def said(history: SqliteHistory, *texts: str, thread: str = "thread", **facts: object) -> None:
    """Stores one message after the other: m0, m1, ... of the user and the assistant in turn."""
    messages: list[Message] = []
    for number, text in enumerate(texts):
        parent = messages[-1].id if messages else None
        role: Role = "assistant" if number % 2 else "user"
        name = f"m{number}" if thread == "thread" else f"{thread}-m{number}"
        message = Message(name, thread, parent, role, (TextPart(text),), TIME)
        messages.append(replace(message, **facts))  # type: ignore[arg-type]
    await history.import_threads([ImportedThread(thread, a_thread(thread), tuple(messages))])
    await catch_up(history)


async def test_a_hit_says_where_it_is_and_why(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("Where does the tide turn?", "Off the old lighthouse.")
    page = await history.search("lighthouse")
    (hit,) = page.hits
    assert hit == SearchHit(
        "thread", "Tides", "a1", "assistant", TIME, "echo-1", "Off the old lighthouse.", ((12, 22),)
    )
    assert (page.more, page.waiting) == (False, 0)


async def test_all_words_must_be_there_and_phrases_side_by_side(history: SqliteHistory) -> None:
    await said(history, "low water at noon", "water, low", "low tide", "high water low")
    assert set(await ids(history, "low water ")) == {"m0", "m1", "m3"}
    assert await ids(history, '"low water"') == ["m0"]
    assert await ids(history, '"low water" tide ') == []


async def test_the_last_word_may_go_on_unless_a_blank_follows(history: SqliteHistory) -> None:
    await said(history, "the lighthouse", "lights out", "a light")
    assert set(await ids(history, "light")) == {"m0", "m1", "m2"}
    assert await ids(history, '"light"') == ["m2"]
    assert await ids(history, "lighthousekeeper") == []
    assert set(await ids(history, "the lig")) == {"m0"}


async def test_other_forms_of_a_word_come_behind_it(history: SqliteHistory) -> None:
    await said(
        history, "splice the ropes", "roped in", "a rope and ropes", "spliced rope", "rope", "roping", "property"
    )
    assert (await ids(history, "rope "))[-3:] == ["m5", "m1", "m0"]
    assert set(await ids(history, "rope ")) == {f"m{number}" for number in range(6)}
    assert set(await ids(history, '"rope" ')) == {"m2", "m3", "m4"}
    assert await ids(history, '"ropes"') == ["m2", "m0"]
    assert set(await ids(history, "splicing ropes")) == {"m0", "m3"}, "several words, in any of their forms"
    assert await ids(history, '"splicing" ropes') == []
    page = await history.search("ropings ", languages=("en",))
    assert {hit.snippet[start:end] for hit in page.hits for start, end in hit.marks} >= {"ropes", "roped", "roping"}


async def test_pages_go_on_with_other_forms(history: SqliteHistory) -> None:
    await said(history, *(f"{'knots' if number % 3 else 'knot'} {number}" for number in range(12)))
    whole = [hit.message_id for hit in (await history.search("knot ", limit=12)).hits]
    assert {int(one[1:]) % 3 for one in whole[:4]} == {0}
    pages = [(await history.search("knot ", limit=5, offset=offset)) for offset in (0, 5, 10)]
    assert [hit.message_id for page in pages for hit in page.hits] == whole
    assert [page.more for page in pages] == [True, True, False]


async def test_forms_go_by_the_language(history: SqliteHistory) -> None:
    await said(history, "Die Häuser am Hafen", "Ein Haus am Meer", "東京都")
    assert [hit.message_id for hit in (await history.search("Häusern ", languages=("de", "en"))).hits] == ["m1", "m0"]
    assert [hit.message_id for hit in (await history.search("Häusern ", languages=("en",))).hits] == ["m0"], "a slip"
    assert [hit.message_id for hit in (await history.search("東京", languages=("de", "en"))).hits] == ["m2"]


async def test_every_word_may_be_a_beginning(history: SqliteHistory) -> None:
    await said(history, "the lighthouse keeper", "a light kept in vain", "lightning")
    assert await ids(history, "light kee") == ["m0"]
    assert (await ids(history, "light ")) == ["m1", "m2", "m0"], "the word itself comes first"
    assert await ids(history, '"light" kee') == []
    assert await ids(history, "li keeper") == [], "two letters begin too much"


async def test_a_slip_in_a_word_is_tolerated_where_the_word_finds_nothing(history: SqliteHistory) -> None:
    await said(history, "The harbour master of Vestergaard", "Der Hafenmeister prüft", "harbor", "Гавань и маяк")
    for typed in ("harbuor", "harbur", "harbbour", "hatbour", "Harbour Vestergard ", "vestergaarf"):
        assert (await ids(history, typed))[-1:] == ["m0"], typed
    assert await ids(history, "hafenmiester prüft") == ["m1"]
    assert await ids(history, "гавонь") == ["m3"]
    assert await ids(history, "harbour ") == ["m0"], "a word that is there is meant"
    assert await ids(history, '"harbuor"') == []
    assert await ids(history, "mastr harbour ") == ["m0"]
    assert await ids(history, "harborough keeper") == []
    assert await ids(history, "mstr ") == [], "four letters are too few"
    assert await ids(history, "harbour hafenmeister") == [], "both are there, never together"
    assert await ids(history, "vestergard", role="user") == ["m0"]
    (hit,) = (await history.search("vestergard")).hits
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Vestergaard"]


async def test_the_line_says_whose_words_are_looked_for(history: SqliteHistory) -> None:
    await said(history, "the tide turns", "the tide is high", "low tide")
    assert set(await ids(history, "tide role:user")) == {"m0", "m2"}
    assert await ids(history, "role:Assistant tide") == ["m1"]
    assert await ids(history, " role:assistant ") == ["m1"], "a list without words"
    assert await ids(history, "tide role:user", role="assistant") == ["m2", "m0"]
    assert await ids(history, "tide role:nobody") == []


async def test_few_words_of_the_index_are_compared_for_forms(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said(history, " ".join(f"rope{chr(97 + a)}{chr(97 + b)}x" for a in range(26) for b in range(26)), "ropes")
    compared: list[str] = []

    def counted(word: str, language: str) -> str:
        compared.append(word)
        return stem(word, language)

    monkeypatch.setattr("desktop_app.storage.full_text_search.stem", counted)
    await ids(history, "rope ")
    assert len(compared) <= full_text_search.WORDS_COMPARED + 1


@pytest.mark.parametrize("query", ["京", "東京", "京都", "東京都", "都庁"])
async def test_chinese_and_japanese_are_found_by_any_piece(history: SqliteHistory, query: str) -> None:
    await said(history, "昨日は東京都庁へ行った。", "京 の 都")
    found = await history.search(query)
    hit = next(hit for hit in found.hits if hit.message_id == "m0")
    assert [hit.snippet[start:end] for start, end in hit.marks] == [query]


async def test_accents_case_and_width_make_no_difference(history: SqliteHistory) -> None:
    await said(history, "Málaga", "ＷＩＤＥ")
    assert await ids(history, "malaga") == ["m0"]
    assert await ids(history, "wide") == ["m1"]
    page = await history.search("MALAGA")
    assert page.hits[0].marks == ((0, 6),)


@pytest.mark.parametrize(
    ("part", "query"),
    [
        (DocumentPart("tides.csv", "harbour,height", "00"), "harbour"),
        (DocumentPart("tides.csv", "harbour,height", "00"), "tides.csv"),
        (ToolResultPart("c1", "It is 12 degrees in Cadiz"), "cadiz"),
        (ToolCallPart("c1", "get_weather", {"where": [{"town": "Cadiz"}]}), "cadiz"),
        (ToolCallPart("c1", "get_weather", {}), "get_weather"),
    ],
)
async def test_what_is_attached_is_found_and_said_to_be(
    history: SqliteHistory, talk: Talk, part: Part, query: str
) -> None:
    await talk.end(await talk.begin("q"), TextPart("Here"), part)
    (hit,) = (await history.search(query)).hits
    assert (hit.message_id, hit.attached) == ("a1", True)
    assert hit.tool == isinstance(part, ToolCallPart | ToolResultPart)
    assert hit.marks


async def test_what_tools_did_is_left_out_unless_it_is_asked_for_or_all(history: SqliteHistory) -> None:
    call, result = ToolCallPart("c1", "look", {"query": "tides"}), ToolResultPart("c1", "the tides of Cadiz")
    parts = [(TextPart(f"tides {n}"),) if n % 3 == 0 else (call,) if n % 3 == 1 else (result,) for n in range(30)]
    messages = [Message(f"m{n}", "thread", None, "user", one, TIME) for n, one in enumerate(parts)]
    await history.import_threads([ImportedThread("thread", a_thread(), tuple(messages))])
    await catch_up(history)
    said_there = {f"m{n}" for n in range(0, 30, 3)}
    assert set(await ids(history, "tides")) == said_there
    assert set(await ids(history, "tides role:tool")) == {one.id for one in messages} - said_there
    assert len(await ids(history, "cadiz")) == 10, "nothing else is found"
    assert set(await ids(history, "", thread_id="thread")) == said_there
    pages, offset = list[str](), 0
    for _ in range(4):
        page = await history.search("tides", limit=3, offset=offset)
        pages, offset = [*pages, *(hit.message_id for hit in page.hits)], page.after
    assert (sorted(pages), page.more) == (sorted(said_there), False)


async def test_what_was_said_is_found_below_any_number_of_answers_of_tools(history: SqliteHistory) -> None:
    parts: list[Part] = [
        TextPart("the tides"),
        *(ToolResultPart(f"c{n}", f"tides {n}") for n in range(full_text_search.RECENT + 9)),
    ]
    messages = [Message(f"m{n}", "thread", None, "user", (one,), TIME) for n, one in enumerate(parts)]
    await history.import_threads([ImportedThread("thread", a_thread(), tuple(messages))])
    await catch_up(history)
    page = await history.search("tides")
    assert [hit.message_id for hit in page.hits] == ["m0"]
    assert page.more
    assert (await history.search("tides", offset=page.after)).hits == ()


async def test_what_a_tool_answered_is_shown_without_ids_and_signs(history: SqliteHistory, talk: Talk) -> None:
    found = ToolResultPart("c1", "[2be1d87620-1] plan.md\n> > The crane is old.")
    await talk.end(await talk.begin("q"), TextPart("Here"), found)
    (hit,) = (await history.search("crane")).hits
    assert "2be1d87620" not in hit.snippet
    assert ">" not in hit.snippet
    ((start, end),) = hit.marks
    assert hit.snippet[start:end] == "crane"


async def test_thinking_is_not_found(history: SqliteHistory, talk: Talk) -> None:
    await talk.end(await talk.begin("q"), ThinkingPart("barnacle"), TextPart("Here"))
    assert await ids(history, "barnacle") == []


async def test_deleted_threads_are_left_out_until_they_are_back(history: SqliteHistory, talk: Talk) -> None:
    await talk.turn("lighthouse", "pier")
    await history.delete_thread("thread")
    assert await ids(history, "lighthouse") == []
    await history.restore_thread("thread")
    assert await ids(history, "lighthouse") == ["q1"]


async def test_filters(history: SqliteHistory) -> None:
    await said(history, "tide one", "tide two", created="2025-01-31T23:59:59.000Z", model="m-1")
    await said(history, "tide three", "tide four", thread="other", created="2025-02-01T00:00:00.000Z", model="m.1")
    assert set(await ids(history, "tide", thread_id="other")) == {"other-m0", "other-m1"}
    assert set(await ids(history, "tide", role="user")) == {"m0", "other-m0"}
    assert set(await ids(history, "tide", since="2025-02")) == {"other-m0", "other-m1"}
    assert set(await ids(history, "tide", until="2025-02-01")) == {"m0", "m1"}
    assert await ids(history, "tide", since="2025-01-31", until="2025-01-31T12:00:00Z") == []
    assert set(await ids(history, "tide", model="m.1")) == {"other-m0", "other-m1"}
    assert await ids(history, "tide", since="2026") == []
    for odd in ('"', "1", '2026-"1', "~", "\0"):
        assert await ids(history, "tide", since=odd, until=odd) == []
    with pytest.raises(UserError, match="This thread no longer exists"):
        await history.search("tide", SearchWithin("nowhere"))


async def test_facts_are_no_words(history: SqliteHistory) -> None:
    await said(history, "tide", model="m-1")
    for query in ("user", "§ruser", "t1", "m", "202603", "d202603"):
        assert await ids(history, query) == []


@pytest.mark.parametrize("query", ["", " ", '"', "?!", "*", "AND", "NEAR(", "a:b", '""', "\0", "-x", "^", "{a b}"])
async def test_nothing_that_is_typed_is_an_error(history: SqliteHistory, query: str) -> None:
    await said(history, "tide")
    assert await ids(history, query) == []


async def test_what_says_more_of_it_comes_first_and_what_is_much_older_later(history: SqliteHistory) -> None:
    await said(history, "tide, tide and tide", thread="often", created="2026-02-28T00:00:00Z")
    await said(history, "tide " + "and the harbour wall " * 60, thread="once", created="2026-03-01T00:00:00Z")
    await said(history, "tide, tide and tide", thread="old", created="2025-02-28T00:00:00Z")
    await said(history, "tide, tide and tide", thread="odd", created="once upon a time")
    assert [hit.thread_id for hit in (await history.search("tide")).hits] == ["often", "once", "old", "odd"]


async def test_among_equal_hits_the_newest_come_first_however_they_were_stored(history: SqliteHistory) -> None:
    for number in range(140):  # newest first, as an archive lists them
        created = f"2026-{11 - number // 28:02d}-{28 - number % 28:02d}T00:00:00Z"
        await said(history, "the tide turns", thread=f"t{number:03d}", created=created)
    page = await history.search("tide", limit=140)
    assert [hit.thread_id for hit in page.hits] == [f"t{number:03d}" for number in range(140)]


async def test_pages_hold_every_hit_once(history: SqliteHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_text_search, "RANKED", 10)
    await said(history, *(f"tide {'tide ' * (number % 3)}number {number}" for number in range(37)))
    found: list[str] = []
    more = True
    while more:
        page = await history.search("tide", limit=6, offset=len(found))
        found += [hit.message_id for hit in page.hits]
        more = page.more
    assert len(found) == 37
    assert set(found) == {f"m{number}" for number in range(37)}
    assert found[10:] == [f"m{number}" for number in range(26, -1, -1)]


async def test_a_word_half_typed_stands_for_its_most_frequent_ones(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text_search, "COMPLETIONS", 2)
    await said(history, "tidal", "tideland", "tidewater", "tidewater", "tide")
    assert set(await ids(history, "tide")) == {"m2", "m3", "m4"}


async def test_a_long_message_is_stored_first_and_found_soon(history: SqliteHistory, talk: Talk) -> None:
    document = DocumentPart("log.txt", "barnacle " * (AT_ONCE // 8), "00")
    await talk.end(await talk.begin("q"), TextPart("Here"), document)
    page = await history.search("barnacle")
    assert (page.hits, page.waiting) == ((), 1)
    await catch_up(history)
    page = await history.search("barnacle")
    assert ([hit.message_id for hit in page.hits], page.waiting) == (["a1"], 0)


async def test_the_index_catches_up_by_itself_when_nothing_else_is_wanted(path: Path) -> None:
    history = await SqliteHistory.open(path, quiet_s=0)
    try:
        message = Message("m", "thread", None, "user", (TextPart("barnacle"),), TIME)
        await history.import_threads([ImportedThread("one", a_thread(), (message,))])
        async with asyncio.timeout(PATIENCE_S):
            found: list[str] = []
            while not found:  # each look lets the database have its quiet moment
                await asyncio.to_thread(Event().wait, 0.1)
                found = await ids(history, "barnacle")
    finally:
        await history.close()
    assert found == ["m"]


async def test_recall_finds_the_message_that_is_meant_among_those_given(history: SqliteHistory) -> None:
    filler = "The harbour wall, the pier and the boats. " * 8
    await said(history, *(f"{filler} Note {number}." for number in range(10)), filler + "Dinghies are painted yellow.")
    every = [f"m{number}" for number in range(11)]
    (best, *_) = await history.search_thread("thread", "Which colour did we paint the dinghy?", every, 3)
    assert best.message_id == "m10"
    assert (filler + "Dinghies are painted yellow.")[best.start : best.end] == "Dinghies are painted"
    assert await history.search_thread("thread", "Which colour did we paint it?", every[:10], 3) == []
    assert await history.search_thread("thread", "?!", every, 3) == []
    with pytest.raises(UserError, match="This thread no longer exists"):
        await history.search_thread("nowhere", "paint", every, 3)


async def test_recall_has_the_thread_indexed_first(history: SqliteHistory) -> None:
    message = Message("m", "thread", None, "user", (TextPart("Dinghies are painted yellow."),), TIME)
    await history.import_threads([ImportedThread("one", a_thread(), (message,))])
    (hit,) = await history.search_thread("thread", "painting", {"m"}, 3)
    assert hit.message_id == "m"


async def test_reopening_changes_nothing(path: Path) -> None:
    async with opened(path) as history:
        await said(history, "lighthouse")
    async with opened(path) as history:
        assert await ids(history, "lighth") == ["m0"]


async def test_notes_are_found_and_marks_narrow(history: SqliteHistory, talk: Talk) -> None:
    first = await talk.turn("where is the marlinspike", "in the locker")
    second = await talk.turn("and the bosun", "at the locker, too")
    await history.save_mark("thread", first.id, MessageMark("up", "ask the quartermaster about the locker"))
    await history.save_mark("thread", second.id, MessageMark("down"))

    (hit,) = (await history.search("quartermast")).hits
    assert (hit.message_id, hit.noted, hit.snippet) == (first.id, True, "ask the quartermaster about the locker")
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["quartermaster"]
    assert await ids(history, "quartermaster bosun") == []
    assert await ids(history, "locker") == [first.id, second.id], "what a note says comes first, and each message once"
    assert await ids(history, "locker", marked="up") == [first.id]
    assert await ids(history, "locker", marked="down") == [second.id]
    assert await ids(history, "locker", marked="note") == [first.id]
    assert await ids(history, "bosun", marked="up") == []
    assert await ids(history, "quartermaster", role="user") == []
    assert await ids(history, "quartermaster", thread_id="thread", role="assistant") == [first.id]
    page = await history.search("locker", limit=1)
    assert page.more
    assert [one.message_id for one in (await history.search("locker", limit=1, offset=1)).hits] == [second.id]
    await history.delete_thread("thread")
    assert await ids(history, "quartermaster") == []


async def test_without_words_what_narrows_lists_newest_first(history: SqliteHistory) -> None:
    """Against a list of all messages, narrowed and sorted here; threads of several months, stored in any order."""
    made: list[Message] = []
    for thread, first_month in (("b", 3), ("a", 1), ("c", 2)):
        for number in range(8):
            role: Role = "assistant" if number % 2 else "user"
            created = f"2026-0{first_month + number // 3}-{10 + number:02d}T08:00:00Z"
            parent = f"{thread}{number - 1}" if number else None
            model = ("gpt-5.2", "claude")[number % 4 // 2] if role == "assistant" else None
            words = (TextPart(f"what {thread} says, {number}"),)
            made.append(Message(f"{thread}{number}", thread, parent, role, words, created, model=model))
        own = tuple(message for message in made if message.thread_id == thread)
        await history.import_threads([ImportedThread(thread, a_thread(thread), own)])
    await catch_up(history)
    for name, mark in (
        ("a1", MessageMark("up")),
        ("b3", MessageMark("up", "b")),
        ("c5", MessageMark("down")),
        ("a4", MessageMark(note="a")),
    ):
        await history.save_mark(name[0], name, mark)

    def expected(**asked: str) -> list[str]:
        marks = {"up": ("b3", "a1"), "down": ("c5",), "note": ("b3", "a4")}
        kept = [
            one
            for one in made
            if asked.get("role", one.role) == one.role
            and asked.get("model", one.model) == one.model
            and asked.get("thread_id", one.thread_id) == one.thread_id
            and asked.get("since", "") <= one.created < asked.get("until", "~")
            and ("marked" not in asked or one.id in marks[asked["marked"]])
        ]
        return [one.id for one in sorted(kept, key=lambda one: one.created, reverse=True)]

    for asked in (
        {"marked": "up"},
        {"marked": "down"},
        {"marked": "note"},
        {"marked": "up", "role": "assistant", "thread_id": "a"},
        {"marked": "note", "since": "2026-03-20"},
        {"thread_id": "b"},
        {"thread_id": "c", "role": "user"},
        {"thread_id": "c", "model": "claude"},
        {"thread_id": "c", "model": "none"},
    ):
        assert await ids(history, "", **asked) == expected(**asked), asked
    for asked in (
        {"role": "user"},
        {"model": "claude"},
        {"since": "2026-02-13", "until": "2026-04"},
        {"until": "2026-02"},
        {"since": "2027"},
        {"role": "assistant", "model": "gpt-5.2", "since": "2026-03"},
    ):
        found, wanted = await ids(history, "", **asked), expected(**asked)
        months = {one.id: one.created[:7] for one in made}
        assert sorted(found) == sorted(wanted), asked
        assert [months[name] for name in found] == [months[name] for name in wanted], asked


async def test_a_list_without_words_comes_page_by_page(history: SqliteHistory) -> None:
    await said(history, *(f"word {number}" for number in range(9)))
    everything = [f"m{number}" for number in reversed(range(9))]
    for within in (SearchWithin(thread_id="thread"), SearchWithin(since="2020")):
        found: list[str] = []
        more = True
        while more:
            page = await history.search(" ", within, limit=4, offset=len(found))
            found += [hit.message_id for hit in page.hits]
            more = page.more
        assert sorted(found) == sorted(everything)
        assert len(found) == 9
    (hit,) = (await history.search("", SearchWithin(role="user"), limit=1)).hits
    assert (hit.snippet, hit.marks, hit.noted) == ("word 8", (), False)


async def test_what_is_listed_says_the_note_where_notes_are_asked_for(history: SqliteHistory, talk: Talk) -> None:
    turn = await talk.turn("where is the marlinspike", "in the locker")
    await history.save_mark("thread", turn.id, MessageMark("up", "ask the bosun"))
    (hit,) = (await history.search("", SearchWithin(marked="note"))).hits
    assert (hit.message_id, hit.snippet, hit.noted) == (turn.id, "ask the bosun", True)
    (hit,) = (await history.search("", SearchWithin(marked="up"))).hits
    assert (hit.snippet, hit.noted) == (turn.text, False)
    await history.delete_thread("thread")
    assert await ids(history, "", marked="note") == []
    assert await ids(history, "", role="assistant") == []


@pytest.mark.parametrize("query", ["", " ", "?!"])
async def test_nothing_is_listed_where_nothing_narrows(history: SqliteHistory, talk: Talk, query: str) -> None:
    await talk.turn("one", "two")
    assert await ids(history, query) == []
    assert (await ids(history, query, role="user") == []) == (query == "?!"), "signs are words that nothing holds"


async def test_notes_are_looked_through_and_not_the_messages_without_one(history: SqliteHistory) -> None:
    await said(history, *(f"words of message {number}" for number in range(1_500)))
    for number in (3, 700, 1_400):
        await history.save_mark("thread", f"m{number}", MessageMark("up", f"ask the bosun {number}"))
    words = await sql_steps(history, lambda: history.search('"nowhere"'))
    marked = await sql_steps(history, lambda: history.search("", SearchWithin(marked="note")))
    assert await ids(history, "bosun ") == ["m1400", "m700", "m3"]
    assert words < 1_500
    assert marked < 1_500

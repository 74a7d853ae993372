from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.core.history_records import SearchWithin
from desktop_app.core.phrases import phrase
from desktop_app.core.projects import DocumentText, Passage, Project, ProjectDocument, SearchedDocuments, passage_id
from desktop_app.storage import document_text_store
from desktop_app.storage.document_text_store import PART, TextWriting, source_term
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.storage.conftest import opened
from tests.storage.sql_work import in_store


def a_text(*paragraphs: str, heading: str = "", **facts: str) -> DocumentText:
    """A text of these paragraphs, a passage each."""
    text, passages = "", []
    for number, words in enumerate(paragraphs, 1):
        passages.append(Passage(number, "text", len(text), len(text) + len(words), heading, page=number))
        text += words + "\n\n"
    sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return DocumentText(sha256, "text/plain", text, tuple(passages), len(paragraphs), **facts)


async def with_documents(history: SqliteHistory, project_id: str, *texts: DocumentText) -> None:
    """A project with a document for each text, `d1` and so on behind the project's id."""
    await history.projects.save(Project(project_id, project_id))
    for text in texts:
        await history.projects.save_text(text)
    await history.projects.save_documents(
        [
            ProjectDocument(f"{project_id}-d{number}", project_id, f"{number}.txt", state="ready", sha256=text.sha256)
            for number, text in enumerate(texts, 1)
        ]
    )


async def found(history: SqliteHistory, project_id: str, question: str, **within: object) -> list[str]:
    hits = await history.projects.search_documents(project_id, question, SearchedDocuments(**within))  # type: ignore[arg-type]
    return [hit.document.id for hit in hits]


def count(path: Path, table: str) -> int:
    connection = sqlite3.connect(path)
    rows = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    connection.close()
    return int(rows)


async def test_a_text_comes_back_as_it_was(history: SqliteHistory, path: Path) -> None:
    text = a_text("The quay is 40 m long — 港 \U0001f6a2.", "x" * 3 * PART, note=phrase("Read by OCR."))
    assert not await history.projects.has_text(text.sha256)
    assert await history.projects.text(text.sha256) is None
    await history.projects.save_text(text)
    async with opened(path) as again:
        assert await again.projects.has_text(text.sha256)
        assert await again.projects.text(text.sha256) == text


async def test_a_file_in_two_projects_is_stored_once_and_found_in_both(history: SqliteHistory, path: Path) -> None:
    quay, mast = a_text("The quay is long."), a_text("The mast of pine, beside the quay.")
    await with_documents(history, "harbour", quay, mast)
    await with_documents(history, "port", quay)
    assert count(path, "document_text") == 2
    assert await found(history, "harbour", "Where is the quay?") == ["harbour-d1", "harbour-d2"]
    assert await found(history, "port", "Where is the quay?") == ["port-d1"]
    assert await found(history, "port", "mast") == []


async def test_only_live_documents_are_searched_and_a_restored_one_again(history: SqliteHistory) -> None:
    await with_documents(history, "harbour", a_text("The quay is long."))
    await history.projects.delete_documents(["harbour-d1"])
    assert await found(history, "harbour", "quay") == []
    await history.projects.restore_documents(["harbour-d1"])
    assert await found(history, "harbour", "quay") == ["harbour-d1"]


async def test_a_search_names_each_document_with_all_its_words_once(history: SqliteHistory) -> None:
    both = a_text("The old quay was closed.", "The quay, and the mast of pine, and the quay.")
    await with_documents(history, "harbour", a_text("A quay."), both)
    first, second = sorted(await history.search_items("qua"), key=lambda one: one.title)
    assert (first.kind, first.title, first.place, first.inside) == ("document", "1.txt", "harbour", "harbour")
    assert second.id == passage_id(both.sha256, 2)
    assert set(second.beside) == {first.id, passage_id(both.sha256, 1), second.id}
    (one,) = await history.search_items("quay closing ")
    assert [one.snippet[start:end] for start, end in one.marks] == ["quay", "closed"]
    for words in ("quay lighthouse", '"mast quay"', "quay role:user", "role:tool quay", ""):
        assert await history.search_items(words) == (), words
    assert await history.search_items("quay", SearchWithin(since="2026")) == ()
    await history.projects.delete_documents(["harbour-d2"])
    assert [one.title for one in await history.search_items("quay")] == ["1.txt"]
    await history.projects.delete("harbour")
    assert await history.search_items("quay") == ()


async def test_a_document_with_many_hits_hides_no_other(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "MOST_HELD", 3)
    many = [a_text(*(f"Quay, quay, quay, quay {number}." for number in range(120)), heading=name) for name in "ab"]
    others = [a_text(f"In Troense, {number}, a quay of some length and hardly any width.") for number in range(30)]
    await with_documents(history, "harbour", *many, *others)
    await history.projects.delete_documents(["harbour-d2"])
    items = await history.search_items("quay")
    assert sorted(one.title for one in items) == sorted(f"{n}.txt" for n in range(1, 33) if n != 2)
    assert items[0].title == "1.txt"
    assert {one.id for one in items[1:3]} <= set(items[0].beside)


async def test_a_changed_document_is_found_by_its_new_text_and_cited_by_its_old(history: SqliteHistory) -> None:
    old, new = a_text("The quay is long.", "The crane is red."), a_text("The pier is short.")
    await with_documents(history, "harbour", old)
    await with_documents(history, "harbour", new)
    assert await found(history, "harbour", "quay") == []
    assert await found(history, "harbour", "pier") == ["harbour-d1"]
    cited = await history.projects.passage("harbour", passage_id(old.sha256, 2))
    assert cited is not None
    assert (cited.text, cited.document.sha256, cited.id) == ("The crane is red.", old.sha256, passage_id(old.sha256, 2))
    await history.projects.delete_documents(["harbour-d1"])
    assert await history.projects.passage("harbour", passage_id(old.sha256, 1)) is not None


async def test_an_id_that_no_document_of_the_project_had_is_none(history: SqliteHistory) -> None:
    quay, mast = a_text("The quay is long."), a_text("The mast of pine.")
    await with_documents(history, "harbour", quay)
    await with_documents(history, "port", mast)
    for wrong in (passage_id(mast.sha256, 1), passage_id(quay.sha256, 2), "", "-", "no", f"{quay.sha256}-1",
                  f"{quay.sha256[:10]}-x", f"{quay.sha256[:10]}-{'9' * 40}"):  # fmt: skip
        assert await history.projects.passage("harbour", wrong) is None


async def test_a_search_keeps_within_what_is_asked(history: SqliteHistory) -> None:
    texts = [a_text(f"Quay {number} is long.") for number in range(3)]
    await with_documents(history, "harbour", *texts)
    listed = await history.projects.documents("harbour")
    await history.projects.save_documents(
        [replace(one, path=f"/plans/{number}/a.txt", modified=f"2026-0{number + 1}-05T00:00:00.000Z")
         for number, one in enumerate(listed)]
    )  # fmt: skip
    assert await found(history, "harbour", "quay", document_ids=frozenset({"harbour-d2"})) == ["harbour-d2"]
    assert await found(history, "harbour", "quay", folder="/plans/2/") == ["harbour-d3"]
    assert await found(history, "harbour", "quay", since="2026-02", until="2026-03") == ["harbour-d2"]
    assert await found(history, "harbour", "what of it?") == []


async def test_words_count_in_other_forms_and_chinese_and_japanese_by_any_piece(history: SqliteHistory) -> None:
    await with_documents(
        history,
        "harbour",
        a_text("Prices are calculated yearly."),
        a_text("東京都の港は深い。"),
        a_text("parseHTMLPage"),
    )
    assert await found(history, "harbour", "How is the price calculated?") == ["harbour-d1"]
    assert await found(history, "harbour", "京都") == ["harbour-d2"]
    assert await found(history, "harbour", "港") == ["harbour-d2"]
    assert await found(history, "harbour", "html page") == ["harbour-d3"]


async def test_words_that_stand_nearly_everywhere_count_where_all_of_them_meet(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "COMMON", 3)
    said = (
        "The quay is long.",
        "The quay and the crane.",
        "A crane beside a crane.",
        "The quay again.",
        "Crane, mast.",
    )
    await with_documents(history, "harbour", *(a_text(words) for words in said))
    assert await found(history, "harbour", "quay crane") == ["harbour-d2"], "the index is asked for both"
    assert await found(history, "harbour", "mast quay crane") == ["harbour-d5", "harbour-d2"], "the rare one tells more"
    assert len(await found(history, "harbour", "quay")) == 3


@given(
    rows=st.lists(st.lists(st.sampled_from(("quay", "crane", "mast", "pier", "tide")), max_size=30), max_size=40),
    few=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_passages_that_are_ranked_first_are_the_best_of_all_in_their_order(rows: list[list[str]], few: bool) -> None:
    with closing(sqlite3.connect(":memory:")) as connection, pytest.MonkeyPatch.context() as patch:
        connection.execute("CREATE TABLE passage (key INTEGER PRIMARY KEY)")
        connection.execute(
            "CREATE VIRTUAL TABLE passage_text USING fts5 (source, heading, body, content = '', tokenize = 'porter')"
        )
        for key, words in enumerate(rows, 1):
            connection.execute("INSERT INTO passage VALUES (?)", (key,))
            of = (key, source_term(key % 2), " ".join(words[:2]), " ".join(words[2:]))
            connection.execute("INSERT INTO passage_text (rowid, source, heading, body) VALUES (?, ?, ?, ?)", of)
        asked = ("quay", "crane", "mast", "pier"), [1] if few else None
        expected = list(document_text_store._ranked(connection, *asked))
        patch.setattr(document_text_store, "TELLING", 2)
        assert list(document_text_store._ranked(connection, *asked)) == expected


async def test_of_frequent_words_only_the_passages_that_may_be_best_are_ranked(
    history: SqliteHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "TELLING", 10)
    said = ["Quay and crane. " * 5] * 300 + [f"A {('quay', 'crane')[number % 2]} alone." for number in range(600)]
    said += ["Of other things."] * 1_500
    await with_documents(history, "harbour", a_text(*said))
    statements: list[str] = []
    await in_store(history, lambda store: store.transactions.connection.set_trace_callback(statements.append))
    hits = await history.projects.search_documents("harbour", "quay crane")
    assert len(hits) == 60
    assert all("Quay and crane" in hit.text for hit in hits)
    scored = [one for one in statements if "bm25" in one]
    assert len(scored) == 1
    assert " AND " in scored[0].partition("body} : ")[2], "those with one word cost no score"
    assert " IN " not in scored[0], "nor is the index gone through twice"


async def test_a_documents_name_counts(history: SqliteHistory) -> None:
    first, second = a_text("The quay is long."), a_text("The quay is deep.")
    await with_documents(history, "harbour", first, second)
    assert await found(history, "harbour", "quay of Rotterdam") == ["harbour-d1", "harbour-d2"]
    listed = await history.projects.documents("harbour")
    await history.projects.save_documents([replace(listed[1], name="Rotterdam survey.pdf")])
    assert await found(history, "harbour", "quay of Rotterdam") == ["harbour-d2", "harbour-d1"]


async def test_many_documents_are_picked_out_of_all(history: SqliteHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_text_store, "FEW_TEXTS", 1)
    monkeypatch.setattr(document_text_store, "_AT_ONCE", 2)
    await with_documents(history, "harbour", *(a_text(f"Quay {number} is long.") for number in range(4)))
    await with_documents(history, "port", *(a_text(f"Pier and quay, {number}.") for number in range(4)))
    assert len(await found(history, "harbour", "quay")) == 4
    assert await found(history, "port", "quay", document_ids=frozenset({"port-d3"})) == ["port-d3"]


async def test_headings_and_headers_of_tables_count(history: SqliteHistory) -> None:
    plain, titled = (
        a_text("The sum is due at once, says page one."),
        a_text("It is due at once.", heading="Prices > Sum"),
    )
    table = replace(a_text("40 | 12"), passages=(Passage(1, "table", 0, 7, table_head="Length | Draught"),))
    await with_documents(history, "harbour", plain, titled, table)
    assert await found(history, "harbour", "sum") == ["harbour-d2", "harbour-d1"]
    assert await found(history, "harbour", "draught") == ["harbour-d3"]


async def test_a_long_text_is_written_in_slices_and_counts_with_the_last(
    history: SqliteHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "SLICE", 1_000)
    text = a_text(*(f"Quay {number} " + "long " * 50 for number in range(40)))
    await history.projects.save(Project("harbour", "Harbour"))
    await history.projects.save_documents([ProjectDocument("d", "harbour", "d.txt", sha256=text.sha256)])
    writing = await in_store(history, lambda store: store.texts.begin(text))
    steps = 0
    while not await in_store(history, lambda _: writing.step()):
        steps += 1
        assert not await history.projects.has_text(text.sha256)
        assert await history.projects.text(text.sha256) is None
        assert await found(history, "harbour", "quay") == []
        assert await history.projects.passage("harbour", passage_id(text.sha256, 1)) is None
    assert steps > 5
    assert len(await found(history, "harbour", "quay")) == 40
    assert await history.projects.text(text.sha256) == text


async def test_a_write_that_fails_half_way_leaves_nothing(
    history: SqliteHistory, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "SLICE", 1_000)
    text = a_text(*(f"Quay {number} " + "long " * 50 for number in range(20)))
    index, calls = TextWriting._index, 0

    def fails(self: TextWriting, *given: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 11:
            raise sqlite3.OperationalError("disk I/O error")
        index(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(TextWriting, "_index", fails)
    with pytest.raises(sqlite3.OperationalError):
        await history.projects.save_text(text)
    for table in ("document_text", "document_text_part", "passage", "passage_text_docsize"):
        assert count(path, table) == 0, table
    await with_documents(history, "harbour", text)
    assert len(await found(history, "harbour", "quay")) == 20


async def test_a_process_that_dies_half_way_leaves_nothing_that_counts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_text_store, "SLICE", 1_000)
    text = a_text(*(f"Quay {number} " + "long " * 50 for number in range(20)))
    async with opened(path) as dying:
        writing = await in_store(dying, lambda store: store.texts.begin(text))
        for _ in range(3):
            assert not await in_store(dying, lambda _: writing.step())
    async with opened(path) as history:
        assert not await history.projects.has_text(text.sha256)
        await with_documents(history, "harbour", text)
        assert len(await found(history, "harbour", "quay")) == 20
        assert await history.projects.text(text.sha256) == text


async def test_two_that_write_the_same_text_leave_one(history: SqliteHistory, path: Path) -> None:
    text = a_text("The quay is long.")
    one, two = [await in_store(history, lambda store: store.texts.begin(text)) for _ in range(2)]
    assert await in_store(history, lambda _: one.step())
    assert await in_store(history, lambda _: two.step())
    assert count(path, "document_text") == count(path, "passage") == 1

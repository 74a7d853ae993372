from __future__ import annotations

import random
import sqlite3
import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.passage_ranking import question_terms, question_words
from desktop_app.core.search_terms import LONGEST, SearchTerm, fold, index_text, is_unspaced, needles, places
from tests.counted_calls import CountedCalls

HAN = st.text("東京都中国人民的一是语言かなカナー한국어ไทยहिन्दी", min_size=1, max_size=12)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=8)
ANY = st.text(st.characters(), max_size=40) | st.text("\"'*():^-+ANDORT \0{}", max_size=30)


def phrase_query(text: str) -> str:
    """What looks for a text as it stands: as a search line does for words in quotes."""
    return " AND ".join(needle.query for needle in needles(f'"{text.replace(chr(34), " ")}"') if needle.query)


def table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE found USING fts5 (text, tokenize = 'ascii')")
    return connection


def finds(query: str, text: str) -> bool:
    """Whether SQLite's own index finds the text by the query."""
    connection = table()
    connection.execute("INSERT INTO found VALUES (?)", (index_text(text),))
    return connection.execute("SELECT * FROM found WHERE found MATCH ?", (query,)).fetchone() is not None


@given(HAN, WORDS, st.data())
def test_any_piece_of_an_unspaced_run_is_found(run: str, word: str, data: st.DataObject) -> None:
    run = fold(run)
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    assert finds(phrase_query(run[start:end]), f"{word} {run}, {word}")


@given(HAN, HAN)
def test_what_is_not_a_piece_is_not_found(run: str, other: str) -> None:
    run, other = fold(run), fold(other)
    if len(other) > 1 and other not in run:
        pairs = {run[at : at + 2] for at in range(len(run) - 1)}
        if not {other[at : at + 2] for at in range(len(other) - 1)} <= pairs:
            assert not finds(phrase_query(other), run)


@given(ANY, ANY)
def test_no_text_is_an_error_in_the_query_language(text: str, query: str) -> None:
    connection = table()
    connection.execute("INSERT INTO found VALUES (?)", (index_text(text),))
    for asked in (
        phrase_query(query),
        *(term.query for term in question_terms(query)),
        *(needle.query for needle in needles(query)),
        *(f'"{needle.runs[-1]}"' for needle in needles(query)),
    ):
        if asked:
            connection.execute("SELECT count(*) FROM found WHERE found MATCH ?", (asked,)).fetchone()


@given(ANY)
def test_a_text_is_found_by_itself(text: str) -> None:
    query = phrase_query(text)
    assert bool(query) == bool(index_text(text))
    if query:
        assert finds(query, text)


@given(st.lists(WORDS | HAN, min_size=1, max_size=6))
def test_every_word_of_a_text_is_found(words: list[str]) -> None:
    for word in words:
        if query := phrase_query(word):
            assert finds(query, " ".join(words))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Ｆｕｌｌ width", "full"),
        ("Das CAFÉ", "cafe"),
        ("cafe", "Café"),
        ("STRASSE", "straße"),
        ("ﬁne ligature", "fine"),
        ("ガラス", "ｶﾞﾗｽ"),
        ("か\u3099くせい", "がく"),
        ("съёмка", "съемка"),
        ("İstanbul", "istanbul"),
        ("co\u00adoperate", "cooperate"),
        ("parseHTMLPage24", "html"),
        ("parseHTMLPage24", "parsehtmlpage24"),
        ("max_upload_size = 3", "max_upload_size"),
        ("max_upload_size = 3", "upload"),
        ("server.max-conn", "max-conn"),
        ("a/b/config.yaml", "config.yaml"),
        ("用Python写代码", "python"),
        ("用Python写代码", "写代"),
        ("在東京都。", "都"),
        ("हिन्दी में", "हिन्दी"),
    ],
)
def test_width_case_accents_and_identifiers(text: str, query: str) -> None:
    assert finds(phrase_query(query), text)


@pytest.mark.parametrize(
    ("text", "query"), [("東京", "京東"), ("parser", "parse"), ("ab cd", "bc"), ("size max", "max size")]
)
def test_what_is_not_there_is_not_found(text: str, query: str) -> None:
    assert not finds(phrase_query(query), text)


@given(WORDS)
def test_folding_twice_changes_nothing(word: str) -> None:
    assert fold(fold(word)) == fold(word)


@given(ANY)
def test_places_are_those_of_the_text(text: str) -> None:
    for place in places(text):
        assert place.run in fold(text[place.start : place.end])


HAYSTACKS: dict[str, Callable[[], str]] = {
    "without blanks": lambda: "a" * 1_000_000,
    "one identifier": lambda: "aB1" * 330_000,
    "encoded": lambda: "".join(random.Random(1).choices(string.ascii_letters + string.digits + "+/", k=1_000_000)),
    "encoded in lines": lambda: "\n".join(
        "".join(random.Random(2).choices(string.ascii_letters + string.digits + "+/", k=76)) for _ in range(13_000)
    ),
    "Chinese": lambda: "东京都的数据库端口" * 110_000,
    "marks": lambda: "a" + "\u0327\u0301" * 500_000,
    "marks that stay": lambda: "a" + "\u0f71\u0f74\u0f39" * 330_000,
    "ligatures": lambda: "\ufdfa" * 100_000,
}


@pytest.mark.parametrize("name", HAYSTACKS)
@pytest.mark.slow
def test_a_megabyte_of_anything_takes_little(name: str) -> None:
    haystack = HAYSTACKS[name]()
    with CountedCalls() as work:
        terms = index_text(haystack)
    assert work.calls < 600_000
    assert all(len(term) <= LONGEST for term in terms.split())
    if name not in {"Chinese", "marks that stay", "ligatures"}:
        assert len(terms) < 2_000


def test_a_long_english_text_is_indexed_whole() -> None:
    words = [f"word{number}x" for number in range(50_000)]
    assert set(words) <= set(index_text(" ".join(words)).split())


def test_a_search_line_is_taken_apart() -> None:
    assert needles('tide "High Water" 潮汐 foo_bar lo') == (
        SearchTerm(("tide",)),
        SearchTerm(("high", "water")),
        SearchTerm(("潮汐",)),
        SearchTerm(("foo", "bar")),
        SearchTerm(("lo",), open=True),
    )
    assert needles("lo ") == (SearchTerm(("lo",)),)
    assert needles('"lo"') == (SearchTerm(("lo",), quoted=True),)
    assert needles("“one two” „three four“") == (SearchTerm(("one", "two")), SearchTerm(("three", "four")))
    assert needles('"never closed') == (SearchTerm(("never", "closed")),)
    assert needles(" ?! ") == ()
    assert needles("don't") == (SearchTerm(("don", "t"), open=True),)
    assert SearchTerm(("foo", "ba"), open=True).query == '"foo"'


def test_a_question_asks_for_what_tells() -> None:
    asked = [term.forms for term in question_terms("Which ports did we choose for the staging databases?")]
    for form in ("port", "ports", "chose", "staging", "stage", "database", "databases"):
        assert any(form in forms for forms in asked) == (form != "chose")
    assert not any("which" in forms or "the" in forms for forms in asked)
    assert question_terms("What was it?")  # nothing else to go by
    assert question_words("Wie kann ich mein Passwort wieder ändern?") == ["passwort", "andern"]
    assert question_words("Comment est-ce que je peux changer le clavier ?") == ["comment", "changer", "clavier"]
    assert question_words("この質問集を作ったのは誰ですか?") == [
        "の質",
        "質問",
        "問集",
        "集を",
        "を作",
        "作っ",
        "は誰",
        "誰で",
    ]
    assert question_words("我的密码忘了怎么办") == ["密码", "码忘"]
    assert question_terms("?!") == ()


@given(ANY)
def test_a_question_is_bounded_and_of_single_terms(question: str) -> None:
    terms = question_terms(question * 40)
    assert len(terms) <= 64
    for term in terms:
        for form in term.forms:
            assert index_text(form).split()[0] == form[:LONGEST]


@given(WORDS | HAN)
def test_a_run_is_of_one_kind(text: str) -> None:
    for place in places(text):
        assert len({is_unspaced(character) for character in place.run}) == 1 or not is_unspaced(place.run)

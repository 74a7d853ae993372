from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.passage_ranking import SIZE, parted, snippet
from desktop_app.core.search_terms import needles

LONG = "The harbour wall, the pier and the boats. " * 40
TEXTS = st.text(st.characters(), max_size=400) | st.lists(st.sampled_from(["tide ", "東京", "Málaga\n", "ﬁ"])).map(
    "".join
)


def shown(text: str, query: str) -> tuple[str, list[str]]:
    found = snippet(text, needles(query))
    return found.text, [found.text[start:end] for start, end in found.marks]


def test_the_hit_is_shown_with_what_is_around_it() -> None:
    text, marks = shown(LONG + "Barnacles grow here. " + LONG, "barnacles")
    assert marks == ["Barnacles"]
    assert text.startswith("… ")
    assert text.endswith(" …")
    assert "boats. Barnacles grow here. The harbour" in text


def test_the_passage_with_most_words_is_chosen() -> None:
    text, marks = shown("A tide. " + LONG + "The tide at noon. " + LONG + "At noon.", "noon tide ")
    assert marks == ["tide", "noon"]
    assert "tide at noon" in text


def test_words_are_marked_as_they_stand() -> None:
    assert shown("Málaga and CAFÉ", "malaga cafe ")[1] == ["Málaga", "CAFÉ"]
    assert shown("昨日は東京都庁へ", "京都")[1] == ["京都"]
    assert shown("parseHTMLPage now", "html ")[1] == ["parseHTMLPage"]
    assert shown("lights and lighthouses", "light")[1] == ["lights", "lighthouses"]
    assert shown("lights and a light", "light ")[1] == ["light"]
    assert shown("happy app", "app ")[1] == ["app"]
    assert shown("ｶﾞﾗｽ", "ガラス")[1] == ["ｶﾞﾗｽ"]


def test_lines_become_one() -> None:
    assert shown("low\n\twater\n", "water ")[0] == "low  water"


def test_without_a_hit_it_is_the_beginning() -> None:
    text, marks = shown(LONG, "barnacle ")
    assert (text.startswith("The harbour wall"), marks) == (True, [])
    assert shown("", "x ") == ("", [])


@given(TEXTS, st.text(max_size=10) | st.sampled_from(["tide", "京", "ma", "fi "]))
def test_marks_are_in_order_and_inside(text: str, query: str) -> None:
    found = snippet(text, needles(query))
    edges = [edge for mark in found.marks for edge in mark]
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(found.text) for edge in edges)
    assert len(found.text) <= SIZE + 4
    assert "\n" not in found.text
    pieces = list(parted(found))
    assert "".join(piece for piece, _ in pieces) == found.text
    assert [piece for piece, mark in pieces if mark] == [found.text[start:end] for start, end in found.marks]
    assert all(piece for piece, _ in pieces)


def test_marks_of_markdown_are_left_out_where_nothing_is_looked_for_among_them() -> None:
    text = "# Buffers\n\nA **ring buffer** in `deque`, see [the docs](https://example.org/tide)."
    assert snippet(text, needles("ring "), markdown=True).text == "Buffers A ring buffer in deque, see the docs."
    found = snippet(text, needles("ring "), markdown=True)
    assert [found.text[start:end] for start, end in found.marks] == ["ring"]
    assert "https://example.org/tide" in snippet(text, needles("tide "), markdown=True).text, "the word is shown"
    assert "**ring buffer**" in snippet(text, needles("ring ")).text, "a file's text stays as it is"


def test_the_ids_of_cited_passages_are_left_out() -> None:
    text = "The berth costs 4,711 euros a year [2312eabe6a-1] [33ce26ee16-7, 2312eabe6a-2] and the keel is laid[1]."
    shown = snippet(text, needles("keel "), markdown=True)
    assert shown.text == "The berth costs 4,711 euros a year and the keel is laid[1]."
    assert [shown.text[start:end] for start, end in shown.marks] == ["keel"]


def test_a_phrase_is_shown_and_marked_where_its_words_follow_one_another() -> None:
    text = " ".join(f"Section {number}. The pump number {number} runs." for number in range(80))
    shown = snippet(text, needles('"number 47"'))
    assert [shown.text[start:end] for start, end in shown.marks] == ["number", "47"]
    assert "number 47 runs" in shown.text
    (start, _), _ = shown.marks
    assert shown.text[start:].startswith("number 47")
    assert snippet(text, needles('"number 99"')).marks == ()
    accented = snippet(f"Numéro. {'word ' * 80} Numéro 47.", needles('"numero 47"'))
    assert [accented.text[start:end] for start, end in accented.marks] == ["Numéro", "47"]
    named = snippet("the loadLine moves", needles("load-line"))
    assert [named.text[start:end] for start, end in named.marks] == ["loadLine"]

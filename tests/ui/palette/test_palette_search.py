"""Messages and documents found in the palette: below names, by the newest question only, and the way to them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt

from desktop_app.core.history_records import EVERYWHERE, SearchHit, SearchPage, SearchWithin
from desktop_app.ui.palette.palette_entries import PaletteSearch
from desktop_app.ui.palette.palette_overlay import Palette, spoken
from tests.ui.document_scenes import contract, documents_of
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def opened(window: OpenWindow, typed: str) -> Palette:
    window.window.activateWindow()
    window.shortcut("command_palette")
    presenter = window.presenters.palette
    await window.until(lambda: presenter.complete, "everything on offer")
    assert presenter.palette is not None
    window.type(typed, presenter.palette.field)
    return presenter.palette


async def answered(window: OpenWindow, palette: Palette) -> None:
    await window.until(lambda: palette.offer.answered(palette.field.text()), "what the history has")


def shown(palette: Palette) -> list[tuple[str, str]]:
    return [(row.entry.kind, row.entry.name) for row in palette.rows.rows]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("help", "User guide"),
        (">about", "About Plimsoll"),
        (">version", "About Plimsoll"),
        (">export", "Export"),
        (">limit", "Context"),
        (">limit", "Preferences"),
        ("spend", "Preferences"),
    ],
)
async def test_actions_are_found_by_the_words_that_people_have_for_them(
    window: OpenWindow, typed: str, found: str
) -> None:
    assert ("action", found) in shown(await opened(window, typed))


async def test_enter_leads_to_a_message_that_was_found(window: OpenWindow) -> None:
    one, two = await threads_of(window, "The first thing", "Something else")
    await window.choose_thread(one)
    await window.send("where does the marlinspike lie?")
    target = (await window.opened_thread()).path[-2]
    await window.choose_thread(two)
    palette = await opened(window, "marlinsp")
    assert palette.nothing.text() == "Searching…"
    await answered(window, palette)
    assert shown(palette) == [
        ("message", "where does the marlinspike lie?"),
        ("search", "All results for “marlinsp”"),
    ]
    assert [row.first for row in palette.rows.rows] == [True, True]
    entry = palette.rows.rows[0].entry
    assert [entry.name[start:end] for start, end in entry.spans] == ["marlinspike"]
    assert spoken(entry).startswith("where does the marlinspike lie?, Message, The first thing")
    window.press(Qt.Key.Key_Return, widget=palette.field)
    await window.until(lambda: window.app_state.is_open(one), "the thread of the message")
    await window.settled()
    layout = window.transcript.row_layout
    assert layout.messages[layout.focused].id == target.id, "pointed out"
    assert not any(used.startswith("message:") for used in window.presenters.palette.state.palette_recent)


async def test_enter_opens_a_document_at_its_passage(window: OpenWindow) -> None:
    documents = await documents_of(window, contract_docx=contract())
    wanted: list[tuple[str, str, Sequence[str], str]] = []
    window.app_state.passage_wanted.connect(lambda *asked: wanted.append(asked))
    palette = await opened(window, "another date in writing")
    await answered(window, palette)
    passages = [row.entry for row in palette.rows.rows if row.entry.kind == "passage"]
    assert {entry.about for entry in passages} == {"contract.docx"}
    palette.go_to([row.entry for row in palette.rows.rows].index(passages[0]))
    window.press(Qt.Key.Key_Return, widget=palette.field)
    ((project, passage, beside, words),) = wanted
    assert project == documents["contract.docx"].project_id
    assert passage in beside
    assert len(beside) == len(passages)
    assert words.endswith("another date in writing")
    await window.until(window.window.document.isVisible, "the document")


async def test_the_last_line_opens_the_search_with_all_results(window: OpenWindow) -> None:
    await threads_of(window, "About knots")
    palette = await opened(window, "about knots")
    await answered(window, palette)
    assert shown(palette)[-1][0] == "search"
    window.press(Qt.Key.Key_Up, widget=palette.field)
    window.press(Qt.Key.Key_Return, widget=palette.field)
    assert window.threads.search.text() == "about knots"
    assert window.threads.search.hasFocus()


async def test_one_question_for_many_keys_and_no_old_answer(
    window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    held: dict[str, asyncio.Future[None]] = {}

    async def search(query: str, within: SearchWithin = EVERYWHERE, *, limit: int = 20, offset: int = 0) -> SearchPage:
        asked.append(query)
        held[query] = asyncio.get_running_loop().create_future()
        await held[query]
        return SearchPage((SearchHit("t", "T", "m", "user", "2026-01-01T00:00:00Z", None, f"of {query}"),))

    monkeypatch.setattr(window.services.library, "search", search)
    palette = await opened(window, "zwxq")
    await window.until(lambda: asked == ["zwxq"], "one question for four keys")
    (search_of,) = palette.window().findChildren(PaletteSearch)
    for words in ("zwxqv", "zwxqvb"):
        palette.field.setText(words)
        await window.until(lambda: not search_of._rest.isActive(), "typing rests")
    assert asked == ["zwxq"], "one question at a time"
    held["zwxq"].set_result(None)
    await window.until(lambda: asked == ["zwxq", "zwxqvb"], "the newest question, none of those between")
    assert shown(palette) == [], "an old answer is not shown"
    held["zwxqvb"].set_result(None)
    await answered(window, palette)
    assert [name for _, name in shown(palette)] == ["of zwxqvb", "All results for “zwxqvb”"]
    palette.field.setText(">zwxqvb")
    palette.field.setText("zwxqvbn")
    palette.leave()
    await window.settled()
    assert asked == ["zwxq", "zwxqvb"], "nothing is asked for one kind, nor when it is closed"


async def test_what_the_keyboard_is_on_stays(window: OpenWindow) -> None:
    await threads_of(window, "About knots", "About ropes")
    palette = await opened(window, "about")
    window.press(Qt.Key.Key_Down, widget=palette.field)
    before = palette.current
    await answered(window, palette)
    assert [kind for kind, _ in shown(palette)].count("message") >= 2
    assert palette.current == before


@pytest.mark.parametrize("typed", ["crane", "#crane", ">crane"])
async def test_where_nothing_is_found_enter_searches_the_messages(window: OpenWindow, typed: str) -> None:
    await threads_of(window, "About knots")
    palette = await opened(window, typed)
    await answered(window, palette)
    assert shown(palette) == [("search", "Search messages for “crane”")]
    assert palette.nothing.isVisible()
    assert palette.nothing.text() == "No results"
    assert palette.view.isVisible()
    window.press(Qt.Key.Key_Return, widget=palette.field)
    assert not palette.isVisible()
    assert window.threads.search.text() == "crane"
    assert window.threads.search.hasFocus()

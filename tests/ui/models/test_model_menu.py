"""The list of models: search, keyboard, windows and prices in words, thousands of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.core.model_catalog import ModelInfo
from desktop_app.ui.models.model_choice import ModelChoice, price_words, spoken, window_words
from desktop_app.ui.models.model_menu import MOST_ROWS, ModelMenu
from desktop_app.ui.theme.theme import load_theme
from tests.counted_calls import CountedCalls

FEW = (
    ModelChoice("anthropic", "Anthropic", "claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, prices=(3.0, 15.0)),
    ModelChoice("anthropic", "Anthropic", "claude-haiku-5-5", "Claude Haiku 5.5", 200_000, prices=(0.8, 4.0)),
    ModelChoice(
        "claude-cli", "Claude Code", "", "", available=False, detail="The program was not found.", reach="missing"
    ),
    ModelChoice("openai", "127.0.0.1:1", "qwen3:8b", "qwen3:8b", 32_768, cost="Free"),
)


def many(count: int) -> list[ModelChoice]:
    return [ModelChoice("openai", "OpenRouter", f"maker/model-{n}", f"Maker: Model {n}") for n in range(count)]


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication) -> ModelMenu:
    """A menu with few models, beside a button."""
    return open_menu(qtbot, FEW, ("openai", "qwen3:8b"))


def open_menu(qtbot: QtBot, choices: Sequence[ModelChoice], chosen: tuple[str, str] | None = None) -> ModelMenu:
    anchor = QPushButton("Model")
    qtbot.addWidget(anchor)
    anchor.move(200, 600)
    anchor.show()
    menu = ModelMenu(load_theme("light"), chosen, anchor)
    menu.show_choices(choices)
    menu.open_at(anchor)
    return menu


def taken(menu: ModelMenu) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    menu.chosen.connect(lambda backend, model: found.append((backend, model)))
    return found


def test_a_letter_searches_and_enter_chooses(opened: ModelMenu) -> None:
    assert opened.focusWidget() is opened.search
    assert opened.current == FEW[3], "what answers now is where the keyboard begins"
    assert [row.text for row in opened.rows.rows] == [
        *("Anthropic", "Claude Sonnet 5.5", "Claude Haiku 5.5"),
        *("127.0.0.1:1", "qwen3:8b"),
        "Claude Code",
    ]
    QTest.keyClicks(opened.search, "haiku")
    assert [row.text for row in opened.rows.rows] == ["Anthropic", "Claude Haiku 5.5"]
    found = taken(opened)
    QTest.keyClick(opened.search, Qt.Key.Key_Return)
    assert found == [("anthropic", "claude-haiku-5-5")]
    assert not opened.isVisible()


def test_the_list_is_as_high_as_its_rows(opened: ModelMenu) -> None:
    row = opened.view.visualRect(opened.rows.index(0)).height()
    assert opened.view.viewport().height() == 6 * row
    assert opened.view.verticalScrollBar().maximum() == 0
    assert opened.rect().contains(opened.connections.geometry())
    opened.show_choices(FEW[:2])
    assert opened.view.viewport().height() == 3 * row, "fewer rows make it lower"
    opened.show_choices(many(50))
    assert opened.view.viewport().height() == MOST_ROWS * row, "no row is cut"


def test_what_lacks_its_key_is_not_said_to_answer_now(opened: ModelMenu) -> None:
    assert opened.anew.text() == f"{FEW[3].model_name} answers now"
    opened.show_choices([*FEW[:2], replace(FEW[3], reach="key")])
    assert (opened.current, opened.anew.text()) == (replace(FEW[3], reach="key"), "")


def test_each_connection_says_its_state(opened: ModelMenu) -> None:
    asking = [replace(choice, reach="asking") for choice in FEW[:2]]
    silent = replace(FEW[3], reach="unreachable", detail="No server answers.")
    opened.show_choices([*asking, FEW[2], silent])
    headings = [(row.text, row.detail, row.troubled) for row in opened.rows.rows if row.choice is None]
    assert headings == [
        ("Anthropic", "Checking…", False),
        ("127.0.0.1:1", "Not reachable", True),
        ("Claude Code", "Not installed", True),
    ]
    opened.show_choices([replace(FEW[2], backend_title="OpenAI", reach="key"), *FEW[:2]])
    assert [row.detail for row in opened.rows.rows if row.choice is None] == ["Connected", "Needs a key"], (
        "what can be chosen stands first"
    )


def test_what_was_used_last_stands_first_and_only_there(qtbot: QtBot, qapp: QApplication) -> None:
    choices = [*many(8), replace(FEW[0], recent=2), FEW[1], replace(FEW[3], recent=1, reach="unreachable")]
    menu = open_menu(qtbot, choices)
    names = [(row.text, row.detail) for row in menu.rows.rows]
    assert names[:4] == [
        ("Recently used", ""),
        ("qwen3:8b", "127.0.0.1:1 · Not reachable"),
        ("Claude Sonnet 5.5", "Anthropic"),
        ("Anthropic", "Connected"),
    ]
    assert [row.text for row in menu.rows.rows].count("Claude Sonnet 5.5") == 1
    menu.search.setText("sonnet")
    assert [row.text for row in menu.rows.rows] == ["Anthropic", "Claude Sonnet 5.5"]
    menu.search.clear()
    menu.show_choices([*many(2), *choices[8:]])
    assert [row.text for row in menu.rows.rows if row.choice is None] == ["127.0.0.1:1", "Anthropic", "OpenRouter"]
    menu.close()


def test_the_units_are_said_once_above_the_columns(opened: ModelMenu) -> None:
    assert opened.header.isVisible()
    assert opened.header.accessibleName() == "Context, $ in / out per million"
    assert not any("$" in row.price for row in opened.rows.rows)
    opened.show_choices(many(3))
    assert not opened.header.isVisible(), "nothing would stand under it"


def test_arrows_pass_over_headings_and_stop_at_the_ends(opened: ModelMenu) -> None:
    steps = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
        QTest.keyClick(opened.view, key)
        steps.append(opened.current.model if opened.current is not None else "")
    assert steps == [
        *("claude-haiku-5-5", "claude-sonnet-5-5", "claude-sonnet-5-5"),
        *("claude-haiku-5-5", "qwen3:8b", "claude-sonnet-5-5"),
    ]


def test_every_word_counts_and_an_address_is_no_name(opened: ModelMenu) -> None:
    opened.search.setText("anthropic 5.5 son")
    assert [row.text for row in opened.rows.rows] == ["Anthropic", "Claude Sonnet 5.5"]
    opened.search.setText("127")
    assert not opened.rows.rows
    assert opened.nothing.isVisibleTo(opened)
    found = taken(opened)
    QTest.keyClick(opened.search, Qt.Key.Key_Return)
    assert not found
    QTest.keyClick(opened.search, Qt.Key.Key_Escape)
    assert (opened.search.text(), opened.isVisible()) == ("", True)
    assert len(opened.rows.rows) == 6


def test_a_click_chooses_and_a_heading_does_not(opened: ModelMenu) -> None:
    found = taken(opened)

    def click(row: int) -> None:
        place: QPoint = opened.view.visualRect(opened.rows.index(row)).center()
        QTest.mouseClick(opened.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click(0)
    assert not found
    click(1)
    assert found == [("anthropic", "claude-sonnet-5-5")]


def test_later_facts_leave_the_mark_where_it_is(opened: ModelMenu) -> None:
    QTest.keyClick(opened.view, Qt.Key.Key_Up)
    opened.show_choices([*many(9), *FEW])
    assert opened.current == FEW[1]


def test_what_a_row_says(opened: ModelMenu) -> None:
    row = opened.rows.rows[2]
    assert (row.text, row.window, row.price) == ("Claude Haiku 5.5", "200K", "0.80 / 4")
    heading = opened.rows.index(5)
    assert heading.data(Qt.ItemDataRole.ToolTipRole) == "The program was not found."
    assert heading.data(Qt.ItemDataRole.AccessibleTextRole) == "Claude Code Not installed"
    spoken = opened.rows.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Claude Haiku 5.5, Anthropic, context 200K, $0.80 in, $4 out per million tokens"
    assert opened.rows.index(0).flags() == Qt.ItemFlag.NoItemFlags
    assert opened.rows.data(QModelIndex()) is None


@pytest.mark.parametrize(
    ("cost", "prices", "words"),
    [
        ("money", (3.0, 15.0), "3 / 15"),
        ("money", (0.075, 0.3), "0.075 / 0.30"),
        ("money", (1_500.0, 0.0), "1,500 / 0"),
        ("money", None, ""),
        ("plan", (3.0, 15.0), "Plan"),
        ("free", None, "Free"),
    ],
)
def test_prices_in_words(cost: str, prices: tuple[float, float] | None, words: str) -> None:
    assert price_words(ModelChoice("b", "B", "m", "M", prices=prices, cost=cost)) == words


@pytest.mark.parametrize(
    ("tokens", "words"), [(0, ""), (8_192, "8K"), (200_000, "200K"), (1_000_000, "1M"), (1_048_576, "1M")]
)
def test_windows_in_words(tokens: int, words: str) -> None:
    assert window_words(tokens) == words


def test_a_window_that_is_only_assumed_is_said_to_be(qtbot: QtBot, qapp: QApplication) -> None:
    info = ModelInfo("mystery", "mystery", 32_768, 8_192, window_source="assumed")
    unknown = ModelChoice("openai", "OpenRouter", "mystery", "mystery", 32_768, info=info)
    known = ModelChoice("openai", "OpenRouter", "known", "known", 200_000)
    menu = open_menu(qtbot, [unknown, known])
    said = [(row.window, row.detail) for row in menu.rows.rows if row.choice is not None]
    assert said == [("", "33K assumed"), ("200K", "")]
    assert spoken(unknown) == "mystery, OpenRouter, context 33K assumed"


def test_ten_thousand_models_are_searched_while_typing(qtbot: QtBot, qapp: QApplication) -> None:
    menu = open_menu(qtbot, many(10_000))
    assert menu.search.hasFocus() or menu.search.isVisible()
    with CountedCalls() as work:
        menu.search.setText("model 9999")
    assert work.calls < 160_000
    assert [row.text for row in menu.rows.rows] == ["OpenRouter", "Maker: Model 9999"]
    menu.close()


def test_from_the_field_tab_leads_to_the_connections(opened: ModelMenu) -> None:
    QTest.keyClick(opened.search, Qt.Key.Key_Tab)
    assert opened.focusWidget() is opened.connections
    QTest.keyClick(opened.connections, Qt.Key.Key_Escape)
    assert not opened.isVisible()

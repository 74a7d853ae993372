"""The project's documents in the inspector and the popover: both kinds, with tokens and price, in one sum."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.context.plan import ContextPlan, PlacedDocument
from desktop_app.core.context.project_context import ProjectContext
from desktop_app.core.messages import DocumentPart, TextPart, ToolSpec, Usage
from desktop_app.core.model_catalog import find_model
from desktop_app.core.projects import ProjectDocument
from desktop_app.ui.gauge.plan_facts import facts_of, tool_names
from desktop_app.ui.inspector.message_rows import FixedRow, MessageGroupRow, MessageRowModel
from desktop_app.ui.inspector.messages_tab import MessageRowDelegate, MessagesTab
from desktop_app.ui.theme.theme import load_theme
from tests.core.paths import message, prepare, sent_and_answered, words
from tests.counted_calls import CountedCalls

SPEC = DocumentPart("spec.md", words(2_000), "ab" * 32)
NOTES = DocumentPart("notes.md", words(900), "cd" * 32)
LISTED = (
    ProjectDocument("d1", "p", "spec.md", sha256="ab" * 32, tokens=2_400, mode="always", state="ready"),
    ProjectDocument("d2", "p", "notes.md", sha256="cd" * 32, tokens=1_100, mode="always", state="ready"),
    ProjectDocument("d3", "p", "contract.pdf", sha256="ef" * 32, tokens=88_000, state="ready"),
    ProjectDocument("d4", "p", "broken.docx", state="failed", error="It is encrypted."),
)
PROJECT = ProjectContext("p", "Acme", "In EUR.", (SPEC, NOTES), 1, listed=LISTED)
PATH = (message(0, "user", "What does it say?"), message(1, "assistant", words(40)))


def plan_of(project: ProjectContext | None = PROJECT, draft: str = "next") -> ContextPlan:
    model = find_model("anthropic", "claude-sonnet-4-5")
    return prepare(PATH, model=model, project=project, system="Brief.").plan([TextPart(draft)] if draft else [])


def shown(model: MessageRowModel) -> list[str]:
    return [str(model.data(model.index(n), Qt.ItemDataRole.DisplayRole)) for n in range(model.rowCount())]


@pytest.mark.parametrize("draft", ["", "next"])
def test_both_kinds_have_rows_and_all_rows_add_up_to_the_gauges_total(draft: str) -> None:
    plan, model = plan_of(draft=draft), MessageRowModel()
    model.show_plan(plan, {})
    assert model.total() == plan.tokens.total
    assert sum(row.tokens for row in model.rows() if isinstance(row, MessageGroupRow)) == plan.tokens.total
    groups = [(row.group, row.count, row.folded) for row in model.rows() if isinstance(row, MessageGroupRow)]
    assert groups == [
        ("fixed", 2 if draft else 1, False),
        ("always", 2, False),
        ("searched", 1, True),
        ("sent", 2, False),
    ]
    model.fold("searched", False)
    documents = [row for row in model.rows() if isinstance(row, PlacedDocument)]
    assert [row.name for row in documents] == ["spec.md", "notes.md", "contract.pdf", "broken.docx"]
    lines = shown(model)
    assert any(line.startswith("spec.md, 2,") and " · $0.0" in line for line in lines)
    assert "contract.pdf, 88,000 tokens if it were sent. Searched when needed" in lines
    assert any(line.endswith("It is encrypted.") for line in lines)


def test_a_key_press_changes_the_drafts_row_and_no_documents() -> None:
    model = MessageRowModel()
    many = tuple(replace(LISTED[2], id=f"m{n}", name=f"{n}.pdf") for n in range(3_000))
    prepared = prepare(PATH, project=replace(PROJECT, listed=(*LISTED, *many)))
    model.show_plan(prepared.plan([TextPart("n")]), {})
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    with CountedCalls() as calls:
        model.show_plan(prepared.plan([TextPart("ne and some more words")]), {})
    assert changed == [(0, 0), (2, 2)], "the heading of what is always sent, and the draft"
    assert calls.calls < 2_000


def test_leaving_the_project_takes_the_rows_away() -> None:
    model = MessageRowModel()
    model.show_plan(plan_of(), {})
    model.show_plan(plan_of(None), {})
    assert not any(isinstance(row, PlacedDocument) for row in model.rows())
    assert model.total() == plan_of(None).tokens.total


def test_the_popover_names_the_largest_with_price_and_how_many_are_searched() -> None:
    facts = {fact.name: fact.value for fact in facts_of(plan_of(), free=False)}
    assert facts["spec.md"].startswith("2,")
    assert " · $0.0" in facts["spec.md"]
    assert facts["Searched when needed"] == "1 document"
    assert "Available tools" not in facts
    free = {fact.name: fact.value for fact in facts_of(plan_of(None), free=True)}
    assert "Searched when needed" not in free


def test_tools_are_one_row_of_the_popover_and_a_list_in_the_inspector(qtbot: QtBot) -> None:
    tools = [
        ToolSpec(f"{server}__{number}", "word " * count, {"type": "object"}, server=server)
        for server, count in (("Git", 90), ("Files", 30))
        for number in range(2)
    ]
    plan = prepare((), tools=tools).plan([TextPart("Hello")])
    facts = facts_of(plan, free=False)
    (told,) = (fact.value for fact in facts if fact.name == "Tools")
    assert told.startswith("Git, Files · 4 tools · ")
    assert not any("Git__0" in fact.value for fact in facts)
    assert [(fact.name, "Git__0" in fact.value) for fact in tool_names(plan)] == [("Available tools", True)]
    window = QWidget()
    qtbot.addWidget(window)
    tab = MessagesTab(load_theme("light"), window)
    tab.model.show_plan(plan, {})
    (place,) = (n for n, row in enumerate(tab.model.rows()) if isinstance(row, FixedRow) and row.kind == "tools")
    asked: list[QPoint] = []
    tab.view.menu_requested.connect(asked.append)
    tab.view.setCurrentIndex(tab.model.index(place))
    QTest.keyClick(tab.view, Qt.Key.Key_Return)
    assert len(asked) == 1
    words = [action.text() for action in tab.tools_menu().actions()]
    assert [one.partition(" · ")[0] for one in words] == [
        "Git__0",
        "Git__1",
        "Files__0",
        "Files__1",
        "Added by the provider",
    ]
    wanted: list[bool] = []
    tab.tools_requested.connect(lambda: wanted.append(True))
    tab.tools_menu().actions()[0].trigger()
    assert wanted


@pytest.mark.parametrize("many", [1, 4, 30])
def test_the_list_of_tools_adds_up_to_their_row_where_the_provider_counts_otherwise(qtbot: QtBot, many: int) -> None:
    tools = [ToolSpec(f"tool_{number}", words(number), {"type": "object"}) for number in range(many)]
    first = prepare((), tools=tools).plan([TextPart("Hello")])
    path = sent_and_answered((), first, "Hello", "Hi.", Usage(input=first.tokens.total // 2, output=3))
    plan = prepare(path, tools=tools).plan([TextPart("Go on")])
    window = QWidget()
    qtbot.addWidget(window)
    tab = MessagesTab(load_theme("light"), window)
    tab.model.show_plan(plan, {})
    figures = [
        int(action.text().rpartition(" · ")[2].split()[0].replace(",", "")) for action in tab.tools_menu().actions()
    ]
    assert sum(figures) == plan.tokens.tools < first.tokens.tools
    assert all(figures)


def test_rows_of_documents_are_painted(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    theme = load_theme("light")
    model, delegate = MessageRowModel(), MessageRowDelegate(theme, widget)
    model.show_plan(plan_of(), {})
    model.fold("searched", False)
    for row in range(model.rowCount()):
        picture = QPixmap(300, delegate.height)
        picture.fill(Qt.GlobalColor.white)
        painter, option = QPainter(picture), QStyleOptionViewItem()
        option.rect = QRect(0, 0, 300, delegate.height)
        delegate.paint(painter, option, model.index(row))
        painter.end()
        image = picture.toImage()
        assert any(image.pixelColor(x, delegate.height // 2) != image.pixelColor(0, 0) for x in range(300))

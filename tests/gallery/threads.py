"""Shows the rows of the thread list in each state, and those of the list of models. Owns made-up threads and models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from PySide6.QtCore import Qt

from desktop_app.core.messages import Thread, ThreadSummary
from desktop_app.ui.models.model_choice import ModelChoice
from desktop_app.ui.models.model_menu import WIDTH, ModelMenu
from desktop_app.ui.theme.theme import GRID
from desktop_app.ui.threads.thread_list_model import ThreadListModel
from desktop_app.ui.threads.thread_list_view import ThreadListView
from desktop_app.ui.threads.thread_rows import PROJECT
from desktop_app.ui.threads.threads_pane import ThreadsPane
from tests.gallery.page import Page
from tests.set_time import NOW, written

Rows: TypeAlias = tuple[tuple[str, dict[str, Any]], ...]

ROWS: Rows = (
    ("Pinned", {"pinned": True}),
    ("Open and current", {}),
    ("An answer is coming", {}),
    ("An answer that was not seen", {}),
    ("An answer that failed", {}),
    ("Private: kept in memory only", {"private": True}),
    ("Donaudampfschifffahrtsgesellschaftskapitän und andere sehr lange deutsche Wörter", {}),
    ("", {}),
    ("In a project", {"project": "Harbour"}),
)
CHOSEN = (
    ("The one that is open", {"project": "Harbour"}),
    ("Chosen as well", {"project": "Harbour"}),
    ("And this one", {"project": "Harbour"}),
)
DRAGGED: Rows = (
    ("Dragged", {}),
    ("In the project", {"project": "Harbour"}),
    ("Another one there", {"project": "Harbour"}),
)
ARCHIVED: Rows = (
    ("Put away", {"archived": True}),
    ("Donaudampfschifffahrtsgesellschaftskapitän und andere sehr lange deutsche Wörter", {"archived": True}),
    ("Not in the archive", {}),
)
OPEN, RUNNING, UNREAD, FAILED = "1", "2", "3", "4"
CHOICES = (
    ModelChoice("anthropic", "Anthropic API", "claude-sonnet", "Claude Sonnet", 200_000, prices=(3, 15)),
    ModelChoice("anthropic", "Anthropic API", "claude-haiku", "Claude Haiku", 200_000, prices=(0.8, 4)),
    ModelChoice(
        "anthropic", "Anthropic API", "old", "Claude 2", 100_000, prices=(8, 24), lacks=("no images", "no PDF")
    ),
    ModelChoice("claude-cli", "Claude program", "sonnet", "Sonnet", 1_000_000, cost="plan"),
    ModelChoice("openai", "OpenAI", "", "", available=False, reach="key"),
    ModelChoice("local", "Local", "a-model-with-a-long-name-q4_k_m", "a-model-with-a-very-long-name-q4_k_m-00001-of-2"),
    ModelChoice("local", "Local", "smollm2-135m", "SmolLM2 135M (tiny, offline)", 8_192, cost="free"),
)


def fill(page: Page) -> None:
    """The list and the menu as they stand in the window."""
    view = _list(page, ROWS)
    view.rows.set_mark(RUNNING, "running", True)
    view.rows.set_mark(UNREAD, "unread", True)
    view.rows.set_mark(FAILED, "failed", True)
    view.show_open(OPEN)
    page.add_at_left("Threads: pinned, open, running, unread, failed, private, long, without a title", view)
    chosen = _list(page, CHOSEN)
    chosen.show_open("0")
    chosen.selectAll()
    page.add_at_left("Several are chosen, in a project", chosen)
    dragged = _list(page, DRAGGED)
    dragged.painter.target = f"{PROJECT}Harbour"
    page.add_at_left("A thread is dragged over a project", dragged)
    archive = ThreadsPane(page.theme, page)
    archive.view.reduced_motion = True
    archive.model.set_threads(_summaries(ARCHIVED))
    archive.show_archive(True)
    archive.setFixedSize(34 * GRID, 40 * GRID)
    page.add_at_left("The archive", archive)
    menu = ModelMenu(page.theme, CHOICES[1].key, page)
    menu.setWindowFlags(Qt.WindowType.Widget)
    menu.show_choices(CHOICES)
    menu.view.setFixedHeight(menu.rows.rowCount() * menu.view.sizeHintForRow(0))
    menu.setFixedSize(WIDTH, menu.sizeHint().height())
    page.add_at_left(
        "Models: the one that answers, the one under the pointer, what lacks something, what is not set up", menu
    )


def _summaries(rows: Sequence[tuple[str, dict[str, Any]]]) -> list[ThreadSummary]:
    now = written(NOW)
    return [
        ThreadSummary(Thread(str(number), title, now, now, **facts), 2) for number, (title, facts) in enumerate(rows)
    ]


def _list(page: Page, rows: Sequence[tuple[str, dict[str, Any]]]) -> ThreadListView:
    """As high as its rows."""
    model = ThreadListModel(page)
    model.set_threads(_summaries(rows))
    view = ThreadListView(model, page.theme, page)
    view.reduced_motion = True
    view.setStyleSheet(f"QListView {{ background: {page.theme.css_color('surface')}; }}")
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setFixedSize(34 * GRID, view.painter.height * model.rowCount() + GRID)
    return view

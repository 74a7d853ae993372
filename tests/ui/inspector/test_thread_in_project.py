"""The gauge, popover and inspector of a thread in a project, in the window: they follow what its project has."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.context.plan import PlacedDocument
from desktop_app.ui.inspector.message_rows import MessageGroupRow
from tests.fakes.text_extractor import TextExtractor
from tests.ui.inspector.inspecting import Inspecting
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


async def test_gauge_and_inspector_follow_the_documents_of_the_project(
    window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    projects, chat, gauge = window.services.projects, window.services.chat, window.presenters.gauge
    monkeypatch.setattr(projects.document_reading, "extractor", TextExtractor())
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "pricing.md").write_text("# Pricing\n\n" + "A seat is 12 euros. " * 400)
    (folder / "terms.md").write_text("# Terms\n\nPayment within 30 days.")
    project = await projects.create("Ordering portal", "Amounts in EUR.")
    await projects.add_files(project.id, [folder])
    documents = {one.name: one for one in await projects.read_all(project.id)}
    assert {one.mode for one in documents.values()} == {"always"}, "they are small"
    await projects.set_mode(project.id, [one.id for one in documents.values()], "search")
    thread = await chat.new_thread(backend="scripted", project=project.id)
    await window.app_state.open_thread(thread.id)
    await window.settled()

    def states() -> dict[str, str]:
        return {one.name: one.state for one in gauge.plan.placement.documents} if gauge.plan is not None else {}

    await window.until(lambda: states() == {"pricing.md": "searched", "terms.md": "searched"}, "both are searched")
    before = gauge.plan
    assert before is not None
    assert before.tokens.documents == 0
    assert before.request.system.startswith("Amounts in EUR.")
    inspecting = Inspecting(window)
    await inspecting.open()
    await projects.set_mode(project.id, [documents["pricing.md"].id], "always")
    await window.until(lambda: states().get("pricing.md") == "whole", "it is always included")
    await window.settled()
    assert gauge.plan is not None
    assert gauge.plan.tokens.total - before.tokens.total > 1_500
    rows = inspecting.tab.model.rows()
    groups = [(row.group, row.count) for row in rows if isinstance(row, MessageGroupRow)]
    assert ("always", 1) in groups
    assert ("searched", 1) in groups
    assert [row.name for row in rows if isinstance(row, PlacedDocument)] == ["pricing.md"]
    popover = gauge.open_popover(window.session.appearance.theme)
    assert popover is not None
    words = popover.words()
    assert "pricing.md" in words
    assert "Searched when needed" in words
    popover.close()
    await chat.facts.change(thread.id, project=None)
    await window.until(lambda: states() == {}, "no project, no documents")

"""Pictures of the command palette: before anything is typed, found, nothing found, narrow, long names, Chinese;
and of the page of keyboard shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from tests.ui.document_scenes import contract, documents_of

if TYPE_CHECKING:
    from desktop_app.ui.palette.palette_overlay import Palette
    from tests.ui.open_window import OpenWindow


async def _opened(window: OpenWindow, typed: str, width: int = 1000, height: int = 760) -> Palette:
    window.window.resize(width, height)
    window.shortcut("command_palette")
    presenter = window.presenters.palette
    await window.until(lambda: presenter.complete, "everything on offer")
    assert presenter.palette is not None
    presenter.palette.field.insert(typed)
    return presenter.palette


async def palette(window: OpenWindow) -> None:
    """Something was used before."""
    window.presenters.palette.remember("action:show_usage")
    window.presenters.palette.remember(f"thread:{4:032x}")
    await _opened(window, "")


async def palette_found(window: OpenWindow) -> None:
    await _opened(window, "re")


async def palette_scattered(window: OpenWindow) -> None:
    project = await window.services.projects.create("Harbour works of the free and Hanseatic city")
    await window.services.library.move_to_project([f"{2:032x}"], project.id)
    await window.settled()
    await _opened(window, "qrch", 1180, 820)


async def palette_actions(window: OpenWindow) -> None:
    opened = await _opened(window, ">")
    for _ in range(3):
        window.press(Qt.Key.Key_Down, widget=opened.field)


async def palette_models(window: OpenWindow) -> None:
    await _opened(window, "@")


async def palette_long(window: OpenWindow) -> None:
    """As narrow and low as the window may be, a long name found near its end."""
    await _opened(window, "wörter", 480, 400)


async def palette_chinese(window: OpenWindow) -> None:
    await _opened(window, "日本", 700, 500)


async def palette_messages(window: OpenWindow) -> None:
    """Messages of threads, passages of documents and the way to all results, below a thread that is called so."""
    await documents_of(window, contract_docx=contract())
    opened = await _opened(window, "date")
    await window.until(lambda: any(row.entry.kind == "passage" for row in opened.rows.rows), "what the history has")


async def palette_messages_narrow(window: OpenWindow) -> None:
    while await window.services.history.catch_up_search():
        pass
    opened = await _opened(window, "constant", 480, 640)
    await window.until(lambda: any(row.entry.kind == "message" for row in opened.rows.rows), "what the history has")


async def palette_nothing(window: OpenWindow) -> None:
    await _opened(window, "zzqx", 700, 500)


async def shortcuts(window: OpenWindow) -> None:
    window.window.resize(900, 700)
    window.shortcut("show_shortcuts")


PALETTE_SCENES = (
    palette,
    palette_found,
    palette_scattered,
    palette_actions,
    palette_models,
    palette_long,
    palette_chinese,
    palette_messages,
    palette_messages_narrow,
    palette_nothing,
    shortcuts,
)

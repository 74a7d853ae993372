"""Owns every page, pane, menu and popover of the window as something to be opened, one after the other in one window.

Pages and menus come from the tables that the window is made of: a new one is among them by itself. `POPOVERS` names
the actions that open something else, and a test holds that no action is forgotten.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from desktop_app.core.messages import DocumentPart
from desktop_app.ui.artifacts.artifact_pane import ArtifactPane
from desktop_app.ui.i18n.language import speak
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_list import SECTIONS
from desktop_app.ui.shell.page_specs import PAGES
from desktop_app.ui.shell.window_menu import SUBMENUS, TOP
from desktop_app.ui.theme.theme import load_bundled_fonts
from desktop_app.ui.widgets.splitter import FARTHEST
from tests.fakes.gated_backend import GatedBackend
from tests.ui.attaching import PROSE, attach, drawn, written
from tests.ui.document_scenes import contract, documents_of, shown
from tests.ui.inspector_scenes import pane_of
from tests.ui.open_window import OpenWindow
from tests.ui.page_scenes import fill_ledger
from tests.ui.project_scenes import some_documents
from tests.ui.prompt_scenes import LONG, PROMPTS
from tests.ui.scenes import make_threads
from tests.ui.thread_scenes import indexed

SIZES: Final = ((1440, 900), (1280, 720), (900, 700), (480, 600))
"""Width and height of a window in pixels."""
TEXT_SIZES: Final = {100: 11, 150: 17}
"""Points by percent; the setting knows whole points."""
LANGUAGES: Final = ("en", "de")
SCREEN: Final = (1600, 1000)

Step = Callable[[OpenWindow], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class View:
    """One thing to look at. `used`: in a window with a history, else in one without."""

    name: str
    open: Step
    used: bool = True
    popup: bool = False


def thread_id(number: int) -> str:
    """The id of the made-up thread of that number."""
    return f"{number:032x}"


# --- what the window is opened with


def offscreen(folder: Path) -> str:
    """What `QT_QPA_PLATFORM` is to be for a screen with room for the largest window."""
    told = folder / "screen.json"
    width, height = SCREEN
    screen = {"name": "screen", "x": 0, "y": 0, "width": width, "height": height}
    told.write_text(json.dumps({"screens": [screen | {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}))
    return f"offscreen:configfile={told}"


@asynccontextmanager
async def opened(
    data_dir: Path, *, used: bool, language: str = "en", percent: int = 100, theme: str = "light"
) -> AsyncIterator[OpenWindow]:
    """A window that speaks the language with text of that size; `used`: with something of everything in it."""
    if used:
        await make_threads(data_dir)
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    (data_dir / "settings.toml").write_text(
        f'[appearance]\ntheme = "{theme}"\nlanguage = "{language}"\ntext_size = {TEXT_SIZES[percent]}\n'
        "reduced_motion = true\n",
        encoding="utf-8",
    )
    speak(language)
    try:
        async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
            window.window.activateWindow()
            if used:
                await _furnish(window)
            yield window
            await leave(window)
    finally:
        speak("en")
        if language.startswith("zh"):  # which made the lines of all fonts higher
            QFontDatabase.removeAllApplicationFonts()
            load_bundled_fonts()


async def _furnish(window: OpenWindow) -> None:
    """Something of everything: a project, prompts, usage, artifacts, an archive, something in the trash, a backup."""
    from desktop_app.core.context.context_choices import Summary

    services, library = window.services, window.services.library
    await fill_ledger(window, 8)
    await services.preferences.set_value("costs.day_cap_usd", 5.0)
    for title, text in (*PROMPTS[:4], LONG[0]):
        await services.prompts.add(title, text)
    project = await services.projects.create("Übersicht der Donaudampfschifffahrtsgesellschaft")
    await services.history.projects.save_documents(some_documents(project))
    await library.move_to_project([thread_id(2)], project.id)
    await library.archive(thread_id(8))
    await library.delete(thread_id(9))
    await services.backups.make()
    opened = await services.chat.open_thread(thread_id(0))
    summary = Summary("s1", tuple(one.id for one in opened.path[:2]), PROSE, "claude-haiku-5-5", opened.thread.created)
    await services.chat.context_editing.restore(thread_id(0), replace(opened.thread.choices, summaries=(summary,)))
    await services.chat.set_system(thread_id(0), PROSE)
    await indexed(window)
    await window.settled()


async def leave(window: OpenWindow) -> None:
    """Closes whatever is open, and shows the first thread with an empty composer (or none, where there is none)."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for dialog in window.window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.reject()
    if (line := window.session.presence.quick.window) is not None and line.isVisible():
        line.close()
    window.transcript.bars.close()
    if window.presenters.palette.palette is not None and window.presenters.palette.palette.isVisible():
        window.shortcut("command_palette")
    window.presenters.pages.leave()
    await window.settled()
    window.window.close_side()
    window.window.list_slot.leave()
    window.threads.leave_search()
    window.threads.show_archive(False)
    window.threads.view.clear_selection()
    window.presenters.branches.cancel_edit()
    window.presenters.marks.cancel_note()
    window.window.leave_welcome()
    if not _is_empty(window) and not window.app_state.is_open(thread_id(0)):
        await window.app_state.open_thread(thread_id(0))
    elif _is_empty(window) and window.app_state.current is not None:
        window.app_state.close_thread()
    window.editor.clear()
    window.window.toast.hide()
    await window.settled()


# --- pages


async def _document(_window: OpenWindow) -> tuple[object, ...]:
    return (DocumentPart("report.txt", f"{PROSE}\n\n" * 9, "ab" * 32),)


async def _project(window: OpenWindow) -> tuple[object, ...]:
    return ((await window.services.projects.all())[0].id,)


async def _prompt(window: OpenWindow) -> tuple[object, ...]:
    return (window.presenters.prompts.prompts[0].id,)


async def _summary(_window: OpenWindow) -> tuple[object, ...]:
    return (thread_id(0), "s1")


ABOUT: Final[Mapping[str, Callable[[OpenWindow], Awaitable[tuple[object, ...]]]]] = {
    "document": _document,
    "project": _project,
    "prompt": _prompt,
    "summary": _summary,
}
"""What a page is about, where it needs something."""
OPEN_ANOTHER: Final = frozenset({"new_project"})
"""Names of pages that are none, and open another."""


async def _show_page(name: str, window: OpenWindow) -> None:
    about = await ABOUT[name](window) if name in ABOUT and not _is_empty(window) else ()
    window.presenters.pages.show(name, *about)
    await window.until(lambda: window.presenters.pages.page is not None, f"the page {name}")


def _is_empty(window: OpenWindow) -> bool:
    return not window.threads.model.index_of(thread_id(0)).isValid()


def needs(name: str) -> bool:
    """Whether a page has to be about something."""
    parameters = list(inspect.signature(PAGES[name].make).parameters.values())[1:]
    return any(one.default is inspect.Parameter.empty for one in parameters)


# --- menus and popovers


async def _section(name: str, window: OpenWindow) -> None:
    await _show_page("preferences", window)
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    page.open_at(name)


async def _main_menu(window: OpenWindow) -> None:
    window.window.header.menu_button.click()


async def _submenu(name: str, window: OpenWindow) -> None:
    await _main_menu(window)
    for level in _way_to(name):
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        # those that are not empty are there, in the order of the table
        submenus = [one for one in menu.actions() if one.menu() is not None]
        menu.setActiveAction(submenus[level])
        window.press(Qt.Key.Key_Right, widget=menu)


def _way_to(name: str) -> tuple[int, ...]:
    """Which submenu is to be opened at each level."""
    for parent, entries in (("", TOP), *SUBMENUS.items()):
        inside = [entry for entry in entries if entry in SUBMENUS]
        if name in inside:
            return (*(_way_to(parent) if parent else ()), inside.index(name))
    raise LookupError(name)


async def _thread_menu(window: OpenWindow) -> None:
    window.threads.view.menu_requested.emit(
        thread_id(0), window.window.mapToGlobal(QPoint(40, window.window.height() // 3))
    )


async def _message_menu(window: OpenWindow) -> None:
    view = window.transcript
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)
    view.keyboard.focus_message(len(view.row_layout.messages) - 1)
    window.press(Qt.Key.Key_Return, widget=view)


async def _act(action: str, window: OpenWindow) -> None:
    window.shortcut(action)


POPOVERS: Final = ("show_gauge", "choose_model", "thread_parameters")
"""Actions that open something beside what they are about, which goes with the next click."""
BARS: Final = (
    "show_branches",
    "find",
    "go_to",
    "command_palette",
    "edit_question",
    "note",
    "search_threads",
    "rename_thread",
)
"""Actions that open something to type into."""
PANES: Final = ("toggle_inspector", "toggle_artifacts")
"""Actions that open a pane."""
SHOWS_NOTHING: Final = frozenset(
    {
        *("new_thread", "new_private_thread", "duplicate_thread", "pin_thread", "archive_thread", "delete_thread"),
        *("find_next", "find_previous", "previous_question", "next_question", "next_thread", "previous_thread"),
        *(
            "quote",
            "copy_markdown",
            "copy_thread",
            "ask_tools_again",
            "allow_once",
            "allow_thread",
            "refuse_call",
            "wrap_code",
            "try_again",
            "continue_answer",
            "keep_answer",
            "run_artifact",
        ),
        *("rate_up", "rate_down", "toggle_threads", "next_pane", "previous_pane", "focus_card"),
        *("widen_threads", "narrow_threads", "widen_inspector", "narrow_inspector"),
        *("larger_text", "smaller_text", "usual_text", "theme_system", "theme_light", "theme_dark"),
        *(
            "open_in_new_window",
            "move_thread",
            "attach_files",
            "open_project",
            "save_as_prompt",
            "close_window",
            "quit",
        ),
    }
)
"""Actions that open nothing, the system's own, or what another view opens."""


# --- panes and states of the conversation


async def _conversation(window: OpenWindow) -> None:
    window.editor.setPlainText("Could you show me the version with an index?")
    window.transcript.auto_scroll.show_latest()


async def _beginning(window: OpenWindow) -> None:
    window.transcript.scroll_by(-window.transcript.row_layout.y)


async def _new_thread(window: OpenWindow) -> None:
    window.shortcut("new_thread")


async def _private(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")


async def _welcome(window: OpenWindow) -> None:
    window.window.want_welcome()


async def _inspector(tab: Literal["messages", "request", "past"], window: OpenWindow) -> None:
    window.shortcut("toggle_inspector")
    await window.settled()
    pane_of(window).show_tab(tab)


async def _artifacts(window: OpenWindow) -> None:
    if await window.services.artifacts.of_thread(thread_id(0)):
        window.shortcut("toggle_artifacts")
    else:
        window.transcript.row_actions.message_acted.emit(window.transcript.messages[1].id, "keep")
    await window.until(window.window.artifacts.isVisible, "the pane")


async def _artifact_editor(window: OpenWindow) -> None:
    await _artifacts(window)
    pane = window.window.artifacts.findChild(ArtifactPane)
    assert isinstance(pane, ArtifactPane)
    await window.until(pane.edit.isVisible, "the artifact")
    pane.edit.click()
    await window.until(pane.editor.isVisible, "the editor")
    pane.theme.give_fonts()  # as each pane does that comes to stand elsewhere


async def _document_pane(window: OpenWindow) -> None:
    projects = window.services.projects
    made = next((one for one in await projects.all() if one.name == "Ordering portal"), None)
    if made is None:
        documents = await documents_of(window, contract_docx=contract())
    else:
        documents = {document.name: document for document in await projects.read_all(made.id)}
    await shown(window, documents["contract.docx"], 14, 20)


async def _narrowest(pane: str, show: Step, window: OpenWindow) -> None:
    """A pane beside the conversation, as narrow as it can be made."""
    await show(window)
    if (edge := window.window.splitter.edge_of(getattr(window.window, pane))) is not None:
        edge.widen(-FARTHEST)


async def _list(window: OpenWindow) -> None:
    window.window.show_list(True)


async def _archive(window: OpenWindow) -> None:
    window.window.show_list(True)
    window.threads.show_archive(True)


async def _search(words: str, window: OpenWindow) -> None:
    window.window.show_list(True)
    window.threads.search.setText(words)
    results = window.threads.results
    assert results is not None
    await window.until(lambda: results.hits.rowCount() or results.leave_button.isVisible(), "results, or none")


async def _selection(window: OpenWindow) -> None:
    window.window.show_list(True)
    view = window.threads.view
    for number in (0, 2, 3):
        index = window.threads.model.index_of(thread_id(number))
        view.selectionModel().select(index, view.selectionModel().SelectionFlag.Select)


async def _refused(window: OpenWindow) -> None:
    window.shortcut("new_thread")
    window.composer.picker.model_chosen.emit("scripted", "big")
    await window.settled()
    window.editor.setPlainText("The quick brown fox jumps over the lazy dog. " * 20_000)
    await window.settled()
    window.press(Qt.Key.Key_Return)
    await window.until(lambda: window.presenters.error_cards.card is not None, "the card")


async def _attached(window: OpenWindow) -> None:
    window.shortcut("new_thread")
    await window.settled()
    folder = window.session.paths.root / "files"
    await attach(
        window,
        drawn(folder, "sky.png", 1280, 800),
        written(folder, "Quartalsbericht der Donaudampfschifffahrtsgesellschaft, endgültig.txt", PROSE * 30),
    )


async def _quick(window: OpenWindow) -> None:
    window.session.take_arguments({"quick": True})
    line = window.session.presence.quick.window
    assert line is not None
    await window.until(line.model.text, "the model's name")


def _views() -> tuple[View, ...]:
    pages = [name for name in PAGES if name not in OPEN_ANOTHER]
    return (
        View("conversation", _conversation),
        View("conversation-beginning", _beginning),
        View("conversation-new", _new_thread),
        View("conversation-private", _private),
        View("conversation-refused", _refused),
        View("conversation-attached", _attached),
        View("empty-conversation", _new_thread, used=False),
        View("empty-welcome", _welcome, used=False),
        *(View(f"page-{name}", partial(_show_page, name)) for name in pages),
        *(View(f"empty-page-{name}", partial(_show_page, name), used=False) for name in pages if not needs(name)),
        *(View(f"page-preferences-{section}", partial(_section, section)) for section in SECTIONS),
        View("menu", _main_menu, popup=True),
        *(View(f"menu-{name}", partial(_submenu, name), popup=True) for name in SUBMENUS),
        View("menu-of-thread", _thread_menu, popup=True),
        View("menu-of-message", _message_menu, popup=True),
        *(View(f"popover-{name}", partial(_act, name), popup=True) for name in POPOVERS),
        *(View(f"bar-{name}", partial(_act, name)) for name in BARS),
        View("pane-inspector-messages", partial(_inspector, "messages")),
        View("pane-inspector-request", partial(_inspector, "request")),
        View("pane-inspector-past", partial(_inspector, "past")),
        View("empty-pane-inspector", partial(_inspector, "messages"), used=False),
        View("pane-artifacts", _artifacts),
        View("pane-artifact-editor", _artifact_editor),
        View("empty-pane-artifacts", partial(_act, "toggle_artifacts"), used=False),
        View("pane-document", _document_pane),
        View("narrow-pane-inspector", partial(_narrowest, "inspector", partial(_inspector, "messages"))),
        View("narrow-pane-request", partial(_narrowest, "inspector", partial(_inspector, "request"))),
        View("narrow-pane-artifacts", partial(_narrowest, "artifacts", _artifacts)),
        View("narrow-pane-document", partial(_narrowest, "document", _document_pane)),
        View("narrow-list", partial(_narrowest, "threads", _selection)),
        View("list", _list),
        View("empty-list", _list, used=False),
        View("list-archive", _archive),
        View("empty-list-archive", _archive, used=False),
        View("list-search", partial(_search, "ring")),
        View("list-nothing-found", partial(_search, "zzqx")),
        View("empty-list-search", partial(_search, "zzqx"), used=False),
        View("list-selection", _selection),
        View("quick", _quick, popup=True),
    )


VIEWS: Final = _views()
"""All of them; names are those of files."""


def windows_of(window: OpenWindow) -> list[QWidget]:
    """The window and what lies over it in windows of its own, the lowest first."""
    others = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window.window]
    return [cast("QWidget", window.window), *others]


async def resized(window: OpenWindow, size: tuple[int, int]) -> None:
    """Gives the window a size, and waits until all is laid out for it."""
    window.window.move(80, 40)
    window.window.resize(*size)
    await window.settled()

"""Lists the presenters and every page of a window, and makes each page when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from desktop_app.core.messages import DocumentPart
from desktop_app.core.prompts import suggested_title
from desktop_app.ui.attachments.attachment_viewer import AttachmentViewer, DocumentPage
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.connections.available_models import AvailableModels
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.card_buttons import Remedies
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter, MessageMenu, StepsPresenter, SummaryRequests
from desktop_app.ui.conversation.error_cards import ErrorCards
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.message_actions import KeptAnswers, MarksPresenter
from desktop_app.ui.conversation.navigation import BranchSearch, Navigation, ReadProgress
from desktop_app.ui.conversation.notices import ColdCacheNotice
from desktop_app.ui.conversation.sending import Drafts, EmptyThreads, SendingPresenter
from desktop_app.ui.conversation.transcript_presenter import HeightCache, TranscriptPresenter
from desktop_app.ui.i18n.language import tr
from desktop_app.ui.models.parameters_presenter import ParametersPresenter
from desktop_app.ui.palette.palette_presenter import PalettePresenter
from desktop_app.ui.prompts.prompt_insertion import PromptInsertion
from desktop_app.ui.shell.pages import Pages, PageSpec
from desktop_app.ui.spelling.spelling_presenter import SpellCheck
from desktop_app.ui.state.app_state import UnsavedArtifacts
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.threads.thread_rows import PROJECT
from desktop_app.ui.threads.threads_presenter import MessageSearch, ThreadListPresenter
from desktop_app.ui.transfer.running_transfer import RunningTransfer
from desktop_app.ui.widgets.page import PROMPT, SYSTEM_PROMPT, PagePresenter


def _usage(on: Pages) -> PagePresenter:
    from desktop_app.ui.usage.usage_page import UsagePage, UsagePresenter

    flow = UsagePresenter(on.app_state, UsagePage(on.theme, on.stage), on)
    flow.page.thread_chosen.connect(on.open_thread)
    flow.page.caps_requested.connect(on.show_caps)
    return flow


def _preferences(on: Pages) -> PagePresenter:
    from desktop_app.ui.preferences.preferences_page import PreferencesPage
    from desktop_app.ui.preferences.preferences_presenter import PreferencesPresenter

    page, keymap = PreferencesPage(on.theme, on.stage), on.keymap
    page.shortcuts.wanted.connect(partial(on.show, "shortcuts"))
    page.restart_requested.connect(on.restart_wanted)
    page.sync.wanted.connect(partial(on.show, "sync"))

    def problems() -> tuple[str, ...]:
        return keymap.problems if keymap is not None else ()

    list_models = on.connections.list_models if on.connections is not None else None
    return PreferencesPresenter(
        on.app_state, page, on, list_models=list_models, further_problems=problems, state=on.state
    )


def _shortcuts(on: Pages) -> PagePresenter | None:
    from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage, ShortcutsPresenter

    if on.keymap is None:
        return None
    services = on.app_state.ready
    sends = services is None or services.preferences.settings.composer.enter_sends
    page = ShortcutsPage(on.theme, on.keymap, on.stage, enter_sends=sends)
    return ShortcutsPresenter(on.app_state, page, on.toast, on)


def _connections(on: Pages, key_of: str = "") -> PagePresenter | None:
    """`key_of`: with the field for that backend's key."""
    from desktop_app.ui.connections.connections_page import ConnectionsPage
    from desktop_app.ui.connections.connections_presenter import ConnectionsPresenter

    if isinstance(on.flow, ConnectionsPresenter):
        on.flow.refresh()
        on.flow.page.focus_first()
        return None
    if (connections := on.connections) is None:
        return None
    flow = ConnectionsPresenter(
        on.app_state,
        ConnectionsPage(on.theme, on.stage),
        on.toast,
        take=connections.take,
        answers=lambda: connections.chosen,
        left_keys=connections.left_keys,
        parent=on,
        key_of=key_of,
        typed=on.server_typed,
    )
    flow.finished.connect(on.leave)
    flow.page.tools_requested.connect(partial(on.show, "tools"))
    flow.finished.connect(on.key_added)
    flow.entry_left.connect(on.keep_server)
    return flow


def _tools(on: Pages) -> PagePresenter:
    from desktop_app.ui.connections.tools_page import ToolsPage

    return ToolsPage(on.theme, on.app_state, on.toast, on.stage)


def _import(on: Pages, offered: Sequence[Path] = ()) -> PagePresenter | None:
    """`offered`: files that were dropped."""
    from desktop_app.ui.transfer.transfer_pages import ImportPage, ImportPresenter

    if on.transfers is None:
        return None
    shown = on.flow
    flow = shown if isinstance(shown, ImportPresenter) else None
    made = flow or ImportPresenter(on.app_state, ImportPage(on.theme, on.stage), on.transfers, on)
    if offered:
        made.offer(offered)
    if flow is not None:
        flow.page.focus_first()
        return None
    made.attach_wanted.connect(on.attach)
    return made


def _export(on: Pages, ids: Sequence[str] = ()) -> PagePresenter | None:
    """`ids`: the threads that were chosen; none: the open one, or all."""
    from desktop_app.ui.transfer.transfer_pages import ExportPage, ExportPresenter, scopes

    if on.transfers is None:
        return None
    current, found = on.app_state.current, scopes(on.app_state, ids)
    private = current is not None and current.private and not ids
    return ExportPresenter(on.app_state, ExportPage(on.theme, found, on.stage, private=private), on.transfers, on)


def _trash(on: Pages) -> PagePresenter:
    from desktop_app.ui.trash.trash_page import TrashPage

    page = TrashPage(on.theme, on.app_state, on.toast, on.stage)
    page.restored.connect(on.rows_changed)
    return page


def _backups(on: Pages) -> PagePresenter:
    from desktop_app.ui.backups.backups_page import BackupsPage

    page = BackupsPage(on.theme, on.app_state, on.toast, on.stage)
    page.restored.connect(on.rows_changed)
    return page


def _sync(on: Pages) -> PagePresenter:
    from desktop_app.ui.preferences.sync_page import SyncPage

    return SyncPage(on.theme, on.app_state, on.toast, on.stage)


def _help(on: Pages) -> PagePresenter:
    from desktop_app.ui.help.help_pages import GuidePage

    page = GuidePage(on.theme, on.app_state, on.stage)
    page.link_wanted.connect(on.link_wanted)
    return page


def _about(on: Pages) -> PagePresenter:
    from desktop_app.ui.help.help_pages import AboutPage

    return AboutPage(on.theme, on.app_state, on.stage)


def _document(on: Pages, document: DocumentPart, words: str = "") -> PagePresenter:
    return DocumentPage(on.theme, on.app_state, document, on.stage, words)


def _prompts(on: Pages) -> PagePresenter:
    from desktop_app.ui.prompts.prompt_pages import PromptsPage, PromptsPresenter

    flow = PromptsPresenter(on.app_state, PromptsPage(on.theme, on.stage), on.toast, on)
    flow.page.insert_requested.connect(on.insert_prompt)
    flow.edit_requested.connect(partial(on.show, "prompt"))
    return flow


async def _prompt(on: Pages, prompt_id: str = "", title: str = "", text: str = "") -> PagePresenter | None:
    """`prompt_id` "": a new one, which begins with `title` and `text`."""
    from desktop_app.ui.prompts.prompt_pages import PromptEditor, PromptEditorPresenter, joined

    if prompt_id and on.is_editing((PROMPT, prompt_id)):
        return None
    services, begun = await on.app_state.services(), bool(title or text)
    flow = PromptEditorPresenter(
        on.app_state,
        PromptEditor(on.theme, on.stage),
        toast=on.toast,
        services=services,
        prompt_id=prompt_id or services.prompts.new_id(),
        private=begun and on.app_state.private,  # words of a private thread stay so until they are saved as a prompt
        parent=on,
    )
    await flow.read_again()
    if begun:
        flow.page.take_unsaved(joined(title, text))
    flow.saved.connect(on.leave)
    return flow


async def _store_prompt(services: WindowServices, prompt_id: str, text: str) -> None:
    title, _, body = text.partition("\n")
    await services.prompts.write(prompt_id, title.strip() or suggested_title(body), body)


async def _system_prompt(on: Pages, thread_id: str | None = None) -> PagePresenter | None:
    """Of the open thread, or of the one that is about to be written: `thread_id` "". Another thread is opened."""
    from desktop_app.ui.prompts.prompt_pages import SystemPromptEditor, SystemPromptPresenter

    if thread_id and not on.app_state.is_open(thread_id):
        await on.app_state.open_thread(thread_id)
    elif thread_id == "" and on.app_state.current is not None:
        on.app_state.close_thread()
    if on.is_editing((on.app_state.thread_id or "", SYSTEM_PROMPT)):
        return None
    services = await on.app_state.services()
    page = SystemPromptEditor(on.theme, on.stage)
    return SystemPromptPresenter(on.app_state, page, toast=on.toast, services=services, parent=on)


async def _store_system_prompt(services: WindowServices, thread_id: str, text: str) -> None:
    if thread_id:
        await services.chat.set_system(thread_id, text)
    else:
        await services.chat.new_thread(system=text)


async def _summary(on: Pages, thread_id: str, summary_id: str) -> PagePresenter | None:
    """The thread is opened where it is not open."""
    from desktop_app.ui.summary.summary_editor import SummaryEditor, SummaryPresenter, summary_of

    if on.is_editing((thread_id, summary_id)):
        return None
    services = await on.app_state.services()
    if not on.app_state.is_open(thread_id):
        await on.app_state.open_thread(thread_id)
    opened = await services.chat.open_thread(thread_id)
    if summary_of(opened.thread, summary_id) is None:
        on.tell_gone((thread_id, summary_id))
        return None
    flow = SummaryPresenter(
        on.app_state,
        SummaryEditor(on.theme, on.stage),
        toast=on.toast,
        services=services,
        opened=opened,
        summary_id=summary_id,
        parent=on,
    )
    flow.message_chosen.connect(on.go_to_message)
    flow.finished.connect(on.finish)
    return flow


async def _store_summary(services: WindowServices, thread_id: str, summary_id: str, text: str) -> None:
    await services.chat.context_editing.edit_summary(thread_id, summary_id, text)


def _project(on: Pages, project_id: str, naming: bool = False) -> PagePresenter:
    """`naming`: it was just made, and is named first."""
    from desktop_app.ui.projects.project_page import ProjectPage
    from desktop_app.ui.projects.project_presenter import ProjectPresenter

    flow = ProjectPresenter(
        on.app_state,
        ProjectPage(on.theme, on.stage),
        on.toast,
        project_id,
        list_models=on.connections.list_models if on.connections is not None else None,
        parent=on,
    )
    flow.thread_chosen.connect(on.open_thread)
    flow.document_chosen.connect(on.app_state.document_wanted)
    flow.page.tools_requested.connect(partial(on.show, "tools"))
    flow.gone.connect(on.finish)
    if naming:
        flow.page.edit_name()
    return flow


async def _new_project(on: Pages) -> None:
    """A project is made and shown, to be named."""

    projects = (await on.app_state.services()).projects
    project = await projects.create(await projects.free_name(tr("New project")))
    on.rows_changed.emit([PROJECT + project.id])
    on.show("project", project.id, True)


PAGES: Final[Mapping[str, PageSpec]] = {
    "usage": PageSpec(_usage, "show_usage", stays=True),
    "preferences": PageSpec(_preferences, "preferences", stays=True),
    "shortcuts": PageSpec(_shortcuts, "show_shortcuts", stays=True),
    "prompts": PageSpec(_prompts, "show_prompts", stays=True, returns=True),
    "connections": PageSpec(_connections, "connections", returns=True),
    "tools": PageSpec(_tools, "show_tools", stays=True),
    "import": PageSpec(_import, "import_threads"),
    "export": PageSpec(_export, "export_threads"),
    "trash": PageSpec(_trash, "show_trash"),
    "backups": PageSpec(_backups, "show_backups"),
    "sync": PageSpec(_sync, "show_sync", returns=True),
    "help": PageSpec(_help, "show_help"),
    "about": PageSpec(_about, "show_about"),
    "document": PageSpec(_document),
    "project": PageSpec(_project, stays=True),
    "new_project": PageSpec(_new_project, "new_project"),
    "prompt": PageSpec(_prompt, returns=True, store=_store_prompt),
    "system_prompt": PageSpec(_system_prompt, "edit_system", store=_store_system_prompt),
    "summary": PageSpec(_summary, store=_store_summary),
}
"""Every page, by name."""


@dataclass(frozen=True, slots=True)
class Presenters:
    """The flows of one window."""

    sending: SendingPresenter
    attachments: AttachmentsPresenter
    attachment_viewer: AttachmentViewer
    branches: BranchesPresenter
    marks: MarksPresenter
    kept_answers: KeptAnswers
    drafts: Drafts
    empty_threads: EmptyThreads
    transcript: TranscriptPresenter
    height_cache: HeightCache
    gauge: GaugePresenter
    choices: ChoicesPresenter
    summary_requests: SummaryRequests
    steps: StepsPresenter
    message_menu: MessageMenu
    cold_cache: ColdCacheNotice
    error_cards: ErrorCards
    remedies: Remedies
    thread_list: ThreadListPresenter
    read_progress: ReadProgress
    message_search: MessageSearch
    navigation: Navigation
    branch_search: BranchSearch
    connections: AvailableModels
    parameters: ParametersPresenter
    pages: Pages
    unsaved_artifacts: UnsavedArtifacts
    palette: PalettePresenter
    prompts: PromptInsertion
    spelling: SpellCheck
    transfers: RunningTransfer

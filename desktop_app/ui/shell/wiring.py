"""Every connection between panes, presenters and announcements, one function per area. Decides nothing itself."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from desktop_app.core import events
from desktop_app.core.events import MessageAdded, SendRefused
from desktop_app.core.messages import Failure
from desktop_app.paths import DataPaths
from desktop_app.ui.attachments.attachment_viewer import AttachmentViewer
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.connections.available_models import AvailableModels
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.card_buttons import Remedies
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter, MessageMenu, StepsPresenter, SummaryRequests
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.message_actions import KeptAnswers, MarksPresenter
from desktop_app.ui.conversation.navigation import BranchSearch, Navigation, ReadProgress, ShownMessages
from desktop_app.ui.conversation.notices import ColdCacheNotice, OfflineHint, SyncLines, UnwritableNotice
from desktop_app.ui.conversation.sending import Drafts, EmptyThreads, SendingPresenter
from desktop_app.ui.conversation.transcript_presenter import HeightCache, TranscriptPresenter
from desktop_app.ui.i18n.language import parted, tr
from desktop_app.ui.models.parameters_presenter import ParametersPresenter
from desktop_app.ui.palette.palette_presenter import PalettePresenter
from desktop_app.ui.prompts.prompt_insertion import PromptInsertion
from desktop_app.ui.shell.main_window import MainWindow
from desktop_app.ui.shell.page_specs import PAGES, Presenters
from desktop_app.ui.shell.pages import Pages
from desktop_app.ui.shell.window_menu import (
    new_thread,
    wire_actions,
    wire_appearance,
    wire_pages,
    wire_palette,
    wire_projects,
    wire_prompts,
    wire_reading,
)
from desktop_app.ui.shell.wiring_panes import (
    FocusReturn,
    inspect,
    left_out,
    wire_artifacts,
    wire_branch_tree,
    wire_documents,
    wire_inspector,
    wire_load_line,
)
from desktop_app.ui.spelling.spelling_presenter import SharedSpeller, SpellCheck
from desktop_app.ui.state.app_state import AppState, UnsavedArtifacts
from desktop_app.ui.state.bridge import Bridge
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.style import Appearance
from desktop_app.ui.threads.threads_presenter import MessageSearch, ThreadListPresenter
from desktop_app.ui.transcript.message.links import host_of, shown_target
from desktop_app.ui.transfer.running_transfer import RunningTransfer
from desktop_app.ui.widgets.dragging import Incoming
from desktop_app.ui.widgets.floating import confirmed

SAFE_SCHEMES = ("http", "https", "mailto")


def wire(
    window: MainWindow,
    app_state: AppState,
    appearance: Appearance,
    paths: DataPaths,
    speller: SharedSpeller,
    *,
    state: WindowState,
) -> Presenters:
    """Makes the presenters of one window and connects everything."""
    composer, transcript, messages = window.composer, window.stage.transcript, ShownMessages(app_state)
    transcript.path.read_paths = messages.paths
    attachments = AttachmentsPresenter(app_state, composer)
    sending, gauge = SendingPresenter(app_state, composer, attachments), GaugePresenter(app_state, composer)
    choices, summary_requests = ChoicesPresenter(app_state, window.toast), SummaryRequests(app_state, transcript)
    branches = BranchesPresenter(app_state, messages, transcript, composer, attachments, theme=lambda: appearance.theme)
    navigation = Navigation(app_state, messages, transcript, window.toast)
    connections = AvailableModels(app_state, composer.picker, window.stage.welcome)
    pages = Pages(app_state, window.stage, window.toast, appearance.theme, window, specs=PAGES)
    pages.state = WindowState(paths.window)
    prompts = PromptInsertion(
        app_state,
        composer,
        transcript,
        pages,
        toast=window.toast,
        centre=window.centre,
        show_conversation=window.leave_welcome,
        theme=appearance.theme,
    )
    transfers = pages.transfers = RunningTransfer(app_state, window.toast)
    pages.connections = connections
    remedies = Remedies(
        app_state,
        transcript,
        composer,
        sending=sending,
        attachments=attachments,
        choices=choices,
        summary_requests=summary_requests,
        branches=branches,
        theme=appearance.theme,
    )
    presenters = Presenters(
        sending=sending,
        attachments=attachments,
        attachment_viewer=AttachmentViewer(window, transcript, appearance.theme),
        branches=branches,
        marks=MarksPresenter(app_state, messages, transcript, window.toast, composer.focus_editor),
        kept_answers=KeptAnswers(app_state, messages, transcript, window.toast),
        drafts=Drafts(app_state, composer, sending.queued_text, sending.queue_again),
        empty_threads=EmptyThreads(app_state, composer, sending.queued_text),
        transcript=TranscriptPresenter(app_state, transcript, state),
        height_cache=HeightCache(app_state, transcript, window.threads.model, paths.heights),
        gauge=gauge,
        choices=choices,
        summary_requests=summary_requests,
        steps=StepsPresenter(app_state, transcript, composer, choices),
        message_menu=MessageMenu(app_state, transcript, gauge, choices, summary_requests),
        cold_cache=ColdCacheNotice(app_state, composer, summary_requests),
        error_cards=remedies.cards,
        remedies=remedies,
        thread_list=ThreadListPresenter(app_state, window.threads, window.toast),
        read_progress=ReadProgress(app_state, transcript),
        message_search=MessageSearch(app_state, window.threads, navigation),
        navigation=navigation,
        branch_search=BranchSearch(app_state, transcript.find_in_thread),
        connections=connections,
        parameters=ParametersPresenter(app_state, composer.parameters, composer.picker, composer.web_search),
        pages=pages,
        unsaved_artifacts=UnsavedArtifacts(window),
        palette=PalettePresenter(
            window,
            window.actions_by_id,
            app_state,
            threads=window.threads.model.threads,
            projects=window.threads.model.projects,
            project_name=window.threads.model.project_name,
            answering=lambda: composer.picker.choice,
            models=connections.known_models,
            list_models=connections.list_models,
            prompts=lambda: prompts.offered,
            theme=appearance.theme,
            state=pages.state,
        ),
        prompts=prompts,
        spelling=SpellCheck(speller, composer.editor, window.toast, appearance.theme, window),
        transfers=transfers,
    )
    FocusReturn(window)
    _wire_opening(window, app_state, presenters)
    _wire_branches(window, app_state, presenters)
    _wire_marks(app_state, presenters)
    _wire_navigation(window, app_state, presenters)
    _wire_announcements(app_state.bridge, app_state, window, presenters)
    _wire_threads(window, app_state, presenters)
    _wire_composer(window, presenters, appearance)
    _wire_attachments(window, app_state, presenters)
    _wire_error_cards(window, app_state, presenters, paths)
    _wire_context(window, app_state, presenters)
    _wire_offline_hint(window, app_state, presenters)
    wire_actions(window, app_state, presenters, appearance)
    wire_palette(window, app_state, presenters)
    wire_reading(window)
    wire_pages(window, app_state, presenters)
    wire_projects(window, app_state, presenters)
    wire_prompts(window, app_state, presenters)
    wire_inspector(window, app_state, presenters, appearance)
    wire_load_line(window, app_state, presenters)
    wire_artifacts(window, app_state, presenters, appearance)
    wire_documents(window, app_state, presenters, appearance)
    wire_branch_tree(window, app_state, presenters, appearance)
    wire_appearance(window, app_state, presenters, appearance)
    _wire_writing(window, app_state, presenters)
    return presenters


def _wire_opening(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    app_state.thread_left.connect(to.drafts.leave)
    app_state.thread_left.connect(to.height_cache.thread_left)
    app_state.thread_left.connect(to.empty_threads.left)
    window.composer.edited.connect(to.empty_threads.text_edited)
    window.composer.attachments_shown.connect(to.empty_threads.text_edited)
    to.empty_threads.blank_changed.connect(window.threads.model.set_blank)
    app_state.bridge.subscribe(events.ThreadChanged, to.empty_threads.thread_changed)
    to.sending.queue_changed.connect(to.drafts.text_edited)
    app_state.thread_opened.connect(lambda opened: to.sending.show_thread(opened.thread))
    app_state.thread_opened.connect(to.drafts.show_opened)
    app_state.thread_opened.connect(to.transcript.show_opened)
    app_state.thread_opened.connect(to.error_cards.show_opened)
    app_state.thread_opened.connect(
        lambda opened: window.stage.set_empty(not opened.shown and to.error_cards.card is None)
    )
    app_state.thread_opened.connect(lambda opened: window.threads.show_open(opened.thread.id))
    app_state.thread_opened.connect(lambda opened: window.show_title(opened.thread))
    app_state.thread_switched.connect(partial(window.show_welcome, False))
    app_state.thread_opened.connect(to.gauge.refresh)
    app_state.thread_opened.connect(to.connections.show_choice)
    for another in (app_state.thread_opened, app_state.thread_closed, app_state.thread_made, app_state.thread_changed):
        another.connect(to.parameters.refresh)

    app_state.thread_closed.connect(partial(to.sending.show_thread, None))
    app_state.thread_closed.connect(to.drafts.clear)
    app_state.thread_closed.connect(to.transcript.clear)
    app_state.thread_closed.connect(to.error_cards.clear)
    app_state.thread_closed.connect(partial(window.stage.set_empty, True))
    app_state.thread_closed.connect(partial(window.threads.show_open, None))
    app_state.thread_closed.connect(partial(window.show_title, None))
    app_state.thread_closed.connect(partial(window.show_welcome, False))
    app_state.thread_closed.connect(to.gauge.show_new)
    app_state.thread_closed.connect(to.connections.show_choice)

    app_state.thread_made.connect(to.drafts.adopt)
    app_state.thread_made.connect(to.transcript.thread_made)
    app_state.thread_made.connect(lambda thread: window.threads.show_open(thread.id))
    app_state.thread_made.connect(window.show_title)
    app_state.thread_made.connect(to.gauge.refresh)
    app_state.thread_made.connect(to.connections.show_choice)

    app_state.thread_changed.connect(window.show_title)
    app_state.thread_changed.connect(to.gauge.refresh)
    app_state.thread_changed.connect(to.connections.show_choice)


def _wire_branches(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connect the actions on a message that was said, and the ways between its versions."""
    bridge, transcript, branches = app_state.bridge, window.stage.transcript, to.branches
    app_state.thread_left.connect(branches.thread_left)
    app_state.thread_opened.connect(branches.show_opened)
    app_state.thread_changed.connect(branches.thread_changed)
    # before whoever shows what comes on the other branch
    bridge.subscribe(events.BranchChanged, to.error_cards.branch_changed)
    bridge.subscribe(events.BranchChanged, branches.branch_changed)
    bridge.subscribe(events.TurnStarted, branches.turn_started)
    bridge.subscribe(events.AnswerGrew, branches.answer_grew)
    bridge.subscribe_each((events.TurnEnded, events.TurnFailed), branches.turn_over)
    bridge.subscribe(events.SendRefused, branches.refused)
    bridge.subscribe(events.CrossingAsked, branches.crossing_asked)
    transcript.row_actions.message_acted.connect(branches.act)
    transcript.message_context_requested.connect(branches.actions.fill_menu)
    window.composer.editor.edit_last_requested.connect(branches.edit_last)
    branches.models_wanted.connect(lambda show, update: app_state.look(to.connections.list_models(show, update)))
    branches.held_dropped.connect(to.error_cards.held_dropped)
    to.transcript.waiting.again_wanted.connect(branches.retry)


def _attach(window: MainWindow, to: Presenters, brought: Incoming) -> None:
    """Attach dropped content to the message, where there is one to write."""
    if window.composer.isHidden():
        window.toast.show_message(tr("Choose a model first, then attach files."))
        return
    to.attachments.take(brought)
    window.composer.focus_editor()


def _wire_navigation(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """The ways to a message on another branch, and back."""
    navigation, transcript = to.navigation, window.stage.transcript
    navigation.about_to_show.connect(partial(window.show_welcome, False))
    navigation.about_to_show.connect(to.pages.leave)
    transcript.row_actions.message_acted.connect(navigation.act)
    transcript.message_context_requested.connect(navigation.fill_menu)

    def show_message(thread_id: str, message_id: str) -> None:
        app_state.start(navigation.show_message(thread_id, message_id))

    to.branch_search.wanted.connect(show_message)
    transcript.row_actions.message_requested.connect(show_message)
    app_state.thread_switched.connect(navigation.forget)
    app_state.thread_switched.connect(navigation.forget_words)
    app_state.thread_closed.connect(navigation.forget_words)
    app_state.thread_closed.connect(navigation.forget)
    app_state.bridge.subscribe(events.TurnStarted, navigation.turn_started)
    app_state.bridge.subscribe(events.BranchChanged, navigation.branch_changed)


def _wire_marks(app_state: AppState, to: Presenters) -> None:
    """Ratings and notes."""
    marks, branches = to.marks, to.branches
    branches.actions.mark_of = marks.of
    branches.mark_requested.connect(marks.act)
    branches.edit_begun.connect(marks.leave_note)
    marks.note_begun.connect(branches.thread_left)
    app_state.thread_switched.connect(marks.thread_left)
    app_state.thread_closed.connect(marks.thread_left)
    app_state.thread_opened.connect(marks.show_opened)
    app_state.bridge.subscribe(events.MarkChanged, marks.changed)


def _wire_announcements(bridge: Bridge, app_state: AppState, window: MainWindow, to: Presenters) -> None:
    bridge.subscribe(events.MessageAdded, to.sending.message_stored)
    bridge.subscribe(events.MessageAdded, to.drafts.message_stored)
    bridge.subscribe(events.TurnStarted, to.error_cards.started)
    bridge.subscribe(events.TurnStarted, to.gauge.turn_started)  # before the gauge rests
    bridge.subscribe(events.TurnStarted, to.sending.turn_started)
    to.transcript.listen(bridge)
    bridge.subscribe(events.MessageAdded, lambda added: _show_reading(window, app_state, added))
    bridge.subscribe(events.NoticeRaised, to.gauge.shares.notice_raised)
    bridge.subscribe(events.TurnStarted, to.gauge.shares.turn_started)
    for over in (to.gauge.shares.turn_over, to.gauge.cool, to.gauge.refresh):
        bridge.subscribe_each((events.TurnEnded, events.TurnFailed), over)
    bridge.subscribe(events.TurnEnded, to.sending.turn_ended)
    bridge.subscribe(events.TurnFailed, to.sending.turn_failed)
    bridge.subscribe(events.TurnFailed, to.error_cards.failed)
    for waiting in (to.error_cards.paused, partial(_tell_paused, window, app_state, to)):
        bridge.subscribe_each((events.TurnPaused, events.ConsentAsked), waiting)
    bridge.subscribe(events.TurnResumed, to.error_cards.resumed)
    for saved in (to.error_cards.answer_saved, to.thread_list.reload):
        bridge.subscribe(events.AnswerSaved, saved)
    bridge.subscribe_each((events.SendRefused, events.CrossingAsked), to.sending.not_sent)
    bridge.subscribe(events.SecretsAsked, to.sending.secrets_asked)
    bridge.subscribe(events.ToolServersAwaited, to.sending.servers_awaited)
    bridge.subscribe(events.SendRefused, to.error_cards.refused)
    bridge.subscribe(events.SendRefused, to.gauge.refresh)  # a command's message came to what stands here
    bridge.subscribe(events.CrossingAsked, to.error_cards.asked)
    bridge.subscribe(events.DraftSaved, to.drafts.stored)
    bridge.subscribe(events.DraftSaved, to.thread_list.draft_saved)
    bridge.subscribe_each((events.ThreadCreated, events.ThreadChanged), to.thread_list.thread_changed)
    bridge.subscribe(events.ThreadDeleted, to.thread_list.thread_deleted)
    bridge.subscribe(events.ThreadDeleted, to.height_cache.thread_deleted)
    app_state.services_arrived.connect(to.height_cache.services_arrived)
    bridge.subscribe(events.HistoryChangedElsewhere, to.thread_list.reload)
    bridge.subscribe(events.HistoryChangedElsewhere, lambda to: app_state.start(app_state.reopen(to.threads)))
    bridge.subscribe(events.SyncChanged, to.thread_list.sync_changed)
    lines = SyncLines(app_state, window.stage.transcript)
    bridge.subscribe(events.SyncArrived, lines.arrived)
    bridge.subscribe(events.SyncChanged, lines.changed)
    bridge.subscribe(events.ThreadChanged, lines.thread_changed)
    window.stage.transcript.row_actions.action_requested.connect(lines.act)
    app_state.thread_opened.connect(lines.show)
    for wished in (window.threads.sync_requested, window.stage.welcome.sync_requested):
        wished.connect(partial(to.pages.show, "sync"))
    bridge.subscribe_each((events.SettingsChanged, events.ToolServerListed), to.gauge.refresh)
    bridge.subscribe_each((events.ProjectsChanged, events.ProjectDocumentsChanged), to.gauge.project_changed)
    bridge.subscribe(events.ArtifactChanged, to.gauge.artifact_changed)
    bridge.subscribe(events.SettingsChanged, to.connections.show_choice)
    bridge.subscribe_each((events.SettingsChanged, events.ToolServerListed), to.parameters.refresh)
    app_state.running_changed.connect(to.thread_list.running_changed)
    bridge.subscribe_each((events.TurnEnded, events.TurnFailed), to.read_progress.look)
    app_state.thread_opened.connect(to.read_progress.look)
    to.thread_list.sees = to.read_progress.sees
    to.read_progress.came_in_sight.connect(to.thread_list.thread_opened)
    bridge.subscribe_each((events.TurnEnded, events.TurnFailed), to.thread_list.turn_ended)


def _wire_context(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    """Connect the lines that tell of messages left out, summarised or pinned, and the ways to change that."""
    bridge, transcript, gauge, cold_cache = (
        app_state.bridge,
        window.stage.transcript,
        window.composer.gauge,
        window.composer.cold_cache,
    )
    bridge.subscribe_each((events.TurnStarted, events.TurnEnded, events.SettingsChanged), to.steps.refresh)
    for changed in (app_state.thread_opened, app_state.thread_changed):
        changed.connect(to.steps.refresh)
    for another in (app_state.thread_switched, app_state.thread_closed):
        another.connect(partial(transcript.footer.set_notice, None))
    app_state.thread_opened.connect(to.summary_requests.show_opened)
    app_state.thread_closed.connect(to.steps.clear)
    bridge.subscribe(events.SummaryStarted, to.summary_requests.started)
    bridge.subscribe(events.SummaryEnded, to.summary_requests.ended)
    bridge.subscribe(events.TurnStarted, to.cold_cache.hide)
    to.gauge.plan_changed.connect(to.cold_cache.plan_changed)
    cold_cache.taken.connect(to.cold_cache.summarise)
    cold_cache.closed.connect(to.cold_cache.close)
    transcript.row_actions.action_requested.connect(to.steps.act)
    transcript.message_context_requested.connect(to.message_menu.fill)
    to.steps.inspector_requested.connect(lambda: inspect(window, left_out(to)))
    to.message_menu.inspector_requested.connect(lambda message_id: inspect(window, [message_id]))
    to.steps.stop_requested.connect(to.summary_requests.stop)
    to.steps.summary_edit_requested.connect(
        lambda summary: to.pages.show("summary", app_state.thread_id or "", summary)
    )
    to.summary_requests.blocked.connect(to.error_cards.blocked)
    to.remedies.system_prompt_requested.connect(partial(to.pages.show, "system_prompt"))
    to.remedies.caps_requested.connect(to.pages.show_caps)
    to.gauge.told.connect(lambda words: window.toast.show_message(words))  # noqa: PLW0108 - made when it is needed
    gauge.room_requested.connect(lambda: to.error_cards.offer_room(to.gauge.plan))
    gauge.sent_requested.connect(to.gauge.inspector_requested)
    to.gauge.return_requested.connect(to.choices.take_back)


def _wire_threads(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    pane = window.threads
    pane.thread_chosen.connect(partial(_choose_thread, window, app_state, to))
    pane.passes_over = lambda thread_id: app_state.others.have(thread_id)  # noqa: PLW0108 - made later than the panes
    pane.new_thread_requested.connect(partial(new_thread, window, app_state))
    pane.new_private_requested.connect(partial(new_thread, window, app_state, private=True))
    pane.rename_requested.connect(to.thread_list.rename)
    pane.pin_requested.connect(to.thread_list.pin)
    pane.archive_requested.connect(to.thread_list.archive)
    pane.project_requested.connect(to.thread_list.move_to_project)
    pane.new_project_requested.connect(to.thread_list.move_to_new_project)
    pane.project_rename_requested.connect(to.thread_list.rename_project)
    pane.project_removal_requested.connect(to.thread_list.remove_project)
    pane.duplicate_requested.connect(to.thread_list.duplicate)
    pane.export_requested.connect(to.thread_list.export)
    pane.delete_requested.connect(to.thread_list.delete)
    pane.view.undo_requested.connect(to.thread_list.undo)
    pane.empty_archive_requested.connect(to.thread_list.empty_archive)
    to.pages.rows_changed.connect(pane.bring)
    to.thread_list.trash_wanted.connect(partial(to.pages.show, "trash"))
    composer = window.composer
    composer.edited.connect(lambda: window.toast.note_typing())  # noqa: PLW0108 - made when the panes are wired
    written = composer.editor.document()
    composer.editor.undo_first.append(
        lambda: not (window.toast.typed_since and written.isUndoAvailable()) and window.toast.undo()
    )
    composer.editor.delete_first = pane.delete_clicked
    pane.search_edited.connect(to.message_search.search)
    pane.results_made.connect(to.message_search.take_results)
    app_state.thread_opened.connect(lambda opened: to.thread_list.thread_opened(opened.thread.id))
    app_state.thread_opened.connect(lambda opened: window.header.set_private(opened.thread.private))
    app_state.thread_made.connect(lambda thread: window.header.set_private(thread.private))
    app_state.thread_closed.connect(lambda: window.header.set_private(app_state.private))
    pane.collapse_requested.connect(partial(window.show_list, False))
    window.header.list_requested.connect(partial(window.show_list, True))
    window.header.new_thread_requested.connect(partial(new_thread, window, app_state))


def _choose_thread(window: MainWindow, app_state: AppState, to: Presenters, thread_id: str) -> None:
    window.toast.hide()
    if not app_state.others.come_forward(thread_id):
        window.show_welcome(False)
        to.thread_list.open(thread_id)


def _review(window: MainWindow, to: Presenters) -> None:
    """Shows what sending leaves out: in the inspector, where each can be kept, and in the transcript."""
    inspect(window, left_out(to))
    to.transcript.show_left_out()


def _wire_composer(window: MainWindow, to: Presenters, appearance: Appearance) -> None:
    composer = window.composer
    composer.edited.connect(to.drafts.text_edited)
    composer.edited.connect(to.gauge.text_edited)
    composer.send_requested.connect(lambda: window.toast.hide())  # noqa: PLW0108 - made when the panes are wired
    composer.send_requested.connect(to.sending.send)
    composer.secret_sent.connect(to.sending.send_secret)
    composer.secret_removed.connect(to.sending.remove_secret)
    composer.key_wanted.connect(partial(to.pages.add_key, composer))
    composer.stop_requested.connect(to.sending.stop)
    to.sending.queued_sent.connect(window.stage.transcript.auto_scroll.queued_sent)
    composer.queue.send_requested.connect(to.sending.send_held)
    composer.queue.edit_requested.connect(to.sending.unqueue)
    composer.queue.remove_requested.connect(to.sending.drop_queued)
    composer.picker.choices_requested.connect(to.connections.offer_models)
    composer.picker.model_chosen.connect(to.connections.choose_model)
    composer.picker.for_new_requested.connect(to.connections.use_for_new)
    composer.picker.connections_requested.connect(lambda: to.pages.show("connections"))
    composer.gauge.opened.connect(lambda: to.gauge.open_popover(appearance.theme))
    composer.gauge.limit_requested.connect(lambda: to.gauge.ask_limit(appearance.theme))
    composer.gauge.review_requested.connect(lambda: _review(window, to))
    window.escape_pressed.connect(partial(_escape, window, to))
    window.threads.search_left.connect(partial(_leave_search_box, window, to))
    to.gauge.plan_changed.connect(to.transcript.show_boundary)
    to.gauge.plan_changed.connect(to.error_cards.plan_changed)
    to.gauge.plan_changed.connect(to.parameters.plan_changed)
    to.gauge.plan_changed.connect(to.connections.plan_changed)


def _wire_attachments(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    composer, attachments, bridge = window.composer, to.attachments, app_state.bridge
    attachments.weigh_with(to.gauge.tokens_of)
    composer.attach_requested.connect(attachments.choose_files)
    composer.attached.connect(attachments.take)
    composer.document_wanted.connect(attachments.add_text)
    composer.document_unwanted.connect(attachments.take_text_off)
    composer.attachment_opened.connect(attachments.open)
    composer.attachment_removed.connect(attachments.remove)
    composer.first_tokens_chosen.connect(attachments.send_first)
    composer.reading_cancelled.connect(to.sending.cancel_held)
    composer.reading_cancelled.connect(attachments.cancel_reading)
    attachments.came_to_rest.connect(to.sending.all_attached)
    composer.undo_requested.connect(attachments.undo)
    composer.problem_closed.connect(attachments.close_problem)
    composer.edited.connect(attachments.text_edited)
    composer.attachments_shown.connect(to.gauge.attachments_changed)
    window.drop_target.dropped.connect(to.transfers.take)
    window.drop_target.entered.connect(to.transfers.look_at)
    to.transfers.exports_seen.connect(lambda: window.drop_target.say(tr("Drop to import")))
    to.transfers.not_exports.connect(partial(_attach, window, to))
    to.transfers.import_offered.connect(partial(to.pages.show, "import"))
    to.pages.attach_wanted.connect(attachments.add_files)
    app_state.thread_opened.connect(attachments.show_opened)
    app_state.thread_closed.connect(attachments.clear)
    app_state.thread_made.connect(attachments.thread_made)
    bridge.subscribe(events.AttachmentsChanged, attachments.changed)
    bridge.subscribe(events.MessageAdded, attachments.message_stored)
    bridge.subscribe_each((events.SendRefused, events.CrossingAsked, events.SecretsAsked), attachments.not_sent)
    bridge.subscribe(events.ThreadDeleted, attachments.thread_deleted)
    to.gauge.plan_changed.connect(attachments.plan_changed)
    attachment_viewer, transcript = to.attachment_viewer, window.stage.transcript
    attachments.image_opened.connect(attachment_viewer.show_images)
    attachments.document_opened.connect(partial(to.pages.show, "document"))
    attachment_viewer.document_wanted.connect(partial(to.pages.show, "document"))
    to.navigation.words_shown.connect(lambda *found: app_state.start(attachment_viewer.open_found(*found)))
    transcript.row_actions.attachment_requested.connect(attachment_viewer.open_of_message)
    transcript.message_context_requested.connect(attachment_viewer.fill_menu)
    app_state.thread_switched.connect(attachment_viewer.leave)
    app_state.thread_closed.connect(attachment_viewer.leave)


def _wire_error_cards(window: MainWindow, app_state: AppState, to: Presenters, paths: DataPaths) -> None:
    error_cards, remedies = to.error_cards, to.remedies
    connections, welcome = to.connections, window.stage.welcome
    error_cards.card_shown.connect(partial(window.stage.set_empty, False))
    error_cards.open_changed.connect(window.composer.set_card_above)
    app_state.bridge.subscribe(events.SendRefused, partial(_tell_recounted, window, app_state))
    remedies.connections_requested.connect(lambda: to.pages.show("connections"))
    remedies.key_requested.connect(lambda: to.pages.show("connections", connections.wanted_backend))
    remedies.models_requested.connect(connections.offer_models)
    remedies.data_folder_requested.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.root))))
    remedies.new_thread_requested.connect(partial(_new_thread_with, window, app_state))
    app_state.tasks.failed.connect(error_cards.show_failure)
    app_state.tasks.failed.connect(partial(_tell_over_page, window, to))
    connections.welcome_wanted.connect(connections.look_for_ways)
    connections.welcome_wanted.connect(window.want_welcome)
    connections.welcome_wanted.connect(partial(to.transfers.look_for_chats, new=False))
    to.transfers.chats_found.connect(welcome.show_found)
    connections.answer_found.connect(window.end_welcome)
    connections.answer_found.connect(partial(window.stage.set_lacks_model, False))
    connections.answer_missing.connect(partial(window.stage.set_lacks_model, True))
    window.stage.connect_requested.connect(connections.welcome_wanted)
    connections.key_found.connect(error_cards.answer_found)
    connections.key_missed.connect(window.composer.ask_for_key)
    window.composer.key_line_closed.connect(connections.ask_no_more)
    connections.default_replaced.connect(partial(_tell_replaced, window, to))
    window.composer.key_lacked.connect(lambda: to.pages.show("connections", connections.wanted_backend))
    to.pages.key_added.connect(error_cards.key_added)
    connections.setup_wanted.connect(to.pages.set_up_server)
    connections.key_told.connect(to.pages.tell_of_key)
    connections.thread_ready.connect(partial(window.show_welcome, False))
    connections.thread_ready.connect(window.composer.focus_editor)
    welcome.way_taken.connect(connections.take_way)
    welcome.key_entered.connect(connections.take_key)
    welcome.key_edited.connect(connections.name_service)
    welcome.key_wanted.connect(connections.offer_key_pages)
    transcript = window.stage.transcript
    for pane in (
        transcript.row_actions.link_activated,
        to.pages.link_wanted,
        welcome.link_wanted,
        connections.link_wanted,
    ):
        pane.connect(lambda url: app_state.start(_open_link(window, url)))
    transcript.row_actions.retry_requested.connect(lambda message_id: to.branches.act(message_id, "again"))
    transcript.quote_requested.connect(window.composer.insert_quote)
    transcript.bars_closed.connect(window.composer.focus_editor)
    transcript.copied.connect(lambda: window.toast.show_message(tr("Copied")))


def _tell_replaced(window: MainWindow, to: Presenters, words: str, lacking: str) -> None:
    """New threads begin with another model than was planned with so far."""
    window.toast.show_message(words, tr("Add key"), lambda: to.pages.show("connections", lacking))
    to.gauge.refresh()
    to.parameters.refresh()


def _wire_offline_hint(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    hint = OfflineHint(app_state, window.stage.transcript)
    app_state.thread_opened.connect(hint.show_opened)
    app_state.thread_closed.connect(hint.clear)
    app_state.bridge.subscribe(events.TurnEnded, hint.turn_ended)
    window.stage.transcript.row_actions.message_acted.connect(hint.act)
    hint.connections_requested.connect(lambda: to.pages.show("connections"))


def _wire_writing(window: MainWindow, app_state: AppState, to: Presenters) -> None:
    notice = UnwritableNotice(window.composer)
    app_state.bridge.subscribe(events.WritingChanged, notice.changed)
    app_state.bridge.subscribe(events.WritingChanged, to.drafts.writing_changed)
    app_state.tasks.unwritable.connect(notice.show_problem)


def _new_thread_with(window: MainWindow, app_state: AppState, draft: str) -> None:
    # what was said in private stays there
    app_state.close_thread(private=app_state.private)
    window.composer.editor.replace_text(draft)
    window.composer.focus_editor()


def _escape(window: MainWindow, to: Presenters) -> None:
    if window.list_slot.leave() or window.stage.transcript.bars.close():
        return
    if to.pages.page is not None:
        to.pages.leave()
    elif not to.branches.cancel_edit() and not to.marks.cancel_note() and not to.sending.escape():
        for slot in (window.artifacts, window.document):
            slot.set_shown(False)
        window.composer.focus_editor()


def _leave_search_box(window: MainWindow, to: Presenters) -> None:
    if window.list_slot.leave() or window.composer.isVisible():
        window.composer.focus_editor()  # and no more: an answer goes on
    else:
        _escape(window, to)


def _show_reading(window: MainWindow, app_state: AppState, added: MessageAdded) -> None:
    if app_state.is_open(added.message.thread_id):
        window.stage.set_empty(False)


def _tell_recounted(window: MainWindow, app_state: AppState, refused: SendRefused) -> None:
    """The gauge shows what the count changed; this says why the message still waits."""
    if refused.recounted and app_state.is_open(refused.thread_id):
        window.toast.show_message(refused.failure.message)


def _tell_over_page(window: MainWindow, to: Presenters, failure: Failure) -> None:
    """The card of a replaced history stands behind a page; somebody who writes there must know at once."""
    if to.pages.page is not None and "save_elsewhere" in failure.actions:
        window.toast.show_message(parted(failure.message)[0])


def _tell_paused(
    window: MainWindow, app_state: AppState, to: Presenters, paused: events.TurnPaused | events.ConsentAsked
) -> None:
    """A turn that waits for the user out of view says so, once for all windows."""
    thread_id, at_cap = paused.thread_id, isinstance(paused, events.TurnPaused)
    in_view = app_state.is_open(thread_id) and to.pages.page is None
    if not in_view and not app_state.others.have(thread_id):
        words = (
            tr("A turn in another thread paused at its cap") if at_cap else tr("A tool in another thread waits for you")
        )
        if app_state.is_open(thread_id):
            words = tr("The turn paused at its cap") if at_cap else tr("A tool waits for you")
        show = partial(_choose_thread, window, app_state, to, thread_id)
        window.toast.show_message(words, tr("Show"), show)


async def _open_link(window: MainWindow, address: str) -> None:
    """Opens a link after showing where it really goes; other kinds of addresses are not opened."""
    url = QUrl(address)
    if url.scheme().lower() not in SAFE_SCHEMES:
        window.toast.show_message(tr("Links of this kind can't be opened."))
        return
    if host := host_of(address):
        question = tr("Open {host} in the browser?").format(host=host)
    else:
        question = tr("Write an email?")
    yes = tr("Open")
    if await confirmed(window, question, f"{question}\n\n{shown_target(address)}", yes):
        QDesktopServices.openUrl(url)

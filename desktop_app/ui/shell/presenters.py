"""Names the presenters of one window, for whoever connects them."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.ui.attachments.attachment_viewer import AttachmentViewer
from desktop_app.ui.attachments.attachments_presenter import AttachmentsPresenter
from desktop_app.ui.connections.available_models import AvailableModels
from desktop_app.ui.conversation.branches_presenter import BranchesPresenter
from desktop_app.ui.conversation.card_buttons import Remedies
from desktop_app.ui.conversation.choices_presenter import ChoicesPresenter, MessageMenu, SummaryRequests
from desktop_app.ui.conversation.drafts import Drafts, EmptyThreads
from desktop_app.ui.conversation.error_cards import ErrorCards
from desktop_app.ui.conversation.gauge_presenter import GaugePresenter
from desktop_app.ui.conversation.marks_presenter import KeptAnswers, MarksPresenter
from desktop_app.ui.conversation.navigation import BranchSearch, Navigation, ReadProgress
from desktop_app.ui.conversation.notices import ColdCacheNotice
from desktop_app.ui.conversation.sending import SendingPresenter
from desktop_app.ui.conversation.steps_presenter import StepsPresenter
from desktop_app.ui.conversation.transcript_presenter import HeightCache, TranscriptPresenter
from desktop_app.ui.models.parameters_presenter import ParametersPresenter
from desktop_app.ui.palette.palette_presenter import PalettePresenter
from desktop_app.ui.prompts.prompt_insertion import PromptInsertion
from desktop_app.ui.shell.pages import Pages
from desktop_app.ui.spelling.spelling_presenter import SpellCheck
from desktop_app.ui.state.unsaved_artifacts import UnsavedArtifacts
from desktop_app.ui.threads.message_search import MessageSearch
from desktop_app.ui.threads.threads_presenter import ThreadListPresenter
from desktop_app.ui.transfer.running_transfer import RunningTransfer


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

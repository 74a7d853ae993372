"""The pages of the prompt library (search, list, one prompt), of a prompt, of a thread's system prompt; their flows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QListView, QPlainTextEdit, QPushButton, QWidget

from desktop_app.core.context.costs import uncached_cost
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.context.planner import Preparation
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import HistoryChangedElsewhere, PromptsChanged, ThreadChanged
from desktop_app.core.messages import TextPart
from desktop_app.core.prompts import BUILT_IN, TITLE_LIMIT, Prompt, PromptTemplate
from desktop_app.ui.i18n.content_words import plan_price, price, thousands
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.prompts.prompt_form import VariableHighlighter
from desktop_app.ui.prompts.prompt_lists import (
    Example,
    ExamplesPane,
    PromptCache,
    PromptDelegate,
    PromptRow,
    PromptRows,
    examples,
)
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow
from desktop_app.ui.widgets.floating import Menu, Toast, asked_file_to_write, asked_files
from desktop_app.ui.widgets.list_parts import MarginBar, set_up_list
from desktop_app.ui.widgets.live_page import EditorFlow, PageFlow
from desktop_app.ui.widgets.page import PROMPT, SYSTEM_PROMPT, EditorPage, PageFrame
from desktop_app.ui.widgets.parts import (
    button_in,
    fill,
    frame_in,
    in_column,
    in_row,
    keep_height_for_width,
    label_in,
    make_clearable,
    tool_in,
)

LONG_NAME: Final = 32
"""Letters of a variable's name that are shown; the rest is in the tooltip."""


class PromptEditor(EditorPage):
    """Its text is title and text as one: the title is the first line (`joined`, `parted`)."""

    title: QLineEdit | None = None  # while the page without it is being made

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self._may_be_empty = False
        self._saved = joined("", "")
        self.set_title(self.tr("Prompt"))
        self.back.setAccessibleName(self.tr("Back to the prompts"))
        self.back.setToolTip(self.tr("Back to the prompts (Esc)"))
        self.title = title = QLineEdit(self.column)
        title.setMaxLength(TITLE_LIMIT)
        title.setAccessibleName(self.tr("Title"))
        title.setPlaceholderText(self.tr("Title"))
        title.textChanged.connect(self._follow_text)
        self.field.setAccessibleName(self.tr("Text of the prompt"))
        self.field.setPlaceholderText(self.tr("Prompt text, with {{variables}} for the parts that change"))
        self.lead.setText(
            self.tr(
                "{{name}} asks for a value, {{name=value}} suggests one, {{name:long}} asks for many lines, "
                "{{name:a|b}} offers some. {{clipboard}}, {{selection}} and {{date}} fill themselves in. "
                "A backslash before the braces makes them plain text."
            )
        )
        self.inside.insertWidget(0, title)
        # what is explained stands beneath what it is needed for
        self.inside.removeWidget(self.lead)
        self.inside.insertWidget(self.inside.indexOf(self.problem), self.lead)
        self.highlighter = VariableHighlighter(theme, self.field.document())
        self.setTabOrder(title, self.field)
        self._follow_text()

    def focus_first(self) -> None:
        """A prompt that is not stored yet begins with its title."""
        if self.title is not None and not parted(self._saved)[0]:
            self.title.setFocus(Qt.FocusReason.OtherFocusReason)
            self.title.selectAll()
        else:
            super().focus_first()

    def text(self) -> str:
        return joined(self.title.text() if self.title is not None else "", self.field.toPlainText())

    def show_saved(self, text: str) -> None:
        untouched = self.unsaved() is None
        self._saved = text
        if untouched and text != self.text():
            title, body = parted(text)
            if self.title is not None:
                self.title.setText(title)
            self.field.setPlainText(body)
        self._follow_text()

    def take_unsaved(self, text: str) -> None:
        title, body = parted(text)
        if self.title is not None:
            self.title.setText(title)
        self.field.replace_text(body)

    def _follow_text(self) -> None:
        super()._follow_text()
        title, body = parted(self.text())
        if not (title.strip() and body.strip()):
            self.save_button.setEnabled(False)
        names = [variable.name for variable in PromptTemplate(body).variables]
        asked, given = [name for name in names if name not in BUILT_IN], [name for name in names if name in BUILT_IN]
        shown = [name if len(name) <= LONG_NAME else f"{name[: LONG_NAME - 1]}…" for name in asked]
        words = [self.tr("Asks for: {names}").format(names=", ".join(shown))] if asked else []
        words += [self.tr("Fills in: {names}").format(names=", ".join(given))] if given else []
        self.show_tokens(" · ".join(words))
        self.tokens.setToolTip(", ".join(asked) if shown != asked else "")


def joined(title: str, text: str) -> str:
    return f"{title}\n{text}"


def parted(text: str) -> tuple[str, str]:
    """The title and the text of what `joined` made."""
    title, _, body = text.partition("\n")
    return title, body


BESIDE: Final = 80 * GRID
"""Pixels of the column from which on the chosen prompt stands beside the list, else beneath it."""
LOWEST: Final = 24 * GRID
SHOWN: Final = 20_000
"""Characters of a prompt's text that are shown beside the list."""


class PromptsPage(PageFrame):
    """Wishes, each with the prompt that is meant; `examples_shown` is told by the page itself."""

    insert_requested = Signal(object)
    edit_requested = Signal(object)
    duplicate_requested = Signal(object)
    delete_requested = Signal(object)
    new_requested = Signal()
    import_requested = Signal()
    export_requested = Signal()
    example_wanted = Signal(object)  # Example

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Prompts"))
        self._shelf: PromptCache | None = None
        self.search = QLineEdit(self.column, placeholderText=self.tr("Find a prompt"))
        self.search.setAccessibleName(self.tr("Find a prompt"))
        make_clearable(self.search)
        self.new_button = button_in(self.top, self.tr("New prompt"), self.new_requested)
        self.header_row.addWidget(self.new_button)
        self.more_button = tool_in(
            self.column, self._show_more, name=self.tr("More"), tip=self.tr("Import, export, examples")
        )
        self.rows = PromptRows(self)
        self.view = QListView(self.column)
        self.delegate = PromptDelegate(theme, self.view)
        self._set_up_view()
        self.nothing = label_in(self.column, self.tr("No results"), tone="secondary")
        self.nothing.hide()
        self.title = ElidedLabel(self.column)
        self.text = QPlainTextEdit(self.column, readOnly=True, tabChangesFocus=True)
        self.text.setProperty("kind", "reading")
        # every line wraps, at any letter where it must
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.document().setDocumentMargin(0)
        self.text.setAccessibleName(self.tr("Text of the prompt"))
        self.highlighter = VariableHighlighter(theme, self.text.document())
        self.insert_button = button_in(self.column, self.tr("Insert"), kind="primary")
        self.edit_button = QPushButton(self.tr("Edit"), self.column)
        self.duplicate_button = QPushButton(self.tr("Duplicate"), self.column)
        self.delete_button = QPushButton(self.tr("Delete"), self.column)
        self.examples: ExamplesPane | None = None
        self.menu: Menu | None = None
        self._lay_out()
        self.search.textChanged.connect(self._find)
        self.search.installEventFilter(self)
        for button, wish in zip(
            (self.insert_button, self.edit_button, self.duplicate_button, self.delete_button),
            (self.insert_requested, self.edit_requested, self.duplicate_requested, self.delete_requested),
            strict=True,
        ):
            button.clicked.connect(lambda _down=False, wished=wish: self._wish(wished))
        self.view.selectionModel().currentChanged.connect(self._show_current)
        set_icon(self.more_button, "more", theme)
        theme.set_font("title", self.title)
        theme.set_font("body", self.text, self.nothing)
        self._library.hide()

    def _set_up_view(self) -> None:
        view = self.view
        set_up_list(view, self.rows, self.delegate, self.tr("Prompts"))
        view.setMinimumHeight(LOWEST)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.doubleClicked.connect(lambda _index: self._wish(self.insert_requested))
        view.installEventFilter(self)

    def _lay_out(self) -> None:
        self.pinned.addLayout(in_row((self.search, 1), self.more_button, spacing=GRID))
        listing = in_column((self.view, 1), self.nothing, spacing=GRID)
        self.shown = QWidget(self.column)
        box = frame_in(self.shown, "field")
        in_column(self.text, of=box, margins=(2 * GRID, GRID + GRID // 2, GRID, GRID + GRID // 2))
        buttons = QWidget(self.shown)
        buttons.setLayout(
            FlowRow(
                *(self.insert_button, self.edit_button, self.duplicate_button, self.delete_button),
                across=GRID,
                down=GRID,
            )
        )
        keep_height_for_width(buttons)
        in_column(self.title, (box, 1), buttons, of=self.shown, spacing=GRID, margins=0)
        self._library = QWidget(self.column)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._library)
        fill(self._body, (listing, 2), (self.shown, 3), margins=0, spacing=2 * GRID)
        self.inside.addWidget(self._library, 1)
        MarginBar(self.view, self.column)

    # --- what is shown

    def show_prompts(self, prompts: Sequence[Prompt], *, chosen: str = "") -> None:
        """Shows the library as it is now. `chosen`: the id that is marked; else the one that was, else the first."""
        first = self._shelf is None
        self._shelf = PromptCache(prompts)
        if first and not prompts:
            self.show_examples()
        if self.examples is not None:
            self.examples.show_taken({(one.title, one.text) for one in prompts})
        self._find(chosen=chosen or (self.current.id if self.current is not None else ""))
        if first:
            self.focus_first()

    @property
    def current(self) -> Prompt | None:
        index = self.view.currentIndex()
        row = self.rows.rows[index.row()] if index.isValid() else None
        return row.prompt if isinstance(row, PromptRow) else None

    def show_examples(self) -> None:
        """The examples in place of the list."""
        if self.examples is None:
            self.examples = ExamplesPane(self.theme, examples(), self.column)
            self.examples.wanted.connect(self.example_wanted)
            self.examples.done.connect(self._leave_examples)
            self.inside.addWidget(self.examples, 1)
        prompts = self._shelf.prompts if self._shelf is not None else ()
        self.examples.show_taken({(one.title, one.text) for one in prompts})
        self._library.hide()
        self.search.setEnabled(False)
        self.examples.show()
        self.examples.focus_first()

    def _leave_examples(self) -> None:
        if self.examples is not None:
            self.inside.removeWidget(self.examples)
            self.examples.deleteLater()
            self.examples = None
        self._find()
        self.focus_first()

    def focus_first(self) -> None:
        if self.examples is not None:
            self.examples.focus_first()
        else:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _find(self, _typed: str = "", *, chosen: str = "") -> None:
        if self._shelf is None or self.examples is not None:
            return
        typed = self.search.text()
        place = max(0, self.view.currentIndex().row())
        found = self._shelf.holding(typed)
        self.rows.show([PromptRow(prompt, typed.strip()) for prompt in found])
        self._library.show()
        self.search.setEnabled(True)
        empty = not self._shelf.prompts
        self.nothing.setText(self.tr("There are no prompts.") if empty else self.tr("No results"))
        self.nothing.setVisible(not found)
        self.view.setVisible(bool(found))
        self.shown.setVisible(bool(found))
        if found:
            # where the one that was marked is gone, the one in its place
            kept = self.rows.place_of(chosen) if chosen else -1
            at = kept if kept >= 0 else min(place, len(found) - 1) if chosen else 0
            self.view.setCurrentIndex(self.rows.index(at))
            self.view.scrollTo(self.rows.index(at))
            self._show_current()

    def _show_current(self, *_: QModelIndex) -> None:
        if (prompt := self.current) is None:
            return
        self.title.set_words(prompt.title)
        text = prompt.text if len(prompt.text) <= SHOWN else f"{prompt.text[:SHOWN]}…"
        if text != self.text.toPlainText():
            self.text.setPlainText(text)

    # --- wishes

    def _wish(self, wished: SignalInstance) -> None:
        if self.current is not None and self.examples is None:
            wished.emit(self.current)

    def _show_menu(self, position: QPoint) -> None:
        if self.current is None:
            return
        menu = self.menu = Menu(self.view, self.view.accessibleName())
        buttons = (self.insert_button, self.edit_button, self.duplicate_button, self.delete_button)
        for button in buttons:
            menu.addAction(button.text(), button.click)
        menu.popup(self.view.viewport().mapToGlobal(position))

    def _show_more(self) -> None:
        menu = self.menu = Menu(self.more_button, self.more_button.accessibleName() or self.more_button.text())
        menu.addAction(self.tr("Import…"), self.import_requested.emit)
        export: QAction = menu.addAction(self.tr("Export all…"), self.export_requested.emit)
        export.setEnabled(self._shelf is not None and bool(self._shelf.prompts))
        menu.addSeparator()
        menu.addAction(self.tr("Examples"), self.show_examples)
        menu.open_at(self.more_button)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if (key := event.key()) in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._wish(self.insert_requested)
        elif watched is self.view and key == Qt.Key.Key_Delete:
            self._wish(self.delete_requested)
        elif watched is self.search and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if key == Qt.Key.Key_Down else -1
            at = self.view.currentIndex().row() + step
            if 0 <= at < self.rows.rowCount():
                self.view.setCurrentIndex(self.rows.index(at))
        else:
            return False
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._body.setDirection(across if self.room >= BESIDE else down)


FILE_NAME: Final = "plimsoll-prompts.json"


class PromptsPresenter(PageFlow[PromptsPage]):
    """Keeps the page true while it is shown, and does what is wished there; deleting can be undone."""

    edit_requested = Signal(str)  # prompt id; "": a new one

    def __init__(self, app_state: AppState, page: PromptsPage, toast: Toast, parent: QObject) -> None:
        super().__init__(app_state, page, toast, parent, (PromptsChanged, HistoryChangedElsewhere))
        self._app_state = app_state
        page.new_requested.connect(lambda: self.edit_requested.emit(""))
        page.edit_requested.connect(lambda prompt: self.edit_requested.emit(prompt.id))
        page.duplicate_requested.connect(lambda prompt: self.do(self._duplicate, prompt))
        page.delete_requested.connect(lambda prompt: self.do(self._delete, prompt))
        page.example_wanted.connect(lambda example: self.do(self._add, example))
        page.import_requested.connect(self.wished(self._import))
        page.export_requested.connect(self.wished(self._export))
        app_state.start(self.read_again())

    async def read_again(self, chosen: str = "") -> None:
        services = await self._app_state.services()
        prompts = await services.prompts.all()
        if not self.ended:
            self.page.show_prompts(prompts, chosen=chosen)

    async def _duplicate(self, prompt: Prompt) -> None:
        services = await self._app_state.services()
        await self.read_again((await services.prompts.duplicate(prompt.id)).id)

    async def _delete(self, prompt: Prompt) -> None:
        services = await self._app_state.services()
        await services.prompts.delete(prompt.id)
        # The undo outlives the page.
        app_state, library = self._app_state, services.prompts
        self.toast.show_message(
            self.tr("Prompt deleted"), self.tr("Undo"), lambda: app_state.start(library.restore(prompt))
        )

    async def _add(self, example: Example) -> None:
        services = await self._app_state.services()
        await services.prompts.add(example.title, example.text)

    async def _import(self) -> None:
        files = await asked_files(self.page, self.tr("Import prompts"))
        services = await self._app_state.services()
        added = already = 0
        for path in files:
            done = await services.prompts.import_file(path)
            added, already = added + done.added, already + done.already
        if files:
            words = self.tr("{count} prompts added") if added != 1 else self.tr("1 prompt added")
            there = self.tr("{count} were there already") if already != 1 else self.tr("1 was there already")
            told = [words.format(count=added), *([there.format(count=already)] if already else [])]
            self.toast.show_message(" · ".join(told))

    async def _export(self) -> None:
        path = await asked_file_to_write(self.page, self.tr("Export prompts"), FILE_NAME)
        if path is None:
            return
        services = await self._app_state.services()
        count = await services.prompts.export(path)
        words = self.tr("{count} prompts written to {name}") if count != 1 else self.tr("1 prompt written to {name}")
        self.toast.show_message(words.format(count=count, name=path.name))


class PromptEditorPresenter(EditorFlow[PromptEditor]):
    """One prompt, stored or not yet. What changes elsewhere is shown as long as nothing was typed here."""

    saved = Signal()

    def __init__(
        self,
        app_state: AppState,
        page: PromptEditor,
        *,
        toast: Toast,
        services: WindowServices,
        prompt_id: str,
        private: bool,
        parent: QObject,
    ) -> None:
        """`prompt_id`: of a prompt of the library, or of one that is about to be written; out of `private` words."""
        super().__init__(app_state, page, toast, parent, (PromptsChanged, HistoryChangedElsewhere))
        self._services = services
        self._id = prompt_id
        self.private = private

    @property
    def key(self) -> tuple[str, str]:
        return PROMPT, self._id

    async def save(self) -> None:
        title, text = parted(self.page.text())
        stored = await self._services.prompts.write(self._id, title, text)
        if not self.ended:
            self.page.show_saved(joined(title, text))
            self.page.show_saved(joined(stored.title, stored.text))

    async def read_again(self) -> None:
        """Reads the prompt; one that is not there, or not any more, has nothing stored."""
        prompts = await self._services.prompts.all()
        prompt = next((one for one in prompts if one.id == self._id), None)
        if not self.ended:
            self.page.show_saved(joined(prompt.title, prompt.text) if prompt is not None else joined("", ""))

    def was_saved(self) -> None:
        self.toast.show_message(self.tr("Prompt saved"))
        self.saved.emit()


class SystemPromptEditor(EditorPage):
    """The text, its share of the limit, and what changing it costs."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("System prompt"))
        self.field.setAccessibleName(self.tr("System prompt of this thread"))
        self.field.setPlaceholderText(self.tr("Instructions for the model in this thread"))
        self.lead.setText(self.tr("Sent before everything else with each message of this thread."))
        self.price = self.small()
        self.inside.insertWidget(self.inside.indexOf(self.tokens) + 1, self.price)


class SystemPromptPresenter(EditorFlow[SystemPromptEditor]):
    """The system prompt of the thread that was open when the page was opened, or of one that is made by saving."""

    def __init__(
        self, app_state: AppState, page: SystemPromptEditor, *, toast: Toast, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(app_state, page, toast, parent)
        self._app_state = app_state
        self._services = services
        self._thread_id = app_state.thread_id
        self.private = app_state.private
        self._system = app_state.current.system if app_state.current is not None else ""
        self._prepared: Preparation | None = None
        self._plan: ContextPlan | None = None
        self._cost_kind = "money"
        page.rested.connect(self._count)
        app_state.bridge.subscribe(ThreadChanged, self._thread_changed)
        page.show_saved(self._system)
        app_state.start(self._prepare())

    @property
    def key(self) -> tuple[str, str]:
        return self._thread_id or "", SYSTEM_PROMPT

    async def save(self) -> None:
        """Stores what stands in the field, with an undo; a thread that is not there yet is made."""
        text, before = self.page.text(), self._system
        if self._thread_id is None:
            self._thread_id = (await self._app_state.made_thread()).id
        thread_id, chat = self._thread_id, self._services.chat
        await chat.set_system(thread_id, text)
        app_state = self._app_state
        self.toast.show_message(
            self.tr("System prompt saved"), self.tr("Undo"), lambda: app_state.start(chat.set_system(thread_id, before))
        )

    def _thread_changed(self, changed: ThreadChanged) -> None:
        if changed.thread.id == self._thread_id and not self.ended:
            self._system = changed.thread.system
            self.page.show_saved(self._system)
            self._app_state.start(self._prepare())

    async def _prepare(self) -> None:
        chat = self._services.chat
        try:
            if self._thread_id is None:
                self._prepared = await chat.prepared_new(self._app_state.choice_like())
            else:
                self._prepared = await chat.prepared(self._thread_id)
        except PlimsollError:
            # No model can be chosen: then there is nobody to count for.
            self._prepared = self._plan = None
            return
        self._plan = self._prepared.plan(())
        backend = self._services.backends.get(self._plan.backend)
        self._cost_kind = backend.cost_kind if backend is not None else "money"
        if not self.ended:
            self._count(self.page.text())

    def _count(self, text: str) -> None:
        if self._prepared is None or self._plan is None:
            return
        changed = self.page.unsaved() is not None
        # An unchanged prompt has its exact weight in the plan; a changed one is estimated as the same words elsewhere.
        tokens = self._prepared.plan((TextPart(text),)).tokens.draft if changed else self._plan.tokens.system
        self.page.show_tokens(share_words(tokens, self._plan, estimated=changed) if text.strip() else "")
        self.page.price.setText(change_words(self._plan, self._cost_kind))


def share_words(tokens: int, plan: ContextPlan, *, estimated: bool) -> str:
    """`≈ 312 tokens, 0.2 % of the 150K from which on older messages are left out`."""
    share = 100 * tokens / plan.limits.soft
    exact = grouped(share, 1 if share < 10 else 0)
    words = tr("{count} tokens, {share} % of the {limit} above which older messages are left out")
    told = words.format(count=grouped(tokens), share=exact, limit=thousands(plan.limits.soft))
    return f"≈ {told}" if estimated else told


def change_words(plan: ContextPlan, cost_kind: str) -> str:
    """Return the cost of changing the system prompt with the next message, in words."""
    if not plan.price.cached_tokens:
        return tr("Nothing of this thread is cached, so a change costs nothing extra.")
    lost = tr("A change makes the model read the whole thread again: {count} cached tokens are lost").format(
        count=thousands(plan.price.cached_tokens)
    )
    anew = uncached_cost(plan)
    if cost_kind == "free" or anew is None or plan.price.cost_usd is None:
        return f"{lost}."
    kind = (
        tr("{price}, about {anew} instead of {now} at list price.")
        if cost_kind == "plan"
        else tr("{price}, about {anew} instead of {now}.")
    )
    return kind.format(price=lost, anew=price(*anew), now=plan_price(plan))

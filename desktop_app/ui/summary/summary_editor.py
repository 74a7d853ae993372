"""The page of one conversation summary, with the list of messages it stands for. Passes wishes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from desktop_app.core.context.summary_request import SummaryFacts
from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.fitting import FlowRow
from desktop_app.ui.widgets.list_parts import ROW_ROLE, ListRows
from desktop_app.ui.widgets.page import EditorPage
from desktop_app.ui.widgets.parts import button_in, fill, in_column

ROWS_SHOWN = 8
LONGEST_FACT = 60
"""Characters that are shown of a name or path."""
MOST_FACTS = 200


@dataclass(frozen=True, slots=True)
class SummarySource:
    """One message: who said it, in a word, and how it begins."""

    id: str
    who: str
    excerpt: str


class SourceModel(ListRows[SummarySource]):
    """One row per message."""

    def words(self, row: SummarySource) -> str:
        return f"{row.who}: {row.excerpt}"


class SourceList(QListView):
    """Arrows move, Enter or a click goes to the message."""

    chosen = Signal(str)  # message id

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources = SourceModel(self)
        self.setModel(self.sources)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Messages that the summary replaces"))
        self.setAccessibleDescription(self.tr("Enter goes to the message."))
        self.setSpacing(GRID // 4)
        self.clicked.connect(lambda index: self.chosen.emit(str(index.data(ROW_ROLE).id)))
        theme.set_font("small", self)
        theme.follow(self._fit)

    def show_sources(self, sources: Sequence[SummarySource]) -> None:
        """Replaces the rows; the keyboard begins at the first."""
        self.sources.show(sources)
        if sources:
            self.setCurrentIndex(self.sources.index(0))
            self.clearSelection()
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(str(self.currentIndex().data(ROW_ROLE).id))
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        rows = min(max(1, self.sources.rowCount()), ROWS_SHOWN)
        self.setFixedHeight(rows * (max(self.sizeHintForRow(0), self.fontMetrics().height()) + GRID // 2) + GRID // 2)


SummaryUse: TypeAlias = Literal["now", "at_step", "elsewhere"]
"""The state of a summary in the next request: it is in it, from the next step on, or not on this branch."""


@dataclass(frozen=True, slots=True)
class SummaryView:
    """The facts told of a summary besides its text: `facts` in words, as one line."""

    text: str
    facts: str
    sources: Sequence[SummarySource]


class SummaryEditor(EditorPage):
    """Wishes: save, `again_requested`, `stop_requested`, `remove_requested`, `source_chosen(message id)`."""

    again_requested = Signal()
    stop_requested = Signal()
    remove_requested = Signal()
    source_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Conversation summary"))
        self.field.setAccessibleName(self.tr("Text of the summary"))
        self._may_be_empty = False
        self.show_use("now")
        self.facts = self.small()
        self.again_button = button_in(
            self.column,
            self.tr("Rewrite"),
            self.again_requested,
            tip=self.tr("Rewrites the summary with the thread's model"),
        )
        self.stop_button = button_in(
            self.column, self.tr("Stop"), self.stop_requested, name=self.tr("Stop writing the summary")
        )
        self.remove_button = button_in(
            self.column, self.tr("Remove"), self.remove_requested, name=self.tr("Remove the summary")
        )
        self.progress = self.small(tone="")
        self.progress.setText(self.tr("The summary is being written…"))
        self.sources_heading = self.subheading("")
        self.sources = SourceList(theme, self.column)
        self.inside.insertWidget(1, self.facts)
        self.missing = QWidget(self.column)
        self.missing_words = self.small()
        self.missing_words.setWordWrap(False)
        self.missing_button = button_in(self.column, "", self._fold_missing, kind="quiet")
        theme.set_font("small", self.missing_button)
        self.missing_list = self.small()
        line = FlowRow(self.missing_words, self.missing_button, across=GRID // 2, down=0)
        in_column(line, self.missing_list, of=self.missing, spacing=0, margins=(0, 0, 0, 0))
        self.inside.insertWidget(4, self.missing)
        self._missing_shown = False
        self.show_missing(SummaryFacts())
        self.buttons.addWidget(self.again_button)
        self.buttons.addWidget(self.stop_button)
        self.buttons.addWidget(self.remove_button)
        fill(self.inside, self.progress, 2 * GRID, self.sources_heading, self.sources)
        self.sources.chosen.connect(self.source_chosen)
        self.set_busy(False)

    def show_summary(self, view: SummaryView) -> None:
        """Shows a summary as it is stored; what was typed since stays."""
        self.show_saved(view.text)
        self.facts.setText(view.facts)
        count = len(view.sources)
        words = self.tr("Replaces 1 message") if count == 1 else self.tr("Replaces {count} messages")
        self.sources_heading.setText(words.format(count=grouped(count)))
        self.sources.show_sources(view.sources)

    def show_missing(self, missing: SummaryFacts) -> None:
        """Says which facts of its source the text lacks, folded."""
        counts = (
            (len(missing.numbers), self.tr("1 number"), self.tr("{count} numbers")),
            (len(missing.names), self.tr("1 name"), self.tr("{count} names")),
            (len(missing.paths), self.tr("1 path"), self.tr("{count} paths")),
        )
        told = ", ".join((many if n > 1 else one).format(count=grouped(n)) for n, one, many in counts if n)
        self.missing_words.setText(self.tr("Not in this summary: {facts}").format(facts=told))
        facts = (*missing.numbers, *missing.names, *missing.paths)
        listed = [fact if len(fact) <= LONGEST_FACT else f"{fact[: LONGEST_FACT - 1]}…" for fact in facts[:MOST_FACTS]]
        self.missing_list.setText(" · ".join(listed) + (" …" if len(facts) > MOST_FACTS else ""))
        self.missing.setVisible(bool(missing))
        self._show_missing_list()

    def _fold_missing(self) -> None:
        self._missing_shown = not self._missing_shown
        self._show_missing_list()

    def _show_missing_list(self) -> None:
        self.missing_list.setVisible(self._missing_shown)
        self.missing_button.setText(self.tr("Hide") if self._missing_shown else self.tr("Show"))
        self.missing_button.setAccessibleDescription(self.missing_words.text())

    def show_use(self, use: SummaryUse) -> None:
        """Says whether the next request holds the summary."""
        words = {
            "now": self.tr("The model reads this instead of the messages below."),
            "at_step": self.tr("Takes effect when older messages are next left out."),
            "elsewhere": self.tr("Not used on this branch."),
        }
        self.lead.setText(words[use])

    def show_gone(self) -> None:
        """The summary does not exist any more: what was typed can only be copied."""
        self.show_problem(self.tr("This summary was removed. Copy your text if you still need it."))
        for button in (self.save_button, self.again_button, self.remove_button):
            button.setEnabled(False)

    def set_busy(self, busy: bool) -> None:
        had_keyboard = self.again_button.hasFocus() or self.stop_button.hasFocus()
        super().set_busy(busy)
        self.again_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        self.progress.setVisible(busy)
        self.remove_button.setEnabled(not busy)
        if had_keyboard:
            (self.stop_button if busy else self.again_button).setFocus(Qt.FocusReason.OtherFocusReason)

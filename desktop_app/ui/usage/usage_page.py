"""The usage page: span, the three sums on top, plot, tables, what is spent of the caps; its flow reads the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QPushButton, QWidget

from desktop_app.backends.backend_protocol import Backend
from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import (
    HistoryChangedElsewhere,
    SettingsChanged,
    SummaryEnded,
    ThreadChanged,
    TurnEnded,
    TurnFailed,
)
from desktop_app.core.history_records import EventCount, LedgerRow
from desktop_app.core.model_catalog import Prices
from desktop_app.core.usage_totals import UsageTotals, totals
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.content_words import dollars
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.usage import usage_reading as figures
from desktop_app.ui.usage.figure_table import DAYS, FigureRows, FigureTable, tables_of
from desktop_app.ui.usage.plot import Chart, ChartBar, Plot, Series, Unit
from desktop_app.ui.usage.usage_reading import Span, Sums, UsageReading, read_usage
from desktop_app.ui.widgets.fitting import ElidedLabel, FlowRow
from desktop_app.ui.widgets.list_parts import EmptyState, MarginBar
from desktop_app.ui.widgets.page import PageFrame
from desktop_app.ui.widgets.parts import Stretch, button_in, fill, in_column, say_in, single_shot


class UsageCards(QWidget):
    """The amounts billed, covered by a plan, and free, each told apart; kinds that did not occur are left out."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._cards = {kind: UsageCard(theme, self) for kind in ("money", "plan", "free")}
        self.setLayout(FlowRow(*self._cards.values(), across=5 * GRID, down=GRID))

    def show_sums(self, sums: Sums) -> None:
        plan = figures.calls(sums.plan.calls)
        if sums.plan.priced:
            words = self.tr("{calls} · {amount} at list price")
            plan = words.format(calls=plan, amount=figures.paid(sums.plan))
        billed = f"{figures.calls(sums.money.calls)} · {figures.tokens_sentence(sums.money)}"
        self._cards["money"].show_figure(self.tr("Billed"), figures.paid(sums.money), billed)
        self._cards["plan"].show_figure(self.tr("Covered by a plan"), figures.tokens(sums.plan), plan)
        self._cards["free"].show_figure(self.tr("Free"), figures.tokens(sums.free), figures.calls(sums.free.calls))
        for card, kind in zip(self._cards.values(), (sums.money, sums.plan, sums.free), strict=True):
            card.setVisible(kind.calls > 0)

    def words(self) -> str:
        """All that is told, one line per kind."""
        return "\n".join(card.words() for card in self._cards.values() if not card.isHidden())


class UsageCard(QWidget):
    """One sum: what it is, the figure, and what it is made of."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._figure, self._detail = labels = tuple(ElidedLabel(self) for _ in range(3))
        in_column(*labels, of=self, spacing=0, margins=0)
        self._name.setProperty("tone", "secondary")
        self._detail.setProperty("tone", "secondary")
        self._theme = theme
        theme.set_font("small", self._name, self._detail)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = self._theme
        big = theme.title_font()
        big.setPointSizeF(theme.points("figure"))
        self._figure.setFont(big)

    def show_figure(self, name: str, figure: str, detail: str) -> None:
        for label, words in ((self._name, name), (self._figure, figure), (self._detail, detail)):
            label.set_words(words)

    def words(self) -> str:
        return " · ".join(label.words for label in (self._name, self._figure, self._detail))


@dataclass(frozen=True, slots=True)
class UsageView:
    """The content of the page. Spent amounts and caps in US dollars.

    `thread_only`: None where no thread is open. `ever`: something stands in the ledger, if not in this span.
    """

    reading: UsageReading
    span: Span
    thread_only: bool | None
    tables: Mapping[str, FigureRows]
    ever: bool = True
    day_cap: float = 0.0
    thread_cap: float = 0.0
    turn_cap: float = 0.0
    spent_today: float = 0.0
    spent_in_thread: float = 0.0


class UsagePage(PageFrame):
    """Wishes: a span, this thread only or all, a thread to open, to change the caps."""

    span_chosen = Signal(str)
    scope_chosen = Signal(bool)
    thread_chosen = Signal(str)
    caps_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Usage"))
        self._view: UsageView | None = None
        self.unit: Unit = "tokens"
        self.facet: str = "thread"
        self.spans = self._choices(
            (
                ("today", self.tr("Today")),
                ("week", self.tr("7 days")),
                ("month", self.tr("30 days")),
                ("all", self.tr("All time")),
            ),
            self.span_chosen.emit,
        )
        self.this_thread = button_in(self.column, self.tr("This thread only"), self.scope_chosen, kind="choice")
        self.this_thread.setCheckable(True)
        self.empty = EmptyState(theme, self.column)
        self.empty.wanted.connect(self._leave_emptiness)
        self.cards = UsageCards(theme, self.column)
        self.cache = QLabel(self.column, wordWrap=True)
        self.unreported = QLabel(self.column, wordWrap=True)
        self.events = QLabel(self.column, wordWrap=True)
        self.note = self.small(self.tr("Days start at midnight UTC, as on most bills."))
        self.units = self._choices((("tokens", self.tr("Tokens")), ("dollars", self.tr("Money"))), self._choose_unit)
        self.plot = Plot(theme, self.column)
        self.told = self.small()
        self.facets = self._choices(
            (
                ("thread", self.tr("Threads")),
                ("model", self.tr("Models")),
                ("purpose", self.tr("Purposes")),
                ("backend", self.tr("Connections")),
                (DAYS, self.tr("Days")),
            ),
            self._choose_facet,
        )
        self.table = FigureTable(theme, self.column)
        self.caps = self.small()
        self.change_caps = button_in(self.column, self.tr("Change caps"), self.caps_requested)
        self._plot_head = self.subheading("")
        self._figures = QWidget(self.column)
        self._lay_out()
        self._figures.hide()
        self.spans["month"].setChecked(True)
        self.plot.bar_shown.connect(self._tell_bar)
        self.table.opened.connect(self._open_line)

    def focus_first(self) -> None:
        checked = next((button for button in self.spans.values() if button.isChecked()), self.back)
        checked.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, words: str) -> None:
        """Why there are no figures, in place of them."""
        self._figures.hide()
        self.empty.say(words)
        self.empty.show()

    def show_usage(self, view: UsageView) -> None:
        """Shows other figures; what is being read or written stays."""
        self._view = view
        reading = view.reading
        self.spans[view.span].setChecked(True)
        self.this_thread.setVisible(view.thread_only is not None)
        self.this_thread.setChecked(bool(view.thread_only))
        used = reading.sums.all.calls > 0
        self._figures.setVisible(used)
        self.empty.setVisible(not used)
        self.empty.say(*self._empty_words(view))
        self.cards.show_sums(reading.sums)
        say_in(self.cache, figures.cache_sentence(reading))
        say_in(self.unreported, figures.unreported_sentence(reading.sums.all.may_be_billed))
        self.events.setText(self.tr("Context: {events}").format(events=reading.events))
        self.events.setVisible(bool(reading.events))
        priced = reading.sums.money.priced + reading.sums.plan.priced > 0
        self.unit = self.unit if priced else "tokens"
        self.units[self.unit].setChecked(True)
        for button in self.units.values():
            button.setVisible(priced)
        self.facets[self.facet].setChecked(True)
        grains = {"day": self.tr("Days"), "week": self.tr("Weeks"), "month": self.tr("Months")}
        self.facets[DAYS].setText(grains[reading.grain])
        self._show_plot()
        self._show_table()
        self.caps.setText("\n".join(self._caps_words(view)))

    # --- inside

    def _lay_out(self) -> None:
        in_column(
            self.cards,
            self.cache,
            self.unreported,
            self.events,
            2 * GRID,
            self._plot_head,
            _row(*self.units.values()),
            self.plot,
            self.told,
            2 * GRID,
            _row(*self.facets.values()),
            self.table,
            of=self._figures,
            spacing=GRID,
            margins=0,
        )
        MarginBar(self.table, self.column)
        fill(
            self.inside,
            _row(*self.spans.values(), self.this_thread),
            GRID,
            self.empty,
            self._figures,
            2 * GRID,
            self.subheading(self.tr("Spend caps")),
            self.small(
                self.tr("Before a request would pass a cap, Plimsoll asks. Only what is billed in money counts.")
            ),
            self.caps,
            (self.change_caps, 0, Qt.AlignmentFlag.AlignLeft),
            GRID,
            self.note,
            Stretch(),
        )

    def _choices(self, names: tuple[tuple[str, str], ...], choose: Callable[[str], None]) -> dict[str, QPushButton]:
        """Buttons of which one is down; each says by its state which."""
        group = QButtonGroup(self)
        made = {}
        for name, words in names:
            button = button_in(self.column, words, lambda _down=False, chosen=name: choose(chosen), kind="choice")
            button.setCheckable(True)
            group.addButton(button)
            made[name] = button
        return made

    def _choose_unit(self, name: str) -> None:
        self.unit = "dollars" if name == "dollars" else "tokens"
        self._show_plot()

    def _choose_facet(self, name: str) -> None:
        self.facet = name
        self._show_table()

    def _open_line(self, key: str) -> None:
        if self.facet == "thread" and key:
            self.thread_chosen.emit(key)

    def _empty_words(self, view: UsageView) -> tuple[str, str]:
        """The line, and what can be done."""
        if not view.ever:
            return self.tr("Nothing used yet"), self.tr("Write a message")
        whole = self.tr("Show all time") if view.span != "all" else ""
        if view.thread_only:
            return self.tr("Nothing used in this thread in this period"), whole
        return self.tr("Nothing used in this period"), whole

    def _leave_emptiness(self) -> None:
        if self._view is not None and self._view.ever:
            self.spans["all"].click()
        else:
            self.left.emit()

    def _show_plot(self) -> None:
        if self._view is None:
            return
        reading = self._view.reading
        dear = self.unit == "dollars"
        names = {
            "day": self.tr("Money by day") if dear else self.tr("Tokens by day"),
            "week": self.tr("Money by week") if dear else self.tr("Tokens by week"),
            "month": self.tr("Money by month") if dear else self.tr("Tokens by month"),
        }
        self._plot_head.setText(names[reading.grain])
        self.plot.show_chart(self._chart(reading), names[reading.grain])

    def _chart(self, reading: UsageReading) -> Chart:
        layers: tuple[tuple[Series, Callable[[UsageTotals], float]], ...]
        if self.unit == "dollars":
            layers = (
                (Series(self.tr("Billed"), "accent", "solid"), lambda used: used.money.cost_usd),
                (
                    Series(self.tr("Covered by a plan, at list price"), "syntax-type", "diagonal"),
                    lambda used: used.plan.cost_usd,
                ),
            )
        else:
            layers = (
                (Series(self.tr("Cache read"), "syntax-type", "diagonal"), lambda used: used.cache_read),
                (Series(self.tr("Cache write"), "syntax-operator", "dots"), lambda used: used.cache_write),
                (Series(self.tr("Fresh input"), "accent", "solid"), lambda used: used.input),
                (Series(self.tr("Output"), "syntax-name", "lines"), lambda used: used.output),
            )
        # What did not occur needs no place in the legend.
        used = [layer for layer in layers if any(layer[1](period.totals) for period in reading.periods)]
        layers = tuple(used) or layers[:1]
        bars = tuple(
            ChartBar(
                figures.period_label(period, reading.grain),
                figures.period_name(period, reading.grain),
                tuple(float(value(period.totals)) for _, value in layers),
            )
            for period in reading.periods
        )
        return Chart(tuple(series for series, _ in layers), bars, self.unit)

    def _tell_bar(self, place: int) -> None:
        told = self.plot.told(0 if len(self.plot.chart.bars) == 1 else place)  # the only one needs no pointing
        self.told.setText(told or self.tr("Point at a bar, or use the arrow keys, for exact figures."))

    def _show_table(self) -> None:
        if (view := self._view) is None:
            return
        table = view.tables[self.facet]
        self.table.setAccessibleName(self.tr("Usage by {what}").format(what=table.heads[0].lower()))
        self.table.show_table(table)

    def _caps_words(self, view: UsageView) -> list[str]:
        """A line each for the day, the open thread and a turn."""
        today = (
            self.tr("{spent} of {cap} spent today") if view.day_cap else self.tr("{spent} spent today; there is no cap")
        )
        lines = [today.format(spent=dollars(view.spent_today), cap=dollars(view.day_cap))]
        if view.thread_only is not None:
            here = self.tr("{spent} spent in this thread; there is no cap")
            here = self.tr("{spent} of {cap} spent in this thread") if view.thread_cap else here
            lines.append(here.format(spent=dollars(view.spent_in_thread), cap=dollars(view.thread_cap)))
        if view.turn_cap:
            pauses = self.tr("A turn pauses when its tools have cost {cap}")
            lines.append(pauses.format(cap=dollars(view.turn_cap)))
        return lines


def _row(*parts: QWidget) -> FlowRow:
    return FlowRow(*parts, across=GRID // 2, down=GRID // 2)


REST_MS = 300
"""Facts that come within this time are told together."""


def today_utc() -> date:
    """The date of the ledger's newest day."""
    return utc_now().date()


class UsagePresenter(QObject):
    """Keeps the page true while it is shown."""

    def __init__(self, app_state: AppState, page: UsagePage, parent: QObject) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._span: Span = "month"
        self._thread_only = False
        self._ended = False
        self._asked = 0
        self._rest = single_shot(self, self.refresh, REST_MS)
        page.span_chosen.connect(self._choose_span)
        page.scope_chosen.connect(self._choose_scope)
        bridge = app_state.bridge
        facts = (TurnEnded, TurnFailed, SummaryEnded, SettingsChanged, HistoryChangedElsewhere, ThreadChanged)
        bridge.subscribe_each(facts, self._changed)
        self.refresh()

    def refresh(self) -> None:
        """Reads the ledger again."""
        if not self._ended:
            self._app_state.start(self._read())

    def end(self) -> None:
        self._ended = True
        self._rest.stop()

    def _changed(self, _fact: object) -> None:
        if not self._ended:
            self._rest.start()

    def _choose_span(self, span: Span) -> None:
        self._span = span
        self.refresh()

    def _choose_scope(self, thread_only: bool) -> None:
        self._thread_only = thread_only
        self.refresh()

    async def _read(self) -> None:
        self._asked += 1
        asked = self._asked
        services = await self._app_state.services()
        try:
            rows, events = await services.history.ledger(), await services.history.event_counts()
        except PlimsollError as error:
            if not self._ended:
                self.page.show_problem(translated(error.failure.message))
            return
        thread_id = self._app_state.thread_id
        caps, turn = services.preferences.settings.costs, services.preferences.settings.context.turn_cap_usd
        made = await asyncio.to_thread(
            _view,
            rows,
            events,
            today=today_utc(),
            span=self._span,
            thread_id=thread_id,
            thread_only=self._thread_only and thread_id is not None,
            backends=dict(services.backends),
        )
        # Another span may have been asked for meanwhile.
        if not self._ended and asked == self._asked:
            self.page.show_usage(made(day_cap=caps.day_cap_usd, thread_cap=caps.thread_cap_usd, turn_cap=turn))


def _view(
    rows: Sequence[LedgerRow],
    events: Sequence[EventCount],
    *,
    today: date,
    span: Span,
    thread_id: str | None,
    thread_only: bool,
    backends: Mapping[str, Backend],
) -> Callable[..., UsageView]:
    """The figures; made beside the event loop, as ten thousand rows take tens of milliseconds."""

    def prices_of(backend: str, model: str) -> Prices | None:
        return backends[backend].model(model).prices if backend in backends else None

    of_thread = thread_id if thread_only else None
    reading = read_usage(rows, today=today, span=span, thread_id=of_thread, prices_of=prices_of, events=events)
    return partial(
        UsageView,
        reading,
        span,
        None if thread_id is None else thread_only,
        tables_of(reading, {name: translated(backend.title) for name, backend in backends.items()}),
        ever=bool(rows),
        spent_today=totals(row for row in rows if row.day == today.isoformat()).money.cost_usd,
        spent_in_thread=totals(row for row in rows if row.thread_id == thread_id).money.cost_usd if thread_id else 0.0,
    )

"""The flow behind the usage page: reads the ledger, writes the caps. Sums nothing itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

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
from desktop_app.core.usage_totals import totals
from desktop_app.system.system_clock import utc_now
from desktop_app.ui.i18n.language import translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.usage.figure_table import tables_of
from desktop_app.ui.usage.usage_page import TURN, UsagePage, UsageView
from desktop_app.ui.usage.usage_reading import Span, read_usage

if TYPE_CHECKING:  # the backends are loaded after the first paint
    from desktop_app.backends.backend_protocol import Backend

REST_MS = 300
"""Facts that come within this time are told together."""


def today_utc() -> date:
    """The date of the ledger's newest day."""
    return utc_now().date()


class UsagePresenter(QObject):
    """Keeps the page true while it is shown."""

    thread_chosen = Signal(str)

    def __init__(
        self, app_state: AppState, page: UsagePage, parent: QObject, *, today: Callable[[], date] = today_utc
    ) -> None:
        super().__init__(parent)
        self._app_state = app_state
        self.page = page
        self._today = today
        self._span: Span = "month"
        self._thread_only = False
        self._ended = False
        self._asked = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.refresh)
        page.span_chosen.connect(self._choose_span)
        page.scope_chosen.connect(self._choose_scope)
        page.thread_chosen.connect(self.thread_chosen)
        page.cap_chosen.connect(self._choose_cap)
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

    def _choose_cap(self, key: str, dollars: float) -> None:
        self._app_state.start(self._store_cap(key, dollars))

    async def _store_cap(self, key: str, dollars: float) -> None:
        services = await self._app_state.services()
        try:
            await services.preferences.set_value(key, dollars if dollars or key == TURN else None)
        except PlimsollError as error:
            if not self._ended:
                self.page.caps.show_problem(translated(error.failure.message))

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
            today=self._today(),
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

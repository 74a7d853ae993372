"""Stores what counts have taught: the estimator's weights and the real windows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from desktop_app.storage.row_mapping import UNREADABLE
from desktop_app.storage.sqlite_connection import Transactions

if TYPE_CHECKING:
    from desktop_app.core.context.plan import TokenWeights

_WEIGHTS = "SELECT weights FROM calibration WHERE backend = ? AND model = ?"
_SET_WEIGHTS = "REPLACE INTO calibration (backend, model, weights) VALUES (?, ?, ?)"
_SET_WINDOW = "REPLACE INTO learned_window (backend, model, window) VALUES (?, ?, ?)"


class CalibrationStore:
    """One set of weights, and at most one window, per backend and model."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def read(self, backend: str, model: str) -> TokenWeights | None:
        with self._transactions.read_plain() as connection:
            row = connection.execute(_WEIGHTS, (backend, model)).fetchone()
        if row is None:
            return None
        from desktop_app.core.context.plan import TokenWeights

        with suppress(*UNREADABLE):  # what was learned is learned again
            data = json.loads(row[0])
            return TokenWeights(
                weights=tuple(map(float, data["weights"])),
                covariance=tuple(tuple(map(float, line)) for line in data["covariance"]),
                observations=int(data["observations"]),
                extra={kind: float(tokens) for kind, tokens in data["extra"].items()},
            )
        return None

    def write(self, backend: str, model: str, weights: TokenWeights) -> None:
        text = json.dumps(asdict(weights), separators=(",", ":"))
        with self._transactions.write_plain() as connection:
            connection.execute(_SET_WEIGHTS, (backend, model, text))

    def windows(self) -> Mapping[tuple[str, str], int]:
        with self._transactions.read_plain() as connection:
            rows = connection.execute("SELECT backend, model, window FROM learned_window").fetchall()
        return {(backend, model): window for backend, model, window in rows}

    def write_window(self, backend: str, model: str, window: int | None) -> None:
        """None forgets what was learned."""
        with self._transactions.write_plain() as connection:
            if window is None:
                connection.execute("DELETE FROM learned_window WHERE backend = ? AND model = ?", (backend, model))
            else:
                connection.execute(_SET_WINDOW, (backend, model, window))

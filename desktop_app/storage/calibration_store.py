"""Stores what counts have taught: the estimator's weights and the real windows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from sqlmodel import select

from desktop_app.core.context.plan import TokenWeights
from desktop_app.storage.rows import CalibrationRow, LearnedWindowRow
from desktop_app.storage.sqlite_connection import Transactions


class CalibrationStore:
    """One set of weights, and at most one window, per backend and model."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def read(self, backend: str, model: str) -> TokenWeights | None:
        with self._transactions.read() as session:
            row = session.get(CalibrationRow, (backend, model))
        if row is None:
            return None
        data = json.loads(row.weights)
        return TokenWeights(
            weights=tuple(data["weights"]),
            covariance=tuple(tuple(line) for line in data["covariance"]),
            observations=data["observations"],
            extra=data["extra"],
        )

    def write(self, backend: str, model: str, weights: TokenWeights) -> None:
        text = json.dumps(asdict(weights), separators=(",", ":"))
        with self._transactions.write() as session:
            session.merge(CalibrationRow(backend=backend, model=model, weights=text))

    def windows(self) -> Mapping[tuple[str, str], int]:
        with self._transactions.read() as session:
            return {(row.backend, row.model): row.window for row in session.exec(select(LearnedWindowRow))}

    def write_window(self, backend: str, model: str, window: int | None) -> None:
        """None forgets what was learned."""
        with self._transactions.write() as session:
            if window is not None:
                session.merge(LearnedWindowRow(backend=backend, model=model, window=window))
            elif (row := session.get(LearnedWindowRow, (backend, model))) is not None:
                session.delete(row)

"""Owns the token estimator's learned weights in the file. Knows nothing of what they mean."""

from __future__ import annotations

import json
from dataclasses import asdict

from desktop_app.core.context.plan import TokenWeights
from desktop_app.storage.connection import Transactions
from desktop_app.storage.rows import CalibrationRow


class Calibration:
    """One set of weights per backend and model."""

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

"""What the estimator has learned outlives the program: read in a new connection, it is the same to the last bit."""

from __future__ import annotations

from pathlib import Path

from desktop_app.core.context.text_features import CONSTANT, features, plus
from desktop_app.core.context.token_estimator import TokenEstimator
from desktop_app.storage.sqlite_history import SqliteHistory

TEXTS = ("The harbour master opened the ledger.", "def settle(ledger):\n    return 0\n", "港口管理员打开账本。", "😀🎉")


async def test_a_learned_estimator_comes_back_equal(tmp_path: Path) -> None:
    learned = TokenEstimator.seeded("claude-2026")
    for turn in range(20):
        counted = plus(features(TEXTS[turn % 4] * (turn + 1)), CONSTANT)
        # the last three are far off, so that strays and a learned noise are part of what is kept
        learned = learned.observe(counted, learned.tokens(counted) * (1.13 if turn < 18 else 9.0))
    assert learned.strays
    assert learned.noise != 1.0

    history = await SqliteHistory.open(tmp_path / "h.db")
    await history.save_token_weights("anthropic", "m", learned.weights())
    await history.close()
    reopened = await SqliteHistory.open(tmp_path / "h.db")
    stored = await reopened.token_weights("anthropic", "m")
    await reopened.close()

    read = TokenEstimator.from_weights(stored, "claude-2026")
    assert read == learned
    counted = plus(features(TEXTS[0]), CONSTANT)
    assert read.observe(counted, 40) == learned.observe(counted, 40)

"""Says in one card what a repair of the history found, what came back and what is missing."""

from __future__ import annotations

from desktop_app.core.history_records import HistoryRepair
from desktop_app.core.messages import Failure
from desktop_app.core.repair_text import repair_sentences
from desktop_app.ui.i18n.language import translated


def repair_failure(repair: HistoryRepair) -> Failure:
    """Return the failure that the card shows."""
    words = " ".join(map(translated, repair_sentences(repair)))
    return Failure("store", words, "\n".join(repair.details), ("open_data_folder",))

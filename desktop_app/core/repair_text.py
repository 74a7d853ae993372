"""Says what a repair of the history found, what came back and what is missing."""

from __future__ import annotations

from typing import Final

from desktop_app.core.history_records import HistoryRepair
from desktop_app.core.phrases import Phrase, phrase, template

_FOUND: Final = {
    "damaged": template("The history file was damaged. It was repaired."),
    "texts": template("Texts in the history file were damaged. They were restored from backups; nothing is missing."),
    "index": template("An index of the history file was damaged. It was rebuilt; nothing is missing."),
    "foreign": template("The history file was not a Plimsoll history."),
    "emptied": template("The history file had been emptied."),
    "missing": template("The history file was missing."),
    "earlier": template("The history file had fallen back to an earlier state."),
}


def repair_sentences(repair: HistoryRepair) -> tuple[Phrase, ...]:
    """One sentence for each fact, the most important first."""
    said = [Phrase(_FOUND[repair.kind], {})]
    at = (repair.backup_at or "")[:16].replace("T", " ")
    if repair.kind == "earlier":
        said.append(phrase("Messages restored from the backup of {at} UTC: {count}.", count=repair.salvaged, at=at))
    elif repair.backup:
        said.append(phrase("The backup of {at} UTC was restored.", at=at))
    elif repair.kind not in ("index", "texts"):
        said.append(phrase("There was no usable backup."))
    if repair.salvaged and repair.kind not in ("index", "earlier"):
        said.append(phrase("Messages read from the damaged file: {count}.", count=repair.salvaged))
    said.append(
        phrase("Threads now: {threads}. Messages: {messages}.", threads=repair.threads, messages=repair.messages)
    )
    if repair.missing:
        said.append(phrase("Messages missing: {count}.", count=repair.missing))
    if repair.unreadable:
        said.append(phrase("Messages or requests without their text: {count}.", count=repair.unreadable))
    if repair.aside:
        said.append(phrase("The old file is kept as {name}.", name=repair.aside))
    return tuple(said)

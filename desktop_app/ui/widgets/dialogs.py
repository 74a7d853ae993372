"""The dialogs as awaitables.

Only `open()` is used: a nested event loop (`exec`) would make other tasks lose their wake-ups under qasync.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

from desktop_app.ui.i18n.language import tr


async def finished(dialog: QDialog) -> int:
    """Opens the dialog and waits until it is closed; its result code. The dialog is deleted afterwards."""
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def settle(code: int) -> None:
        if not answer.done():
            answer.set_result(code)

    dialog.finished.connect(settle)
    dialog.open()
    try:
        return await answer
    finally:
        dialog.close()
        dialog.deleteLater()


async def confirmed(parent: QWidget, title: str, text: str, yes: str, *, lasting: bool = False) -> bool:
    """Asks a question with one button that does it (`yes`) and Cancel; True if that button was taken.

    `lasting`: it can't be undone, so Enter cancels.
    """
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)  # the text may hold words of a message
    box.setText(text)
    accept = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel if lasting else accept)
    await finished(box)
    return box.clickedButton() is accept


async def asked_to_save(parent: QWidget, question: str) -> Literal["save", "discard", "stay"]:
    """Asks what becomes of text that is not saved; closing the dialog is staying."""
    box = QMessageBox(parent)
    box.setWindowTitle(tr("Not saved"))
    box.setText(question)
    save = box.addButton(tr("Save"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Keep editing"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.setEscapeButton(stay)
    await finished(box)
    taken = box.clickedButton()
    return "save" if taken is save else "discard" if taken is discard else "stay"


async def asked_files(parent: QWidget, title: str) -> tuple[Path, ...]:
    """Asks for files of any kind; none if cancelled."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    code = await finished(dialog)
    return tuple(map(Path, dialog.selectedFiles())) if code == QDialog.DialogCode.Accepted else ()


async def asked_folder(parent: QWidget, title: str) -> Path | None:
    """Asks for a folder; None if cancelled."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    code = await finished(dialog)
    chosen = dialog.selectedFiles() if code == QDialog.DialogCode.Accepted else []
    return Path(chosen[0]) if chosen else None


async def asked_file_to_write(parent: QWidget, title: str, name: str) -> Path | None:
    """Asks where to write a file, `name` suggested; the dialog asks before one is replaced. None if cancelled."""
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
    dialog.selectFile(name)
    code = await finished(dialog)
    chosen = dialog.selectedFiles() if code == QDialog.DialogCode.Accepted else []
    return Path(chosen[0]) if chosen else None

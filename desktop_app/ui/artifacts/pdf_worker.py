"""Lays a document out as PDF, in a process of its own that needs no screen: hundreds of pages take seconds."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from typing import Any, Final

from desktop_app.child_processes import PRINT_PDF, own_command
from desktop_app.worker_loop import serve

MARGIN_MM: Final = 20.0
POINTS: Final = 10


def worker_command() -> list[str]:
    """The command that runs `main`."""
    return own_command(PRINT_PDF, __name__)


def main(argv: Sequence[str] = ()) -> int:
    """Answers orders until standard input ends. `argv` is not used."""
    del argv
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return serve(_answer)


def _answer(order: dict[str, Any]) -> dict[str, Any]:
    """`pdf`: the bytes, in base64, of `html` under `title`, with `style` as its style sheet."""
    return {"pdf": base64.b64encode(printed(str(order["html"]), str(order["title"]), str(order["style"]))).decode()}


def printed(html: str, title: str, style: str) -> bytes:
    """The PDF of a page that holds no references: nothing is loaded for it."""
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
    from PySide6.QtGui import (
        QFont,
        QFontDatabase,
        QGuiApplication,
        QPageLayout,
        QPageSize,
        QPdfWriter,
        QTextDocument,
    )

    from desktop_app.resources import resource

    _application = QGuiApplication.instance() or QGuiApplication([])
    for font in sorted(resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(font))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("Plimsoll")
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
    document = QTextDocument()
    document.setDefaultFont(QFont("Inter", POINTS))
    document.setDefaultStyleSheet(style)
    document.setHtml(html)
    document.print_(writer)
    return bytes(buffer.data().data())

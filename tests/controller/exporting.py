"""Builds what exports threads, with the real processes for PDFs and formulas."""

from __future__ import annotations

from desktop_app.composition import FORMULA_WORKER, PDF_WORKER
from desktop_app.controller.export_files import PdfPrinting
from desktop_app.controller.ports import History
from desktop_app.controller.thread_export import ThreadExport
from desktop_app.system.own_processes import PRINT_PDF, TYPESET_FORMULAS, own_command


def thread_export(history: History, printing: PdfPrinting | None = None) -> ThreadExport:
    """Whoever exports PDFs gives `printing`, and closes it."""
    printing = printing or PdfPrinting(own_command(PRINT_PDF, PDF_WORKER))
    return ThreadExport(history, printing, own_command(TYPESET_FORMULAS, FORMULA_WORKER))

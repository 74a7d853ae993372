"""Export formats: pure functions between parsed data and the conversation's values. Know no files and no storage."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

ExportFormat: TypeAlias = Literal["markdown", "json"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

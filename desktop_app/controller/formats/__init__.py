"""Export formats: pure functions between parsed data and the conversation's values. Know no files and no storage."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

ArtifactFormat: TypeAlias = Literal["markdown", "html", "pdf", "docx", "file"]
ARTIFACT_FORMATS: Final[tuple[ArtifactFormat, ...]] = get_args(ArtifactFormat)
ExportFormat: TypeAlias = Literal["markdown", "html", "pdf", "json"]
EXPORT_FORMATS: Final[tuple[ExportFormat, ...]] = get_args(ExportFormat)
ENDINGS: Final[dict[ExportFormat, str]] = {"markdown": ".md", "html": ".html", "pdf": ".pdf", "json": ".json"}


def details_by_default(kind: ExportFormat) -> bool:
    """Return True if thinking and tool results are put in unasked: only where they are folded until one opens them."""
    return kind == "html"

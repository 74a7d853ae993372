"""The differences between two versions, as lines for the eye. May be called on any thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desktop_app.core.artifact_diff import VersionDiff, VersionLine
from desktop_app.ui.i18n.language import grouped, tr
from desktop_app.ui.widgets.text_lines import LONGEST, LineKind, TextLine, text_lines

_KINDS: Final[dict[str, LineKind]] = {"+": "added", "-": "removed", " ": "text"}


def version_lines(diff: VersionDiff, earlier: int, later: int) -> list[TextLine]:
    """The changed lines of two versions with what stands around them, and how many others there are."""
    which = f"v{earlier} → v{later}"
    if not diff.lines:
        return [TextLine("note", f"{which} · " + tr("No differences"))]
    lines = [TextLine("note", f"{which} · {counts(diff)}"), TextLine("text", "")]
    for line in diff.lines:
        if line.skipped:
            lines.append(_unchanged(line.skipped))
        lines += _shown(line)
    if diff.skipped:
        lines.append(_unchanged(diff.skipped))
    return lines


def counts(diff: VersionDiff) -> str:
    """Return how many lines came and went, in words."""
    added = tr("1 line added") if diff.added == 1 else tr("{count} lines added").format(count=grouped(diff.added))
    gone = (
        tr("1 line removed") if diff.removed == 1 else tr("{count} lines removed").format(count=grouped(diff.removed))
    )
    return f"{added} · {gone}"


def _shown(line: VersionLine) -> Iterator[TextLine]:
    """A line behind its sign; of a long one the changed words are not marked."""
    kind = _KINDS[line.sign]
    if len(line.text) + 2 > LONGEST:
        yield from text_lines(f"{line.sign} {line.text}", kind)
        return
    marked = tuple((first + 2, end + 2) for first, end in line.changed)
    for one in text_lines(f"{line.sign} {line.text}", kind):
        yield one._replace(marked=marked)


def _unchanged(count: int) -> TextLine:
    words = tr("1 line unchanged") if count == 1 else tr("{count} lines unchanged").format(count=grouped(count))
    return TextLine("note", words)

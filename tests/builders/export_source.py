"""Makes sources to import from, and reads them whole."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from desktop_app.controller.export_sources import OpenedSource
from desktop_app.controller.formats.export_reading import Importer, Skipped
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Json


@dataclass(frozen=True, slots=True)
class ReadExport:
    """What a format found: `broken` is what would refuse the file."""

    threads: tuple[ImportedThread, ...]
    skipped: tuple[Skipped, ...]
    broken: tuple[Skipped, ...]


def source_of(members: Mapping[str, Json | bytes], *, only_good: bool = False) -> OpenedSource:
    """An archive with these members: bytes as they are, all else as JSON."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    source = OpenedSource("export.zip", only_good=only_good)
    source.add_archive(file)
    return source


def read_all(importer: Importer, source: OpenedSource) -> ReadExport:
    """All that a format finds."""
    found = list(importer.read(source))
    threads = tuple(one for one in found if isinstance(one, ImportedThread))
    skipped = tuple(one for one in found if isinstance(one, Skipped))
    return ReadExport(threads, skipped, tuple(source.broken))

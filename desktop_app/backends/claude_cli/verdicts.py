"""Owns what the self-test found of each `claude` program, by its SHA-256. Knows nothing of how the test is held."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from desktop_app.atomic_write import write_atomically
from desktop_app.backends.claude_cli.program_finder import Stamp

_KEPT = 20
"""Programs that are remembered: every update is a new one."""


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    """`fault` is empty for a program that passed. `checked` is a date, `trial` the number of the test."""

    version: str
    trial: int
    checked: str
    fault: str = ""


class SelfTestResults:
    """A small JSON file for this user only, read once. One that is damaged counts as empty: the test is held again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hashes: dict[str, str] | None = None
        self._verdicts: dict[str, SelfTestResult] = {}

    def of(self, stamp: Stamp) -> SelfTestResult | None:
        """What is known of the file with that stamp, without reading the program."""
        digest = self._known().get(_key(stamp), "")
        return self._verdicts.get(digest)

    def of_hash(self, digest: str, stamp: Stamp) -> SelfTestResult | None:
        """What is known of the program with that SHA-256; from now on its stamp is enough."""
        self._known()[_key(stamp)] = digest
        return self._verdicts.get(digest)

    def keep(self, digest: str, stamp: Stamp, verdict: SelfTestResult) -> None:
        """Stores a verdict, in memory also where the file can't be written: then OSError follows."""
        self._known()[_key(stamp)] = digest
        self._verdicts[digest] = verdict
        self.save()

    def save(self) -> None:
        """Writes the file anew, whole or not at all."""
        verdicts = dict(list(self._verdicts.items())[-_KEPT:])
        hashes = {key: digest for key, digest in self._known().items() if digest in verdicts}
        text = json.dumps(
            {"files": hashes, "programs": {digest: asdict(one) for digest, one in verdicts.items()}}, indent=1
        )
        write_atomically(self._path, text.encode())

    def _known(self) -> dict[str, str]:
        if self._hashes is None:
            self._hashes = {}
            with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, LookupError):
                self._take(json.loads(self._path.read_text(encoding="utf-8")))
        return self._hashes

    def _take(self, stored: Mapping[str, Any]) -> None:
        verdicts = {str(digest): SelfTestResult(**fields) for digest, fields in stored["programs"].items()}
        self._verdicts, self._hashes = verdicts, {str(key): str(digest) for key, digest in stored["files"].items()}


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal; 0.3 s for 380 MB that are in memory, so never on an event loop."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _key(stamp: Stamp) -> str:
    path, changed_ns, size = stamp
    return f"{changed_ns}:{size}:{path}"

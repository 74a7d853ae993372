"""The command `plimsoll` over one data folder, run as scripts run it; shared with the end-to-end tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE_S


@dataclass(frozen=True)
class Ended:
    """How a run ended: exit status and what stood on the two streams."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        assert self.out, (self.status, self.err)
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Standard output as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]

    @property
    def text(self) -> str:
        """What the deltas of a `--json` run say together."""
        return "".join(line["text"] for line in self.of("delta"))


@dataclass
class Plimsoll:
    """The command over one data folder, with the scripted backend as the setting's default."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    @classmethod
    def machine(cls, folder: Path) -> Plimsoll:
        """Another machine, without a keyring: that of whoever runs the tests keeps nothing."""
        folder.mkdir(mode=0o700)
        (folder / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
        return cls(folder, {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"})

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ended:
        """Runs in a process of its own."""
        done = subprocess.run(
            self.command(*arguments),
            input=stdin,
            capture_output=True,
            timeout=PATIENCE_S,
            env=self.environment(),
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments: str, stdin: int | None = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Starts a process that the test talks to and ends."""
        return subprocess.Popen(
            self.command(*arguments),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(),
        )

    def command(self, *arguments: str) -> Sequence[str]:
        return [sys.executable, "-m", "desktop_app", "--data-dir", str(self.folder), *arguments]

    def environment(self) -> Mapping[str, str]:
        return {**os.environ, **self.environ}

    def write_script(self, *lines: Mapping[str, Any]) -> None:
        """What the scripted backend plays instead of its echo."""
        script = self.folder.parent / "script.ndjson"
        script.write_text("\n".join(json.dumps(line) for line in lines))
        self.environ["PLIMSOLL_SCRIPT"] = str(script)

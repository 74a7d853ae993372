"""Fixtures for all tests: no screen, a throw-away home, and none of this machine's keys or settings."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A loaded machine is slow, which is no fault of the code; CI always tries the same examples, a desk new ones.
settings.register_profile(
    "plimsoll",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
    max_examples=50,
)
settings.load_profile("plimsoll")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A real key, proxy or data folder of the developer's must never reach a test.
for _name in list(os.environ):
    if _name.startswith(("ANTHROPIC_", "OPENAI_", "PLIMSOLL_", "CLAUDE_")) or _name.lower().endswith("_proxy"):
        del os.environ[_name]


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Paths for homes. pytest's own numbering looks at every folder that is there for each new one."""
    root = tmp_path_factory.mktemp("homes")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def throw_away_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own empty HOME and XDG folders."""
    home = next(homes)
    home.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    return home

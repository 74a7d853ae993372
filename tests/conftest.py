"""Fixtures for all tests: no screen, a throw-away home, and none of this machine's keys or settings."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.set_time import ZONE, set_time

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
os.environ["TZ"] = ZONE
if sys.platform != "win32":
    time.tzset()
set_time()


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """PySide is imported as the app does it, before pytest-qt would: the modules of the tests then come in faster."""
    from desktop_app.ui.startup.pyside import import_pyside

    import_pyside()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Finding some thousand tests makes no garbage, but half a million objects that stay: Python's collector looks
    through them once and never again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Generator[None, None, None]:
    """The failed tests by name come last, without their messages: where a log is cut off, its end still names them.

    `dev` collects the names of its runs in a file.
    """
    yield
    if hasattr(config, "workerinput"):
        return
    reports = [*terminalreporter.stats.get("failed", ()), *terminalreporter.stats.get("error", ())]
    names = "".join(f"failed {name}\n" for name in dict.fromkeys(report.nodeid for report in reports))
    terminalreporter.write(names, red=True)
    if "FAILED_TESTS" in os.environ:
        with Path(os.environ["FAILED_TESTS"]).open("a", encoding="utf-8") as file:
            file.write(names)


LONGEST_FIRST = ("end_to_end", "benchmarks")
"""Rooms whose modules have few tests of up to a minute: one that came last would be waited for alone."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parent.name not in LONGEST_FIRST)


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

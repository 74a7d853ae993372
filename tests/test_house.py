"""`./dev house` counts what it says, on small sources made for it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import house

LAYERS = house.layers_of(
    {
        "tool": {
            "importlinter": {
                "contracts": [
                    {"type": "forbidden", "source_modules": ["desktop_app.core"]},
                    {
                        "type": "layers",
                        "containers": ["desktop_app"],
                        "layers": ["app", "ui | composition", "storage | backends", "paths : logs", "core"],
                    },
                ]
            }
        }
    }
)


def row(name: str, texts: Mapping[str, str]) -> house.HouseFigure:
    """The figure of that name for files of the product, and of the tests where the path says so."""
    files = {"desktop_app/__init__.py": '"""The app."""\n'} | {
        path if path.startswith("tests/") else f"desktop_app/{path}": text for path, text in texts.items()
    }
    return next(figure for figure in house.figures(files, LAYERS) if figure.name == name)


def test_files_and_lines_are_counted_without_empty_files() -> None:
    texts = {"core/one.py": "a = 1\n" * 100, "core/two.py": "a = 1\n" * 20, "core/empty.py": ""}
    assert row("files", texts).value == "3"
    assert row("lines", texts).value == "121"
    assert row("median", texts).value == "20"
    assert row("largest", texts).places == ("desktop_app/core/one.py",)
    assert row("modules under 80 lines", texts).places == ("desktop_app/core/two.py",)
    assert row("modules loose in ui/", {"ui/theme.py": "a = 1\n", "ui/gauge/view.py": "a = 1\n"}).value == "1"


def test_an_import_in_a_function_or_for_types_runs_late() -> None:
    text = """
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import ast
else:
    import io
class Reader:
    import json
    def read(self):
        if self:
            import csv
        return (lambda: 1) if self else None
"""
    assert row("imports that run late", {"core/reader.py": text}).places == (
        "desktop_app/core/reader.py:5",
        "desktop_app/core/reader.py:12",
    )
    assert row("import lines in 100", {"core/reader.py": text}).value == "42.86"


def test_lines_of_an_import_in_brackets_all_count() -> None:
    text = "from ast import (\n    parse,\n    walk,\n)\nprint(parse, walk)\n"
    assert row("import lines in 100", {"core/reader.py": text}).value == "66.67"


def test_a_name_of_two_files_is_named_with_both() -> None:
    texts = {"core/remedies.py": "a = 1\n", "cli/remedies.py": "a = 1\n", "cli/__init__.py": "b = 1\n"}
    assert row("module names twice", texts).places == (
        "remedies: desktop_app/core/remedies.py, desktop_app/cli/remedies.py",
    )


def test_the_map_has_each_module_with_its_first_sentence() -> None:
    texts = {
        "desktop_app/core/two.py": '"""Reads two\nlines.\n\nAnd more."""\n',
        "desktop_app/core/__init__.py": '"""Values.\n\nMore."""\n',
        "desktop_app/cli/__init__.py": '"""Commands."""\nfrom a import b\nA: int = 1\ndef c(): d = 1\n',
        "desktop_app/cli/one.py": "a = 1\n",
    }
    assert house.room_map(texts, "").splitlines() == [
        "One folder alone: ./dev house --rooms FOLDER, such as ui/composer",
        "",
        "desktop_app/cli/  Commands.",
        f"  {'__init__':<24}   4  A, c",
        f"  {'one':<24}   1  ",
        "",
        "desktop_app/core/  Values.",
        f"  {'two':<24}   4  Reads two lines.",
    ]
    assert house.room_map(texts, "core").splitlines()[0] == "desktop_app/core/  Values."
    assert "one" not in house.room_map(texts, "core")


CIRCLE = {
    "core/one.py": "from desktop_app.core import two\n",
    "core/two.py": "from desktop_app.core.three import name\n",
    "core/three.py": "def name():\n    from .one import two\n",
    "core/four.py": "import desktop_app.core.one\n",
}


def test_a_circle_that_a_late_import_closes_counts_only_with_late_imports() -> None:
    assert row("circles at module level", CIRCLE).value == "0"
    late = row("circles with late imports", CIRCLE)
    assert late.value == "1 (3 modules)"
    assert late.places == ("desktop_app.core.one desktop_app.core.three desktop_app.core.two",)


def test_a_circle_at_module_level_is_found_through_relative_imports_and_packages() -> None:
    closed = CIRCLE | {"core/three.py": "from .one import two\nname = 1\n"}
    assert row("circles at module level", closed).value == "1 (3 modules)"
    package = {
        "core/room/__init__.py": "from .door import open\n",
        "core/room/door.py": "from desktop_app.core import room\n",
    }
    assert row("circles at module level", package).value == "1 (2 modules)"


def test_circles_stand_apart_and_the_largest_comes_first() -> None:
    graph = {"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}, "f": {"a", "e"}}
    assert house.circles(graph) == [["c", "d", "e"], ["a", "b"]]


def test_upward_imports_break_a_contract_of_layers() -> None:
    broken = row(
        "upward imports",
        {
            "core/plan.py": "def late():\n    from desktop_app.ui import gauge\n",
            "storage/rows.py": "import desktop_app.backends.wire\n",
            "backends/wire.py": "from desktop_app.core import plan\n",
            "paths.py": "from desktop_app import logs\n",
            "logs.py": "from desktop_app import core\n",
            "ui/gauge.py": "from desktop_app.storage import rows\n",
        },
    )
    assert broken.places == (
        "desktop_app.core.plan -> desktop_app.ui.gauge",
        "desktop_app.storage.rows -> desktop_app.backends.wire",
    )


def test_rooms_do_not_know_each_other_and_what_serves_all_knows_none() -> None:
    broken = row(
        "imports between rooms of ui/",
        {
            "ui/shell/wiring.py": "from desktop_app.ui.gauge import view\nfrom desktop_app.ui.palette import pane\n",
            "ui/gauge/view.py": "from desktop_app.ui.widgets import button\nfrom desktop_app.ui.gauge import popover\n",
            "ui/gauge/popover.py": "a = 1\n",
            "ui/palette/pane.py": "from desktop_app.ui.gauge.view import a\nfrom desktop_app.ui.shell import wiring\n",
            "ui/widgets/button.py": "from desktop_app.ui.theme import colors\nfrom desktop_app.ui.gauge import view\n",
            "ui/theme/colors.py": "a = 1\n",
        },
    )
    assert broken.places == (
        "desktop_app.ui.palette.pane -> desktop_app.ui.gauge.view",
        "desktop_app.ui.palette.pane -> desktop_app.ui.shell.wiring",
        "desktop_app.ui.widgets.button -> desktop_app.ui.gauge.view",
    )


def test_class_names_are_compared_over_all_files_of_the_product() -> None:
    texts = {"core/one.py": "class Row: ...\n", "ui/list.py": "class Own: ...\nclass Outer:\n    class Row: ...\n"}
    assert row("class names defined twice", texts).places == (
        "Row: desktop_app/core/one.py:1, desktop_app/ui/list.py:3",
    )
    tests = {"tests/test_one.py": "class Fake: ...\n", "tests/test_two.py": "class Fake: ...\nclass Row: ...\n"}
    assert row("class names defined twice", tests).value == "0"
    assert row("the same in tests", texts | tests).value == "1"


def test_private_names_of_other_objects_count_in_tests() -> None:
    text = "pane._rows\nself._own\nsuper()._own\npane.view()._rows\nvalue._replace(a=1)\npane.__class__\nos._exit(0)\n"
    found = row("private names in tests", {"tests/test_pane.py": text, "core/one.py": "a._b\n"})
    assert found.places == ("tests/test_pane.py:1 pane._rows", "tests/test_pane.py:4 pane.view()._rows")


def test_a_test_reads_a_clock_itself_or_through_a_function_of_its_file() -> None:
    text = """
import time
def spent(act):
    before = time.perf_counter()
    act()
    return time.perf_counter() - before
def fast(act):
    return spent(act) < 1
def wait_for(act):
    end = time.monotonic() + 9
    while time.monotonic() < end and not act(): ...
def test_that_waits(): wait_for(print)
def test_through_two_functions(): assert fast(print)
async def test_by_itself(): assert loop.time() < 1
def test_without(): assert message.time()
"""
    assert [place.split()[1] for place in row("tests that read a clock", {"tests/test_speed.py": text}).places] == [
        "test_through_two_functions",
        "test_by_itself",
    ]
    assert row("tests that read a clock", {"tests/benchmarks/test_bench.py": text}).value == "0"


def test_the_same_figures_from_a_folder_and_from_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("desktop_app", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "values.py").write_text("a = 'ä'\n", "utf-8")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "One"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(house, "ROOT", tmp_path)
    assert house.place_of(str(tmp_path)) == tmp_path
    assert house.place_of("HEAD") == "HEAD"
    assert (
        house.texts("HEAD")
        == house.texts(tmp_path)
        == dict.fromkeys(["desktop_app/values.py", "tests/values.py"], "a = 'ä'\n")
    )


def test_check_names_what_has_to_be_zero_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(text: str) -> int:
        (tmp_path / "desktop_app" / "values.py").write_text(text, "utf-8")
        return house.main(["--check"])

    (tmp_path / "desktop_app").mkdir()
    (tmp_path / "pyproject.toml").write_bytes((house.ROOT / "pyproject.toml").read_bytes())
    monkeypatch.setattr(house, "ROOT", tmp_path)
    assert check("class Row: ...\n") == 0
    assert capsys.readouterr().out == ""
    assert check("class Row: ...\nclass Row: ...\n") == 1
    assert "Row: desktop_app/values.py:1, desktop_app/values.py:2" in capsys.readouterr().out
    (tmp_path / "desktop_app" / "late.py").write_text("from desktop_app import values\n", "utf-8")
    assert check("def read() -> None:\n    from desktop_app.late import values\n") == 1
    assert "desktop_app.late desktop_app.values" in capsys.readouterr().out


def test_two_states_stand_beside_each_other() -> None:
    figure = house.HouseFigure
    before = [figure("files", "654"), figure("lines", "90,799")]
    now = [figure("files", "5"), figure("lines", "80,000")]
    assert house.table([before, now], ["v1", "now"]).splitlines() == [
        "           v1     now",
        "files     654       5",
        "lines  90,799  80,000",
    ]

"""The pages that name a test for each of their rows name tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("docs/security.md", "docs/faults.md")
NAMED = re.compile(r"`(tests/[^`:]+\.py)(?:::(\w+))?`")


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_is_there(page: str) -> None:
    named = NAMED.findall((ROOT / page).read_text("utf-8"))
    assert len(named) > 20
    missing = [
        f"{file}::{name}" if name else file
        for file, name in named
        if not (ROOT / file).is_file() or (name and name not in functions_of(ROOT / file))
    ]
    assert missing == []


def test_every_row_about_safety_names_a_test() -> None:
    rows = [line for line in (ROOT / "docs/security.md").read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    assert [row for row in rows if not NAMED.search(row)] == []

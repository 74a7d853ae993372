"""Every kind of part has its row in the table, and no place that asks for the kind can forget one."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

from desktop_app.core.messages import PART_KINDS, Part, UnknownPart

SOURCES = Path(__file__).parents[2] / "desktop_app"
CLASSES = {part_class.__name__ for part_class in get_args(Part)}


def of_parts(match: ast.Match) -> bool:
    """Whether it asks what kind of part something is: of an event with a part in it, the pattern's class is another."""
    outermost = [
        pattern
        for case in match.cases
        for pattern in (case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern])
    ]
    return any(isinstance(one, ast.MatchClass) and ast.unparse(one.cls) in CLASSES for one in outermost)


def test_the_table_has_every_kind_once() -> None:
    assert {kind.part_class for kind in PART_KINDS.values()} == set(get_args(Part)) - {UnknownPart}
    assert all(kind.name == name for name, kind in PART_KINDS.items())
    for kind in PART_KINDS.values():
        names = {one.name for one in kind.fields}
        assert names >= {*kind.exported_first, *kind.always_exported, *kind.exported_together}


def test_each_match_over_parts_ends_in_assert_never() -> None:
    """So mypy names it when a kind is added."""
    found = [
        (path.relative_to(SOURCES).as_posix(), node)
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Match) and of_parts(node)
    ]
    assert found
    forgetful = [f"{name}:{node.lineno}" for name, node in found if "assert_never" not in ast.unparse(node.cases[-1])]
    assert forgetful == []

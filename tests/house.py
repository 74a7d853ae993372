"""`./dev house [--against REVISION|FOLDER] [--list] [--check]`: how easily things are found in the code, in figures.

It reads sources only, with `ast`. `--against` prints the figures of a git revision or another checkout beside those of
this one, `--list` names the places behind each figure, `--rooms [FOLDER]` prints the map: every module with what its
docstring says first, and `--check` ends with status 1 where circles, also those that
only a late import closes, class names defined more than once, upward imports or docstrings out of style are left. An
upward import breaks a contract of layers in `pyproject.toml`, as import-linter reads it; the rooms of `ui` are held to
`ROOM_RULE` besides.
"""

from __future__ import annotations

import argparse
import ast
import gc
import io
import re
import statistics
import subprocess
import sys
import tarfile
import tomllib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCT: Final = "desktop_app"
TESTS: Final = "tests"
UI: Final = "desktop_app/ui/"
SERVING: Final = (0, False)
FEATURE: Final = (1, True)
SHELL: Final = (2, False)
ROOM_RULE: Final = {"shell": SHELL, **dict.fromkeys(("widgets", "theme", "i18n", "state", "startup"), SERVING)}
"""The floors of the rooms of `ui`; any other room is a feature. What serves all knows no feature, a feature knows no
other and not the shell, and only the shell knows all."""
SHORT: Final = 80
DOCUMENTED: Final = frozenset({"_replace", "_asdict", "_fields", "_make", "_exit"})
"""Names that begin with a line and are public all the same: named tuples and `os._exit`."""
CLOCKS: Final = frozenset(
    {"perf_counter", "monotonic", "process_time", "thread_time", "clock_gettime", "getrusage", "QElapsedTimer"}
)
UNPLAIN: Final = re.compile(r"^(Owns|Knows|What|Whether|Where|How)\b|\bKnows (no|nothing|neither|only)\b|\banew\b")
"""A docstring says what a thing does, in the imperative or as a noun phrase."""

Graph = dict[str, set[str]]
Floors = dict[str, tuple[int, bool]]
"""Module -> how high it stands, and whether it must not know the others on that floor."""


@dataclass(frozen=True, slots=True)
class HouseFigure:
    """One row: its value as it is shown, and the places that it counts."""

    name: str
    value: str
    places: tuple[str, ...] = ()
    must_be_zero: bool = False


@dataclass(frozen=True)
class Source:
    """One file, parsed once: its path below the root, its module, its size, its nodes and its imports.

    Of an import it says whether it runs later than its module, or never: in a function, or for types only.
    """

    path: str
    module: str
    lines: int
    nodes: tuple[ast.AST, ...]
    imports: tuple[tuple[ast.Import | ast.ImportFrom, bool], ...]

    def at(self, node: ast.AST, words: str = "") -> str:
        return f"{self.path}:{getattr(node, 'lineno', 1)} {words}".rstrip()

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        return (node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


# ---- reading -------------------------------------------------------------------------------------------------------
def texts(place: Path | str) -> dict[str, str]:
    """Path below the root -> text, of every Python file of product and tests; `place` is a folder or a revision."""
    if isinstance(place, Path):
        files = sorted(path for top in (PRODUCT, TESTS) for path in (place / top).rglob("*.py"))
        return {path.relative_to(place).as_posix(): path.read_text("utf-8") for path in files}
    packed = subprocess.run(
        ["git", "archive", "--format=tar", place, PRODUCT, TESTS], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return {
            member.name: file.read().decode("utf-8")
            for member in archive
            if member.name.endswith(".py") and (file := archive.extractfile(member)) is not None
        }


def parsed(path: str, text: str) -> Source:
    """A file as all figures read it. A package's module is its folder's."""
    tree = ast.parse(text, path)
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return Source(path, module, text.count("\n"), tuple(ast.walk(tree)), tuple(import_statements(tree.body)))


def import_statements(
    statements: Iterable[ast.AST], late: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Every import in these statements and those inside them, with whether it runs late."""
    for node in statements:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, late
            continue
        in_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            inside = getattr(node, name, [])
            if isinstance(inside, list):  # a condition's value has one expression as its body
                yield from import_statements(inside, late or in_function or (for_types and name == "body"))


def import_lines(source: Source) -> int:
    """Lines that import statements take, those in brackets whole."""
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node, _ in source.imports)


# ---- imports -------------------------------------------------------------------------------------------------------
def imported(node: ast.Import | ast.ImportFrom, source: Source, known: Container[str]) -> set[str]:
    """The modules among `known` that this statement names, also those that `from package import` takes out of it."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names if alias.name in known}
    parts = source.module.split(".")
    above = parts[: len(parts) - node.level + source.path.endswith("/__init__.py")] if node.level else []
    origin = ".".join([*above, *([node.module] if node.module else [])])
    return {
        target
        for alias in node.names
        for target in [next((name for name in (f"{origin}.{alias.name}", origin) if name in known), "")]
        if target
    }


def import_graphs(sources: Sequence[Source]) -> tuple[Graph, Graph]:
    """Who imports whom: at module level, and with the late imports counted."""
    at_module_level: Graph = {source.module: set() for source in sources}
    with_late: Graph = {source.module: set() for source in sources}
    for source in sources:
        for node, late in source.imports:
            found = imported(node, source, with_late) - {source.module}
            with_late[source.module] |= found
            if not late:
                at_module_level[source.module] |= found
    return at_module_level, with_late


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one module, the largest first (Tarjan, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(sorted(graph[root])))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            if (following := next(rest, None)) is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    at = stack.index(node)
                    component = stack[at:]
                    del stack[at:]
                    on_stack.difference_update(component)
                    if len(component) > 1:
                        found.append(sorted(component))
            elif following not in number:
                number[following] = low[following] = len(number)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(sorted(graph[following]))))
            elif following in on_stack:
                low[node] = min(low[node], number[following])
    return sorted(found, key=lambda component: (-len(component), component))


# ---- contracts -----------------------------------------------------------------------------------------------------
def layers_of(pyproject: Mapping[str, Any]) -> list[tuple[str, Floors]]:
    """Of every contract of layers: each container with the floors of its modules."""
    return [
        (
            container,
            {
                name.strip("() "): (floor, ":" not in row)
                for floor, row in enumerate(reversed(contract["layers"]))
                for name in row.replace(":", "|").split("|")
            },
        )
        for contract in pyproject["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
        for container in contract.get("containers", [""])
    ]


def below(module: str, container: str) -> str:
    """The room of a module in this container: the first name below it; empty where there is none."""
    inside = module.removeprefix(f"{container}." if container else "")
    return "" if container and inside == module else inside.split(".")[0]


def broken_imports(graph: Graph, container: str, floors: Floors) -> list[str]:
    """Imports that lead to a higher floor, or to another room on the same where rooms of it do not know each other."""
    return sorted(
        f"{module} -> {target}"
        for module, targets in graph.items()
        for target in targets
        for room, other in [(below(module, container), below(target, container))]
        if room != other and room in floors and other in floors
        if floors[other][0] > floors[room][0] or (floors[other] == floors[room] and floors[room][1])
    )


def floors_of_ui(graph: Graph) -> Floors:
    """The floors of the rooms of `ui`, by `ROOM_RULE`; loose files are in no room."""
    inside = (module.split(".") for module in graph if module.startswith("desktop_app.ui."))
    rooms = {parts[2] for parts in inside if len(parts) > 3}
    return {room: ROOM_RULE.get(room, FEATURE) for room in rooms}


# ---- names and clocks ----------------------------------------------------------------------------------------------
def repeated_modules(modules: Iterable[Source]) -> list[str]:
    """Names of files that stand in more than one room."""
    places = defaultdict(list)
    for source in modules:
        places[source.module.split(".")[-1]].append(source.path)
    return [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]


def repeated_classes(sources: Sequence[Source]) -> list[str]:
    """Class names that are defined more than once, each with its files."""
    places = defaultdict(list)
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(source.at(node))
    return [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]


def is_foreign_private_name(node: ast.AST) -> bool:
    """`x._y`, with `x` not `self`, `cls` or `super()`."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and node.attr not in DOCUMENTED
        and ast.unparse(node.value) not in ("self", "cls", "super()")
    )


def reads_clock(node: ast.AST) -> bool:
    """Whether this is a clock's name; one that tells the time of day does not count."""
    if isinstance(node, ast.Attribute) and node.attr in ("time", "time_ns"):
        return ast.unparse(node.value) in ("time", "loop", "asyncio.get_running_loop()", "asyncio.get_event_loop()")
    return name_of(node).removesuffix("_ns") in CLOCKS


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def tests_with_clocks(source: Source) -> list[str]:
    """Tests that read a clock themselves or by a function of their own file; a wait with a deadline does not count."""
    clocks = {node for node in source.nodes if reads_clock(node)}
    if not clocks:
        return []
    inside = {function: set(ast.walk(function)) for function in source.functions()}
    waits = {node for node in source.nodes if isinstance(node, ast.While) and clocks & set(ast.walk(node.test))}
    reading = {function for function, nodes in inside.items() if nodes & clocks and not nodes & waits}
    while more := {
        function
        for function in inside.keys() - reading
        if {name_of(node) for node in inside[function]} & {reader.name for reader in reading}
    }:
        reading |= more
    found = (function for function in reading if function.name.startswith("test"))
    return [source.at(function, function.name) for function in sorted(found, key=lambda one: one.lineno)]


# ---- English -------------------------------------------------------------------------------------------------------
def unplain_docstrings(source: Source) -> list[str]:
    """Strings that document something whose first paragraph is of a form that `UNPLAIN` has."""
    found = []
    for node in source.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            first = " ".join(node.value.value.split("\n\n")[0].split())
            if UNPLAIN.search(first):
                found.append(source.at(node, first[:60]))
    return found


# ---- the table -----------------------------------------------------------------------------------------------------
def components(name: str, graph: Graph, must_be_zero: bool = False) -> HouseFigure:
    found = circles(graph)
    value = f"{len(found)} ({', '.join(str(len(one)) for one in found[:4])} modules)" if found else "0"
    return HouseFigure(name, value, tuple(" ".join(one) for one in found), must_be_zero)


def figures(read: Mapping[str, str], layers: Sequence[tuple[str, Floors]]) -> list[HouseFigure]:
    """All rows for the sources of one state of the repository."""
    sources = [parsed(path, text) for path, text in read.items()]
    product = [source for source in sources if source.path.startswith(f"{PRODUCT}/") and source.lines]
    tests = [source for source in sources if source.path.startswith(f"{TESTS}/")]
    lengths = sorted(source.lines for source in product)
    largest = max(product, key=lambda source: source.lines)
    modules = [source for source in product if not source.path.endswith("/__init__.py")]
    at_module_level, with_late = import_graphs(product)

    def counted(name: str, places: Iterable[str], must_be_zero: bool = False) -> HouseFigure:
        found = tuple(places)
        return HouseFigure(name, f"{len(found):,}", found, must_be_zero)

    return [
        HouseFigure("files", f"{len(lengths):,}"),
        HouseFigure("lines", f"{sum(lengths):,}"),
        HouseFigure("AST nodes", f"{sum(len(source.nodes) for source in product):,}"),
        HouseFigure("median", f"{statistics.median(lengths):.0f}"),
        HouseFigure("90th percentile", str(lengths[int(len(lengths) * 0.9)])),
        HouseFigure("largest", str(largest.lines), (largest.path,)),
        counted(f"modules under {SHORT} lines", [source.path for source in modules if source.lines < SHORT]),
        counted("modules loose in ui/", [s.path for s in modules if s.path.startswith(UI) and s.path.count("/") == 2]),
        HouseFigure(
            "import lines in 100", f"{100 * sum(import_lines(source) for source in product) / sum(lengths):.2f}"
        ),
        counted("imports that run late", [s.at(node) for s in product for node, late in s.imports if late]),
        components("circles at module level", at_module_level, must_be_zero=True),
        components("circles with late imports", with_late, must_be_zero=True),
        counted(
            "upward imports", [p for layer in layers for p in broken_imports(with_late, *layer)], must_be_zero=True
        ),
        counted("imports between rooms of ui/", broken_imports(with_late, "desktop_app.ui", floors_of_ui(with_late))),
        counted("class names defined twice", repeated_classes(product), must_be_zero=True),
        counted("module names twice", repeated_modules(modules)),
        counted("docstrings out of style", [p for s in product for p in unplain_docstrings(s)], must_be_zero=True),
        counted("the same in tests", repeated_classes(tests)),
        counted("set_theme definitions", [s.at(f) for s in product for f in s.functions() if f.name == "set_theme"]),
        counted(
            "private names in tests",
            [s.at(node, ast.unparse(node)) for s in tests for node in s.nodes if is_foreign_private_name(node)],
        ),
        counted(
            "tests that read a clock",  # benches are there to measure
            [place for s in tests if "/benchmarks/" not in s.path for place in tests_with_clocks(s)],
        ),
    ]


def table(columns: Sequence[Sequence[HouseFigure]], heads: Sequence[str]) -> str:
    """The rows beside each other; the first column is what the others are compared with."""
    rows = [["", *heads]] + [[row[0].name, *(figure.value for figure in row)] for row in zip(*columns, strict=True)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    )


def room_map(read: Mapping[str, str], folder: str) -> str:
    """Each module below a folder of the product, by room: its name, its lines, and its docstring's first sentence.

    That of a package stands beside its folder; an `__init__` is named only where it defines something, with that.
    """
    told = [] if folder else ["One folder alone: ./dev house --rooms FOLDER, such as ui/composer"]
    room = ""
    for path, text in sorted(read.items(), key=lambda one: (one[0].rpartition("/")[0], one[0])):
        within, _, name = path.rpartition("/")
        if not within.startswith(f"{PRODUCT}/{folder}".rstrip("/")):
            continue
        tree = ast.parse(text)
        says = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
        if within != room:
            told.append(f"{chr(10) if told else ''}{within}/  {says if name == '__init__.py' else ''}".rstrip())
            room = within
        if name == "__init__.py" and not (says := ", ".join(defined(tree))):
            continue
        told.append(f"  {name.removesuffix('.py'):<24}{text.count(chr(10)):>4}  {says}")
    return "\n".join(told)


def defined(tree: ast.Module) -> list[str]:
    """The names that a module makes, without those that it imports."""
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            found += [name_of(target) for target in (node.targets if isinstance(node, ast.Assign) else (node.target,))]
    return found


def place_of(word: str) -> Path | str:
    """A folder where there is one of that name, else a revision."""
    return Path(word) if (Path(word) / PRODUCT).is_dir() else word


def main(arguments: Sequence[str]) -> int:
    """Prints the figures; the exit status says whether those that must be 0 are."""
    parser = argparse.ArgumentParser(prog="./dev house", description="How easily things are found in the code.")
    parser.add_argument(
        "--against", metavar="PLACE", help="a git revision or another checkout to print beside this one"
    )
    parser.add_argument("--list", action="store_true", help="name the places behind each figure")
    parser.add_argument(
        "--rooms",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="print the modules, by room; of one FOLDER alone: ui/composer",
    )
    parser.add_argument("--check", action="store_true", help="say only what has to be 0 and is not; then end with 1")
    if (wish := parser.parse_args(arguments)).rooms is not None:
        print(room_map({path: text for path, text in texts(ROOT).items() if path.startswith(PRODUCT)}, wish.rooms))
        return 0
    layers = layers_of(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8")))
    now = figures(texts(ROOT), layers)
    broken = [figure for figure in now if figure.must_be_zero and figure.places]
    if wish.check:
        shown = broken
    else:
        columns, heads = [now], ["now"]
        if wish.against:
            columns, heads = [figures(texts(place_of(wish.against)), layers), now], [wish.against, "now"]
        print(table(columns, heads))
        shown = [figure for figure in now if figure.places] if wish.list else []
    for figure in shown:
        print(f"\n{figure.name}: {figure.value}")
        print("\n".join(f"  {place}" for place in figure.places))
    return 1 if wish.check and broken else 0


if __name__ == "__main__":
    gc.disable()  # a million nodes and no garbage: the collector would take half of the time
    sys.exit(main(sys.argv[1:]))

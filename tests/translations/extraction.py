"""Owns which texts the window shows: reads them out of the code. Knows no translation.

Found are `self.tr("...")` under the name of the class where it is written (which Qt looks through from the object's own
class upwards), `tr("...")` of a module under the context that the module's function names, and `phrase("...")` of the
other rooms under `Phrases`. A text that is no literal must be one of a table: a module's constant, or one of `TABLES`.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGE: Final = ROOT / "desktop_app"
PHRASES: Final = "Phrases"


def _actions() -> list[str]:
    from desktop_app.ui.shortcuts.actions import ROWS

    return [row.words for row in ROWS]


def _meanings() -> list[str]:
    from desktop_app.core.settings import KEYS

    return [key.meaning for key in KEYS]


TABLES: Final[Mapping[tuple[str, str], Callable[[], Sequence[str]]]] = {
    ("ui/shortcuts/actions.py", "row.words"): _actions,
    ("ui/preferences/setting_words.py", "key.meaning"): _meanings,
}
"""Texts that stand in tables of other values: the module and the expression that shows them, and how to list them."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text to translate. `one`: its form for a count of 1, where the text is counted by `{count}`."""

    context: str
    source: str
    one: str = ""
    places: frozenset[str] = field(default=frozenset(), compare=False)


class UnreadableTextError(ValueError):
    """A text that is shown but can't be found in the code, named by file and line."""


def extracted(package: Path = PACKAGE) -> tuple[Text, ...]:
    """Every text, each once, by context and text. `UnreadableTextError` naming all that can't be read."""
    modules = Modules(package)
    found: dict[tuple[str, str], Text] = {}
    wrong: list[str] = []
    for path in sorted(package.rglob("*.py")):
        reader = _Reader(modules, path)
        reader.visit(modules.tree(path))
        wrong += reader.wrong
        for text in reader.texts:
            key = text.context, text.source
            known = found.get(key)
            if known is not None and known.one != text.one:
                wrong.append(
                    f"{min(text.places)}: {text.source!r} has another form for one than in {min(known.places)}"
                )
            places = text.places | (known.places if known is not None else frozenset())
            found[key] = Text(text.context, text.source, text.one, places)
    if wrong:
        raise UnreadableTextError("\n".join(wrong))
    return tuple(found[key] for key in sorted(found))


class Modules:
    """The package's modules, each parsed once."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self._trees: dict[Path, ast.Module] = {}
        self._contexts: dict[Path, Mapping[str, str]] = {}
        self._constants: dict[Path, Mapping[str, ast.expr]] = {}

    def tree(self, path: Path) -> ast.Module:
        if path not in self._trees:
            self._trees[path] = ast.parse(path.read_text("utf-8"), str(path))
        return self._trees[path]

    def path_of(self, name: str | None) -> Path | None:
        """The file of a module of the package."""
        parts = (name or "").split(".")
        if parts[0] != self.package.name:
            return None
        place = self.package.joinpath(*parts[1:])
        return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)

    def contexts(self, path: Path) -> Mapping[str, str]:
        """What the module's own functions translate under: `{"_tr": "Cards"}`."""
        if path not in self._contexts:
            self._contexts[path] = self._contexts_in(path)
        return self._contexts[path]

    def _contexts_in(self, path: Path) -> dict[str, str]:
        made = {}
        for node in self.tree(path).body:
            if not isinstance(node, ast.FunctionDef) or not node.args.args:
                continue
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and _dotted(inner.func).endswith(".translate"):
                    context, said = [*inner.args, None, None][:2]
                    own = isinstance(said, ast.Name) and said.id == node.args.args[0].arg
                    if own and isinstance(context, ast.Constant):
                        made[node.name] = str(context.value)
        return made

    def constants(self, path: Path) -> Mapping[str, ast.expr]:
        """The module's own constants."""
        if path not in self._constants:
            self._constants[path] = self._constants_in(path)
        return self._constants[path]

    def _constants_in(self, path: Path) -> dict[str, ast.expr]:
        made: dict[str, ast.expr] = {}
        for node in self.tree(path).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                made[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                made[node.target.id] = node.value
        return made

    def imported(self, path: Path) -> Iterator[tuple[str, Path, str]]:
        """Name here, file, name there; an empty name there stands for the module itself."""
        for node in self.tree(path).body:
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                module = self.path_of(f"{node.module}.{alias.name}")
                there = self.path_of(node.module)
                if module is not None:
                    yield alias.asname or alias.name, module, ""
                elif there is not None:
                    yield alias.asname or alias.name, there, alias.name


class _Reader(ast.NodeVisitor):
    """Walks one module."""

    def __init__(self, modules: Modules, path: Path) -> None:
        self.texts: list[Text] = []
        self.wrong: list[str] = []
        self._path = path
        self._name = path.relative_to(modules.package).as_posix()
        self._classes: list[str] = []
        self._functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self._own = modules.contexts(path)
        self._contexts = dict(self._own)
        self._constants = dict(modules.constants(path))
        for here, file, there in modules.imported(path):
            if there:
                if (context := modules.contexts(file).get(there)) is not None:
                    self._contexts[here] = context
                if (constant := modules.constants(file).get(there)) is not None:
                    self._constants.setdefault(here, constant)
            else:
                self._contexts |= {f"{here}.{name}": context for name, context in modules.contexts(file).items()}

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._classes.append(node.name)
        self.generic_visit(node)
        self._classes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if not self._classes and not self._functions and node.name in self._own:
            return
        self._functions.append(node)
        self.generic_visit(node)
        self._functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the visitor's own name

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        called = _dotted(node.func)
        if called == "template":
            self._take(node, PHRASES, node.args[0])
        elif called == "phrase":
            self._take_phrase(node)
        elif called == "Phrase" and isinstance(node.args[0], ast.Constant | ast.JoinedStr):
            self._refuse(node, "a literal is made a phrase by phrase()")
        elif called in ("QCoreApplication.translate", "translate"):
            context = node.args[0]
            if isinstance(context, ast.Constant):
                self._take(node, str(context.value), node.args[1])
            elif not isinstance(context, ast.Name) or context.id != "PHRASES":
                self._refuse(node, "the context is no literal")
        elif called in self._contexts and node.args:
            self._take(node, self._contexts[called], node.args[0])
        elif called.endswith(".tr") and node.args:
            context_name = self._class_of(called.removesuffix(".tr"))
            if context_name:
                self._take(node, context_name, node.args[0])
            else:
                self._refuse(node, "the class of what translates is not named")

    def _take(self, node: ast.Call, context: str, argument: ast.expr) -> None:
        sources = self._strings(argument)
        if sources is None:
            self._refuse(node, "the text is no literal and in no table")
            return
        place = frozenset({self._name})
        self.texts += [Text(context, source, "", place) for source in sources if _says_something(source)]

    def _take_phrase(self, node: ast.Call) -> None:
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        templates = self._strings(node.args[0]) if node.args else None
        ones = self._strings(named["one"]) if "one" in named else [""]
        if not templates or not ones or len(ones) != 1:
            self._refuse(node, "the phrase's template is no literal")
            return
        given = frozenset(name for name in named if name is not None)
        for template in templates:
            filled = (fields(template) | fields(ones[0])) - {"count"}
            if None not in named and filled != given - {"one", "count"}:
                self._refuse(node, f"fields and values differ in {template!r}")
            if _says_something(template):
                self.texts.append(Text(PHRASES, template, ones[0], frozenset({self._name})))

    def _strings(self, node: ast.expr, depth: int = 0) -> list[str] | None:
        """The texts that an expression may stand for; None where that can't be seen."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp():
                return self._all(node.body, node.orelse)
            case ast.BoolOp():
                return self._all(*node.values)
            case ast.Subscript() | ast.Name() | ast.Attribute() | ast.Call() if depth < 4:
                table = TABLES.get((self._name, ast.unparse(node)))
                return list(table()) if table is not None else self._constant(node, depth)
            case _:
                return None

    def _constant(self, node: ast.expr, depth: int) -> list[str] | None:  # noqa: PLR0911
        match node:
            case ast.Name(id=name):
                assigned = self._assigned(name)
                if len(assigned) == 1:
                    return self._strings(assigned[0], depth + 1)
                return _within(self._constants[name]) if name in self._constants and not assigned else None
            case ast.Subscript(value=ast.Dict() as table):
                return _within(table)
            case ast.Subscript(value=ast.Name(id=name)):
                return _within(self._constants[name]) if name in self._constants else None
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
                return _within(self._constants[name]) if name in self._constants else None
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))), attr="get")):
                return _within(self._constants[name]) if name in self._constants else None
            case _:
                return None

    def _assigned(self, name: str) -> list[ast.expr]:
        """What the function around assigns to a name."""
        if not self._functions:
            return []
        made: list[ast.expr] = []
        for node in ast.walk(self._functions[-1]):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    made.append(value)
                case ast.NamedExpr(target=ast.Name(id=target), value=value) if target == name:
                    made.append(value)
                case ast.For(target=ast.Name(id=target), iter=value) if target == name:
                    made.append(value)
                case _:
                    pass
        return made

    def _all(self, *nodes: ast.expr) -> list[str] | None:
        found: list[str] = []
        for node in nodes:
            strings = self._strings(node)
            if strings is None:
                return None
            found += strings
        return found

    def _class_of(self, name: str) -> str:
        """The class that stands before `.tr`: the one around, or the annotation of the parameter of that name."""
        if name == "self":
            return self._classes[-1] if self._classes else ""
        for function in reversed(self._functions):
            for argument in function.args.args + function.args.kwonlyargs:
                if argument.arg == name and argument.annotation is not None:
                    return ast.unparse(argument.annotation).strip("'\"").rpartition(".")[2]
        return ""

    def _refuse(self, node: ast.expr, why: str) -> None:
        self.wrong.append(f"{self._name}:{node.lineno}: {why}: {ast.unparse(node)[:100]}")


def _dotted(node: ast.expr) -> str:
    """`self.tr`, `figures.tr`; "" for what is no name."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
        case _:
            return ""


def fields(template: str) -> frozenset[str]:
    """The names of a template's `{fields}`."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


def _says_something(template: str) -> bool:
    """Whether anything but fields stands in it."""
    return any(literal.strip() for literal, _, _, _ in string.Formatter().parse(template))


def _within(node: ast.expr) -> list[str] | None:
    """The texts of a constant: itself, a list's elements, a mapping's values, also nested."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Dict(values=values):
            inner = [_within(value) for value in values]
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            inner = [_within(element) for element in elements]
        case ast.Call(args=[argument]):
            return _within(argument)
        case _:
            return None
    return [text for texts in inner for text in texts or ()]

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app import __version__
from desktop_app.cli.options import (
    AskOptions,
    ChatOptions,
    ContextOptions,
    ExportOptions,
    ImportOptions,
    Invocation,
    ModelsOptions,
    ShowOptions,
    TurnOptions,
    UsageOptions,
)
from desktop_app.cli.parser import parse
from desktop_app.cli.window_arguments import parse_window
from desktop_app.window_options import WindowOptions
from tests.patience import PATIENCE_S


def test_without_a_subcommand_the_window_is_meant() -> None:
    assert parse([]) == WindowOptions()
    line = "--data-dir d --backend scripted --open abc --quick --safe-mode --reset-layout"
    assert parse(line.split()) == WindowOptions("d", "scripted", "abc", True, True, True)


@pytest.mark.parametrize("line", ["--data-dir d ask hi", "ask --data-dir d hi", "ask hi --data-dir d"])
def test_the_data_folder_may_stand_before_or_after_the_subcommand(line: str) -> None:
    assert parse(line.split()) == Invocation("d", AskOptions(TurnOptions(), "hi"))


def test_the_options_of_each_command() -> None:
    turn = TurnOptions("t", "b", "m", "s", json=True)
    options = ["--thread", "t", "--backend", "b", "--model", "m", "--system", "s", "--json"]
    assert parse(["ask", *options, "-"]) == Invocation(None, AskOptions(turn, "-"))
    assert parse(["ask"]) == Invocation(None, AskOptions(TurnOptions(), None))
    assert parse(["chat", *options]) == Invocation(None, ChatOptions(turn))
    assert parse(["show", "t", "--all", "--json"]) == Invocation(None, ShowOptions("t", whole_tree=True, json=True))
    assert parse(
        ["context", "t", "--draft", "d", "--backend", "b", "--model", "m", "--request", "--json"]
    ) == Invocation(None, ContextOptions("t", "d", "b", "m", request=True, json=True))
    assert parse(["import", "a", "b", "--json"]) == Invocation(None, ImportOptions(("a", "b"), json=True))
    assert parse(["export", "t", "u", "--format", "json", "--output", "o"]) == Invocation(
        None, ExportOptions(("t", "u"), "json", "o")
    )
    assert parse(["export", "t", "--format", "pdf", "--no-details", "--attached", "--output", "o"]) == Invocation(
        None, ExportOptions(("t",), "pdf", "o", details=False, attached=True)
    )
    assert parse(["export", "--all", "--format", "markdown", "--output", "o"]) == Invocation(
        None, ExportOptions(None, "markdown", "o")
    )
    assert parse(["usage", "--json"]) == Invocation(None, UsageOptions(json=True))
    assert parse(["models"]) == Invocation(None, ModelsOptions())
    assert parse(["models", "--backend", "b", "--json"]) == Invocation(None, ModelsOptions("b", json=True))


def test_text_that_looks_like_an_option_follows_two_dashes() -> None:
    assert parse(["ask", "--", "--version"]) == Invocation(None, AskOptions(TurnOptions(), "--version"))


@pytest.mark.parametrize(
    "line",
    [
        "models m",
        "search",
        "search x --limit 0",
        "usage m",
        "project",
        "project lists",
        "project add Shop",
        "ask hi --attach",
        "ask --project p --thread t hi",
        "ask hello world",
        "ask --thr t hi",
        "show",
        "import",
        "export --format json --output o",
        "export t --all --format json --output o",
        "export t --format docx --output o",
        "--data-dir",
        "--data-dir= ask hi",
        "ask --attach= hi",
        "chat --attach a.txt --attach=",
        "ask --backend= hi",
        "import a.zip ",
        "project add Shop ",
        "project follow Shop ",
        "export t --format json --output=",
        "ask \udcff",
    ],
)
def test_what_is_not_understood_exits_with_2_and_says_what(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        parse(line.split(" "))
    assert leaving.value.code == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("plimsoll: ")
    assert "--help" in streams.err


def test_help_tells_the_commands_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        parse(["--help"])
    assert leaving.value.code == 0
    text = capsys.readouterr().out
    assert all(
        f"    {name} " in text
        for name in (
            *("ask", "chat", "threads", "show", "search", "context", "import", "export", "usage", "models"),
            *("project", "artifact"),
        )
    )


def test_the_version_is_printed_without_loading_anything() -> None:
    program = (
        "import sys; from desktop_app.__main__ import main; status = main(['--version']);"
        "heavy = {'argparse', 'asyncio', 'PySide6', 'sqlmodel', 'anthropic', 'keyring'} & set(sys.modules);"
        "print(sorted(heavy)); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert done.stdout == f"plimsoll {__version__}\n[]\n"


HEAVY = {"PySide6", "anthropic", "openai", "keyring", "sqlmodel", "sqlalchemy", "pydantic"}
SENDING = {
    "desktop_app.composition",
    "desktop_app.controller.chat",
    "desktop_app.core.context.plan",
    "desktop_app.core.context.planner",
    "desktop_app.core.events",
}


@pytest.mark.parametrize(
    ("line", "unwanted"),
    [
        *((line, HEAVY | SENDING) for line in ("threads", "threads --json", "show {id} --json", "search hi --json")),
        *((line, HEAVY) for line in ("show {id}", "context {id} --json", "usage --json", "ask more --thread {id}")),
    ],
)
def test_a_command_loads_only_what_it_needs(line: str, unwanted: set[str], tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[backend]\ndefault = "scripted"\n')
    program = (
        "import sys; from desktop_app.__main__ import main; status = main(sys.argv[1:]);"
        "print(status, *sys.modules, sep='\\n', file=sys.stderr)"
    )

    def run(*arguments: str) -> tuple[str, list[str]]:
        done = subprocess.run(
            [sys.executable, "-c", program, "--data-dir", str(tmp_path), *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=True,
        )
        return done.stdout, done.stderr.splitlines()

    run("ask", "hi")
    (thread,) = json.loads(run("threads", "--json")[0])
    _, loaded = run(*(word.format(id=thread["id"]) for word in line.split()))
    assert "0" in loaded
    assert "desktop_app.storage.thread_store" in loaded
    assert not unwanted & set(loaded)


@pytest.mark.parametrize("line", ["", "--data-dir d --backend scripted --open abc --quick --safe-mode --reset-layout"])
def test_the_windows_own_grammar_reads_what_the_whole_one_reads(line: str) -> None:
    assert parse_window(line.split()) == parse(line.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "hi"],
        ["--help"],
        ["--version"],
        ["--back", "x"],
        ["--data-dir"],
        ["--data-dir", ""],
        ["--open", "\udcff"],
        ["x"],
    ],
)
def test_the_windows_own_grammar_leaves_the_rest_alone(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse_window(arguments) is None
    assert capsys.readouterr() == ("", "")

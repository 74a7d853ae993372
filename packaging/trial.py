"""The trial of a built or installed Plimsoll: `python packaging/trial.py PROGRAM [--beside .venv/bin/plimsoll]`.

It starts the program as a stranger would, in an empty home without a screen, and raises if anything is not as it must
be: resources, each process that the app starts of itself, files and pictures it reads, answers, and the window.
`--beside` only compares its start with another program's, both in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import json
import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil

from desktop_app.composition import compose
from desktop_app.documents.file_opening import PROJECT
from desktop_app.documents.text_extraction import FORMATS
from desktop_app.documents.zipped_documents import docx_text
from desktop_app.paths import DataPaths
from desktop_app.system.own_processes import CHECK_SPELLING, READ_DOCUMENTS, READ_PROJECTS, TYPESET_FORMULAS
from tests.documents.files import docx, paragraph, pdf
from tests.documents.office_files import xlsx
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import Answer, MessagesApi

WINDOW_TIMEOUT_S: Final = 60
RUN_TIMEOUT_S: Final = 120
TABLE: Final = r"\begin{pmatrix} \frac{-b\pm\sqrt{b^2-4ac}}{2a} & \text{Grüße} \\ \sum_{n=1}^\infty & 速 \end{pmatrix}"


class Trial:
    """A program and the home it is tried in."""

    def __init__(self, program: Path, home: Path) -> None:
        self.program = str(program)
        self.command = [self.program, "--data-dir", str(home / "data")]
        self.home = home
        self.environ = {"HOME": str(home), "PATH": os.defpath, "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}

    def run(self, *arguments: str | Path, ends_with: Sequence[int] = (0,)) -> str:
        """What it prints."""
        done = subprocess.run(
            [*self.command, *map(str, arguments)],
            env=self.environ,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_S,
            check=False,
        )
        if done.returncode not in ends_with:
            raise SystemExit(f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def ask_part(self, part: str, *orders: Mapping[str, Any]) -> Iterator[Any]:
        """What one of the app's processes answers to each order."""
        command = [self.program, part]
        with subprocess.Popen(
            command, env=self.environ, cwd=self.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for order in orders:
                print(json.dumps(order), file=process.stdin, flush=True)
                line = process.stdout.readline()
                require(line, f"{part} ended without an answer")
                yield json.loads(line)


def require(condition: object, what: str) -> None:
    """Ends the trial with `what` unless the condition holds."""
    if not condition:
        raise SystemExit(what)


def try_program(program: Path, *, libraries: bool, local_model: bool) -> None:
    """The whole trial; prints what it saw. `libraries`: those of the providers came along; `local_model`: it, too."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-trial-") as home:
        trial = Trial(program, Path(home))
        print("version:", trial.run("--version").strip())
        checks = {
            check["name"]: check for check in json.loads(trial.run("doctor", "--json", ends_with=(0, 1, 3)))["checks"]
        }
        require(checks["resources"]["ok"], f"resources: {checks['resources']['detail']}")
        _try_answer(trial)
        _try_formulas(trial)
        _try_spelling(trial)
        _try_files(trial)
        _try_project(trial)
        _try_artifact(trial)
        _try_export(trial)
        if libraries:
            _try_servers(trial)
        local = checks["backend local"]
        if local_model:
            require(local["ok"], f"local model: {local['detail']}")
            _try_local_model(trial)
        elif libraries:
            require(not local["ok"] and "Choose a GGUF file" in local["detail"], f"local model: {local}")
        _try_window(trial)


def _try_answer(trial: Trial) -> None:
    answer = trial.run("ask", "--backend", "scripted", "Does the package talk?")
    require("Does the package talk?" in answer, f"the scripted backend did not answer: {answer!r}")
    print("scripted answer:", answer.strip().splitlines()[0])


def _try_formulas(trial: Trial) -> None:
    (outline,) = trial.ask_part(TYPESET_FORMULAS, {"tex": TABLE, "display": True})
    require("failed" not in outline, f"formulas: {outline}")
    require(len(outline["path"]) > 1_000, f"formulas: only {len(outline['path'])} parts of a large one")
    require([letter[-1] for letter in outline["letters"]] == ["速"], f"formulas: letters {outline['letters']}")
    print("formulas:", len(outline["path"]), "parts of an outline")


def _try_spelling(trial: Trial) -> None:
    own = {"own": str(trial.home / "dictionaries"), "words": str(trial.home / "words.txt")}
    opening = {"do": "open", **own, "languages": ["en_US"], "system": [], "open": True}
    looking = {"do": "check", "words": ["sentence", "sentense"]}
    suggesting = {"do": "suggest", "word": "sentense"}
    opened, looked, suggested = trial.ask_part(CHECK_SPELLING, opening, looking, suggesting)
    require(opened["used"] == ["en_US"] and not opened["problem"], f"spelling: {opened}")
    require(looked["wrong"] == ["sentense"], f"spelling: {looked}")
    require("sentence" in suggested["suggestions"], f"spelling: {suggested}")
    print("spelling:", suggested["suggestions"])


def _try_files(trial: Trial) -> None:
    """Files of every kind: the words in them are found in the history, each picture is there."""
    import pypdf
    from PIL import Image

    locked = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("Portsmouth is named in a PDF that is encrypted.")))
    locked.encrypt("", "owner", algorithm="AES-256")
    encrypted = io.BytesIO()
    locked.write(encrypted)
    made = {
        "a.pdf": pdf("Whitstable is named in a PDF that anybody may read."),
        "b.pdf": encrypted.getvalue(),
        "c.docx": docx(paragraph("Faversham is named in a Word document.")),
        "d.txt": "Großbüllesheim is named in Windows' letters.".encode("cp1252"),
        "e.xlsx": xlsx(Ports=[["Name"], ["Sheerness"]]),
        "f.rtf": rb"{\rtf1\ansi Ramsgate is named in Rich Text.}",
    }
    for form in FORMATS:
        picture = io.BytesIO()
        Image.new("RGB", (16, 16), "orange").save(picture, form)
        made[f"picture.{form.lower()}"] = picture.getvalue()
    attached: list[str | Path] = []
    for name, data in made.items():
        file = trial.home / name
        file.write_bytes(data)
        attached += ["--attach", file]
    (drawn,) = trial.ask_part(
        READ_DOCUMENTS, {"read": "diagram", "name": "Flow", "data": "flowchart\n a-->b", "scale": 1}
    )
    require(base64.b64decode(drawn.get("data", "")).startswith(b"\x89PNG"), f"files: no diagram: {drawn}")
    answer = trial.run("ask", "--backend", "scripted", *attached, "Look at these")
    require(answer.count("[document]") == 6 and answer.count("[image]") == len(FORMATS), f"files: {answer}")
    named = "Whitstable Portsmouth Faversham Großbüllesheim Sheerness Ramsgate"
    require("Look at these" in trial.run("search", named), f"files: one of {named} was not read")
    print("files:", ", ".join(made))


def _try_project(trial: Trial) -> None:
    """The documents of `_try_files`, read once more by the process of projects, and a page as it looks."""
    names = ("a.pdf", "b.pdf", "c.docx", "d.txt", "e.xlsx", "f.rtf")
    told = trial.run("project", "add", "Ports", *(trial.home / name for name in names))
    require(f"{len(names)} documents read" in told, f"project: {told}")
    page = {"read": "page", "name": "a.pdf", "path": str(trial.home / "a.pdf"), "page": 1, "width": 200}
    (seen,) = trial.ask_part(READ_PROJECTS, page)
    require(base64.b64decode(seen.get("data", "")).startswith(b"\x89PNG"), f"project: page 1 of a.pdf: {seen}")
    print("project:", told.strip())


def _try_artifact(trial: Trial) -> None:
    """A document that is kept beside a thread, as PDF and as Word document."""
    thread, *_ = json.loads(trial.run("threads", "--json"))

    async def keep() -> str:
        services = await compose(DataPaths(trial.home / "data").make(), environ={})
        try:
            kept = await services.artifacts.create(thread["id"], "Ports", "# Ports\n\n| Name |\n| --- |\n| Deal |\n")
            return kept.id
        finally:
            await services.close()

    kept = asyncio.run(keep())
    for form in ("pdf", "docx"):
        trial.run("artifact", "export", kept, "--format", form, "--output", trial.home / f"ports.{form}")
    require((trial.home / "ports.pdf").read_bytes().startswith(b"%PDF"), "artifact: no PDF")
    require("| Deal |" in docx_text((trial.home / "ports.docx").read_bytes(), PROJECT), "artifact: no Word document")
    print("artifact: exported as PDF and as Word document")


def _try_export(trial: Trial) -> None:
    """A thread in every format: its formula and code are typeset, its pages hold text and lead to its messages."""
    import pypdf

    trial.run("ask", "--backend", "scripted", "Print $x^2$ and\n```python\ndef f(): pass\n```")
    for form, ending in {"markdown": "md", "html": "html", "pdf": "pdf", "json": "json"}.items():
        trial.run("export", "--all", "--format", form, "--output", trial.home / f"all.{ending}")
    page = (trial.home / "all.html").read_text("utf-8")
    require('<svg class="formula"' in page, "export: no formula in the page")
    require('<span class="keyword">def</span>' in page, "export: code without colors")
    document = pypdf.PdfReader(trial.home / "all.pdf")
    text = "".join(sheet.extract_text() for sheet in document.pages)
    require("I was sent 1 message." in text, "export: no text in the PDF")
    require(len(document.outline) > 0, "export: no outline in the PDF")
    print("export: Markdown, HTML, JSON and", len(document.pages), "pages of PDF")


def _try_servers(trial: Trial) -> None:
    """Both makers' libraries talk to servers on this computer."""
    with MessagesApi(default=Answer("by Messages")) as messages, ChatApi(default=Answer("by chat completions")) as chat:
        trial.environ |= {"ANTHROPIC_BASE_URL": messages.url, "ANTHROPIC_API_KEY": "sk-ant-trial"}
        trial.environ |= {"OPENAI_BASE_URL": chat.url, "OPENAI_API_KEY": "sk-trial"}
        for backend, answer in (("anthropic", "by Messages"), ("openai", "by chat completions")):
            require(answer in trial.run("ask", "--backend", backend, "How?"), f"{backend} did not answer")
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        del trial.environ[name]
    print("servers: anthropic and openai answered")


def _try_local_model(trial: Trial) -> None:
    # it likes to talk
    settings = '[models."smollm2-135m"]\nmax_output = 12\n[titles]\nby_model = false\n'
    (trial.home / "data" / "settings.toml").write_text(settings)
    said = trial.run("ask", "--backend", "local", "What is the capital of France?")
    require(said.strip(), "the local model said nothing")
    print("local model:", said.strip().splitlines()[0])


def _try_window(trial: Trial) -> None:
    with _window(trial) as window:
        print(f"window: listening after {_until_listening(trial, window):.2f} s")
        # A second start hands over to the window, and ends by itself with 0.
        trial.run("--backend", "scripted")
        trial.run("--quick")
        window.send_signal(signal.SIGTERM)
        print("window: ended with", window.wait(WINDOW_TIMEOUT_S))


def _until_listening(trial: Trial, window: subprocess.Popen[bytes]) -> float:
    """Waits for the window's socket, and returns the seconds that took."""
    started = time.monotonic()
    while not any((trial.home / "data").glob("instance.sock")):
        if window.poll() is not None:
            output = window.stdout.read() if window.stdout else b""
            raise SystemExit(f"the window ended by itself with {window.returncode}: {output.decode()}")
        require(time.monotonic() - started < WINDOW_TIMEOUT_S, "the window did not come up")
        time.sleep(0.005)
    return time.monotonic() - started


def compare_starts(program: Path, other: Path, rounds: int = 9) -> None:
    """Prints the time by the clock, and of the processor, until each window listens; the first start does not count."""
    with tempfile.TemporaryDirectory() as name:
        trials = [Trial(one, Path(name) / str(number)) for number, one in enumerate((program, other))]
        taken: list[list[tuple[float, float]]] = [[] for _ in trials]
        for _ in range(rounds + 1):
            for trial, times in zip(trials, taken, strict=True):
                trial.home.mkdir(exist_ok=True)
                with _window(trial) as window:
                    clock = _until_listening(trial, window)
                    spent = psutil.Process(window.pid).cpu_times()
                    times.append((clock, spent.user + spent.system))
                    window.send_signal(signal.SIGTERM)
                    window.wait(WINDOW_TIMEOUT_S)
    medians = [[statistics.median(column) for column in zip(*times[1:], strict=True)] for times in taken]
    for one, (clock, spent) in zip((program, other), medians, strict=True):
        print(f"{one}: listening after {clock:.2f} s, {spent:.2f} s of the processor")
    print(f"{medians[0][0] / medians[1][0]:.2f} times as long, {medians[0][1] / medians[1][1]:.2f} of the processor")


@contextmanager
def _window(trial: Trial) -> Iterator[subprocess.Popen[bytes]]:
    command = [*trial.command, "--backend", "scripted"]
    window = subprocess.Popen(command, env=trial.environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        yield window
    finally:
        if window.poll() is None:
            window.kill()
        window.communicate()


def main() -> None:
    """Tries the program that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--libraries", action="store_true", help="also ask servers and the local model")
    parser.add_argument("--beside", type=Path, help="only compare the start with this program's")
    options = parser.parse_args()
    if options.beside is not None:
        compare_starts(options.program.absolute(), options.beside.absolute())
        return
    try_program(options.program.absolute(), libraries=options.libraries, local_model=options.libraries)


if __name__ == "__main__":
    main()

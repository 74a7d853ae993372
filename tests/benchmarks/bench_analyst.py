"""Holds an analyst's thirty-five turns over thirty documents, over the wire, and prints what they cost and keep.

`./dev bench analyst [--turns N] [--documents N] [--largest WORDS] [--soft-limit TOKENS] [--backend NAME] [--control]`:
the whole product but its window against the loopback servers, with documents of 300 to 200,000 words read by the worker
process. The model searches, reads, and writes a requirements document in twelve versions. The control is a client
without annotations: it leaves results and versions in the history. It is computed, and with `--control` really run.
Ends with 1 where a passage stands in full outside of its own turn, a request is above the soft limit, a fact of the
first turns is neither in the last request nor found, the last version is not right, or what a result leaves behind
makes the requests grow.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.artifact_library import Artifacts, artifact_tools
from desktop_app.controller.chat import ChatController
from desktop_app.controller.document_tools import document_tools
from desktop_app.controller.ports import Announcements
from desktop_app.controller.project_library import Projects
from desktop_app.core.context import token_counting
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.settings import Settings
from desktop_app.documents.document_reader import WorkerDocumentExtractor
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.analyst_talk import FACTS, LARGEST, Asked, ScriptedAnalyst, analyst_talk, write_documents
from tests.benchmarks.bench_tools import growth, results_of_calls, straightness
from tests.benchmarks.talks import MODEL
from tests.benchmarks.thread_loop import wired_backend
from tests.controller.world import NoKeys
from tests.servers.chat_api import ChatApi
from tests.servers.messages_api import MessagesApi
from tests.servers.tokens import by_pieces

BACKENDS: Final = ("anthropic", "openai", "claude-cli", "llama.cpp")
MODELS: Final = {"anthropic": MODEL, "claude-cli": MODEL, "openai": "gpt-5.2", "llama.cpp": "qwen3-8b.gguf"}
COMPLETIONS: Final = ("openai", "llama.cpp")
"""Those that speak chat completions; `llama.cpp` is its server as it is added by its address."""
LLAMA_WINDOW: Final = 40_960
TURNS, DOCUMENTS, VERSIONS = 35, 30, 12
SOFT: Final = 18_000
"""So low that older turns are left out: what was said first has to be found."""
CONTROL_SOFT: Final = 178_000
"""So high that nothing is left out of the control."""
ALWAYS: Final = 3
"""The shortest documents are always included."""
MOST_LEFT: Final = 0.05
"""What a result may leave in every later request, as a share of its tokens."""
LONGEST_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Scene:
    """How large one run is."""

    backend: str
    turns: int = TURNS
    documents: int = DOCUMENTS
    versions: int = VERSIONS
    largest: int = LARGEST
    soft: int = SOFT
    annotated: bool = True


@dataclass(slots=True)
class Figures:
    """What a run showed, by turn, in tokens of the server: all requests, the first one, and those of the control.

    The first one is told without the version of the document that goes with this turn only. `left`: tokens of what
    later requests no longer hold of a turn: results, and what the artifact's calls held. `said`: tokens of its question
    and answer. `billed`: as cached tokens are charged; zeros where nothing is told of a cache.
    """

    ours: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    control: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    said: list[int] = field(default_factory=list)
    billed: list[float] = field(default_factory=list)
    plans: list[int] = field(default_factory=list)
    trims: int = 0
    largest: int = 0
    requests: int = 0
    found: tuple[int, int] = (0, 0)
    faults: list[str] = field(default_factory=list)


async def run_control(scene: Scene) -> Figures:
    """Holds the same talk without annotations, nothing left out: every result and version stays in every request.

    Its faults are those of this client, so nobody asks for them.
    """
    with patch.object(token_counting, "running_turn_start", return_value=0):
        return await run(replace(scene, soft=CONTROL_SOFT, annotated=False))


async def run(scene: Scene, *, tell: bool = False) -> Figures:
    """Holds the talk through one backend."""
    completes = scene.backend in COMPLETIONS
    analyst = ScriptedAnalyst("tool_calls" if completes else "tool_use")
    api = ChatApi(default=analyst) if completes else MessagesApi(default=analyst, count_text=by_pieces)
    with tempfile.TemporaryDirectory() as name, api:
        if isinstance(api, ChatApi):
            api.models = [{"id": MODELS[scene.backend], "object": "model"}]
            if scene.backend == "llama.cpp":
                api.keyed = False
                api.models[0] |= {"owned_by": "llamacpp", "meta": {"n_ctx": LLAMA_WINDOW}}
        folder = Path(name)
        async with wired_backend("openai" if completes else scene.backend, api, folder) as backend:
            if scene.backend == "llama.cpp":
                (listed,) = await backend.models()
                if (listed.window, listed.accepts_tools) != (LLAMA_WINDOW, True):
                    raise SystemExit(f"llama.cpp is not read as it tells of itself: {listed}")
            history = await SqliteHistory.open(folder / "history.db")
            try:
                return await _Run(scene, backend, api=api, history=history, folder=folder, analyst=analyst).hold(
                    tell=tell
                )
            finally:
                await history.close()


class _Run:
    """One talk under way."""

    def __init__(
        self,
        scene: Scene,
        backend: Backend,
        *,
        api: ChatApi | MessagesApi,
        history: SqliteHistory,
        folder: Path,
        analyst: ScriptedAnalyst,
    ) -> None:
        self._scene, self._backend, self._api, self._folder, self._analyst = scene, backend, api, folder, analyst
        announcements = Announcements()
        self._extractor = WorkerDocumentExtractor()
        self._projects = Projects(history.projects, self._extractor, announcements, files=folder / "files")

        async def never(*_: object) -> str:
            raise AssertionError("nothing is rewritten here")

        self._artifacts = Artifacts(history, announcements, threads=lambda: self._chat, rewrite=never)
        self._chat = ChatController(
            history=history,
            backends={backend.name: backend},
            secrets=NoKeys(),
            settings=Settings,
            announcements=announcements,
            tools=(*document_tools(history.projects), *artifact_tools(self._artifacts)),
            projects=self._projects,
            artifacts=self._artifacts.contexts,
        )
        self._figures = Figures()
        self._gone: list[str] = []
        self._kept = 0

    async def hold(self, *, tell: bool) -> Figures:
        scene, figures = self._scene, self._figures
        texts = self._folder / "texts"
        texts.mkdir()
        clauses = write_documents(texts, scene.documents, scene.largest)
        began = time.monotonic()
        project = await self._projects.create("Portal", "Answer as an analyst, in English.")
        await self._projects.set_soft_limit(project.id, scene.soft)
        await self._projects.add_files(project.id, [texts])
        documents = await self._projects.read_all(project.id)
        if tell:
            print(f"  {len(documents)} documents read in {time.monotonic() - began:.0f} s", file=sys.stderr)
        small = sorted(documents, key=lambda one: one.size)[:ALWAYS]
        await self._projects.set_mode(project.id, [one.id for one in small], "always")
        figures.faults += [f"{one.name}: {one.error}" for one in documents if one.state != "ready"]
        await self._chat.start()
        thread = await self._chat.new_thread(
            backend=self._backend.name, model=MODELS[scene.backend], project=project.id
        )
        talk, versions = analyst_talk(scene.turns, scene.versions, clauses[ALWAYS:])
        try:
            for number, asked in enumerate(talk):
                await self._turn(thread.id, number, asked, versions)
            made = await self._artifacts.of_thread(thread.id)
            newest = [(await self._artifacts.newest(one.id)).text for one in made]
            if newest != versions[-1:] or [one.versions for one in made] != [len(versions)]:
                figures.faults.append("the last version is not right")
        finally:
            await self._chat.close()
            await self._projects.close()
            await self._extractor.close()
        figures.faults += self._analyst.faults + [str(one) for one in self._api.violations]
        return figures

    async def _turn(self, thread_id: str, number: int, asked: Asked, versions: Sequence[str]) -> None:
        figures, before = self._figures, len(self._api.answers)
        self._analyst.steps = list(asked.steps)
        path = (await self._chat.open_thread(thread_id)).path
        plan = await self._chat.expected(thread_id, (TextPart(asked.said),))
        async with asyncio.timeout(LONGEST_S):
            outcome = await self._chat.send(thread_id, (TextPart(asked.said),))
        if outcome.failure is not None:
            raise SystemExit(f"turn {number + 1}: {outcome.failure.message} {outcome.failure.detail}")
        after = (await self._chat.open_thread(thread_id)).path[len(path) :]
        bodies = [request.body for request in self._api.answers[before:]]
        sizes = [_tokens(body) for body in bodies]
        results = results_of_calls(after)
        written = [json.dumps(given) for name, given in asked.steps if name.endswith("_artifact")]
        figures.plans.append(plan.tokens.total)
        figures.trims += plan.decision == "trim"
        figures.requests += len(bodies)
        figures.largest = max(figures.largest, *sizes)
        shown = by_pieces(versions[asked.writes - 2]) if asked.writes > 1 else 0
        figures.first.append(sizes[0] - shown)
        figures.ours.append(sum(sizes))
        figures.control.append(sum(size + self._kept for size in sizes))
        figures.left.append(sum(map(by_pieces, (*results, *written))))
        figures.said.append(by_pieces(asked.said) + by_pieces(after[-1].text))
        figures.billed.append(_billed(after))
        self._kept += figures.left[-1]
        figures.faults += [
            f"turn {number + 1}: {fault}" for fault in self._wrong(asked, plan.tokens.total, bodies, results, versions)
        ]
        self._gone += results
        if not asked.clause and number >= len(FACTS):
            looked_up = [value for _, _, value in FACTS if value in "\n".join(results)]
            figures.found = len(self._analyst.found), len({*self._analyst.found, *looked_up})
            if figures.found[1] < len(FACTS):
                figures.faults.append(f"only {figures.found[1]} of {len(FACTS)} facts are in the request or found")

    def _wrong(
        self, asked: Asked, planned: int, bodies: Sequence[Any], results: Sequence[str], versions: Sequence[str]
    ) -> Iterator[str]:
        said = [json.dumps(body["messages"], ensure_ascii=False) for body in bodies]
        if planned > self._scene.soft:
            yield f"the request is planned with {planned:,} tokens, above the soft limit"
        if (largest := max(map(_tokens, bodies))) > self._scene.soft:
            yield f"a request of the turn has {largest:,} tokens, above the soft limit"
        if any(_quoted(passage) not in said[-1] for result in results for passage in _passages(result)):
            yield "a result of its own is not in full in its last request"
        earlier = (one for one in self._gone if len(one) > 400 and one not in results)
        now = "\n\n".join(results)
        gone = [passage for one in earlier for passage in _passages(one) if passage not in now]
        if any(_quoted(passage) in text for passage in gone for text in said):
            yield "an earlier result stands in full"
        if asked.clause is not None and not any(asked.clause.value in result for result in results):
            yield f"{asked.clause.document} was not found"
        whole = [number for number, text in enumerate(versions, 1) if _quoted(text) in said[0]]
        expected = [asked.writes - 1] if asked.writes > 1 else []
        if whole != expected:
            yield f"version {whole} of the document stands in full, not {expected}"


def _passages(result: str) -> list[str]:
    """The paragraphs of passages in a result, whatever stands around them on the wire; of another result all of it."""
    blocks = result.split("\n\n")
    texts = [block.partition("\n")[2] if block.startswith("[") else block for block in blocks]
    return [text for text in texts if len(text) > 100] or [result]


def _quoted(text: str) -> str:
    """A text as it stands in a body."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _tokens(body: Mapping[str, Any]) -> int:
    """Tokens of all texts in a request, without the marks of JSON around them."""
    return sum(map(by_pieces, _texts([body.get(key) for key in ("tools", "system", "messages")])))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if key not in ("type", "role", "cache_control", "id", "tool_use_id", "tool_call_id"):
                yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)


def _billed(path: Sequence[Message]) -> float:
    """Input tokens of a turn as they are charged with a cache."""
    used = [message.usage for message in path if message.usage is not None]
    return sum(one.input + 1.25 * one.cache_write + 0.1 * one.cache_read for one in used)


def quadratic_share(values: Sequence[float]) -> float:
    """The share of all that was billed that a quadratic term makes, in the curve of the least squares through the sum.

    0: each turn costs the same; 1: each turn costs as much more as the first one did.
    """
    mean = sum(values) / len(values)
    return growth(values) * len(values) / 2 / mean if mean else 0.0


def show_control(scene: Scene, figures: Figures) -> None:
    """Prints what the control that was really run billed."""
    asking = slice(len(FACTS), -1)
    sums = figures.ours[asking]
    print(
        f"{scene.backend}, control really run: {sum(sums):,} tokens, a turn grows by {growth(sums):,.0f}, "
        f"R2 {straightness(sums):.4f}, quadratic {quadratic_share(sums):.1%}, largest request {figures.largest:,}, "
        f"left out in {figures.trims} turns",
        flush=True,
    )


def show(scene: Scene, figures: Figures, seconds: float) -> bool:
    """Prints one run; False where something is wrong."""
    asking = slice(len(FACTS), -1)
    ours, control, billed = figures.ours[asking], figures.control[asking], figures.billed[asking]
    result = sum(figures.left[asking]) / len(ours)
    held = f"{scene.turns} turns over {scene.documents} documents, {figures.requests} requests in {seconds:.0f} s"
    print(f"\n{scene.backend}: {held}; control: no annotations")
    rows: tuple[tuple[str, Callable[[Sequence[float]], float], str], ...] = (
        ("tokens of these turns", sum, ",.0f"),
        ("a turn grows by, tokens", growth, ",.0f"),
        ("R2 of a straight line through the sum", straightness, ".4f"),
        ("share of the sum that is quadratic in the turns", quadratic_share, ".1%"),
    )
    print(f"{'':<58}{'ours':>12}{'control':>12}{'as charged':>12}")
    for words, told, form in rows:
        charged = f"{told(billed):>12{form}}" if any(billed) else ""
        print(f"{words:<58}{told(ours):>12{form}}{told(control):>12{form}}{charged}")
    print(f"{'mean tokens of what a turn looks up and writes':<58}{result:>12,.0f}")
    left = left_behind(figures)
    met = left <= MOST_LEFT and not figures.faults
    print(f"{'left of it in every later request':<58}{left:>12.1%}{'':>12}  <= {MOST_LEFT:.0%}")
    print(f"{'largest first request, soft limit':<58}{max(figures.plans):>12,}{scene.soft:>12,}")
    print(f"{'largest request, a turn’s own results in it; limit':<58}{figures.largest:>12,}{scene.soft:>12,}")
    print(f"{'turns that left older ones out':<58}{figures.trims:>12}")
    print(
        f"{'facts of the first turns: in the last request, or found':<58}{figures.found[0]:>12}{figures.found[1]:>12}"
    )
    for fault in figures.faults[:8]:
        print(f"FAULT {fault}")
    print("met" if met else "MISSED", flush=True)
    return met


def left_behind(figures: Figures) -> float:
    """The share of what a turn looked up and wrote that stays in later requests: their growth, but for what was said.

    Told by the turns in which nothing was left out.
    """
    pairs = range(len(FACTS), len(figures.first) - 2)
    grown = [
        figures.first[number + 1] - figures.first[number] - figures.said[number]
        for number in pairs
        if figures.first[number + 1] > figures.first[number]
    ]
    lost = [figures.left[number] for number in pairs if figures.first[number + 1] > figures.first[number]]
    return sum(grown) / max(1, sum(lost))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was asked for; 0 where all of it holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--largest", type=int, default=LARGEST, help="words of the longest document")
    parser.add_argument("--soft-limit", type=int, default=SOFT)
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--control", action="store_true", help="also run the control, where history is not flattened")
    asked = parser.parse_args(arguments)
    met = True
    for name in asked.backend or BACKENDS:
        scene = Scene(name, asked.turns, asked.documents, VERSIONS, asked.largest, asked.soft_limit)
        began = time.monotonic()
        met &= show(scene, asyncio.run(run(scene, tell=True)), time.monotonic() - began)
        if asked.control and name in ("anthropic", "openai"):
            show_control(scene, asyncio.run(run_control(scene)))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

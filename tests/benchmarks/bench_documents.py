"""Prints what a project of 10,000 documents costs: `./dev bench documents [--documents N] [--characters N]`.

Texts are made of words as frequent as those of English, in passages of some 1,000 characters; 10,000 documents of
100,000 characters are the 1 GB that DOC-1 names. CPU milliseconds, medians.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from desktop_app.core.projects import DocumentText, Passage, Project, ProjectDocument, SearchedDocuments, passage_id
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.bench_search import Chatter

PASSAGE = 1_000
TIMES = 20
QUESTIONS = (
    "Which server and port does the connection use?",
    "How is the configuration of the database changed?",
    "context data content control",
    "the work of people in a year",
)


def a_text(chatter: Chatter, name: str, characters: int) -> DocumentText:
    """A text of so many characters, a passage every thousand."""
    words = ""
    while len(words) < characters:
        words += f"{chatter.text()}\n"
    words = words[:characters]
    starts = range(0, len(words), PASSAGE)
    passages = tuple(
        Passage(number, "text", start, min(start + PASSAGE, len(words)), f"Part {number // 10}")
        for number, start in enumerate(starts, 1)
    )
    return DocumentText(hashlib.sha256(f"{name}\n{words}".encode()).hexdigest(), "text/plain", words, passages)


async def measure(folder: Path, documents: int, characters: int) -> None:
    """Adds, lists and searches them."""
    chatter = Chatter(1)
    history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
    projects = history.projects
    try:
        await projects.save(Project("p", "Many"))
        stored, spent = [], 0.0
        for number in range(documents):
            text = a_text(chatter, str(number), characters)
            start = time.process_time()
            await projects.save_text(text)
            spent += time.process_time() - start
            stored.append(
                ProjectDocument(f"d{number}", "p", f"{number}.txt", "text/plain", characters, text.sha256,
                                path=f"/documents/{number % 100}/{number}.txt", state="ready")
            )  # fmt: skip
        size = (folder / "history.db").stat().st_size / 1e6
        print(f"{documents:,} documents of {characters:,} characters: file {size:,.0f} MB")
        print(f"{'storing and indexing a text':<46}{spent / documents * 1000:>10.1f} ms")
        start = time.process_time()
        await projects.save_documents(stored)
        print(f"{'adding all documents':<46}{(time.process_time() - start) * 1000:>10.1f} ms")
        await _print("listing all documents", lambda: projects.documents("p"), 5)
        for question in QUESTIONS:
            await _print(f"“{question}”"[:46], lambda words=question: projects.search_documents("p", words))  # type: ignore[misc]
        within = SearchedDocuments(folder="/documents/7/")
        await _print("the first one, in one folder", lambda: projects.search_documents("p", QUESTIONS[0], within))
        await _print("a passage by its id", lambda: projects.passage("p", passage_id(stored[0].sha256, 3)))
    finally:
        await history.close()


async def _print(what: str, ask: Callable[[], Awaitable[object]], times: int = TIMES) -> None:
    waits = []
    for _ in range(times):
        start = time.process_time()
        await ask()
        waits.append((time.process_time() - start) * 1000)
    print(f"{what:<46}{statistics.median(waits):>10.1f} ms, at most {max(waits):.1f} ms", flush=True)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--documents", type=int, default=10_000)
    options.add_argument("--characters", type=int, default=10_000)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), asked.documents, asked.characters))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Prints how good the search of documents is (DOC-2).

`./dev bench retrieval`: on Debian's own manuals in five languages, which it downloads as packages, with questions that
were written by someone who saw the manuals only: in a person's words, and as the keywords that a model asks with.
Found: the passage with the answer is among the first five that the tool `search_documents` gives.

With `--beir FOLDER`, or the folder in PLIMSOLL_BEIR: on a set of BEIR, such as SciFact, which is not part of this
repository, beside BM25 as published. A document counts where its best passage stands. Times are CPU milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop_app.controller.document_tools import CANDIDATES
from desktop_app.core.document_search import ranked
from desktop_app.core.projects import Project, ProjectDocument
from desktop_app.documents.file_opening import PROJECT
from desktop_app.documents.text_extraction import Recognition, document_text
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.benchmarks.beir import BM25, BeirSet, ndcg, read_beir, recall, store_documents

BEST = 10


async def measure(beir: BeirSet, folder: Path) -> float:
    """nDCG@10 of our search; prints it with what else there is to know."""
    history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
    try:
        start = time.perf_counter()
        await store_documents(history, Project("beir", beir.name), beir.documents)
        stored = time.perf_counter() - start
        gains, found, waits = [], [], []
        for words, judged in beir.questions:
            start = time.process_time()
            hits = await history.projects.search_documents("beir", words)
            waits.append((time.process_time() - start) * 1000)
            ids = list(dict.fromkeys(hit.document.id for hit in hits))[:BEST]
            gains.append(ndcg(ids, judged))
            found.append(recall(ids, judged))
    finally:
        await history.close()
    gain, cuts = statistics.mean(gains), statistics.quantiles(waits, n=20)
    print(
        f"{beir.name}: {len(beir.documents):,} documents, {len(beir.questions):,} questions; stored in {stored:.1f} s"
    )
    print(f"nDCG@{BEST}    {gain:.4f}   BM25 as published: {BM25.get(beir.name, 'not known')}")
    print(f"recall@{BEST}  {statistics.mean(found):.4f}")
    print(f"a question: p50 {cuts[9]:.0f} ms, p95 {cuts[18]:.0f} ms of CPU")
    return gain


MANUALS = ("debian-faq", "debian-faq-de", "debian-faq-fr", "debian-faq-ja", "debian-faq-zh-cn", "debian-reference-en")
QUESTIONS = Path(__file__).parent.parent / "data" / "manual_questions.json"
FIRST = 5
LEAST_FOUND = {"words": 0.6, "keywords": 0.95}
"""The share of questions that are to be found, by how they are asked."""


def unpacked_manuals(folder: Path) -> list[Path]:
    """The pages of the manuals, below a folder into which they are unpacked where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in MANUALS if not any(folder.glob(f"{name}_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", "-q", *missing], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder / "manuals"], check=True)
    pages = (folder / "manuals" / "usr" / "share").rglob("*.html")
    return sorted(
        page for page in pages if page.is_file() and not page.is_symlink() and not page.name.startswith("index.")
    )


async def store_manuals(history: SqliteHistory, pages: Sequence[Path]) -> None:
    """A project with the pages as the app reads them."""
    await history.projects.save(Project("manuals", "Manuals"))
    made = []
    for number, page in enumerate(pages):
        text = await asyncio.to_thread(document_text, page, PROJECT, Recognition(None, "eng"))
        await history.projects.save_text(text)
        document = ProjectDocument(str(number), "manuals", page.name, sha256=text.sha256, passages=len(text.passages))
        made.append(replace(document, state="ready"))
    await history.projects.save_documents(made)


async def measure_manuals(folder: Path) -> bool:
    """Prints the share of the questions whose answer is found, by language and way of asking; True: enough of them."""
    questions = json.loads(QUESTIONS.read_text("utf-8"))
    pages = await asyncio.to_thread(unpacked_manuals, Path(".venv") / "manuals")
    history = await SqliteHistory.open(folder / "history.db", quiet_s=None)
    found: dict[str, list[bool]] = {}
    try:
        await store_manuals(history, pages)
        for question in questions:
            answer = "".join(question["quote"].split())
            for way in LEAST_FOUND:
                hits = ranked(await history.projects.search_documents("manuals", question[way], limit=CANDIDATES))
                there = any(answer in "".join(hit.text.split()) for hit in hits[:FIRST])
                found.setdefault(way, []).append(there)
                found.setdefault(f"{way}, {question['language']}", []).append(there)
                if not there and "--missed" in sys.argv:
                    print(way, question["language"], question[way], [hit.text[:80] for hit in hits[:FIRST]], sep="\n  ")
    finally:
        await history.close()
    print(f"{len(pages)} pages of manuals, {len(questions)} questions; the answer is among the first {FIRST}:")
    for way, answers in sorted(found.items()):
        print(f"{way:<20} {sum(answers):>3} of {len(answers)}")
    return all(statistics.mean(found[way]) >= least for way, least in LEAST_FOUND.items())


def main() -> int:
    """1 where less is found than asked, or ranked worse than BM25 as published."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--beir", type=Path, default=os.environ.get("PLIMSOLL_BEIR"), help="folder of a BEIR set")
    options.add_argument("--missed", action="store_true", help="say which questions are not answered")
    if (folder := options.parse_args().beir) is None:
        if shutil.which("apt-get") is None:
            print("no data: the manuals are Debian packages; --beir names the folder of a BEIR set", file=sys.stderr)
            return 0
        with tempfile.TemporaryDirectory() as data:
            return 0 if asyncio.run(measure_manuals(Path(data))) else 1
    beir = read_beir(Path(folder))
    with tempfile.TemporaryDirectory() as data:
        gain = asyncio.run(measure(beir, Path(data)))
    return int(gain < BM25.get(beir.name, 0.0))


if __name__ == "__main__":
    sys.exit(main())

"""Reads a set of BEIR (Thakur et al. 2021): documents, questions, and which documents people judged to answer which.

A folder with `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`, as the authors publish each set; never part of this
repository. SciFact (Wadden et al. 2020): 5,183 abstracts and 300 claims; abstracts ODC-By 1.0, claims CC BY-NC 2.0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

from desktop_app.core.projects import DocumentText, Passage, Project, ProjectDocument
from desktop_app.storage.sqlite_history import SqliteHistory

BM25 = {"scifact": 0.665, "nfcorpus": 0.325, "fiqa": 0.236, "arguana": 0.315}
"""nDCG@10 of BM25 as the authors of BEIR published it, by the set's name."""

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class BeirSet:
    """The documents as (id, title, text), and the questions: words, and ids of the documents that answer it with how
    well each does."""

    name: str
    documents: Sequence[tuple[str, str, str]]
    questions: Sequence[tuple[str, Mapping[str, int]]]


def read_beir(folder: Path) -> BeirSet:
    """The set in a folder, with the questions of its test split."""
    judged: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text("utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        judged.setdefault(question, {})[document] = int(grade)
    words = {one["_id"]: one["text"] for one in _lines(folder / "queries.jsonl")}
    documents = [(one["_id"], one.get("title", ""), one["text"]) for one in _lines(folder / "corpus.jsonl")]
    return BeirSet(folder.name, documents, [(words[one], judged[one]) for one in judged])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


async def store_documents(history: SqliteHistory, project: Project, documents: Sequence[tuple[str, str, str]]) -> None:
    """A project with these documents: the title is the heading of the one passage that each has."""
    await history.projects.save(project)
    for start in range(0, len(documents), AT_ONCE):
        made = []
        for name, title, words in documents[start : start + AT_ONCE]:
            text = f"{title}\n\n{words}"
            passage = Passage(1, "text", len(text) - len(words), len(text), title)
            digest = hashlib.sha256(f"{name}\n{text}".encode()).hexdigest()
            await history.projects.save_text(DocumentText(digest, "text/plain", text, (passage,)))
            document = ProjectDocument(name, project.id, f"{name}.txt", sha256=digest, state="ready", passages=1)
            made.append(document)
        await history.projects.save_documents(made)


def ndcg(found: Sequence[str], judged: Mapping[str, int], most: int = 10) -> float:
    """Normalised discounted cumulative gain of the first `most`."""
    gain = sum(judged.get(one, 0) / log2(place + 2) for place, one in enumerate(found[:most]))
    best = sorted(judged.values(), reverse=True)[:most]
    return gain / sum(grade / log2(place + 2) for place, grade in enumerate(best))


def recall(found: Collection[str], judged: Mapping[str, int]) -> float:
    """The share of what answers the question that is among what was found."""
    right = {one for one, grade in judged.items() if grade > 0}
    return len(right & set(found)) / len(right)

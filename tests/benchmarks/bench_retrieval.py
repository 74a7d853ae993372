"""Prints how good the search of documents is on questions that people judged, beside BM25 as published (DOC-2).

`./dev bench retrieval --beir FOLDER`, or the folder in PLIMSOLL_BEIR: a set of BEIR, such as SciFact, which is not part
of this repository. A document counts where its best passage stands. Times of questions are CPU
milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from desktop_app.core.projects import Project
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


def main() -> int:
    """1 where it is worse than BM25 as published."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--beir", type=Path, default=os.environ.get("PLIMSOLL_BEIR"), help="folder of a BEIR set")
    folder = options.parse_args().beir
    if folder is None:
        print("no data: name the folder of a BEIR set with --beir or PLIMSOLL_BEIR", file=sys.stderr)
        return 0
    beir = read_beir(Path(folder))
    with tempfile.TemporaryDirectory() as data:
        gain = asyncio.run(measure(beir, Path(data)))
    return int(gain < BM25.get(beir.name, 0.0))


if __name__ == "__main__":
    sys.exit(main())

from __future__ import annotations

import json
from math import log2
from pathlib import Path

import pytest

from tests.benchmarks.beir import ndcg, read_beir, recall
from tests.benchmarks.bench_retrieval import measure


def made(folder: Path) -> Path:
    """A set of our own in the form of BEIR."""
    (folder / "qrels").mkdir(parents=True)
    documents = [("1", "Quays", "The quay is long."), ("2", "Masts", "A mast of pine."), ("3", "", "Nothing at all.")]
    (folder / "corpus.jsonl").write_text(
        "\n".join(json.dumps({"_id": one, "title": title, "text": text}) for one, title, text in documents), "utf-8"
    )
    questions = [("q1", "How long are quays?"), ("q2", "Masts?"), ("q3", "Of the train split")]
    (folder / "queries.jsonl").write_text(
        "\n".join(json.dumps({"_id": one, "text": text}) for one, text in questions), "utf-8"
    )
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t1\t1\nq2\t2\t1\nq2\t3\t1\n", "utf-8")
    return folder


def test_a_set_is_read_with_the_questions_of_its_test_split(tmp_path: Path) -> None:
    beir = read_beir(made(tmp_path / "own"))
    assert (beir.name, len(beir.documents)) == ("own", 3)
    assert beir.questions == [("How long are quays?", {"1": 1}), ("Masts?", {"2": 1, "3": 1})]


def test_gain_and_recall_are_those_of_the_definition() -> None:
    judged = {"a": 2, "b": 1}
    assert ndcg(["a", "b"], judged) == 1.0
    assert ndcg(["x", "b", "a"], judged) == pytest.approx((1 / log2(3) + 2 / log2(4)) / (2 + 1 / log2(3)))
    assert ndcg([], judged) == 0.0
    assert recall(["b", "x"], judged) == 0.5


async def test_it_is_measured_by_the_search_that_the_model_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gain = await measure(read_beir(made(tmp_path / "own")), tmp_path)
    assert gain == pytest.approx((1 + 1 / (1 + 1 / log2(3))) / 2)
    assert "nDCG@10    0.8066   BM25 as published: not known" in capsys.readouterr().out

"""Retrieval quality through the product: documents as files, synced, asked, passages mapped back to documents.

    python -m benchmarks.retrieval.run DATA [--sets a,b] [--queries-every 5] [--sides lexical,dense,hybrid]

DATA holds one folder per set (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`). A document counts by its best passage.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from benchmarks.retrieval.blank import WordsOnly
from benchmarks.retrieval.measures import DEPTH, ndcg, percentile, recall, reciprocal_rank
from benchmarks.retrieval.sets import RetrievalSet, sets_in, write_documents
from minirag_mcp.config import DEFAULT_MODEL, Settings
from minirag_mcp.embed.load import open_embedder
from minirag_mcp.engine import Library
from minirag_mcp.model import Answer
from minirag_mcp.retrieve.options import SearchOptions

WEIGHTS = {"lexical": 1.0, "dense": 0.0, "hybrid": SearchOptions().hybrid_weight}

PASSAGES_FOR_RANKING = 50
"""So that ten documents are seen even when one document fills several ranks."""

USUAL_PASSAGES = 8
COSTED_EVERY = 5
"""Every fifth question is asked again as a client asks it, for time and size."""

Ask = Callable[[str, int], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One set on one side. Times in milliseconds; characters of passages and sections of one usual answer."""

    name: str
    side: str
    questions: int
    ndcg10: float
    recall10: float
    mrr10: float
    p50_ms: float
    p95_ms: float
    passage_characters: int
    section_characters: int


def main() -> None:
    """Measure what the command line says; a Markdown table on stdout, figures as JSON on request."""
    options = _options()
    results = []
    for one in sets_in(options.data, [name for name in options.sets.split(",") if name]):
        for result in _run(one, options):
            results.append(result)
            print(_row(result) if len(results) > 1 else f"{_HEADER}\n{_row(result)}", flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(result) for result in results], indent=1), encoding="utf-8")


def measure(
    name: str, side: str, *, questions: list[tuple[str, dict[str, int]]], ask: Ask, ids: dict[str, str]
) -> Result:
    """Ask every question; `ids` maps file names to document ids."""
    scores, times, sizes = [], [], []
    for number, (text, grades) in enumerate(questions):
        ranking = ranked_documents(ask(text, PASSAGES_FOR_RANKING), ids)
        scores.append((ndcg(ranking, grades), recall(ranking, grades), reciprocal_rank(ranking, grades)))
        if number % COSTED_EVERY == 0:
            started = time.perf_counter()
            answer = ask(text, USUAL_PASSAGES)
            times.append(1000 * (time.perf_counter() - started))
            sizes.append((sum(len(hit.text) for hit in answer.passages), sum(map(len, answer.sections.values()))))
    return Result(
        name=name,
        side=side,
        questions=len(scores),
        ndcg10=round(mean(score[0] for score in scores), 4),
        recall10=round(mean(score[1] for score in scores), 4),
        mrr10=round(mean(score[2] for score in scores), 4),
        p50_ms=round(percentile(times, 0.5), 1),
        p95_ms=round(percentile(times, 0.95), 1),
        passage_characters=round(mean(size[0] for size in sizes)),
        section_characters=round(mean(size[1] for size in sizes)),
    )


def ranked_documents(answer: Answer, ids: dict[str, str]) -> list[str]:
    """Document ids in order of their best passage, at most ten."""
    return list(dict.fromkeys(ids[Path(passage.source).name] for passage in answer.passages))[:DEPTH]


def _run(one: RetrievalSet, options: argparse.Namespace) -> Iterator[Result]:
    sides = options.sides.split(",")
    questions = list(one.questions[:: options.queries_every])
    with tempfile.TemporaryDirectory() as work:
        ids = write_documents(one, Path(work) / "documents")
        for side in sides:
            with _library(Path(work), WEIGHTS[side], options, blank=sides == ["lexical"]) as library:
                if side == sides[0]:
                    _sync(library, one.name)
                yield measure(
                    one.name,
                    side,
                    questions=questions,
                    ask=lambda text, k: library.query(text, top_k=k),
                    ids=ids,
                )


@contextmanager
def _library(work: Path, weight: float, options: argparse.Namespace, *, blank: bool) -> Iterator[Library]:
    settings = Settings(
        roots=(work / "documents",),
        db_path=work / "index",
        cache_dir=options.cache_dir,
        search=SearchOptions(hybrid_weight=weight),
    )
    embedder = open_embedder(settings.model_name, settings.cache_dir)
    with Library(settings, embedder=WordsOnly(embedder) if blank else embedder) as library:
        yield library


def _sync(library: Library, name: str) -> None:
    started = time.perf_counter()
    counts = library.sync().counts
    print(f"{name}: {counts.ingested} files in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    if counts.failed or counts.unreadable:
        raise SystemExit(f"{name}: {counts.failed + counts.unreadable} files could not be indexed")


_HEADER = (
    "| set | side | questions | nDCG@10 | recall@10 | MRR@10 | p50 ms | p95 ms | passage chars | section chars |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def _row(result: Result) -> str:
    return "| " + " | ".join(str(value) for value in asdict(result).values()) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of sets")
    parser.add_argument("--sets", default="", help="names, separated by commas; all without it")
    parser.add_argument("--queries-every", type=int, default=1, help="take every N-th question")
    parser.add_argument("--sides", default="lexical,dense,hybrid", help="lexical alone embeds nothing")
    parser.add_argument("--cache-dir", type=Path, required=True, help=f"where the weights of {DEFAULT_MODEL} are kept")
    parser.add_argument("--json", type=Path, help="file for the figures")
    return parser.parse_args()


if __name__ == "__main__":
    main()

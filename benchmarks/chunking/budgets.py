"""Which token budget, and what in front of a chunk: retrieval sets cut in several ways and asked.

    python -m benchmarks.chunking.budgets DATA --cache-dir DIR [--sets a,b] [--budgets 110,224] [--fronts none,title]

DATA holds one folder per set, as for `benchmarks.retrieval.run`. A set with a folder `corpora` and a file `spans.tsv`
(question, corpus, first and last offset of a sentence that answers it) is cut from its long texts, and scored by
characters. Everything from the cut on is the product; only the files are not written to disk first.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean

from benchmarks.chunking.fronts import Front, entry_of
from benchmarks.chunking.spans import SpanScores, first_characters, share_found, span_scores
from benchmarks.retrieval.measures import ndcg
from benchmarks.retrieval.sets import Grades, RetrievalSet, documents_of, questions_with_answers, sets_in, spans_of
from minirag_mcp.config import DEFAULT_MODEL
from minirag_mcp.embed.contract import Embedder
from minirag_mcp.embed.load import open_embedder
from minirag_mcp.model import Answer, Cut, ModelIdentity, SourceEntry, SourceKey, Vector, Vectors
from minirag_mcp.parse.registry import parse
from minirag_mcp.retrieve.options import SearchOptions
from minirag_mcp.retrieve.query import make_query
from minirag_mcp.retrieve.search import search
from minirag_mcp.store.contract import Store
from minirag_mcp.store.sqlite import open_store

BUDGETS = (110, 160, 224, 320, 448)
WEIGHTS = {"words": 1.0, "vectors": 0.0, "both": SearchOptions().hybrid_weight}
PASSAGES_FOR_RANKING = 50
USUAL_PASSAGES = 8
_ENTRIES_AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Of one set cut in one way.

    ndcg10                                   by side
    passage_characters, section_characters   of a usual answer of eight passages
    answers, read                            share of gold answers, word for word, in the first 3,000 characters of
                                             passages, and in the sections of a usual answer
    """

    ndcg10: dict[str, float]
    passage_characters: int
    section_characters: int
    answers: float | None
    read: float | None
    spans: SpanScores | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One set cut in one way; `tokens` are those the model reads, `seconds` the processor time of reading them."""

    name: str
    budget: int
    front: str
    chunks: int
    tokens: int
    seconds: float
    scores: Scores


class Remembering:
    """An embedder that embeds each question once, however often it is asked."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vector] = {}
        self.identity: ModelIdentity = embedder.identity
        self.tokenizer = embedder.tokenizer

    def load(self) -> None:
        """Load the weights."""
        self._embedder.load()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """As the model does."""
        return self._embedder.embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        """As the model does, once."""
        if text not in self._known:
            self._known[text] = self._embedder.embed_query(text)
        return self._known[text]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A set in the index, with what is needed to score its answers."""

    store: Store
    embedder: Embedder
    cuts: dict[SourceKey, Cut]

    def ask(self, text: str, *, top_k: int, weight: float) -> Answer:
        """As a client does."""
        return search(
            make_query(text, top_k=top_k, scope=()),
            store=self.store,
            embedder=self.embedder,
            options=SearchOptions(hybrid_weight=weight),
            display=str,
        )


def main() -> None:
    """Measure what the command line says; one JSON line per set and way on stdout."""
    options = _options()
    embedder = Remembering(open_embedder(DEFAULT_MODEL, options.cache_dir))
    embedder.load()
    embedder.embed_passages(["warm up"])
    for one in sets_in(options.data, [name for name in options.sets.split(",") if name]):
        for front in options.fronts.split(","):
            for budget in map(int, options.budgets.split(",")):
                result = _measured(one, Front(front), budget, embedder, every=options.queries_every)
                print(json.dumps(asdict(result)), flush=True)


def _measured(one: RetrievalSet, front: Front, budget: int, embedder: Remembering, *, every: int) -> Result:
    entries = [
        entry_of(parse(data, name=f"{name}.md"), name, counter=embedder.tokenizer, budget=budget, front=front)
        for name, data in documents_of(one)
    ]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder), identity=embedder.identity)
        seconds, tokens = _write(entries, store, embedder)
        cuts = {entry.record.key: entry.cut for entry in entries}
        scored = _scores(Indexed(store, embedder, cuts), one, every)
        store.close()
    result = Result(
        name=one.name,
        budget=budget,
        front=front.value,
        chunks=sum(len(entry.cut.chunks) for entry in entries),
        tokens=tokens,
        seconds=round(seconds, 1),
        scores=scored,
    )
    print(f"{one.name} {front.value} {budget}: {scored.ndcg10} {scored.spans}", file=sys.stderr, flush=True)
    return result


def _write(entries: Sequence[SourceEntry], store: Store, embedder: Embedder) -> tuple[float, int]:
    """Processor seconds of embedding, and tokens embedded."""
    seconds, tokens = 0.0, 0
    for group in _grouped(entries):
        texts = {
            name: chunk.embedded(entry.cut.document.text)
            for entry in group
            for name, chunk in zip(entry.hashes, entry.cut.chunks, strict=True)
        }
        began = time.process_time()
        vectors = embedder.embed_passages(list(texts.values()))
        seconds += time.process_time() - began
        tokens += sum(embedder.tokenizer.count_many(list(texts.values())))
        rows = dict(zip(texts, vectors, strict=True))
        store.replace_many([replace(entry, vectors={name: rows[name] for name in entry.hashes}) for entry in group])
    return seconds, tokens


def _grouped(entries: Sequence[SourceEntry]) -> Iterator[Sequence[SourceEntry]]:
    for first in range(0, len(entries), _ENTRIES_AT_ONCE):
        yield entries[first : first + _ENTRIES_AT_ONCE]


def _scores(indexed: Indexed, one: RetrievalSet, every: int) -> Scores:
    spans = spans_of(one)
    ranked = {} if spans else {side: _ndcg(indexed, one.questions[::every], weight) for side, weight in WEIGHTS.items()}
    usual = WEIGHTS["both"]
    asked = questions_with_answers(one)
    golds = [] if spans else [gold for _, gold in asked[::every]]
    texts = list(spans) or [text for text, _ in asked[::every]]
    answers = [indexed.ask(text, top_k=PASSAGES_FOR_RANKING, weight=usual) for text in texts]
    usually = [replace(answer, passages=answer.passages[:USUAL_PASSAGES]) for answer in answers]
    return Scores(
        ndcg10=ranked,
        passage_characters=round(mean(sum(len(hit.text) for hit in answer.passages) for answer in usually)),
        section_characters=round(mean(len(_sections(answer)) for answer in usually)),
        answers=share_found([first_characters(answer) for answer in answers], golds) if any(golds) else None,
        read=share_found([_sections(answer) for answer in usually], golds) if any(golds) else None,
        spans=span_scores(answers, list(spans.values()), indexed.cuts) if spans else None,
    )


def _ndcg(indexed: Indexed, questions: Sequence[tuple[str, Grades]], weight: float) -> float:
    scores = []
    for text, grades in questions:
        answer = indexed.ask(text, top_k=PASSAGES_FOR_RANKING, weight=weight)
        ranking = list(dict.fromkeys(str(passage.source) for passage in answer.passages))[:10]
        scores.append(ndcg(ranking, grades))
    return round(mean(scores), 4)


def _sections(answer: Answer) -> str:
    shown = {passage.section_id for passage in answer.passages}
    return "\n".join(text for section, text in answer.sections.items() if section in shown)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of sets")
    parser.add_argument("--sets", default="", help="names, separated by commas; all without it")
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    parser.add_argument("--fronts", default=Front.PRODUCT.value, help=", ".join(front.value for front in Front))
    parser.add_argument("--queries-every", type=int, default=1, help="take every N-th question")
    parser.add_argument("--cache-dir", type=Path, required=True, help=f"where the weights of {DEFAULT_MODEL} are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()

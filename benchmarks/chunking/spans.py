"""How much of the characters that answer a question comes back, and how much else; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import mean

from minirag_mcp.model import Answer, Cut, SourceKey, Span

FIRST = 5
ROOM = 3_000
"""Characters of passages that a reader with little room takes."""

Place = tuple[SourceKey, Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanScores:
    """Means over the questions, by characters (after Smith and Troynikov, Evaluating Chunking Strategies, 2024).

    recall, precision, iou  of the first five passages
    room_recall             of passages in order until `ROOM` characters are full
    section_recall          of the sections of the first five passages
    section_precision       likewise
    """

    recall: float
    precision: float
    iou: float
    room_recall: float
    section_recall: float
    section_precision: float


def span_scores(
    answers: Sequence[Answer], golds: Sequence[Sequence[Place]], cuts: Mapping[SourceKey, Cut]
) -> SpanScores:
    """Scores of `answers` against the sentences that answer each question."""
    rows = [_scores(answer, gold, cuts) for answer, gold in zip(answers, golds, strict=True)]
    return SpanScores(
        recall=_mean(row[0] for row in rows),
        precision=_mean(row[1] for row in rows),
        iou=_mean(row[2] for row in rows),
        room_recall=_mean(row[3] for row in rows),
        section_recall=_mean(row[4] for row in rows),
        section_precision=_mean(row[5] for row in rows),
    )


def share_found(texts: Sequence[str], golds: Sequence[str]) -> float:
    """Share of the gold answers that stand, word for word, in the text for the same question."""
    return _mean(_squeezed(gold) in _squeezed(text) for text, gold in zip(texts, golds, strict=True))


def first_characters(answer: Answer) -> str:
    """The passages in order, as far as there is `ROOM`."""
    return "\n".join(passage.text for passage in answer.passages)[:ROOM]


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _scores(answer: Answer, gold: Sequence[Place], cuts: Mapping[SourceKey, Cut]) -> tuple[float, ...]:
    wanted = _characters(gold)
    chunks = [(passage.source, cuts[passage.source].chunks[passage.chunk_index]) for passage in answer.passages]
    passages = [(source, chunk.span) for source, chunk in chunks]
    sections = [(source, cuts[source].sections[chunk.section].span) for source, chunk in chunks[:FIRST]]
    got, roomy, read = _characters(passages[:FIRST]), _characters(_within(passages, ROOM)), _characters(sections)
    hit = len(got & wanted)
    return (
        hit / len(wanted),
        hit / max(1, len(got)),
        hit / len(got | wanted),
        len(roomy & wanted) / len(wanted),
        len(read & wanted) / len(wanted),
        len(read & wanted) / max(1, len(read)),
    )


def _within(passages: Sequence[Place], room: int) -> list[Place]:
    kept = []
    totals = accumulate(span.end - span.start for _, span in passages)
    for (source, span), total in zip(passages, totals, strict=True):
        over = max(0, total - room)
        if over >= span.end - span.start:
            break
        kept.append((source, Span(start=span.start, end=span.end - over)))
    return kept


def _characters(places: Iterable[Place]) -> set[tuple[SourceKey, int]]:
    return {(source, offset) for source, span in places for offset in range(span.start, span.end)}


def _mean(values: Iterable[float]) -> float:
    return round(mean(values), 4)

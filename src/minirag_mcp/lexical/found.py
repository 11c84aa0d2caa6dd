"""Where in a text the words of a question stand: pure, and by the analyzer that finds them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex  # type: ignore[import-untyped]

from minirag_mcp.lexical.analyzer import piece_terms, terms
from minirag_mcp.lexical.fold import fold, normalize
from minirag_mcp.lexical.language import function_words, language_of
from minirag_mcp.lexical.words import CHANGE, DENSE_GRAM, JOINTS, OUTER_JOINTS, PIECE, STACKED_GRAM
from minirag_mcp.model import Span

_WORD = re.compile(r"\S+")
_CLUSTER = regex.compile(r"\X")
_CUTS = (OUTER_JOINTS, JOINTS, CHANGE)
"""From the coarsest: where an identifier comes apart."""

_GRAMS = {"dense": (DENSE_GRAM, 1), "stacked": (STACKED_GRAM, 1), "hangul": (2,)}
"""Letters that are found together, in scripts whose words are not set apart."""


def found(text: str, question: str) -> tuple[Span, ...]:
    """Where `text` has a term of `question`: in order, apart from each other, never blank at either end.

    An identifier is found whole, or the part of it that was asked for. Function words are left out unless the
    question has no others. Whenever the two share any other term, something is found.
    """
    wanted = _wanted(question)
    known = piece_terms(language_of(text))
    ranges = (
        (word.start() + start, word.start() + end)
        for word in _WORD.finditer(text)
        if not wanted.isdisjoint(known[word[0]])
        for start, end in _within(word[0], wanted, known)
    )
    return tuple(_joined(ranges))


def _wanted(question: str) -> frozenset[str]:
    """The terms of a question without those that would be found everywhere."""
    every = frozenset(terms(question))
    telling = every - _single_letters(question) - _function_terms(question)
    return telling or every - _single_letters(question) or every


def _single_letters(question: str) -> set[str]:
    """Letters that the question has only inside longer runs of a script without spaces."""
    runs = [fold(piece[0]) for piece in PIECE.finditer(normalize(question)) if piece.lastgroup in ("dense", "stacked")]
    return {letter for run in runs if len(run) > 1 for letter in run} - {run for run in runs if len(run) == 1}


def _function_terms(question: str) -> set[str]:
    language = language_of(question)
    said = function_words(language)
    known = piece_terms(language)
    shouted = question.isupper()
    words = (word.strip(".,;:!?¿¡()[]«»„“”\"'") for word in question.split())
    return {
        term
        for word in words
        if word.casefold() in said and (shouted or not word.isupper() or len(word) == 1)
        for term in known[word]
    }


def _within(word: str, wanted: frozenset[str], known: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Where in a word without white space that has wanted terms they stand."""
    places = _places(word)
    if places is None:
        yield 0, len(word)
        return
    plain = normalize(word)
    ranges = [
        (piece.start() + start, piece.start() + end)
        for piece in PIECE.finditer(plain)
        for start, end in _in_piece(piece[0], piece.lastgroup, wanted, known)
    ]
    if not ranges:
        yield 0, len(word)
    for start, end in ranges:
        yield places[start][0], places[end - 1][1]


def _places(word: str) -> list[tuple[int, int]] | None:
    """The range of `word` behind each character of its normal form; None where that is no mapping of its parts."""
    if word.isascii():
        return [(index, index + 1) for index in range(len(word))]
    clusters = [(cluster.span(), normalize(cluster[0])) for cluster in _CLUSTER.finditer(word)]
    if "".join(plain for _, plain in clusters) != normalize(word):
        return None
    return [span for span, plain in clusters for _ in plain]


def _in_piece(
    piece: str, kind: str | None, wanted: frozenset[str], known: Mapping[str, Sequence[str]]
) -> Iterator[tuple[int, int]]:
    if wanted.isdisjoint(known[piece]):
        return
    if kind == "compound":
        yield from _in_compound(piece, wanted, known, cuts=_CUTS)
        return
    grams = list(_in_run(piece, wanted, sizes=_GRAMS.get(kind or "", ())))
    yield from grams or [(0, len(piece))]


def _in_run(letters: str, wanted: frozenset[str], *, sizes: Iterable[int]) -> Iterator[tuple[int, int]]:
    if fold(letters) in wanted:
        yield 0, len(letters)
        return
    for size in sizes:
        for start in range(len(letters) - size + 1):
            if fold(letters[start : start + size]) in wanted:
                yield start, start + size


def _in_compound(
    word: str,
    wanted: frozenset[str],
    known: Mapping[str, Sequence[str]],
    *,
    cuts: Sequence["regex.Pattern[str]"],
) -> Iterator[tuple[int, int]]:
    """All of a word where a term of the whole is wanted, else those of its parts where one is."""
    parts: list[tuple[int, int]] = []
    if cuts:
        parts = list(_between(word, cuts[0]))
        if len(parts) == 1 and parts[0] == (0, len(word)):
            yield from _in_compound(word, wanted, known, cuts=cuts[1:])
            return
    of_parts = {term for start, end in parts for term in known[word[start:end]]}
    hits = [(start, end) for start, end in parts if not wanted.isdisjoint(known[word[start:end]])]
    if not hits or not wanted.isdisjoint(set(known[word]) - of_parts):
        yield 0, len(word)
        return
    for start, end in hits:
        for inner_start, inner_end in _in_compound(word[start:end], wanted, known, cuts=cuts[1:]):
            yield start + inner_start, start + inner_end


def _between(word: str, cut: "regex.Pattern[str]") -> Iterator[tuple[int, int]]:
    """The stretches of `word` between the places where `cut` matches, without the empty ones."""
    start = 0
    for joint in cut.finditer(word):
        if joint.start() > start:
            yield start, joint.start()
        start = joint.end()
    if start < len(word):
        yield start, len(word)


def _joined(ranges: Iterable[tuple[int, int]]) -> Iterator[Span]:
    """Ranges in any order as spans in order; those that touch are one."""
    start = end = -1
    for first, last in sorted(ranges):
        if first > end:
            if end > start:
                yield Span(start=start, end=end)
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield Span(start=start, end=end)

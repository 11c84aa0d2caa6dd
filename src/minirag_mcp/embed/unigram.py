"""The bundled model's tokenizer: unigram segmentation of white-space words, small in memory and quick to load.

The segmentation is the best path of Kudo, "Subword Regularization" (2018), section 3.2: of all ways to write a word
as pieces, the one whose scores sum highest; of equal sums, the one found first from the left.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from minirag_mcp.embed.packed import Pieces

_WORD_MARK = "▁"
_UNKNOWN_PENALTY = 10.0
"""How far an unknown character scores below the worst piece, as SentencePiece does."""

_COMPOSABLE = re.compile(r".[\u0300-\u036f\u3099\u309a]+|[\u1100-\u11ff]+", re.DOTALL)
"""Letters that stand decomposed, as file names on macOS and some PDF files have them."""

_MEMORY_WORDS = 50_000
_MEMORY_LONGEST = 24
"""Words remembered with their tokens: 50,000 hold 93 % of the words of 27 MB of English Markdown in about 12 MB."""

_MEMORY_RUNS = 1_000
_MEMORY_LONGEST_RUN = 1_000
"""Longer runs (addresses, lines of Chinese) remembered apart, in about 2 MB: what is cut up is counted again soon."""

_PREFIX = 3
_PAIR = (2,)
_LAZY_WORDS = 1_000
"""Words segmented before the pieces are listed by their first `_PREFIX` characters: listing takes 80 ms and 6 MB, which
a query need not pay, and each further word is segmented 2.5 times as fast."""

_LONGEST_WORD = 10_000
"""Characters segmented at once: a longer run without white space, such as inlined binary data, is taken in slices, for
each character takes 150 bytes meanwhile."""

_CHARACTERS_PER_TOKEN = 64
"""No text needs more characters than this per token to fill a window; the rest need not be normalised."""


class UnigramTokenizer:
    """Text to token ids, as the model was trained. Safe to use from several threads.

    Special tokens never come from text: `<s>` in a document is three characters. At most `memory_words` words and
    `memory_runs` longer runs are remembered with their tokens, and the pieces are listed after `lazy_words` of them:
    that changes how fast tokens come, not which.
    """

    def __init__(
        self,
        vocabulary: Pieces,
        *,
        memory_words: int = _MEMORY_WORDS,
        memory_runs: int = _MEMORY_RUNS,
        lazy_words: int = _LAZY_WORDS,
    ) -> None:
        special = {vocabulary.start, vocabulary.end, vocabulary.padding, vocabulary.unknown}
        self.start = vocabulary.start
        self.end = vocabulary.end
        self.padding = vocabulary.padding
        self._unknown = vocabulary.unknown
        self._normalisation = vocabulary.normalisation
        self._scores = vocabulary.scores
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._ids = {piece: number for number, piece in enumerate(vocabulary.pieces) if piece and number not in special}
        self._lengths = _Lengths(1, {first: range(2, most + 1) for first, most in _longest(self._ids).items()})
        self._memory_words, self._memory_runs, self._lazy_words = memory_words, memory_runs, lazy_words
        self._segmented = 0
        self._memory: dict[str, tuple[int, ...]] = {}
        self._runs: dict[str, tuple[int, ...]] = {}

    def count(self, text: str) -> int:
        """Tokens of `text`, of any length, without special tokens."""
        return sum(map(len, self._segments(text)))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        return [sum(map(len, self._segments(text))) for text in texts]

    def encode(self, text: str, *, limit: int) -> list[int]:
        """Ids of the first `limit` tokens of `text`, without special tokens."""
        ids: list[int] = []
        for segment in self._segments(text[: limit * _CHARACTERS_PER_TOKEN]):
            ids.extend(segment)
            if len(ids) >= limit:
                break
        return ids[:limit]

    def _segments(self, text: str) -> Iterable[tuple[int, ...]]:
        normal = composed(text).translate(self._normalisation)
        if _WORD_MARK in normal:
            normal = normal.replace(_WORD_MARK, " " + _WORD_MARK)
        memory, runs = self._memory, self._runs
        for word in normal.split():
            known = memory.get(word) or runs.get(word)
            yield self._remember(word) if known is None else known

    def _remember(self, word: str) -> tuple[int, ...]:
        marked = word if word.startswith(_WORD_MARK) else _WORD_MARK + word
        slices = (marked[start : start + _LONGEST_WORD] for start in range(0, len(marked), _LONGEST_WORD))
        segment = tuple(itertools.chain.from_iterable(map(self._best, slices)))
        if len(word) <= _MEMORY_LONGEST:
            if len(self._memory) >= self._memory_words:
                self._memory = {}
            self._memory[word] = segment
        elif len(word) <= _MEMORY_LONGEST_RUN:
            if len(self._runs) >= self._memory_runs:
                self._runs = {}
            self._runs[word] = segment
        self._segmented += 1
        if self._segmented == self._lazy_words:
            self._lengths = _Lengths(_PREFIX, _lengths_by_prefix(self._ids))
        return segment

    def _best(self, word: str) -> list[int]:
        size = len(word)
        totals = [0.0, *[-math.inf] * size]
        last = [(0, 0)] * (size + 1)
        piece_of, scores = self._ids.get, self._scores
        lengths = self._lengths
        width, lengths_of = lengths.width, lengths.by_prefix.get
        for start, total in enumerate(itertools.islice(totals, size)):
            single = piece_of(word[start])
            score = total + (self._unknown_score if single is None else scores[single])
            if score > totals[start + 1]:
                totals[start + 1] = score
                last[start + 1] = (start, self._unknown if single is None else single)
            for length in lengths_of(word[start : start + width], _PAIR):
                end = start + length
                if end > size:
                    break
                piece = piece_of(word[start:end])
                if piece is not None and (score := total + scores[piece]) > totals[end]:
                    totals[end] = score
                    last[end] = (start, piece)
        return self._path(last)

    def _path(self, last: list[tuple[int, int]]) -> list[int]:
        path: list[int] = []
        end = len(last) - 1
        while end > 0:
            end, piece = last[end]
            # A run of unknown characters is one token.
            if piece != self._unknown or not path or path[-1] != self._unknown:
                path.append(piece)
        path.reverse()
        return path


def composed(text: str) -> str:
    """`text` with its decomposed letters composed.

    Whole-text NFC would also sort the vowel marks of Arabic and Hebrew, which the model has only seen unsorted.
    """
    if text.isascii():
        return text
    return _COMPOSABLE.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Lengths over 1 that pieces may have, in rising order, by their first `width` characters; else `_PAIR`."""

    width: int
    by_prefix: Mapping[str, Sequence[int]]


def _longest(pieces: Iterable[str]) -> dict[str, int]:
    """The length of the longest piece by its first character."""
    longest: dict[str, int] = {}
    for piece in pieces:
        if len(piece) > longest.get(piece[0], 0):
            longest[piece[0]] = len(piece)
    return longest


def _lengths_by_prefix(pieces: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, int] = {}
    for piece in pieces:
        if len(piece) >= _PREFIX:
            prefix = piece[:_PREFIX]
            found[prefix] = found.get(prefix, 1 << 2) | 1 << len(piece)
    shared = {bits: tuple(at for at in range(bits.bit_length()) if bits >> at & 1) for bits in set(found.values())}
    return {prefix: shared[bits] for prefix, bits in found.items()}

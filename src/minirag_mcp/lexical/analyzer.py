"""Text to terms: one function for what is indexed and for what is asked."""

import re
from collections.abc import Mapping
from itertools import chain

from minirag_mcp.lexical.fold import normalize
from minirag_mcp.lexical.language import language_of
from minirag_mcp.lexical.stem import stems
from minirag_mcp.lexical.words import split

_CACHED_PIECES = 65_536
"""Of each language; about 10 MB when full. Half as many cost a tenth of the speed, twice as many gain nothing."""

_LONGEST_CACHED = 40

_LETTERS = "a-zß-öø-ÿа-яё"
_PLAIN = re.compile(rf"[(\"«]*([A-ZÀ-ÖØ-ÞА-ЯЁ]?[{_LETTERS}]{{1,40}})[.,;:!?)\"»]*")
"""A word with nothing to take apart, and the punctuation around it: three in four pieces of prose."""


class _Pieces(dict[str, tuple[str, ...]]):
    """Terms of each white-space separated piece, for texts in one language. Forgets all when full."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, piece: str) -> tuple[str, ...]:
        plain = _PLAIN.fullmatch(piece)
        found = stems(plain[1], self._language) if plain else tuple(split(normalize(piece), self._language))
        if len(piece) <= _LONGEST_CACHED:
            if len(self) >= _CACHED_PIECES:
                self.clear()
            self[piece] = found
        return found


_pieces: dict[str, _Pieces] = {}


def terms(text: str) -> tuple[str, ...]:
    """The terms of `text`, in order, repeats included; the same for a document and for a question.

    A term is folded (case, width, accents), holds no white space and no NUL, and has at most 64 characters:
    stems of words, identifiers whole and in parts, letters and pairs of letters of scripts without spaces.
    Total and linear: any string has terms, or none.
    """
    return tuple(chain.from_iterable(map(piece_terms(language_of(text)).__getitem__, text.split())))


def piece_terms(language: str) -> Mapping[str, tuple[str, ...]]:
    """The terms of any piece without white space, in a text of this language."""
    if language not in _pieces:
        _pieces[language] = _Pieces(language)
    return _pieces[language]

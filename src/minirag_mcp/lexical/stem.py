"""Inflected forms of a word to one stem, by the script it is written in (Snowball)."""

import threading
from functools import lru_cache

import Stemmer

from minirag_mcp.lexical.fold import fold, lower

_CACHED_WORDS = 65_536
"""About 15 MB when full. A corpus of 26 MB has some 200,000 distinct words, the frequent ones first."""

_SCRIPTS = (
    (0x0041, 0x024F, "latin"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0531, 0x058F, "armenian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
    (0x1E00, 0x1EFF, "latin"),
    (0x1F00, 0x1FFF, "greek"),
)
"""First and last code point, and the stemmer; "latin" stands for English and the language of the text."""

_STEMMED_FOLDED = frozenset({"hindi"})
"""Their stemmers expect the spelling without nukta that `fold` makes."""

_local = threading.local()  # a Stemmer is not safe to share between threads


@lru_cache(_CACHED_WORDS)
def stems(word: str, language: str) -> tuple[str, ...]:
    """The folded stems of one word of letters: one, or none for a word of marks that `fold` drops.

    A Latin word of a text in another language than English has two: by the English rules, so that texts whose
    language shows meet those whose language does not, and by its own, tagged. Two forms of every word, never one
    of some, keep the weight of words even (XQuAD de, nDCG@10: .939 against .924 with the English rules alone and
    .918 with its own alone; `benchmarks/retrieval/analyzer.py`).

    Args:
        word: letters of one script, any case, NFKC.
        language: stemmer for Latin words.
    """
    folded = fold(word)
    if not folded:
        return ()
    script = _script(folded[0])
    if not script:
        return (folded,)
    spelled = folded if script in _STEMMED_FOLDED else lower(word)
    stem = _stem(spelled, "english" if script == "latin" else script) or folded
    if script != "latin" or language == "english":
        return (stem,)
    return (stem, f"{_stem(spelled, language)}~{language[:2]}")


def _stem(spelled: str, language: str) -> str:
    return fold(_stemmer(language).stemWord(spelled))


def _script(letter: str) -> str:
    point = ord(letter)
    return next((name for first, last, name in _SCRIPTS if first <= point <= last), "")


def _stemmer(name: str) -> Stemmer.Stemmer:
    made: dict[str, Stemmer.Stemmer] = _local.__dict__
    if name not in made:
        made[name] = Stemmer.Stemmer(name, 0)
    return made[name]

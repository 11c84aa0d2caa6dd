"""How words are weighed, whatever keeps them."""

from collections.abc import Mapping
from itertools import accumulate

COLUMN_WEIGHTS = (2.0, 1.0, 1.0)
"""Weight of a word in title, context and body. A title word says what a whole document is about."""

_COMMON_SHARE = 0.5
"""A term in a larger share of the chunks has no weight left: its inverse document frequency is zero or less."""


POSTINGS, POSTINGS_SHARE = 20_000, 0.2
"""Places in the index one search may score, fixed and per chunk: at 0.45 µs each 13 ms of 50,000 chunks and 54 ms of
500,000. What goes is the commonest of many terms, which says least."""


def selective(frequencies: Mapping[str, int], total: int) -> list[str]:
    """The terms worth searching, rarest first.

    None that no chunk has; common ones only when there is no rarer one; and the rarest that stay in the allowance,
    but always one.

    frequencies  number of chunks that hold each term
    total        number of chunks
    """
    found = sorted((term for term, count in frequencies.items() if count), key=frequencies.__getitem__)
    rare = [term for term in found if frequencies[term] <= total * _COMMON_SHARE] or found
    spent = list(accumulate(frequencies[term] for term in rare))
    return [term for n, term in enumerate(rare) if n == 0 or spent[n] <= POSTINGS + POSTINGS_SHARE * total]

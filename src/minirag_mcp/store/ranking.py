"""How words are weighed, whatever keeps them."""

from collections.abc import Mapping

COLUMN_WEIGHTS = (2.0, 1.0, 1.0)
"""Weight of a word in title, context and body. A title word says what a whole document is about."""

COMMON_SHARE = 0.5
"""A term in a larger share of the chunks has no weight left: its inverse document frequency is zero or less."""


def selective(frequencies: Mapping[str, int], total: int) -> list[str]:
    """The terms worth searching, in order: none that no chunk has; common ones only when there is no rarer one.

    frequencies  number of chunks that hold each term
    total        number of chunks
    """
    found = [term for term, count in frequencies.items() if count]
    rare = [term for term in found if frequencies[term] <= total * COMMON_SHARE]
    return rare or found

"""Keeps what is said short when it repeats what a client sent, or names that may be of any length."""

MOST_OF_AN_ARGUMENT = 200
"""Characters of an argument that are repeated in an error: enough to know it again."""

MOST_OF_A_MESSAGE = 1_000
"""Characters of an error or notice before what to do: no sentence of ours comes near it by itself."""

_TAIL = 5
"""The end keeps this share (one in N): it often says what is wrong with the name before it."""


def shortened(text: str, *, most: int = MOST_OF_AN_ARGUMENT) -> str:
    """`text`, or its beginning and its end around an ellipsis; at most `most` characters."""
    if len(text) <= most:
        return text
    tail = most // _TAIL
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


def message(text: str) -> str:
    """A message of an error, or a notice, likewise."""
    return shortened(text, most=MOST_OF_A_MESSAGE)

"""What rows must look like; what does not was never written by this program, or is damaged."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import apsw

_Value = TypeVar("_Value")

_OTHER_SHAPE = (TypeError, ValueError, LookupError, AttributeError)
"""What taking values apart raises when they are not what was put there."""


class MisshapenError(Exception):
    """Rows do not fit together, or hold other values than were put there; the message says which."""


@contextmanager
def shaped(what: str) -> Iterator[None]:
    """For taking stored values apart, and nothing else. Raises MisshapenError instead of what that stumbles over."""
    try:
        yield
    except _OTHER_SHAPE as error:
        raise MisshapenError(f"{what} has another shape than it was written in") from error


def present(value: _Value | None, what: str) -> _Value:
    """The row or value, which must be there. Raises MisshapenError."""
    if value is None:
        raise MisshapenError(f"{what} is missing")
    return value


def state(connection: apsw.Connection, columns: str) -> tuple[Any, ...]:
    """Columns of the state row. Raises MisshapenError."""
    row = connection.execute(f"SELECT {columns} FROM state").fetchone()  # noqa: S608 - our own
    found: tuple[object, ...] = present(row, "the row of counters")
    if not all(isinstance(value, int) for value in found):
        raise MisshapenError("the row of counters holds what are no numbers")
    return found

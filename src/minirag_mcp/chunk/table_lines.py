"""How the rows of a Markdown table are written: where each begins and ends, and where its cells do."""

import re
from itertools import pairwise

_PIPE = re.compile(r"(?<!\\)\|")


def row_starts(text: str, start: int, end: int) -> list[int]:
    """Where each row of a table begins, `start` not included.

    In a table whose header stands between outer pipes, a line without the first goes on with a row that lacks the last.
    """
    starts = []
    lines = text[start:end].split("\n")
    framed = begins_row(lines[0]) and ends_row(lines[0])
    position = start
    for before, line in pairwise(lines):
        position += len(before) + 1
        goes_on = framed and not ends_row(before) and not begins_row(line)
        if not goes_on and line.strip():
            starts.append(position)
    return starts


def begins_row(line: str) -> bool:
    """Whether a line begins with the outer pipe of a row, in whatever quote."""
    return line.lstrip(" \t>").startswith("|")


def ends_row(line: str) -> bool:
    """Whether a line ends with the outer pipe of a row."""
    shown = line.rstrip()
    return shown.endswith("|") and not shown.endswith("\\|")


def cell_starts(text: str, start: int, end: int) -> list[int]:
    """Where each cell of a row begins: at its pipe, or at its first character in a row without an outer one."""
    end = start + len(text[start:end].rstrip())
    pipes = [match.start() for match in _PIPE.finditer(text, start, end)]
    if pipes and pipes[-1] == end - 1:
        pipes.pop()
    opens = pipes and not text[start : pipes[0]].strip(" \t>")
    return pipes if opens else [start, *pipes]

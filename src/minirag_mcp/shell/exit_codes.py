"""How a command tells a script what became of it."""

DONE = 0
FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
"""As shells count an end by SIGINT: 128 and the number of the signal."""
TERMINATED = 143
"""Likewise by SIGTERM."""

"""How a command tells a script what became of it; argparse itself ends wrong usage with 2."""

DONE = 0
FAILED = 1
INTERRUPTED = 130
"""As shells count an end by SIGINT: 128 and the number of the signal."""

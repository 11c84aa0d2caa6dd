"""How the tests' own measuring is kept out of what a test measures."""

import os
from collections.abc import Mapping


def unmeasured(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment in which a child process does not count its lines: counting imports modules of its own."""
    return {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}

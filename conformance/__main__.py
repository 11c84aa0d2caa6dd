"""`make conformance`: the official suite and the inspector, in both revisions; exit code 1 when anything differs."""

import sys
import tempfile
from pathlib import Path

from conformance import inspector, node, suite
from conformance.product import BUILD, DOCUMENTS, Setting


def main() -> int:
    """Run everything, say what differs, and keep going to the end."""
    found = node.found()
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        setting = Setting(documents=DOCUMENTS, kept=Path(folder))
        setting.sync()
        differing = [line for revision in suite.REVISIONS for line in suite.run(found, setting, revision)]
        differing += inspector.run(found, setting)
    for line in differing:
        print(line)
    print("conformance: " + ("something differs" if differing else "as expected"))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

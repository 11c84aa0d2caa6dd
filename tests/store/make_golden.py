"""Writes the index that later versions must still open: `python -m tests.store.make_golden`, once per schema."""

import gzip
import tempfile
from pathlib import Path

from tests.store.entries import IDENTITY, entry, record

from minirag_mcp.store.database import FILE_NAME
from minirag_mcp.store.schema import VERSION
from minirag_mcp.store.sqlite import open_store


def main() -> None:
    """One source with vectors, one failure; compressed, for its pages are mostly empty."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder), identity=IDENTITY)
        store.replace(entry("/docs/größe.md", "alpha beta\ngamma\n\nдельта 東京 C++", title="Größe"))
        store.record_failure(record("/docs/scan.pdf", failure=("no_text", "A scan.")))
        store.close()
        target = Path(__file__).parents[1] / "golden" / f"index-schema-{VERSION}.db.gz"
        target.write_bytes(gzip.compress((Path(folder) / FILE_NAME).read_bytes(), mtime=0))


if __name__ == "__main__":
    main()

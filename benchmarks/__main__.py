"""The measurements that need no data from elsewhere (start, sync, store): `make bench`, or this command.

    python -m benchmarks [--folder FOLDER] [--chunks 20000]

FOLDER is copied first, so that no index is left beside the documents. Retrieval, parsing, cutting and embedding are
measured on data given as an argument; see the first lines of each script in this folder.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run the scripts one after the other and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=HERE.parent / "examples" / "documents")
    parser.add_argument("--chunks", type=int, default=20_000, help="size of the made-up index of the store benchmark")
    arguments = parser.parse_args()
    # Without compiled modules every figure would be that of a first start.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "documents"
        shutil.copytree(arguments.folder, folder, ignore=shutil.ignore_patterns(".minirag"))
        environment["PYTHONPYCACHEPREFIX"] = str(Path(place) / "compiled")
        for title, command in {
            "First sync and sync without changes": ["benchmarks.sync.measure", str(folder), "--embedder", "real"],
            "Indexing the folder for what follows": ["minirag_mcp", "sync", "--base-dir", str(folder)],
            "Start": ["benchmarks.start.measure", str(folder)],
            "Store": ["benchmarks.store.bench_store", "--chunks", str(arguments.chunks)],
        }.items():
            print(f"\n## {title}\n", flush=True)
            subprocess.run([sys.executable, "-m", *command], check=True, cwd=HERE.parent, env=environment)


if __name__ == "__main__":
    main()

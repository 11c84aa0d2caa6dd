"""The product's tokenizer beside the `tokenizers` library with the same pieces: equality, speed, load time, memory.

    python -m benchmarks.embedding.tokenizer FOLDER ...

Reads the `text` fields of the `.jsonl` files and the `.md` files under the folders. Prints Markdown.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers

from benchmarks.embedding.engines import open_tokenizer
from minirag_mcp.embed.packed import PackedModel, find_packed_file
from minirag_mcp.embed.unigram import composed

Count = Callable[[Sequence[str]], list[list[int]]]
SPECIAL = ("<s>", "</s>", "<pad>", "<unk>")


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    texts = [text for folder in parser.parse_args().folders for text in read(folder)]
    plain = [text for text in texts if not any(token in text for token in SPECIAL)]
    size = sum(len(text.encode("utf-8", "replace")) for text in plain) / 1e6
    own, library = open_own(), open_library()
    started = time.perf_counter()
    ours = own(plain)
    own_seconds, started = time.perf_counter() - started, time.perf_counter()
    theirs = library(plain)
    library_seconds = time.perf_counter() - started
    differ = sum(one != other for one, other in zip(ours, theirs, strict=True))
    print(f"{len(plain)} texts, {size:.1f} MB, {sum(map(len, ours))} tokens: {differ} texts differ")
    print(f"({len(texts) - len(plain)} texts that spell out a special token are left out: here they stay text)\n")
    print("| tokenizer | MB/s | load s | resident MB added |")
    print("|---|---|---|---|")
    print(f"| own, one thread | {size / own_seconds:.1f} | {fresh('open_own')} |")
    print(f"| library, all processors | {size / library_seconds:.1f} | {fresh('open_library')} |")


def open_own() -> Count:
    """The product's tokenizer."""
    tokenizer = open_tokenizer()
    return lambda texts: [tokenizer.encode(text, limit=len(text) + 2) for text in texts]


def open_library() -> Count:
    """The library's tokenizer over the same pieces, scores and character map."""
    pieces = PackedModel(find_packed_file()).pieces()
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces.pieces, pieces.scores, strict=True)), pieces.unknown, False))
    metaspace = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace])
    return lambda texts: [
        encoding.ids
        for encoding in tokenizer.encode_batch_fast([composed(text).translate(pieces.normalisation) for text in texts])
    ]


def read(folder: Path) -> Iterator[str]:
    """The texts under a folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".md":
            yield path.read_text("utf-8", errors="replace")
        elif path.suffix == ".jsonl":
            yield from (json.loads(line)["text"] for line in path.read_text("utf-8").splitlines())


FRESH = """
import sys, time
from pathlib import Path
from benchmarks.embedding import tokenizer
def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int([line.split()[1] for line in lines if line.startswith("VmRSS")][0]) / 1000
before, started = resident(), time.perf_counter()
opened = getattr(tokenizer, sys.argv[1])()
opened(["warm"])
print(f"{time.perf_counter() - started:.2f} | {resident() - before:.0f}")
"""


def fresh(name: str) -> str:
    """Load time and memory in a process of its own."""
    command = [sys.executable, "-c", FRESH, name]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()

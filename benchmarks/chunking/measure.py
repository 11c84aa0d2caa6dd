"""What cutting does to a folder of documents: `python benchmarks/chunking/measure.py FOLDER [--budget N] [--fast]`.

Reads every supported file under FOLDER (and the texts of every `corpus.jsonl`), cuts it, and prints one line per
figure: chunks over the budget, characters in no section, section sizes, share of context, megabytes a second.
Files that cannot be parsed are counted and left out. `--fast` counts tokens by a regular expression instead of
with the bundled model's tokenizer.
"""

import argparse
import json
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from minirag_mcp.chunk.counter import TokenCounter
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.chunk.scheme import MODEL_LIMIT
from minirag_mcp.chunk.units import SECTION_CAP
from minirag_mcp.config import DEFAULT_TOKEN_BUDGET
from minirag_mcp.errors import ParseError
from minirag_mcp.model import Cut, Document
from minirag_mcp.parse.registry import SUFFIXES, parse

_WORD_PART = re.compile(r"[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_")


class WordParts:
    """A counter that costs next to nothing; its figures are near those of a real tokenizer for English."""

    def count(self, text: str) -> int:
        """Word parts of `text`."""
        return len(_WORD_PART.findall(text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Word parts of each text."""
        return [self.count(text) for text in texts]


def bundled() -> TokenCounter:
    """The tokenizer of the bundled model."""
    from minirag_mcp.embed.packed import PackedModel, find_packed_file  # noqa: PLC0415 - reads 50 MB
    from minirag_mcp.embed.unigram import UnigramTokenizer  # noqa: PLC0415

    return UnigramTokenizer(PackedModel(find_packed_file()).pieces())


@dataclass
class Figures:
    """Sums over all documents."""

    documents: int = 0
    unreadable: int = 0
    characters: int = 0
    size: int = 0
    seconds: float = 0.0
    tokens: list[int] = field(default_factory=list)
    context_tokens: int = 0
    header_tokens: int = 0
    whole_code: int = 0
    over_budget: int = 0
    over_limit: int = 0
    outside: int = 0
    disorder: int = 0
    sections: list[int] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    over: list[str] = field(default_factory=list)


def documents(folder: Path, figures: Figures) -> Iterator[tuple[str, Document]]:
    """Every document under `folder`, with a name to show."""
    for path in sorted(folder.rglob("*")):
        if path.name == "corpus.jsonl":
            for line in path.read_text(encoding="utf-8").splitlines():
                item = json.loads(line)
                title = item.get("title", "")
                yield (
                    f"{path.parent.name}:{item['id']}",
                    Document(text=item["text"], title=title, own_title=bool(title), format="markdown"),
                )
        elif path.is_file() and path.suffix.lower() in SUFFIXES:
            try:
                yield str(path), parse(path.read_bytes(), name=path.name, stem=path.stem)
            except ParseError:
                figures.unreadable += 1


def add(figures: Figures, name: str, made: Cut, *, counter: TokenCounter, budget: int) -> None:
    """Check one cut and add it up."""
    text = made.document.text
    position = chunk_position = 0
    for section in made.sections:
        figures.outside += len(text[position : section.span.start].strip())
        figures.disorder += section.span.start < position
        position = section.span.end
        figures.sections.append(len(section.shown(text)))
    figures.outside += len(text[position:].strip())
    tokens = counter.count_many([chunk.embedded(text) for chunk in made.chunks])
    figures.context_tokens += sum(counter.count_many([chunk.context for chunk in made.chunks]))
    figures.header_tokens += sum(counter.count_many([chunk.header for chunk in made.chunks]))
    figures.tokens.extend(tokens)
    for chunk, count in zip(made.chunks, tokens, strict=True):
        section = made.sections[chunk.section]
        inside = section.span.start <= chunk.span.start <= chunk.span.end <= section.span.end
        figures.disorder += not inside or chunk.span.start < chunk_position
        chunk_position = chunk.span.end
        code = "```" in chunk.span.of(text) or "~~~" in chunk.span.of(text)
        figures.over_limit += count > MODEL_LIMIT
        figures.whole_code += budget < count <= MODEL_LIMIT and code
        if count > budget and not code:
            figures.over_budget += 1
            figures.over.append(f"{name} chunk {chunk.ordinal}: {count} tokens")


def measure(folder: Path, counter: TokenCounter, budget: int) -> Figures:
    """Cut everything under `folder`."""
    figures = Figures()
    for name, document in documents(folder, figures):
        begin = time.perf_counter()
        made = cut(document, counter=counter, budget=budget)
        taken = time.perf_counter() - begin
        figures.documents += 1
        figures.characters += len(document.text)
        figures.size += len(document.text.encode())
        figures.seconds += taken
        figures.slowest = max(figures.slowest, (taken, name))
        add(figures, name, made, counter=counter, budget=budget)
    return figures


def report(figures: Figures) -> str:
    """The figures, one per line."""
    sections, tokens = sorted(figures.sections) or [0], sorted(figures.tokens) or [0]
    total = max(1, sum(tokens))
    rows = {
        "documents (unreadable)": f"{figures.documents} ({figures.unreadable})",
        "characters": f"{figures.characters:,}",
        "MB/s": f"{figures.size / 1e6 / max(figures.seconds, 1e-9):.2f}",
        "slowest document": f"{figures.slowest[0]:.2f} s {figures.slowest[1]}",
        "sections": f"{len(sections):,}",
        "section characters median / p99 / largest": " / ".join(
            f"{value:,}" for value in (statistics.median(sections), sections[int(len(sections) * 0.99)], sections[-1])
        ),
        "sections over the cap": sum(size > SECTION_CAP for size in sections),
        "chunks": f"{len(tokens):,}",
        "chunk tokens median / p90 / largest": " / ".join(
            f"{value:,}" for value in (statistics.median(tokens), tokens[int(len(tokens) * 0.9)], tokens[-1])
        ),
        "chunks under 20 tokens": sum(count < 20 for count in tokens),
        "share of context / table headers": (
            f"{figures.context_tokens / total:.1%} / {figures.header_tokens / total:.1%}"
        ),
        "whole code blocks over the budget": figures.whole_code,
        "chunks over the budget otherwise": figures.over_budget,
        "chunks over the model's limit": figures.over_limit,
        "characters in no section": figures.outside,
        "spans out of order or out of their section": figures.disorder,
    }
    lines = [f"{name:45} {value}" for name, value in rows.items()]
    return "\n".join([*lines, *figures.over[:20]])


def main() -> None:
    """Read the command line and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=int, default=DEFAULT_TOKEN_BUDGET)
    parser.add_argument("--fast", action="store_true")
    given = parser.parse_args()
    counter: TokenCounter = WordParts() if given.fast else bundled()
    print(report(measure(given.folder, counter, given.budget)))


if __name__ == "__main__":
    main()

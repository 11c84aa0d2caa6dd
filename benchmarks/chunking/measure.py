"""What cutting does to folders of documents: `python -m benchmarks.chunking.measure FOLDER … [--budgets 16,110]`.

Reads every supported file under each FOLDER (and the texts of every `corpus.jsonl`), cuts it, checks what must hold
of every cut, and prints one line per figure and one column per budget. Files that cannot be parsed are counted and
left out. `--fast` counts tokens by a regular expression instead of with the bundled model's tokenizer; `--profile`
prints where the time of cutting goes.
"""

import argparse
import cProfile
import json
import pstats
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.chunking.checks import (
    is_only_a_table_header,
    is_only_headings,
    keeps_code_whole,
    out_of_order,
    outside,
    read_twice,
    said_again,
)
from benchmarks.chunking.originals import read_original
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
    """Sums over all documents cut with one budget."""

    budget: int
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
    read_twice: int = 0
    disorder: int = 0
    only_headings: int = 0
    only_table_header: int = 0
    sections: list[int] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    wrong: list[str] = field(default_factory=list)


@dataclass
class Parsed:
    """What parsing did, apart from any budget."""

    documents: int = 0
    unreadable: int = 0
    looked_up: int = 0
    said_again: int = 0
    again: list[str] = field(default_factory=list)


def documents(folder: Path, parsed: Parsed) -> Iterator[tuple[str, Document]]:
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
                document = parse(path.read_bytes(), name=path.name, stem=path.stem)
            except ParseError:
                parsed.unreadable += 1
                continue
            compare(parsed, path, document)
            yield str(path.relative_to(folder)), document


def compare(parsed: Parsed, path: Path, document: Document) -> None:
    """Look for paragraphs that the document says more often than the file."""
    original = read_original(path)
    if original is None:
        return
    parsed.looked_up += 1
    again = said_again(document.text, original)
    parsed.said_again += again
    if again:
        parsed.again.append(f"{path.name}: {again} characters more than in the file")


def add(figures: Figures, name: str, made: Cut, counter: TokenCounter) -> None:
    """Check one cut and add it up."""
    text, budget = made.document.text, figures.budget
    figures.outside += outside(text, made.sections)
    figures.read_twice += read_twice(made.sections)
    figures.disorder += out_of_order(made)
    figures.sections.extend(len(section.shown(text)) for section in made.sections)
    tokens = counter.count_many([chunk.embedded(text) for chunk in made.chunks])
    figures.context_tokens += sum(counter.count_many([chunk.context for chunk in made.chunks]))
    figures.header_tokens += sum(counter.count_many([chunk.header for chunk in made.chunks]))
    figures.tokens.extend(tokens)
    for chunk, count in zip(made.chunks, tokens, strict=True):
        code = count > budget and keeps_code_whole(chunk, text, counter=counter, budget=budget)
        figures.whole_code += code
        figures.over_budget += count > budget and not code
        figures.over_limit += count > MODEL_LIMIT
        figures.only_headings += is_only_headings(chunk, made)
        figures.only_table_header += is_only_a_table_header(chunk, made)
        if count > MODEL_LIMIT or (count > budget and not code):
            figures.wrong.append(f"budget {budget}: {name} chunk {chunk.ordinal}: {count} tokens")


def measure(folders: Sequence[Path], counter: TokenCounter, budgets: Sequence[int]) -> tuple[Parsed, list[Figures]]:
    """Cut everything under `folders` with each budget."""
    parsed, columns = Parsed(), [Figures(budget) for budget in budgets]
    for name, document in (found for folder in folders for found in documents(folder, parsed)):
        parsed.documents += 1
        for figures in columns:
            begin = time.process_time()
            made = cut(document, counter=counter, budget=figures.budget)
            taken = time.process_time() - begin
            figures.characters += len(document.text)
            figures.size += len(document.text.encode())
            figures.seconds += taken
            figures.slowest = max(figures.slowest, (taken, name))
            add(figures, name, made, counter)
    return parsed, columns


def column(figures: Figures) -> dict[str, str]:
    """The figures of one budget, by what they say."""
    sections, tokens = sorted(figures.sections) or [0], sorted(figures.tokens) or [0]
    total = max(1, sum(tokens))
    return {
        "chunks": f"{len(tokens):,}",
        "chunks over the budget otherwise": f"{figures.over_budget}",
        "chunks over it for one closed code block": f"{figures.whole_code}",
        "chunks over the model's limit": f"{figures.over_limit}",
        "characters in no section": f"{figures.outside}",
        "characters read twice": f"{figures.read_twice}",
        "chunks that do not join to their section": f"{figures.disorder}",
        "sections": f"{len(sections):,}",
        "section characters, median": f"{statistics.median(sections):,.0f}",
        "section characters, p99": f"{sections[int(len(sections) * 0.99)]:,}",
        "section characters, largest": f"{sections[-1]:,}",
        f"sections over {SECTION_CAP:,} characters": f"{sum(size > SECTION_CAP for size in sections)}",
        "chunk tokens, median": f"{statistics.median(tokens):.0f}",
        "chunk tokens, p90": f"{tokens[int(len(tokens) * 0.9)]}",
        "chunk tokens, largest": f"{tokens[-1]}",
        "chunks under 20 tokens": f"{sum(count < 20 for count in tokens)}",
        "chunks of headings alone, with text under them": f"{figures.only_headings}",
        "chunks of a table header alone, with rows under it": f"{figures.only_table_header}",
        "share of chunk tokens that are context": f"{figures.context_tokens / total:.1%}",
        "share of chunk tokens that are table headers": f"{figures.header_tokens / total:.1%}",
        "MB/s of processor time": f"{figures.size / 1e6 / max(figures.seconds, 1e-9):.2f}",
        "slowest document": f"{figures.slowest[0]:.2f} s",
    }


def report(parsed: Parsed, columns: Sequence[Figures]) -> str:
    """A Markdown table, and what went wrong."""
    shown = [column(figures) for figures in columns]
    lines = [
        f"{parsed.documents} documents, {columns[0].characters:,} characters; {parsed.unreadable} files not read",
        f"{parsed.looked_up} compared with their files: {parsed.said_again} characters said more often than there",
        "",
        "| budget | " + " | ".join(str(figures.budget) for figures in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
        *(f"| {name} | " + " | ".join(values[name] for values in shown) + " |" for name in shown[0]),
        "",
        f"slowest: {max(figures.slowest for figures in columns)[1]}",
    ]
    return "\n".join([*lines, *parsed.again[:20], *(wrong for figures in columns for wrong in figures.wrong[:20])])


def main() -> None:
    """Read the command line and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--budgets", default=str(DEFAULT_TOKEN_BUDGET))
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    counter: TokenCounter = WordParts() if given.fast else bundled()
    profile = cProfile.Profile()
    if given.profile:
        profile.enable()
    print(report(*measure(given.folders, counter, [int(budget) for budget in given.budgets.split(",")])))
    if given.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main()

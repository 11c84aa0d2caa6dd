"""Cuts written out for people to check; `python -m tests.chunk.golden` writes the expected files anew."""

from pathlib import Path

from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.model import Cut
from minirag_mcp.parse.registry import parse

FOLDER = Path(__file__).parent.parent / "golden" / "sections"
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "documents"
BUDGET = 60
_EXPECTED = ".cut.txt"


def sources() -> list[Path]:
    """Made and real documents kept beside their cuts, and the example documents in all formats."""
    kept = [path for path in FOLDER.rglob("*") if path.is_file() and path.name != "README.md"]
    return sorted(path for path in (*kept, *EXAMPLES.iterdir()) if not path.name.endswith(_EXPECTED))


def expected(path: Path) -> Path:
    if path.is_relative_to(EXAMPLES):
        return FOLDER / "examples" / f"{path.name}{_EXPECTED}"
    return path.with_suffix(_EXPECTED)


def written_out(made: Cut) -> str:
    """Sections with their chunks: everything a reader or the model sees."""
    text = made.document.text
    lines: list[str] = []
    for section in made.sections:
        facts = [section.kind.value, " > ".join(section.headings), section.label, str(section.place or "")]
        lines.append(f"=== {' | '.join(fact for fact in facts if fact)}")
        if section.header:
            lines.append(f"header: {section.header!r}")
        for chunk in made.chunks:
            if chunk.section == section.ordinal:
                tokens = WordParts().count(chunk.embedded(text))
                lines.append(f"--- {tokens} tokens, {chunk.context!r}")
                lines.append(chunk.shown(text))
    return "\n".join(lines) + "\n"


def cut_file(path: Path) -> Cut:
    if path.suffix == ".md" and path.is_relative_to(FOLDER):
        source = document(path.read_text(encoding="utf-8"), title="Golden")
    else:
        source = parse(path.read_bytes(), name=path.name, stem=path.stem)
    return cut(source, counter=WordParts(), budget=BUDGET)


def main() -> None:
    for path in sources():
        expected(path).parent.mkdir(exist_ok=True)
        expected(path).write_text(written_out(cut_file(path)), encoding="utf-8")


if __name__ == "__main__":
    main()

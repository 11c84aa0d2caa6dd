"""Cuts written out for people to check; `python -m tests.chunk.golden` writes the expected files anew."""

from pathlib import Path

from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.model import Cut

FOLDER = Path(__file__).parent.parent / "golden" / "sections"
BUDGET = 60


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
    return cut(document(path.read_text(encoding="utf-8"), title="Golden"), counter=WordParts(), budget=BUDGET)


def main() -> None:
    for path in sorted(FOLDER.glob("*.md")):
        path.with_suffix(".cut.txt").write_text(written_out(cut_file(path)), encoding="utf-8")


if __name__ == "__main__":
    main()

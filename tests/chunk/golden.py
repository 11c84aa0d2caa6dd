"""Cuts written out for people to check; `python -m tests.chunk.golden` writes the expected files anew.

Beside them stand their digests and the VERSIONs they were made with, so that no document is cut otherwise under the
same name of the way it is cut: an index made before would never be made anew.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk import scheme
from minirag_mcp.chunk.cutter import cut
from minirag_mcp.model import Cut
from minirag_mcp.parse import registry
from minirag_mcp.parse.registry import parse

FOLDER = Path(__file__).parent.parent / "golden" / "sections"
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "documents"
DIGESTS = FOLDER.parent / "section-digests.json"
BUDGET = 60
RAISE_A_VERSION = """\
These documents are cut otherwise than before: {names}.
Raise VERSION in src/minirag_mcp/chunk/scheme.py, or in src/minirag_mcp/parse/registry.py where a parser gives another
text, so that indexes are made anew; then run `python -m tests.chunk.golden`."""
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


def versions() -> dict[str, Any]:
    return {"cutter": scheme.VERSION, "parser": registry.VERSION}


def digests() -> dict[str, list[str]]:
    """Of each document and of its expected cut, as they are now."""
    root = FOLDER.parent.parent.parent
    return {
        path.relative_to(root).as_posix(): [sha256(file.read_bytes()).hexdigest() for file in (path, expected(path))]
        for path in sources()
    }


def recorded() -> dict[str, Any]:
    """The digests as they were, under "digests", and under "versions" what they were made with."""
    found: dict[str, Any] = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.exists() else {}
    return found


def cut_otherwise() -> list[str]:
    """Documents that are what they were, under the same VERSIONs, and whose cuts are not."""
    before = recorded()
    if before.get("versions") != versions():
        return []
    known = before["digests"]
    return [
        name
        for name, (document_digest, cut_digest) in digests().items()
        if name in known and known[name][0] == document_digest and known[name][1] != cut_digest
    ]


def main() -> None:
    for path in sources():
        expected(path).parent.mkdir(exist_ok=True)
        expected(path).write_text(written_out(cut_file(path)), encoding="utf-8")
    if names := cut_otherwise():
        sys.exit(RAISE_A_VERSION.format(names=", ".join(names)))
    DIGESTS.write_text(json.dumps({"versions": versions(), "digests": digests()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

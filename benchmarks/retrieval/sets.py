"""Retrieval sets on disk: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` in one folder each."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Grades = dict[str, int]
"""Document id → grade of relevance, for one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSet:
    """Questions with judgements; the documents are read when they are written out as files."""

    name: str
    folder: Path
    questions: tuple[tuple[str, Grades], ...]


def sets_in(folder: Path, names: list[str]) -> list[RetrievalSet]:
    """The sets under `folder`, by name; all of them if `names` is empty."""
    found = sorted(path.parent for path in folder.glob("*/qrels.tsv"))
    unknown = set(names) - {path.name for path in found}
    if unknown:
        raise SystemExit(f"no such sets: {', '.join(sorted(unknown))}")
    return [_read(path) for path in found if not names or path.name in names]


def write_documents(one: RetrievalSet, folder: Path) -> dict[str, str]:
    """Write each document of the set as a Markdown file into `folder`; gives file name → document id."""
    folder.mkdir(parents=True)
    names = {}
    for number, document in enumerate(_lines(one.folder / "corpus.jsonl")):
        name = f"{number:06}.md"
        (folder / name).write_text(_markdown(document["title"], document["text"]), encoding="utf-8")
        names[name] = document["id"]
    return names


def _read(folder: Path) -> RetrievalSet:
    grades: dict[str, Grades] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        question, document, grade = line.split("\t")[:3]
        if grade.isdigit():
            grades[question][document] = int(grade)
    questions = tuple(
        (line["text"], grades[line["id"]]) for line in _lines(folder / "queries.jsonl") if grades.get(line["id"])
    )
    return RetrievalSet(name=folder.name, folder=folder, questions=questions)


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _markdown(title: str, text: str) -> str:
    """The title as a heading, or as front matter where the text begins with a heading of its own."""
    if not title:
        return text
    if text.startswith("# "):
        return f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n---\n{text}"
    return f"# {title}\n\n{text}"

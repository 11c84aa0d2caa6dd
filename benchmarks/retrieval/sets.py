"""Retrieval sets on disk: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` in one folder each."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from minirag_mcp.model import SourceKey, Span

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


def documents_of(one: RetrievalSet) -> Iterator[tuple[str, bytes]]:
    """(id, Markdown) of each document; of a set with spans, its long texts as they are."""
    if spans_of(one):
        for path in sorted((one.folder / "corpora").glob("*.md")):
            yield path.stem, path.read_bytes()
        return
    for document in _lines(one.folder / "corpus.jsonl"):
        yield document["id"], _markdown(document["title"], document["text"]).encode()


def questions_with_answers(one: RetrievalSet) -> list[tuple[str, str]]:
    """(question, answer) of the judged questions, in the order of `questions`; "" where no answer is given."""
    judged = {text for text, _ in one.questions}
    lines = [line for line in _lines(one.folder / "queries.jsonl") if line["text"] in judged]
    return [(line["text"], line.get("answer", "")) for line in lines]


def spans_of(one: RetrievalSet) -> dict[str, list[tuple[SourceKey, Span]]]:
    """Question → where its answers stand, as (name of the long text, characters); empty without `spans.tsv`."""
    listed = one.folder / "spans.tsv"
    if not listed.exists():
        return {}
    texts = {line["id"]: line["text"] for line in _lines(one.folder / "queries.jsonl")}
    spans: dict[str, list[tuple[SourceKey, Span]]] = defaultdict(list)
    for line in listed.read_text(encoding="utf-8").splitlines():
        question, corpus, start, end = line.split("\t")
        if start.isdigit():
            spans[texts[question]].append((SourceKey(corpus), Span(start=int(start), end=int(end))))
    return spans


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

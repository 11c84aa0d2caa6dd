"""What the documents show to be copied: fenced blocks, and the commands in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.joinpath("docs").rglob("*.md")])

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_JOINTS = {"&&", "||", "|", ";"}
_ASSIGNED = re.compile(r"[A-Z_]+=")


@dataclass(frozen=True, kw_only=True)
class Snippet:
    """A text that someone may copy, and where it stands."""

    document: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}: {self.text.strip().splitlines()[0]}"


def blocks(language: str) -> list[Snippet]:
    """The fenced blocks of a language."""
    return [
        Snippet(document=path.name, text=text)
        for path in DOCUMENTS
        for found, text in _BLOCK.findall(path.read_text(encoding="utf-8"))
        if found == language
    ]


def commands() -> list[Snippet]:
    """Each simple command of the shell blocks, and those of other blocks that stand behind a `$`."""
    shown = [(block, line) for block in blocks("sh") for line in _lines(block.text)]
    shown += [(block, line[2:]) for block in blocks("text") for line in _lines(block.text) if line.startswith("$ ")]
    return [
        Snippet(document=block.document, text=command) for block, line in shown for command in _simple_commands(line)
    ]


def inline(first: str) -> list[Snippet]:
    """Commands in running text that begin with this word."""
    return [
        Snippet(document=path.name, text=text)
        for path in DOCUMENTS
        for text in _INLINE.findall(_BLOCK.sub("", path.read_text(encoding="utf-8")))
        if text.startswith(f"{first} ")
    ]


def _lines(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def _simple_commands(line: str) -> Iterator[str]:
    words: list[str] = []
    for word in [*shlex.split(line, comments=True), ";"]:
        if word in _JOINTS:
            if words:
                yield shlex.join(words)
            words = []
        elif words or not _ASSIGNED.match(word):
            words.append(word)

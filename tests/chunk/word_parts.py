"""A token counter for tests: short runs of letters or digits, and every other character, as real tokenizers do."""

import re
from collections.abc import Sequence

from minirag_mcp.model import Document, Mark

_PART = re.compile(r"[A-Za-zА-Яа-яё]{1,6}|\d{1,3}|\S")


class WordParts:
    """Additive over pieces split at white space."""

    def count(self, text: str) -> int:
        return len(_PART.findall(text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


def document(text: str, *, title: str = "", marks: tuple[Mark, ...] = ()) -> Document:
    return Document(text=text, title=title, own_title=bool(title), format="markdown", marks=marks)

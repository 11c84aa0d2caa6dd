"""Cut a text and look at what was made of it, in few words."""

from tests.chunk.word_parts import WordParts, document

from minirag_mcp.chunk.cutter import cut
from minirag_mcp.model import Chunk, Cut, Mark

COUNTER = WordParts()


def cut_text(text: str, *, budget: int = 110, title: str = "", marks: tuple[Mark, ...] = ()) -> Cut:
    """Of a text with anything in it there are chunks, so that what holds for all of them holds for some."""
    made = cut(document(text, title=title, marks=marks), counter=COUNTER, budget=budget)
    assert bool(made.chunks) == bool(text.strip())
    return made


def sections(made: Cut) -> list[str]:
    return [section.shown(made.document.text) for section in made.sections]


def passages(made: Cut) -> list[str]:
    return [chunk.shown(made.document.text) for chunk in made.chunks]


def tokens(made: Cut, chunk: Chunk) -> int:
    return COUNTER.count(chunk.embedded(made.document.text))


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def sentence(count: int) -> str:
    return f"The {words(count - 1)}."

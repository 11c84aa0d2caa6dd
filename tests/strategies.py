"""Hypothesis strategies for Markdown documents with every kind of block, well formed and not."""

from hypothesis import strategies as st

from minirag_mcp.model import Document

_TERMS = """
    alpha beta Gamma delta ERR_CONN_4012 И-112 договор Поставка срок оплаты 数据库连接 超时错误 データ 12.5 see e.g.
    No. 5 ภาษาไทย हिन्दी العربية naïve `code` **bold** [link](http://example.org/a_b) <b>x</b> # > | * 😀 e\u0301
"""
_WORDS = st.sampled_from(_TERMS.split())
_ENDS = st.sampled_from([".", "!", "?", "。", "؟", "।", "…", ":", ""])

sentences = st.builds(lambda words, end: " ".join(words) + end, st.lists(_WORDS, min_size=1, max_size=14), _ENDS)
paragraphs = st.lists(sentences, min_size=1, max_size=6).flatmap(
    lambda parts: st.sampled_from([" ", "\n"]).map(lambda joint: joint.join(parts))
)
headings = st.builds(
    lambda depth, words: "#" * depth + " " + " ".join(words),
    st.integers(1, 6),
    st.lists(_WORDS, min_size=1, max_size=6),
)
setext_headings = st.builds(
    lambda words, line: " ".join(words) + "\n" + line,
    st.lists(st.sampled_from(["One", "Two", "Раздел"]), min_size=1, max_size=4),
    st.sampled_from(["====", "-----"]),
)
_cells = st.sampled_from(["1", "E_42", "a longer cell with several words in it", "", "да", "値段", "0.5"])


@st.composite
def tables(draw: st.DrawFn, *, most_rows: int = 12) -> str:
    """A pipe table of one to five columns, sometimes without rows."""
    columns = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(_cells, min_size=columns, max_size=columns), min_size=0, max_size=most_rows))
    header = [f"col{number}" for number in range(columns)]
    lines = [f"| {' | '.join(row)} |" for row in [header, ["---"] * columns, *rows]]
    return "\n".join(lines)


@st.composite
def fences(draw: st.DrawFn) -> str:
    """A closed fence whose lines look like headings, tables and prose."""
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    info = draw(st.sampled_from(["", "python", " sh"]))
    code = st.sampled_from(["# not a heading", "x = 1", "| a | b |", "|---|---|", "", "    deep", "def f(): return 0"])
    lines = draw(st.lists(code, max_size=20))
    return "\n".join([mark + info, *lines, mark])


lists = st.lists(st.tuples(st.sampled_from(["- ", "1. ", "  * ", "10) "]), sentences), min_size=1, max_size=6).map(
    lambda items: "\n".join(mark + text for mark, text in items)
)
quotes = paragraphs.map(lambda text: "\n".join("> " + line for line in text.split("\n")))
oddities = st.sampled_from(
    [
        "```",
        "~~~ open",
        "<!-- # hidden\nstill hidden -->",
        "<!-- never closed",
        "<div>\n# in html\n</div>",
        "<pre>\n\n# raw\n</pre>",
        "---",
        "***",
        "#",
        "a" * 300,
        "数" * 200,
        "word " * 150,
        "\t\tindented # code",
        "| not | a table",
        "\u00a0",
        "00:01",
        "> ```\n> quoted code\n> ```",
        "- ```\n  code\n  ```",
    ]
)
blocks = st.one_of(paragraphs, headings, setext_headings, tables(), fences(), lists, quotes, oddities)
_gaps = st.sampled_from(["\n\n", "\n\n", "\n\n", "\n", "\n\n\n\n", "\n \n"])


@st.composite
def markdown(draw: st.DrawFn, *, most_blocks: int = 12) -> str:
    """Blocks of every kind with blank lines, or sometimes none, between them."""
    parts = draw(st.lists(st.tuples(blocks, _gaps), max_size=most_blocks))
    return draw(st.sampled_from(["", "\n", "\n\n"])) + "".join(block + gap for block, gap in parts)


@st.composite
def tidy_markdown(draw: st.DrawFn, *, most_blocks: int = 10) -> str:
    """Well-formed blocks only, each between blank lines, so that every fence and row in it is genuine."""
    tidy = st.one_of(paragraphs, headings, tables(), fences())
    return "\n\n".join(draw(st.lists(tidy, min_size=1, max_size=most_blocks)))


titles = st.sampled_from(["", "Handbook", "Договор И-112", "A title of very many words " * 6])
texts = st.one_of(markdown(), st.text(max_size=400).map(lambda text: text.replace("\r", "\n").replace("\0", "")))


def documents(text: st.SearchStrategy[str] = texts) -> st.SearchStrategy[Document]:
    """Documents of the Markdown parser, without marks."""
    return st.builds(
        lambda text, title: Document(text=text, title=title, own_title=bool(title), format="markdown"), text, titles
    )

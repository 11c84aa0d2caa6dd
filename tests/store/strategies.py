"""Entries of a small world, for Hypothesis; apart from `entries` because child processes need only those."""

from hypothesis import strategies as st
from tests.store.entries import IDENTITY, entry

from minirag_mcp.model import Fingerprint, SourceEntry, SourceKey

WORDS = st.sampled_from(["alpha", "beta", "gamma", "Gamma", "δέλτα", "ERR_4012", 'quo"te', "C++", "слово", "東京", "*"])

KEYS = st.sampled_from(
    ["/d/a.md", "/d/b.md", "/d/sub/a.md", "/d/sub2/a.md", "/d/%.md", "/d/x_y.md", "https://h/p", "note", "/d/\udcff.md"]
)

SCOPES = st.lists(
    st.sampled_from(["/d", "/d/sub", "/d/", "/", "/d/a.md", "/d/%", "/d/x", "https://h", "none", "/d/\udcff.md"]),
    max_size=2,
).map(lambda parts: tuple(SourceKey(part) for part in parts))


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = st.lists(WORDS, max_size=5).map(" ".join)
    paragraphs = st.lists(lines, min_size=1, max_size=3).map("\n".join)
    return "\n\n".join(draw(st.lists(paragraphs, min_size=1, max_size=3)))


@st.composite
def entries(draw: st.DrawFn) -> SourceEntry:
    """Entries of a small world, so that texts repeat, keys meet and words are shared."""
    identity = draw(st.sampled_from([IDENTITY, IDENTITY, None]))
    fingerprint = Fingerprint(model="bag-of-words", scheme=draw(st.sampled_from(["1", "2"])))
    title = draw(st.sampled_from(["A title", "alpha beta", "Название", ""]))
    return entry(draw(KEYS), draw(texts()), title=title, identity=identity, fingerprint=fingerprint)

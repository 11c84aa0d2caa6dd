import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.text_files import page, read

from minirag_mcp.errors import NoTextError, ParseError, ParseLimitError
from minirag_mcp.parse import html_page

RUSSIAN = "Отправка резюме: вы можете посмотреть его по адресу на нашем сайте."


def test_what_a_reader_sees_is_kept_and_the_rest_is_not() -> None:
    text = read(
        page(
            "<nav><a href='/'>Start page</a></nav><div role='navigation'>Menu</div>"
            "<header><h1>The <em>Plan</em></h1></header><script>var secret=1</script><style>b{}</style>"
            "<p hidden>hidden one</p><p style='display:none'>hidden two</p><span aria-hidden='true'>icon</span>"
            "<form><p>Inside a form</p></form><svg><text>drawn</text></svg><iframe src='x'>frame</iframe>"
            "<noscript>turn it on</noscript><template>tpl</template><h2>Part</h2><ul><li>one<li>two</ul>"
            "<pre><code class='language-sql'>SELECT 1</code></pre><footer>Contact us</footer>"
        ),
        "a.html",
    ).text
    assert text == ("# The *Plan*\n\nInside a form\n\n## Part\n\n- one\n- two\n\n```sql\nSELECT 1\n```\n\nContact us")


def test_links_leave_their_words_and_pictures_their_address() -> None:
    body = "<p>See <a href='http://example.org/x?y'>the report</a> <img src='plan.png' alt='plan'>"
    assert read(page(body), "a.html").text == "See the report ![plan](plan.png)"


def test_inlined_pictures_leave_their_alt_text() -> None:
    body = "<p>A <img alt='chart' src='data:image/png;base64,AAAA'> <img src=\"data:image/svg+xml;utf8,x\"> B"
    text = read(page(body), "a.html").text
    assert "data:" not in text
    assert "chart" in text


def test_tables_keep_header_and_whole_rows() -> None:
    body = "<table><tr><th>Code<th>Meaning</tr><tr><td>E1<td>a|b<br>c</tr></table>"
    assert read(page(body), "a.html").text.split("\n") == ["| Code | Meaning |", "| --- | --- |", r"| E1 | a\|b c |"]


def test_title_and_description_come_from_the_head() -> None:
    html = page("<h1>Heading</h1>", "Tom &amp;\n Jerry").replace(
        "<title>",
        '<meta name="Description" content="About &quot;it&quot;"><meta name=author content=Ann><meta name=x><title>',
    )
    document = read(html, "a.htm")
    assert (document.title, document.own_title) == ("Tom & Jerry", True)
    assert document.metadata == (("description", 'About "it"'), ("author", "Ann"))


@pytest.mark.parametrize(
    ("declaration", "charset"),
    [
        ('<meta charset="windows-1251">', "cp1251"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"),
        ("<meta charset='no-such-charset'>", "cp1251"),
        ("<meta charset=utf-8>", "cp1251"),
        ("<meta charset=windows-1251>", "utf-8"),
        ("<meta charset=iso-8859-1>", "utf-16"),
        ("", "cp1251"),
        ("", "utf-16-le"),
        ('<?xml version="1.0" encoding="windows-1251"?>', "cp1251"),
    ],
)
def test_the_encoding_is_found_whatever_the_page_says(declaration: str, charset: str) -> None:
    html = f"{declaration}<title>Резюме</title><p>{RUSSIAN}</p>"
    document = read(html.encode(charset), "a.html")
    assert document.text == RUSSIAN
    assert document.title == "Резюме"


def test_a_page_in_latin_1_means_windows_1252() -> None:
    assert read("<meta charset=ISO-8859-1><p>“Übung” – 5 €".encode("cp1252"), "a.html").text == "“Übung” – 5 €"


def test_plain_words_under_the_name_of_a_page_are_text() -> None:
    assert read("just words", "a.html").text == "just words"


def test_a_page_of_scripts_holds_no_text() -> None:
    with pytest.raises(NoTextError):
        read(page("<script>1</script>", "Title"), "a.html")


def test_a_page_too_long_for_the_converter_is_refused_unless_it_is_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_page, "_LONGEST_PAGE", 500)
    picture = "<img alt=x src='data:image/png;base64," + "A" * 1000 + "'>"
    assert read(page(picture + "words"), "a.html").text == "x words"
    with pytest.raises(ParseLimitError, match="longer"):
        read(page("words " * 200), "a.html")


_MARKUP = st.sampled_from(
    ["<p>", "</p>", "<table>", "<tr>", "<td colspan=99999>", "<ul><li>", "<pre>", "<a href='", "'>", "<!--", "-->",
     "<b", "&#xD800;", "&#0;", "text", "<svg>", "<title>", "<nav>", "]]>", "<h1>", "\0",
     "<img src=data:", "<br/>", "é", "<template>", "<math>"]
)  # fmt: skip


@given(st.lists(_MARKUP, max_size=30))
def test_any_tangle_of_tags_is_text_or_a_typed_error(pieces: list[str]) -> None:
    try:
        document = read("x" + "".join(pieces), "a.html")
    except ParseError:
        return
    assert "\0" not in document.text
    assert document.text.strip()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("written", "seen"), [("R&amp;D ", "R&D "), ("& ", "& ")])
def test_a_million_ampersands_in_one_text_are_read_in_time_and_stay(written: str, seen: str) -> None:
    text = read(page(f"<div>{written * 1_000_000}"), "a.html").text
    assert text == (seen * 1_000_000).strip()

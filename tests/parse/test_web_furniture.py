"""What stands on every page of a site is no part of a page, and no page loses what it says to that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.text_files import book, page, read
from tests.parse.web_pages import PROSE, in_main, text_of

LINKS = "".join(f"<li><a href='/{word}'>{word.title()}</a></li>" for word in ("alpha", "beta", "gamma", "delta"))


FURNITURE = {
    "a menu without landmarks": f"<div class='wrap'><ul>{LINKS}</ul></div>{in_main('')}",
    "a menu": f"<nav><ul>{LINKS}</ul></nav>{in_main('')}",
    "a side bar": f"{in_main('')}<aside><h2>Alpha</h2><ul>{LINKS}</ul></aside>",
    "a link to skip the menu": f"<a class='skip' href='#c'>Alpha Beta to content</a>{in_main('')}",
    "the languages of an encyclopedia": in_main(f"<div class='vector-menu mw-portlet-lang'><ul>{LINKS}</ul></div>"),
    "a path of pages": in_main("<ol class='breadcrumb'><li><a href='/'>Alpha</a></li><li>Beta</li></ol>"),
    "links to share": in_main("<div class='social-share'>Alpha <a href='//x'>Beta</a></div>"),
    "articles that others read": in_main(f"<section class='related-posts'><h2>Alpha</h2><ul>{LINKS}</ul></section>"),
    "a form to comment": in_main("<form id='commentform'>Alpha <label>Beta</label><input></form>"),
    "a letter to subscribe to": in_main("<div class='newsletter-signup'>Alpha Beta<input><button>Go</button></div>"),
    "links to pages": in_main("<div class='pagination'><a href='?2'>Alpha</a> <a href='?3'>Beta</a></div>"),
    "a link to edit": in_main("<a class='edit-this-page' href='/e'>Alpha Beta</a>"),
    "a box to search": f"<form role='search'><label>Alpha</label><button>Beta</button></form>{in_main('')}",
    "a link to log in": f"<div><a href='/login'>Alpha Beta</a></div>{in_main('')}",
    "a footer": f"{in_main('')}<footer>© 2024 Alpha Ltd <a href='/i'>Beta</a></footer>",
    "a footer of a theme": f"<section>{in_main('')}<footer>© 2024 Alpha <a href='/i'>Beta</a></footer></section>",
    "a footer by role": f"<p>{PROSE}</p><div role='contentinfo'>&copy; 2024 Alpha <a href='/i'>Beta</a></div>",
    "the banner of a site": f"<header><a href='/'>Alpha</a><span>Beta</span></header>{in_main('')}",
    "a dialog": f"{in_main('')}<div role='dialog'><p>We use cookies. Alpha Beta</p><button>OK</button></div>",
    "a consent dialog without a word for it": (
        f"<div class='cc-window'><p>Alpha Beta</p><button>OK</button></div><p>{PROSE}</p>"
    ),
    "a consent manager": f"<p>{PROSE}</p><div id='onetrust-consent-sdk'><p>Alpha Beta</p><button>OK</button></div>",
    "a bar about cookies": f"<div class='CookieBar-root'><p>Alpha Beta</p><a href='/p'>More</a></div><p>{PROSE}</p>",
    "a question without a name": f"<div>Diese Seite nutzt Cookies. Alpha Beta<button>OK</button></div>{in_main('')}",
    "arrows above and below a chapter": f"<div class='navheader'>Alpha <a href='b'>Beta</a></div><p>{PROSE}</p>",
    "a notice on cookies that asks nothing": f"<aside class='cookie-notice'>Alpha Beta</aside><p>{PROSE}",
    "an advertisement": in_main("<div class='ad-slot'>Alpha <a href='//a'>Beta</a></div>"),
    "the frame of a wiki page": (
        "<div id='main-header'><ol id='breadcrumbs'><li><a href='/'>Alpha</a></li></ol></div><div id='content'>"
        f"<div class='wiki-content'><p>{PROSE}</div></div><div role='contentinfo'>Beta <a href='/'>x</a></div>"
    ),
    "the frame of a government page": (
        "<a class='govuk-skip-link' href='#c'>Alpha</a><div class='gem-c-cookie-banner' role='region'><h2>Alpha</h2>"
        f"<p>We use cookies. Beta<button>Accept</button></div>{in_main('')}<div class='gem-c-feedback'><form><h3>Beta"
        "</h3><button>Yes</button><button>No</button></form></div>"
    ),
    "side bar of a theme without landmarks": f"<div id='sidebar'><h3>Alpha</h3><ul>{LINKS}</ul></div><p>{PROSE}</p>",
}


@pytest.mark.parametrize("kind", FURNITURE)
def test_what_is_on_every_page_of_a_site_is_left_out(kind: str) -> None:
    text = text_of(FURNITURE[kind])
    assert "Alpha" not in text
    assert "Beta" not in text
    assert PROSE in text


def test_a_list_of_contents_that_repeats_the_headings_is_left_out() -> None:
    titles = ("Вступление", "Пуск", "Остановка")
    contents = "".join(f"<li>{n}. <a href='#{n}'>{title}</a>" for n, title in enumerate(titles))
    parts = "".join(f"<h2 id='{n}'>{title}</h2><p>{PROSE}" for n, title in enumerate(titles))
    text = text_of(f"<h1>Насосы</h1><div class='x'><p>Содержание</p><ul>{contents}</ul></div>{parts}")
    assert "Содержание" not in text
    assert [text.count(title) for title in titles] == [1, 1, 1]


def test_signs_that_link_to_a_heading_are_left_out_of_it() -> None:
    text = text_of(f"<h2>Start<a class='headerlink' href='#start'>¶</a></h2><p>{PROSE}")
    assert text.startswith("## Start\n")


CONTENT = {
    "an admonition": in_main("<aside class='admonition warning'><p>KEEP the lid shut.</p></aside>"),
    "a summary and its details": in_main("<details><summary>KEEP</summary><p>KEEP too</p></details>"),
    "a list of references": in_main("<ol class='references'><li><a href='//a'>KEEP, A. (2019)</a></li></ol>"),
    "links to read further": in_main("<h2>See also</h2><ul><li><a href='/a'>KEEP</a></li></ul>"),
    "a table of links": in_main("<table><tr><th>Part<th>File<tr><td><a href='a'>KEEP</a><td><a href='b'>B</a></table>"),
    "a glossary of links": in_main("<dl><dt><a href='/k'>KEEP</a></dt><dd><a href='/v'>A valve</a></dd></dl>"),
    "code": in_main("<pre><code class='language-html'>&lt;nav&gt;KEEP&lt;/nav&gt;</code></pre>"),
    "the text of a picture": in_main("<figure><img alt='KEEP' src='a.png'><figcaption>Fig. 1</figcaption></figure>"),
    "a section about menus": in_main("<section id='navigation'><h2>Navigation</h2><a href='/a'>KEEP</a></section>"),
    "a section about sharing": in_main(
        "<section id='sharing'><h2>Teilen</h2><p>KEEP <a href='/a'>it</a></p></section>"
    ),
    "a name that speaks of the page": f"<div class='has-sidebar no-nav'><a href='/a'>KEEP</a></div><p>{PROSE}",
    "the classes of a blog post": f"<div class='post category-menu tag-social'><a href='/'>KEEP</a></div><p>{PROSE}",
    "a page on cookies": f"<article class='cookie-policy'><h1>On</h1><p>KEEP {PROSE} <a href='/'>x",
    "a form around the page": f"<form id='aspnetForm'><div><h1>KEEP</h1><p>{PROSE}</p></div></form>",
    "the title above the content": f"<header class='masthead'><h1>KEEP</h1><a href='/'>A</a></header><main>{PROSE}",
    "prose beside the content": f"<main><p>{PROSE} {PROSE} {PROSE}</p></main><div><p>KEEP this note in mind.</p></div>",
    "a long aside": f"<main><p>{PROSE * 20}</p></main><aside><p>KEEP {PROSE * 4}</p></aside>",
    "a note": in_main("<div role='note' class='hatnote navigation-not-searchable'>Main: <a href='/k'>KEEP</a></div>"),
    "a page of nothing but links": f"<h1>Pumps</h1><ul><li><a href='/k'>KEEP</a></li>{LINKS}</ul>",
    "a page that is all navigation": f"<nav><ul><li><a href='/k'>KEEP</a></li>{LINKS}</ul></nav>",
    "a page that is all side bar": "<div class='sidebar'><p>KEEP <a href='/'>x</a></p></div>",
    "a contact in a footer": f"<p>{PROSE}</p><footer>KEEP: call extension 55</footer>",
    "opening hours beside the content": (
        f"<main>{PROSE}</main><aside><h2>Hours</h2><p>KEEP: Monday to Thursday from nine to half past five, on Friday "
        "from nine to one. Closed on Sundays and holidays.</p></aside>"
    ),
    "an address in the frame": f"<div>By Ann, <a href='mailto:a@b.c'>KEEP@example.org</a></div>{in_main('')}",
    "a contact below the content": f"<main><p>{PROSE}</main><footer>KEEP: call extension 55</footer>",
    "the footer of an article": f"<article><p>{PROSE}</p><footer>By KEEP <a href='/k'>x</a></footer></article>",
    "a main element that holds next to nothing": f"<main><a href='#'>Top</a></main><p>KEEP {PROSE}</p>",
    "what follows an element ended the XML way": f"<div class='nav'/><ul><li><a href='/'>KEEP</a></ul><p>{PROSE}</p>",
    "a link in a sentence": in_main("<p><a class='nav-link' href='/k'>KEEP</a></p>"),
    "a navigation that says something": in_main(f"<nav><p>KEEP {PROSE} {PROSE} {PROSE}</p></nav>"),
    "a navigation that never ends": f"<nav><a href='/'>Home</a><p>KEEP {PROSE}",
}


@pytest.mark.parametrize("kind", CONTENT)
def test_what_a_page_says_is_kept_wherever_it_stands(kind: str) -> None:
    assert "KEEP" in text_of(CONTENT[kind], "Words")


def test_words_around_what_is_left_out_stay_apart() -> None:
    body = f"<main>{PROSE}<p>one</p>two<ul class='pagination'><li><a href='/2'>next</a></ul>three<p>four</main>"
    assert text_of(body).split("\n\n")[1:] == ["one", "two", "three", "four"]


def test_a_side_bar_in_a_cell_leaves_the_table_of_the_page_whole() -> None:
    body = f"<table><tr><td><div class='nav'><a href='/a'>Alpha</a></div></td><td><p>{PROSE}</p></td></tr></table>"
    text = text_of(body)
    assert "Alpha" not in text
    assert PROSE in text


def test_numbers_of_printed_pages_are_left_out_of_a_book_and_its_words_stay_whole() -> None:
    part = (
        "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:epub='http://www.idpf.org/2007/ops'><body><h1>The Sea</h1>"
        "<p>Call me Ish<span epub:type='pagebreak'>2</span>mael.<span role='doc-pagebreak'/> Some years ago.</p>"
        "<div class='sidebar'><p>See <a href='b.xhtml'>the whale</a></p></div><aside>A note.</aside></body></html>"
    )
    assert read(book({"a.xhtml": part}), "a.epub").text == (
        "# The Sea\n\nCall me Ishmael. Some years ago.\n\nSee the whale\n\nA note."
    )


_PIECES = st.sampled_from(
    ["<nav>", "</nav>", "<div class=sidebar>", "<div id=onetrust>", "</div>", "<a href='#x'>", "</a>", "<ul><li>",
     "</ul>", "<table><tr><td>", "</table>", "<footer>©", "</footer>", "<main>", "</main>", "<p>", "<h1>", "</h1>",
     "<button>", "</button>", "<span class=share>", "</span>", "words that say something", "cookie", "<svg>", "</svg>"]
)  # fmt: skip


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["<div class=nav><a href='#a'>x</a>", "<footer>", "<a href=#>", "<dialog>cookie", "<li><a href='/'>x", "<h1>Words",
     "<p class=" + "x" * 500 + ">", "<div " + "a " * 100 + ">", "<table><tr><td>", "</div>", "<nav", "<a b='"],
)  # fmt: skip
def test_a_page_of_many_thousand_like_pieces_is_read_in_time(piece: str) -> None:
    assert PROSE in text_of(f"<main><p>{PROSE}</p></main><div>{piece * (300_000 // len(piece))}")


@pytest.mark.timeout(20)
def test_a_head_that_is_one_long_word_is_read_in_time() -> None:
    assert read(f"<meta {'a' * 90_000}>{page(PROSE, 'Pumps')}", "a.html").title == "Pumps"


@given(st.lists(_PIECES, max_size=25))
def test_prose_after_any_tangle_of_tags_is_kept(pieces: list[str]) -> None:
    body = "".join(pieces).replace("<svg>", "<svg></svg>") + f"</table></svg></div><main><h1>Pumps</h1><p>{PROSE * 5}"
    assert PROSE in text_of(body)

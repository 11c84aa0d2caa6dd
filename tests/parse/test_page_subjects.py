"""Pages that are about what is furniture elsewhere: cookies, consent, social matters, copyright, languages, menus."""

import pytest
from tests.parse.text_files import read
from tests.parse.web_pages import PROSE, beside_main, in_main, text_of

from minirag_mcp.parse.html_furniture import without_furniture
from minirag_mcp.parse.html_nesting import flattened

LINK = "<a href='/a'>Alpha</a>"


_REFERENCES = "".join(f"<li><a href='//d/{n}'>KEEP paper {n}</a></li>" for n in range(5))
_HIDDEN = "<div style='display:none'><h2>KEEP one</h2><h2>Part two</h2><h2>Part three</h2></div>"
CONTENT = {
    "social care": in_main("<ul><li class='social-care'>KEEP: it is free</li></ul>"),
    "social security": in_main("<div id='social-security'><h2>Your number</h2><p>KEEP: it has nine digits.</p></div>"),
    "consent to a trial": in_main(f"<div id='consent-form'><h2>Agreement</h2><p>KEEP: I agree to {LINK}</p></div>"),
    "consent, where no content is marked": f"<p>{PROSE}</p><section id='informed-consent'><p>KEEP {LINK}</p></section>",
    "data protection": in_main(f"<div id='gdpr'><h2>The regulation</h2><p>KEEP {PROSE}{LINK}</p></div>"),
    "biscuits": f"<h1>Recipes</h1><div class='cookie-box'><h2>Chocolate</h2><p>KEEP: mix the butter {LINK}</p></div>",
    "a sponsor": in_main("<ul><li class='sponsored-by'>KEEP: Senator Smith</li></ul>"),
    "a sponsor in a sentence": in_main(
        "<p>The bill was <span class='sponsored'>KEEP by him</span> in the month of May.</p>"
    ),
    "sharing in a sentence": in_main("<p>About the <a class='sharing' href='/s'>KEEP of files</a> between pumps.</p>"),
    "languages": in_main("<ul class='languages'><li><a href='p'>KEEP Python</a><li><a href='r'>Rust</a></ul>"),
    "the labels of tabs": in_main(
        "<ul class='nav nav-tabs'><li><a href='#l'>KEEP</a><li><a href='#w'>Windows</a></ul>"
    ),
    "a contents list of hidden headings": in_main(
        f"<ul><li><a href='#1'>KEEP one</a><li><a href='#2'>Part two</a><li><a href='#3'>Part three</a></ul>{_HIDDEN}"
    ),
    "references beside the content": beside_main(f"<section id='references'><ol>{_REFERENCES}</ol></section>"),
    "notes beside the content": beside_main("<div role='doc-endnotes'><a href='#r'>KEEP</a></div>"),
    "a recall beside the content": beside_main(
        "<aside><p>KEEP off: this product has been recalled since 2020.</p></aside>"
    ),
    "a notice above the content": beside_main("<header><p>KEEP in mind that this guidance is withdrawn.</p></header>"),
}


@pytest.mark.parametrize("subject", CONTENT)
def test_a_page_keeps_what_it_says_about_the_things_that_are_furniture_elsewhere(subject: str) -> None:
    assert "KEEP" in text_of(CONTENT[subject], "Words")


@pytest.mark.parametrize(
    "notice",
    [
        "本产品自2020年起已被召回，请勿使用。",
        "この製品は2020年に回収されました。",
        "이 제품은 2020년에 리콜되었습니다.",
        "ผลิตภัณฑ์นี้ถูกเรียกคืนแล้วห้ามใช้",
    ],
)
@pytest.mark.parametrize("landmark", ["aside", "header"])
def test_a_sentence_of_few_signs_beside_the_content_is_kept_like_a_long_one(landmark: str, notice: str) -> None:
    assert notice in text_of(beside_main(f"<{landmark}><p>{notice}</p></{landmark}>"))


@pytest.mark.parametrize("words", ["菜单", "メニュー", "메뉴 열기", "เมนูหลัก"])
def test_a_word_of_few_signs_beside_the_content_is_left_out_like_others(words: str) -> None:
    assert words not in text_of(beside_main(f"<aside><p>{words}</p></aside>"))


FURNITURE = {
    "a menu after a head that never ends": f"<nav>{LINK}</nav><main><h1>Pumps</h1><p>{PROSE}</p></main>",
    "languages by their links": "<p>In: <a hreflang='de' href='d'>Alpha</a> | <a hreflang='fr' href='f'>B</a></p><p>"
    + PROSE,
    "the footer of a layout of sections": f"<section>{in_main('')}<footer>© 2020, made with {LINK}.</footer></section>",
    "the way back from a note": in_main(
        f"<ol class='references'><li><span class='backlink'>{LINK}</span> Smith 2001, p. 4</ol>"
    ),
    "a question in the content": in_main(f"<div class='cookie-container'><p>Alpha</p><button>OK</button>{LINK}</div>"),
}


@pytest.mark.parametrize("kind", FURNITURE)
def test_furniture_is_found_in_pages_that_leave_ends_out_or_nest_it(kind: str) -> None:
    head = "<!doctype html><html><head><meta charset=utf-8><title>Words</title><body>"
    text = read(head + FURNITURE[kind], "page.html").text
    assert "Alpha" not in text
    assert "turning the red valve" in text


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("opened", "closed"),
    [("<tbody>", "</x>"), ("<rb>", "</x>"), ("<head>", "</x>"), ("<tbody>", "<footer>a</footer>"), ("<ul><li>", LINK)],
)
def test_a_heap_of_unclosed_elements_is_read_in_time(opened: str, closed: str) -> None:
    source = flattened(opened * 20_000 + "KEEP" + closed * 20_000)
    assert "KEEP" in without_furniture(source)


NAMES = ("social-share", "ad-unit", "search-box", "site-sub", "jumplink", "page-footer")
VAGUE_NAMES = ("newsletter", "sharing", "sponsored", "copyright", "footer", "permalink", "headerlink")
INGREDIENT = "200 g of <a href='/k'>KEEPS</a>"


def _without_main(part: str) -> str:
    """A page that does not say where its content is, with `part` at its end."""
    return f"<h1>Pumps</h1>{f'<p>{PROSE}</p>' * 5}{part}"


@pytest.mark.parametrize("name", [*NAMES, *VAGUE_NAMES])
@pytest.mark.parametrize(
    "part",
    [
        "<div class={}><h2>Bread</h2><p>KEEP the dough warm for an hour. Then it goes into the oven.</p></div>",
        "<div class={}><p>KEEP the dough warm for an hour. Then it goes into the <a href='/o'>oven</a>.</p></div>",
        "<p class={}>KEEP 200 g of flour</p>",
        f"<ul><li>100 g of sugar</li><li class={{}}>{INGREDIENT}</li><li>90 g of butter</li></ul>",
        "<div class={}><h2>面包</h2><p>KEEP面团要在温暖的地方放一个小时。</p></div>",
    ],
)
def test_sentences_and_items_stay_in_a_page_whatever_they_are_called(name: str, part: str) -> None:
    assert "KEEP" in text_of(_without_main(part.format(name)))


@pytest.mark.parametrize(
    "part",
    [
        "<dialog open><p>KEEP the lid shut while it runs.</p><form method=dialog><button>OK</button></form></dialog>",
        "<dialog><p>KEEP the lid shut while it runs.</p></dialog>",
        "<div role=dialog><p>KEEP: Monday to Friday, 9 to 17, 555 1234</p></div>",
    ],
)
def test_a_dialog_to_read_beside_the_content_is_kept(part: str) -> None:
    assert "KEEP" in text_of(beside_main(part))


@pytest.mark.parametrize(
    "part",
    [
        "<div class=newsletter-signup><h2>Alpha</h2><p>Get our letter. We send no more.</p><input></div>",
        "<div class=comment-respond><h3>Alpha</h3><p>Your address is not shown to us.</p><textarea></textarea></div>",
        "<p class=copyright-text>Copyright 2024 Alpha Ltd. All rights reserved.</p>",
        "<div class=cookie-banner><h2>Alpha</h2><p>We use cookies to count visits. You can refuse them.</p></div>",
        "<div class=share-links>Alpha this page: <a href='//x'>Letters</a> <a href='//y'>Photographs</a></div>",
        "<ul><li><a href='/a'>Read</a></li><li class=edit-link><a href='/e'>Alpha</a></li></ul>",
        "<div class=ad-unit><p>Alpha</p></div>",
        "<div class=navfooter><a href=a>Prev</a> <a href=b>Next</a><br>31.11. Alpha Setup 32.1. What Is a Pump?</div>",
    ],
)
def test_forms_rights_and_questions_go_though_they_are_sentences(part: str) -> None:
    assert "Alpha" not in text_of(_without_main(part))


@pytest.mark.parametrize(
    "dialog",
    [
        "<dialog open><p>Alpha: get our letter each week.</p><input type=email><button>Go</button></dialog>",
        "<dialog><p>Alpha is loading.</p><p>One moment</p><button>OK</button></dialog>",
        "<dialog><p>Alpha</p></dialog>",
    ],
)
def test_a_dialog_to_fill_in_or_press_beside_the_content_is_left_out(dialog: str) -> None:
    assert "Alpha" not in text_of(beside_main(dialog))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["<h2>x", "<a href=#>", "<div class=ad-unit><h2>x. ", "<li class=ad-unit>x <p>", "<input "]
)
def test_a_heap_of_named_parts_is_read_in_time(piece: str) -> None:
    body = f"<main><p>{PROSE}</p></main><div class=page-footer>{piece * (300_000 // len(piece))}"
    assert PROSE in text_of(body)

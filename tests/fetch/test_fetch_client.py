"""What is fetched, where redirects may lead, and what is no document."""

from http.server import BaseHTTPRequestHandler

import pytest
from tests.fetch.site import Names, Site, loopback_server_only

from minirag_mcp.errors import FetchFailedError, UrlRefusedError
from minirag_mcp.fetch.client import Fetched, Limits, fetch, fetch_under


def test_a_page_is_fetched_with_what_the_server_says_of_it(site: Site) -> None:
    site.page("/a?b=1", "héllo".encode("latin-1"), Content_Type="Text/HTML; Charset=ISO-8859-1")
    page = site.get("/a?b=1")
    assert page == Fetched(
        url=site.url("/a?b=1"),
        final_url=site.url("/a?b=1"),
        content_type="text/html",
        charset="iso-8859-1",
        data="héllo".encode("latin-1"),
    )


def test_the_server_is_told_the_name_and_port_but_nothing_of_the_user(site: Site) -> None:
    site.page("/")
    site.get("/")
    ((_, headers),) = site.seen
    assert headers["Host"] == f"docs.example:{site.port}"
    assert set(headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}


def test_loopback_is_refused_unless_it_is_meant(site: Site) -> None:
    site.page("/")
    for host in ("127.0.0.1", "localhost", "docs.example"):
        with pytest.raises(UrlRefusedError, match="loopback"):
            fetch(site.url("/", host), resolver=Names())
    assert site.seen == []


def test_the_address_that_was_checked_is_the_one_connected_to(site: Site) -> None:
    site.page("/")
    names = Names(docs_example=["127.0.0.1", "127.0.0.2"])  # a second look-up would give another address
    page = fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)
    assert page.data == b"<p>hello</p>"
    assert names.asked == ["docs.example"]


def test_a_name_that_changes_its_address_between_redirects_is_checked_again(site: Site) -> None:
    site.redirect("/", "/next")
    site.page("/next")
    names = Names(docs_example=["127.0.0.1", "169.254.169.254"])
    with pytest.raises(UrlRefusedError, match=r"169\.254\.169\.254.*link-local"):
        fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_to_the_final_address(site: Site, status: int) -> None:
    site.redirect("/old", "../new%20place#part", status)
    site.page("/new%20place")
    page = site.get("/old")
    assert (page.url, page.final_url) == (site.url("/old"), site.url("/new%20place"))


def test_a_redirect_may_be_written_carelessly(site: Site) -> None:
    site.redirect("/old", "/a b/é".encode().decode("latin-1"))
    site.page("/a%20b/%C3%A9")
    assert site.get("/old").data == b"<p>hello</p>"


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "link-local"),
        ("http://127.0.0.2/", "loopback"),
        ("http://2130706434/", "loopback"),
        ("//inside.example/", "private"),
        ("file:///etc/passwd", "only http and https"),
        ("http://user:secret@docs.example/", "user name or password"),
    ],
)
def test_a_redirect_to_what_may_not_be_fetched_is_refused_and_says_it_was_one(site: Site, to: str, reason: str) -> None:
    site.redirect("/", to)
    names = Names(inside_example=["10.1.2.3"])
    with pytest.raises(UrlRefusedError, match="was redirected to") as refused:
        fetch_under(loopback_server_only, site.url("/"), limits=Limits(), resolver=names)
    assert reason in str(refused.value)


def test_endless_redirects_end(site: Site) -> None:
    site.redirect("/", "/")
    with pytest.raises(FetchFailedError, match="more than 5"):
        site.get("/")
    assert len(site.seen) == 6


def test_a_redirect_without_a_place_is_a_failure(site: Site) -> None:
    site.page("/", b"", 302)
    with pytest.raises(FetchFailedError, match="302"):
        site.get("/")


@pytest.mark.parametrize("status", [204, 206, 401, 404, 500])
def test_an_error_page_is_never_taken_for_the_document(site: Site, status: int) -> None:
    site.page("/", b"", status)
    with pytest.raises(FetchFailedError, match=str(status)):
        site.get("/")


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "text/markdown",
        "text/plain",
        "application/pdf",
        "application/json",
        "application/rss+xml",
        "application/octet-stream",
    ],
)
def test_documents_of_many_kinds_are_fetched(site: Site, kind: str) -> None:
    site.page("/", Content_Type=kind)
    assert site.get("/").content_type == kind


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "audio/ogg", "font/woff2", "application/zip", "text/css"])
def test_pictures_and_the_like_are_no_documents(site: Site, kind: str) -> None:
    site.page("/", Content_Type=kind)
    with pytest.raises(FetchFailedError, match="no document"):
        site.get("/")


def test_a_server_that_declares_no_type_leaves_it_open(site: Site) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1")
        handler.end_headers()
        handler.wfile.write(b"x")

    site.pages["/"] = answer
    assert site.get("/").content_type == ""

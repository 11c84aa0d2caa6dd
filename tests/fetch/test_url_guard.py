from collections.abc import Sequence
from ipaddress import ip_address

import pytest

from minirag_mcp.errors import FetchFailedError, UrlRefusedError
from minirag_mcp.fetch.guard import addresses_of, allow_all, public_only, read_url, system_resolver


def no_lookup(host: str, _port: int) -> Sequence[str]:
    pytest.fail(f"{host} was looked up")


def check(url: str, *answers: str) -> None:
    addresses_of(read_url(url), resolver=lambda _host, _port: answers, policy=public_only)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "data:text/html,hello",
        "ftp://example.com/x",
        "javascript:alert(1)",
        "gopher://example.com",
        "//example.com/x",
        "example.com",
        "",
    ],
)
def test_only_http_and_https_are_fetched(url: str) -> None:
    with pytest.raises(UrlRefusedError) as refused:
        read_url(url)
    assert "ALLOW_PRIVATE_URLS" not in refused.value.remedy


@pytest.mark.parametrize("url", ["http://user:pass@example.com/", "http://user@example.com/", "http://@example.com/"])
def test_credentials_in_the_url_are_refused(url: str) -> None:
    with pytest.raises(UrlRefusedError, match="user name or password"):
        read_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http:///path",
        "http://exa mple.com/",
        "http://example.com/\r\nHost: evil",
        "http://example.com\\@127.0.0.1/",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://[::1",
        "http://exa%6dple.com/",
        "http://.example.com/",
        "http://a..б/",
        "http://" + "ж" * 100 + ".com/",
    ],
)
def test_an_address_that_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UrlRefusedError):
        read_url(url)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1", "loopback"),
        ("127.8.8.8", "loopback"),
        ("::1", "loopback"),
        ("0.0.0.0", "unspecified"),  # noqa: S104 - to be refused
        ("::", "unspecified"),
        ("0.1.2.3", "private"),
        ("10.0.0.1", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("fd00::1", "private"),
        ("fec0::1", "private"),
        ("100.64.0.1", "reserved"),
        ("169.254.169.254", "link-local"),
        ("fe80::1", "link-local"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.250", "multicast"),
        ("ff02::1", "multicast"),
        ("240.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("198.18.0.1", "private"),
        ("203.0.113.7", "private"),
        ("2001:db8::1", "private"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:0:127.0.0.1", "loopback"),
        ("::127.0.0.1", "loopback"),
        ("64:ff9b::127.0.0.1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("2002:7f00:1::", "loopback"),
        ("2002:c0a8:101::1", "private"),
        ("2001:0:0808:0808::80ff:fffe", "loopback"),
        ("192.0.0.8", "reserved"),
        ("192.0.0.9", "reserved"),
        ("192.31.196.1", "reserved"),
        ("192.88.99.1", "reserved"),
        ("192.175.48.1", "reserved"),
        ("2001:1::1", "reserved"),
        ("2001:4:112::1", "reserved"),
        ("2001:20::1", "reserved"),
        ("2002:808:808::1", "reserved"),
        ("2620:4f:8000::1", "reserved"),
        ("3fff::1", "reserved"),
        ("5f00::1", "reserved"),
        ("64:ff9b:1::808:808", "reserved"),
    ],
)
def test_addresses_of_the_own_machine_and_network_are_refused(address: str, reason: str) -> None:
    found = public_only(ip_address(address))
    assert found is not None
    # Newer Pythons know more kinds of address as private.
    assert reason in found or "private" in found or "reserved" in found


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "64:ff9b::808:808"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert public_only(ip_address(address)) is None


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "[::1]",
        "[::ffff:7f00:1]",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
    ],
)
def test_no_spelling_of_the_own_machine_gets_through(host: str) -> None:
    with pytest.raises(UrlRefusedError, match="loopback"):
        addresses_of(read_url(f"http://{host}/"), resolver=no_lookup, policy=public_only)


def test_a_name_is_refused_if_any_of_its_addresses_is_blocked() -> None:
    with pytest.raises(UrlRefusedError, match=r"wiki\.example \(192\.168\.0\.7\) is a private address") as refused:
        check("http://wiki.example/", "93.184.216.34", "192.168.0.7")
    assert "ALLOW_PRIVATE_URLS" in refused.value.remedy


def test_a_name_that_does_not_resolve_is_a_failure_not_a_refusal() -> None:
    def unknown(_host: str, _port: int) -> Sequence[str]:
        raise OSError("Name or service not known")

    with pytest.raises(FetchFailedError, match="cannot be resolved"):
        addresses_of(read_url("http://no.example/"), resolver=unknown, policy=public_only)
    with pytest.raises(FetchFailedError, match="no address"):
        check("http://no.example/")
    with pytest.raises(FetchFailedError):
        check("http://no.example/", "not an address")


def test_private_addresses_are_fetched_on_purpose_only() -> None:
    target = read_url("http://wiki.local:8080/a")
    found = addresses_of(target, resolver=lambda _host, _port: ["10.0.0.1"], policy=allow_all)
    assert found == (ip_address("10.0.0.1"),)


def test_a_url_is_taken_apart_for_the_request() -> None:
    target = read_url("HTTPS://ПРИМЕР.example/Путь/a b".replace(" ", "%20") + "?q=ё&x=%2F#part")
    assert (target.secure, target.host, target.port) == (True, "xn--e1afmkfd.example", 443)
    assert target.path == "/%D0%9F%D1%83%D1%82%D1%8C/a%20b?q=%D1%91&x=%2F"
    assert read_url("http://example.com?x=1").path == "/?x=1"
    assert read_url("http://example.com:8080").port == 8080


def test_the_system_is_asked_for_each_address_once() -> None:
    assert system_resolver("127.0.0.1", 80) == ("127.0.0.1",)

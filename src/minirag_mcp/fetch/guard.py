"""Which addresses may be fetched. Pure but for the resolver that is passed in.

A URL often comes from a language model, which may be repeating what a document told it; so the user's own
network is out of bounds unless the user says otherwise.
"""

import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Protocol, TypeAlias
from urllib.parse import SplitResult, quote, urlsplit

from minirag_mcp.errors import FetchFailedError, UrlRefusedError
from minirag_mcp.fetch.special import is_special

Address: TypeAlias = IPv4Address | IPv6Address

Policy = Callable[[Address], str | None]
"""Why an address may not be connected to ("a loopback address"), or None if it may."""

_PLAIN_REMEDY = "Use a plain http:// or https:// address without user name and password."

_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f\\]")
_HOST = re.compile(r"[a-z0-9_]([a-z0-9._-]*[a-z0-9_.])?")

_PATH_SAFE = "/%:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?"

_STANDING_IN = (
    IPv6Network("::ffff:0:0/96"),  # IPv4-mapped, RFC 4291
    IPv6Network("64:ff9b::/96"),  # NAT64, RFC 6052: how networks without IPv4 name every IPv4 host
)
"""IPv6 ranges whose addresses are what the IPv4 address at their right end is, neither more nor less."""

_EMBEDDING = (
    *((network, 0) for network in _STANDING_IN),
    (IPv6Network("::/96"), 0),  # IPv4-compatible, RFC 4291
    (IPv6Network("::ffff:0:0:0/96"), 0),  # IPv4-translated, RFC 2765
    (IPv6Network("64:ff9b:1::/48"), 0),  # local NAT64, RFC 8215
    (IPv6Network("2002::/16"), 80),  # 6to4, RFC 3056
)
"""IPv6 ranges that carry an IPv4 address, and how far from the right it stands, in bits."""

_TEREDO = IPv6Network("2001::/32")
"""RFC 4380: the server stands in bits 32–63, the client inverted at the right."""


class Resolver(Protocol):
    """Host names to addresses."""

    def __call__(self, host: str, port: int, /) -> Sequence[str]:
        """All addresses of `host`, in the order to try them. Raises OSError if there are none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a URL leads: `host` in ASCII without brackets, `path` with the query, ready for a request line."""

    url: str
    secure: bool
    host: str
    port: int
    path: str


def system_resolver(host: str, port: int) -> Sequence[str]:
    """The operating system's answer."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def read_url(url: str) -> Target:
    """Take an http(s) URL apart. Raises UrlRefusedError for any other scheme, for credentials, and for nonsense."""
    if _UNPRINTABLE.search(url):
        raise _refused(url, "it holds blanks, backslashes or control characters")
    try:
        parts = urlsplit(url)
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise _refused(url, "it is no valid address") from error
    if parts.scheme not in ("http", "https"):
        raise _refused(url, f"only http and https are fetched, not {parts.scheme or 'an address without a scheme'}")
    if "@" in parts.netloc:
        raise _refused(url, "it carries a user name or password")
    if not _HOST.fullmatch(host) and _literal(host) is None:
        raise _refused(url, "it names no host")
    secure = parts.scheme == "https"
    return Target(url=url, secure=secure, host=host, port=port or (443 if secure else 80), path=_request_path(parts))


def addresses_of(target: Target, *, resolver: Resolver, policy: Policy) -> tuple[Address, ...]:
    """The addresses to connect to, all of them allowed; asks the resolver once.

    Raises UrlRefusedError if any address is blocked, FetchFailedError if the host has none.
    """
    literal = _literal(target.host)
    found = [literal] if literal is not None else _resolved(target, resolver)
    for address in found:
        reason = policy(address)
        if reason is not None:
            shown = target.host if str(address) == target.host else f"{target.host} ({address})"
            raise UrlRefusedError(f"The host {shown} is {reason}, which is not fetched.")
    return tuple(found)


def allow_all(_address: Address) -> str | None:
    """The policy of a user who fetches from the own network on purpose."""
    return None


def public_only(address: Address) -> str | None:
    """The policy for addresses that anybody may have chosen; also looks at an IPv4 address inside an IPv6 one."""
    judged = _embedded(address)
    if not any(address in network for network in _STANDING_IN):
        judged = [address, *judged]
    return next((reason for each in judged if (reason := _why_special(each))), None)


def _why_special(address: Address) -> str | None:
    kinds = (
        ("an unspecified address", address.is_unspecified),
        ("a loopback address", address.is_loopback),
        ("a link-local address", address.is_link_local),
        ("a multicast address", address.is_multicast),
        ("a private address", address.is_private or (isinstance(address, IPv6Address) and address.is_site_local)),
        ("a reserved address", address.is_reserved or not address.is_global or is_special(address)),
    )
    return next((reason for reason, applies in kinds if applies), None)


def _embedded(address: Address) -> list[Address]:
    if isinstance(address, IPv4Address):
        return []
    number = int(address)
    found: list[Address] = [
        IPv4Address(number >> shift & 0xFFFFFFFF) for network, shift in _EMBEDDING if address in network
    ]
    if address in _TEREDO:
        found += [IPv4Address(number >> 64 & 0xFFFFFFFF), IPv4Address(~number & 0xFFFFFFFF)]
    return found


def _literal(host: str) -> Address | None:
    """The address that `host` spells, in any spelling that the operating system would take for one.

    `127.1`, `2130706433`, `0x7f000001` and `0177.0.0.1` are all 127.0.0.1.
    """
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError):
        return None


def _resolved(target: Target, resolver: Resolver) -> list[Address]:
    try:
        found = [ip_address(address) for address in resolver(target.host, target.port)]
    except (OSError, ValueError) as error:
        raise FetchFailedError(f"The host {target.host} cannot be resolved; no such name is known.") from error
    if not found:
        raise FetchFailedError(f"The host {target.host} has no address.")
    return found


def _ascii_host(host: str) -> str:
    return host if host.isascii() else host.encode("idna").decode("ascii").lower()


def _request_path(parts: SplitResult) -> str:
    path = quote(parts.path or "/", safe=_PATH_SAFE)
    return f"{path}?{quote(parts.query, safe=_QUERY_SAFE)}" if parts.query else path


def _refused(url: str, reason: str) -> UrlRefusedError:
    return UrlRefusedError(f"{url!r} is not fetched: {reason}.", remedy=_PLAIN_REMEDY)

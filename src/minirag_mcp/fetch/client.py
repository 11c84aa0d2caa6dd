"""From a URL to the bytes behind it."""

import queue
import ssl
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from urllib.parse import urldefrag, urljoin

from minirag_mcp.errors import FetchFailedError, UrlRefusedError
from minirag_mcp.fetch.body import read_body
from minirag_mcp.fetch.connection import PinnedConnection
from minirag_mcp.fetch.guard import (
    Address,
    Policy,
    Resolver,
    Target,
    addresses_of,
    allow_all,
    public_only,
    read_url,
    system_resolver,
)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DOCUMENTS = ("text/", "application/", "message/")
_NO_DOCUMENTS = ("application/javascript", "application/wasm", "application/zip", "application/gzip", "text/css")
_HEADERS = {
    "User-Agent": "minirag-mcp",
    "Accept": "text/html, text/markdown, text/plain, application/xhtml+xml, application/pdf;q=0.9, */*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one fetch, redirects and name look-ups included; `size` counts bytes after unpacking."""

    seconds: float = 30.0
    size: int = 50 * 1024 * 1024
    redirects: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What was found: `url` as asked, `final_url` after redirects, type and charset as the server declared them."""

    url: str
    final_url: str
    content_type: str
    charset: str | None
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Redirect:
    url: str


def fetch(
    url: str,
    *,
    allow_private: bool = False,
    limits: Limits = Limits(),
    resolver: Resolver = system_resolver,
) -> Fetched:
    """Get a document over http or https, redirects followed.

    Raises UrlRefusedError for what may not be fetched (the URL itself or where it redirects), and FetchFailedError
    for what could not.
    """
    return fetch_under(allow_all if allow_private else public_only, url, limits=limits, resolver=resolver)


def fetch_under(policy: Policy, url: str, *, limits: Limits, resolver: Resolver) -> Fetched:
    """As `fetch`, with a policy for addresses. Each hop is resolved once, checked, and connected to as checked."""
    deadline = time.monotonic() + limits.seconds
    here = url
    for _ in range(limits.redirects + 1):
        try:
            target = read_url(here)
            addresses = _look_up(target, resolver, policy, deadline)
        except UrlRefusedError as error:
            raise _redirected(error, url, here) from None
        answer = _get(target, addresses, limits, deadline)
        if isinstance(answer, Fetched):
            return replace(answer, url=url)
        here = answer.url
    raise FetchFailedError(f"{url} redirects more than {limits.redirects} times.")


def _look_up(target: Target, resolver: Resolver, policy: Policy, deadline: float) -> Sequence[Address]:
    """Resolve and check in a thread that may be left behind: no platform lets a look-up be interrupted."""
    answers: queue.SimpleQueue[Sequence[Address] | UrlRefusedError | FetchFailedError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(addresses_of(target, resolver=resolver, policy=policy))
        except (UrlRefusedError, FetchFailedError) as error:
            answers.put(error)

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise FetchFailedError(f"Looking up the host {target.host} took too long.") from None
    if isinstance(answer, (UrlRefusedError, FetchFailedError)):
        raise answer
    return answer


def _get(target: Target, addresses: Sequence[Address], limits: Limits, deadline: float) -> Fetched | _Redirect:
    """The document, or where the server redirects to."""
    left = max(0.001, deadline - time.monotonic())
    with PinnedConnection(target, addresses, seconds=left) as connection:
        try:
            connection.request("GET", target.path, headers=_HEADERS)
            with connection.getresponse() as response:
                answer = _read(response, target, limits)
            if connection.expired:  # a body without a declared length ends like this too
                raise TimeoutError
        except (FetchFailedError, OSError, HTTPException, ValueError) as error:
            raise _failed(target, error, limits, expired=connection.expired) from error
        else:
            return answer


def _read(response: HTTPResponse, target: Target, limits: Limits) -> Fetched | _Redirect:
    location = response.headers.get("Location")
    if response.status in _REDIRECTS and location:
        return _Redirect(url=urldefrag(urljoin(target.url, _as_url(location))).url)
    if response.status not in (200, 203):
        raise FetchFailedError(f"the server answered {response.status}{_meaning(response.status)}")
    kind = response.headers.get_content_type() if "Content-Type" in response.headers else ""
    if kind and (not kind.startswith(_DOCUMENTS) or kind.startswith(_NO_DOCUMENTS)):
        raise FetchFailedError(f"it is {kind}, which is no document")
    return Fetched(
        url=target.url,
        final_url=target.url,
        content_type=kind,
        charset=response.headers.get_content_charset(),
        data=read_body(response, limit=limits.size),
    )


def _as_url(location: str) -> str:
    """Headers arrive as Latin-1; what is not ASCII in an address is UTF-8, and blanks are a common slip."""
    return location.strip().encode("latin-1", "replace").decode("utf-8", "replace").replace(" ", "%20")


def _meaning(status: int) -> str:
    """The standard's words for a status; the server's own may be anything."""
    return f" ({HTTPStatus(status).phrase})" if status in set(HTTPStatus) else ""


def _failed(target: Target, error: Exception, limits: Limits, *, expired: bool) -> FetchFailedError:
    """Says why; the connection's own alarm and the time limit of its socket ring at the same moment."""
    if expired or isinstance(error, TimeoutError):
        reason = f"it took longer than {limits.seconds:g} seconds"
    elif isinstance(error, FetchFailedError):
        reason = error.message
    elif isinstance(error, ssl.SSLError):
        reason = f"the secure connection failed: {_tls_reason(error)}"
    else:
        reason = _wire_reason(error)
    remedy = error.remedy if isinstance(error, FetchFailedError) else None
    return FetchFailedError(f"{target.url} could not be fetched: {reason.rstrip('.')}.", remedy=remedy)


def _wire_reason(error: Exception) -> str:
    if isinstance(error, (RemoteDisconnected, ConnectionError)):
        refused = isinstance(error, ConnectionRefusedError)
        return "the connection was refused" if refused else "the server closed the connection without a full answer"
    if isinstance(error, IncompleteRead):
        return "the connection ended before the content did"
    if isinstance(error, OSError):
        return f"the connection failed: {error.strerror or 'no reason was given'}"
    return "the server's answer is not valid HTTP"


def _tls_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not accepted ({error.verify_message})"
    return "the server and this program could not agree on one"


def _redirected(error: UrlRefusedError, url: str, here: str) -> UrlRefusedError:
    if here == url:
        return error
    return UrlRefusedError(f"{url} was redirected to {here}. {error.message}", remedy=error.remedy)

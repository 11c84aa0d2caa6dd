"""A connection to one checked address, which ends when its time is up."""

import socket
import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection
from types import TracebackType
from typing import Self

from minirag_mcp.fetch.guard import Address, Target


class PinnedConnection(HTTPConnection):
    """Connects to the given addresses and no other; TLS is verified against the name in the URL.

    `with` bounds everything inside it by a number of seconds: the socket is shut when they are over, however
    slowly the other side drips. Proxies of the environment are not used.
    """

    def __init__(self, target: Target, addresses: Sequence[Address], *, seconds: float) -> None:
        super().__init__(target.host, target.port, timeout=seconds)
        self._target = target
        self._addresses = addresses
        self._alarm = threading.Timer(seconds, self._expire)
        self._alarm.daemon = True
        self._wire: socket.socket | None = None  # `sock` is let go of while the body is still being read
        self.expired = False
        if target.secure:
            self.default_port = 443  # decides whether the Host header names the port

    def __enter__(self) -> Self:
        self._alarm.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._alarm.cancel()
        self.close()

    def connect(self) -> None:
        """Try the addresses in turn. Raises OSError (of the last one)."""
        plain = self._reach()
        if not self._target.secure:
            self._keep(plain)
            return
        context = ssl.create_default_context()
        secured = context.wrap_socket(plain, server_hostname=self._target.host, do_handshake_on_connect=False)
        self._keep(secured)
        secured.do_handshake()

    def _keep(self, wire: socket.socket) -> None:
        self.sock = self._wire = wire
        if self.expired:  # the alarm rang while there was no socket to shut
            raise TimeoutError

    def _reach(self) -> socket.socket:
        failure = OSError("no address")
        for address in self._addresses:
            if self.expired:
                raise TimeoutError
            try:
                return socket.create_connection((str(address), self._target.port), timeout=self.timeout)
            except OSError as error:
                failure = error
        raise failure

    def _expire(self) -> None:
        self.expired = True
        if self._wire is not None:
            with suppress(OSError):
                # Not the method of a TLS socket: that one is no longer encrypted afterwards.
                socket.socket.shutdown(self._wire, socket.SHUT_RDWR)

"""HTTP as the client speaks it: no redirect, no proxy that could read along, and an end to every wait."""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, List, Mapping, NamedTuple, Optional, cast

from ._pending import Pending


class TransportError(Exception):
    """The service could not be reached, or did not answer as the interface says. Governed failures are never raised."""

    def __init__(self, message: str, status: Optional[int] = None, pending: Optional[Pending] = None) -> None:
        super().__init__(message)
        self.status = status
        self.pending = pending
        """The call that waited for an approval when this happened: resume it."""


class Limits(NamedTuple):
    """How much is read of a service, and for how long. Times are in seconds."""

    timeout: float = 30.0
    stream_timeout: float = 900.0
    max_answer_bytes: int = 64 * 1024 * 1024
    max_stream_bytes: int = 256 * 1024 * 1024

    def usable(self) -> Limits:
        for name, value in self._asdict().items():
            if not value > 0:
                raise ValueError(f"{name} is {value!r}; it is a number above 0.")
        return self


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Timed(io.RawIOBase):
    """What a socket gives until a moment: who drips a byte now and then has no more time than who is silent."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        super().__init__()
        self._raw = raw
        self._sock = sock
        self._patience = sock.gettimeout()
        self._until = 0.0
        self.renew()

    def renew(self) -> None:
        self._until = time.monotonic() + (self._patience or 0.0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        if self._patience is not None:
            left = self._until - time.monotonic()
            if left <= 0:
                raise TimeoutError("timed out")
            self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class TimedResponse(http.client.HTTPResponse):
    """A response whose head and body share one time limit, until it is renewed."""

    def __init__(self, sock: socket.socket, *words: Any, **named: Any) -> None:
        super().__init__(sock, *words, **named)
        self._timed = Timed(self.fp.detach(), sock)
        self.fp = io.BufferedReader(self._timed)

    def renew(self) -> None:
        self._timed.renew()


class _Connection(http.client.HTTPConnection):
    response_class = TimedResponse


class _SecureConnection(http.client.HTTPSConnection):
    response_class = TimedResponse


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Connection, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(cast(Any, _SecureConnection), req)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A credential goes to the service and nowhere else."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


def opener() -> urllib.request.OpenerDirector:
    # A proxy of the environment would read what is sent over plain http, the credential too; over https it is a tunnel.
    tunnels = {scheme: proxy for scheme, proxy in urllib.request.getproxies().items() if scheme == "https"}
    return urllib.request.build_opener(urllib.request.ProxyHandler(tunnels), _NoRedirects(), _Http(), _Https())


def opened(director: urllib.request.OpenerDirector, request: urllib.request.Request, seconds: float) -> Any:
    """A response, whatever its status; its head is there within so many seconds."""
    try:
        return director.open(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        if 300 <= error.code <= 399:
            error.close()
            raise TransportError(f"{request.full_url} answered with a redirect, which is not followed.", error.code) from None
        return error
    except (OSError, http.client.HTTPException) as error:
        raise TransportError(f"{request.full_url} gave no answer: {getattr(error, 'reason', error)}.") from None


def read(response: Any, url: str, most: int) -> Answer:
    """A whole answer of so many bytes at most."""
    parts: List[bytes] = []
    length = 0
    try:
        while part := response.read1(65536):
            length += len(part)
            if length > most:
                raise TransportError(f"{url} answered more than {most} bytes (max_answer_bytes).", response.status)
            parts.append(part)
    except (OSError, http.client.HTTPException) as error:
        raise TransportError(f"{url} broke off: {error}.") from None
    return Answer(response.status, headers_of(response), b"".join(parts))


def headers_of(response: Any) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def usable_address(base_url: str, must_be_private: bool) -> str:
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The base_url {base_url!r} is not an address such as http://127.0.0.1:4100.")
    if parts.scheme == "http" and must_be_private and not _is_loopback(parts.hostname):
        raise ValueError(
            f"The base_url {base_url!r} would send the credential in the clear; use https, or set insecure_http=True in a network that you trust."
        )
    return base_url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Download of a file, with short timeouts for unreachable hosts."""

from http.client import HTTPException, HTTPMessage
import socket
from threading import Thread
from time import monotonic
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, SplitResult, urlsplit
from urllib.request import build_opener, getproxies, HTTPRedirectHandler, Request

from mvsim_ros2.errors import ResourceError

TIMEOUT = 3.0  # s, for name resolution, connection and each read
LONGEST = 120.0  # s, for the whole file
MAX_BYTES = 2 ** 28
_CHUNK = 2 ** 20

_unreachable: dict[str, str] = {}  # unreachable host -> reason, for the life of the process


def download(url: str) -> bytes:
    """
    Return the content of an http or https address.

    A host that was not reachable once is not tried again in this process. Redirections are
    followed to the same scheme, host and port only.
    """
    address = quote(url, safe="%/:=&?~#+!$,;'@()*[]")
    try:
        parts = urlsplit(address)
        host = parts.netloc
    except ValueError as error:
        raise ResourceError(f'the address is not valid: {error}') from error
    if host in _unreachable:
        raise ResourceError(f'{host} was not reachable before: {_unreachable[host]}')
    try:
        _look_up(parts)
        end = monotonic() + LONGEST
        request = Request(address, headers={'User-Agent': 'mvsim_ros2'})
        with build_opener(_SameHost).open(request, timeout=TIMEOUT) as answer:
            content = bytearray()
            while chunk := answer.read1(_CHUNK):
                content += chunk
                if monotonic() > end:
                    raise ResourceError(f'it takes longer than {LONGEST:g} s')
                if len(content) > MAX_BYTES:
                    raise ResourceError(f'the file is larger than {MAX_BYTES} bytes')
            expected = answer.headers.get('Content-Length')
    except HTTPError as error:
        raise ResourceError(f'the server answers {error.code} {error.reason}') from error
    except (URLError, TimeoutError, ConnectionError) as error:
        _unreachable[host] = str(getattr(error, 'reason', error))
        raise ResourceError(f'{host} is not reachable: {_unreachable[host]}') from error
    except (OSError, HTTPException, ValueError) as error:
        raise ResourceError(f'the download failed: {error}') from error
    if expected is not None and expected.isdigit() and int(expected) != len(content):
        raise ResourceError('the download broke off')
    return bytes(content)


class _SameHost(HTTPRedirectHandler):
    """Follows redirections that stay where the address of the world file points."""

    def redirect_request(self, request: Request, answer: IO[bytes], code: int, message: str,
                         headers: HTTPMessage, newurl: str) -> Request | None:
        """Return the next request."""
        here, there = urlsplit(request.full_url), urlsplit(newurl)
        if (here.scheme, here.netloc.lower()) != (there.scheme, there.netloc.lower()):
            raise ResourceError(
                f'{here.netloc} redirects to {newurl}, which is another scheme or host: give '
                'that address if you trust it')
        return super().redirect_request(request, answer, code, message, headers, newurl)


def _look_up(address: SplitResult) -> None:
    """Resolve the name of a host within `TIMEOUT`; the system may wait much longer."""
    if address.scheme in getproxies() or not address.hostname:
        return

    def resolve() -> None:
        try:
            socket.getaddrinfo(address.hostname, address.port or address.scheme)
        except (OSError, ValueError):
            pass  # urlopen reports the same error

    thread = Thread(target=resolve, daemon=True)
    thread.start()
    thread.join(TIMEOUT)
    if thread.is_alive():
        raise TimeoutError(f'no address for {address.hostname} within {TIMEOUT:g} s')

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Access to the window: only with its link, from the page of the window, at its address.

A page that a user visits can open a WebSocket to any address. It can let its own domain name point
to this machine (DNS rebinding, RFC 6454 and https://en.wikipedia.org/wiki/DNS_rebinding). So each
request is checked for the address in `Host`, for the page in `Origin`, and for a token that only
the link has. The token is the first part of the path, so that the page keeps it and asks for its
socket with it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
import hmac
from http import HTTPStatus
from ipaddress import ip_address
import logging
import os
import re
import secrets
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State

from mvsim_ros2.errors import WindowError

TOKEN_VARIABLE = 'MVSIM_TOKEN'  # of the environment, for a link that is known beforehand
MOST_CLIENTS = 64  # connections; a browser that drives has two
LARGEST_MESSAGE = 2 ** 24  # bytes; a screenshot of 1920 x 1920 px has 15 million
MESSAGES_A_SECOND, BYTES_A_SECOND = 300.0, 4e7  # of one client; more wait
HANDSHAKE = 5.0  # s for a request to be complete
MOST_WAITING = 100  # connections without a complete request; each takes a file of the process
_TOKEN = re.compile('[A-Za-z0-9_-]{16,200}')
_RANDOM = secrets.token_urlsafe(24)
_HEADERS = {'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff',
            'Cache-Control': 'no-store'}

_SILENT = logging.getLogger(f'{__name__}.rejected')  # refused requests do not concern the user
_SILENT.disabled = True

Drive = Callable[[str], None]
Handler = Callable[[ServerConnection], Awaitable[None]]
Check = Callable[[ServerConnection, Request], Response | None]


def token() -> str:
    """
    Return the token of the windows of this process: from the environment, else a random one.

    :raises WindowError: if the token of the environment is too short to be a secret.
    """
    given = os.environ.get(TOKEN_VARIABLE)
    if given is not None and not _TOKEN.fullmatch(given):
        raise WindowError(f'{TOKEN_VARIABLE} is not a token: use 16 to 200 of A-Z a-z 0-9 - _')
    return given or _RANDOM


@dataclass(frozen=True)
class Access:
    """The rules of one server."""

    host: str  # address that it listens on
    token: str
    most_clients: int = MOST_CLIENTS
    drive: Drive | None = None  # called with what pages send to the path `drive`

    def refusal(self, request: Request, clients: int) -> tuple[HTTPStatus, str] | None:
        """
        Return why a request is not allowed, None if it is.

        :param clients: connections that there are.
        """
        hosts, origins = (request.headers.get_all(name) for name in ('Host', 'Origin'))
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return HTTPStatus.MISDIRECTED_REQUEST, 'this is not an address of the window'
        if origins and (len(origins) > 1 or urlsplit(origins[0]).netloc != hosts[0]):
            return HTTPStatus.FORBIDDEN, 'other web pages cannot use the window'
        if not hmac.compare_digest(_split(request.path)[0].encode(), self.token.encode()):
            return HTTPStatus.FORBIDDEN, 'open the link that was printed: it contains a token'
        if 'Upgrade' in request.headers and clients >= self.most_clients:
            return HTTPStatus.SERVICE_UNAVAILABLE, f'there are {clients} connections already'
        return None

    def _is_own(self, address: str) -> bool:
        """
        Return whether `Host` names this machine; the port may be that of a tunnel.

        Addresses in numbers cannot be bound to another machine, names can.
        """
        name, local = '', is_local(self.host)
        with suppress(ValueError):
            name = urlsplit(f'//{address}').hostname or ''
            return ip_address(name).is_loopback or not local
        return name == 'localhost' or not local and name in {
            self.host.lower(), socket.gethostname().lower(), socket.getfqdn().lower()}

    def guarded(self, process_request: Check) -> Check:
        """Return a check of requests, which rejects them or passes on the path below the token."""
        def check(connection: ServerConnection, request: Request) -> Response | None:
            if refused := self.refusal(request, len(connection.server.connections)):
                return connection.respond(refused[0], f'{refused[1]}\n')
            request = replace(request, path=_split(request.path)[1])
            response = process_request(connection, request)
            if response is not None:
                response.headers.update(_HEADERS)
            return response

        return check

    def handled(self, handler: Handler) -> Handler:
        """Return what handles a connection: `drive` on its path, else `handler`."""
        async def handle(connection: ServerConnection) -> None:
            path = connection.request.path if connection.request else ''
            if self.drive is None or _split(path)[1] != '/drive':
                await handler(connection)
                return
            with suppress(ConnectionClosed):
                async for message in connection:
                    if isinstance(message, str):
                        self.drive(message)

        return handle

    def serve(self, original: Callable[..., Any], handler: Any, host: str, port: int,
              **options: Any) -> Any:
        """Return what `websockets.asyncio.server.serve` returns, under these rules."""
        return original(self.handled(handler), host, port, **options | {
            'process_request': self.guarded(options['process_request']), 'logger': _SILENT,
            'create_connection': _SlowedConnection, 'max_size': LARGEST_MESSAGE,
            'open_timeout': HANDSHAKE})


def is_local(host: str) -> bool:
    """Return whether only this machine reaches an address."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == 'localhost'


def _split(path: str) -> tuple[str, str]:
    """Return the first part of a path, and the rest with its query."""
    first, query, _ = path.lstrip('/').partition('?')
    name, _, rest = first.partition('/')
    return name, f'/{rest}{path[path.index("?"):] if query else ""}'


class _SlowedConnection(ServerConnection):
    """A connection whose client waits where it sends more than its rate."""

    _due = 0.0  # when what was received would be due at these rates [s]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, and cut the oldest of too many connections without a complete request."""
        super().connection_made(transport)
        waiting = [each for each in self.server.handlers if each.state is State.CONNECTING]
        for each in waiting[:-MOST_WAITING]:
            each.transport.abort()

    async def recv(self, decode: bool | None = None) -> Any:
        """Return the next message, not before it is due."""
        data = await super().recv(decode)
        now = time.monotonic()
        self._due = max(self._due, now - 1.0) + max(
            1.0 / MESSAGES_A_SECOND, len(data) / BYTES_A_SECOND)
        if self._due > now:
            await asyncio.sleep(self._due - now)
        return data

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The server of the page, and the address that it listens on."""

import contextlib
import errno
import io
import logging
import socket
import threading
from typing import Any

import viser
from websockets.asyncio import server as websocket_server

from mvsim_ros2.errors import WindowError
from mvsim_ros2.window.access import Access, Drive, is_local, MOST_CLIENTS, token

_LOG = logging.getLogger(__name__)

LOCAL = '127.0.0.1'
FIRST_PORT = 8080  # the usual port, and where the search for a free one begins
_TRIES = 50
_PATIENCE = 10.0  # s for the threads of a server to end
_OPENING = threading.Lock()
_threads: dict[viser.ViserServer, set[threading.Thread]] = {}  # of open servers


def free_port(host: str, port: int | None) -> int:
    """
    Return a port that nothing listens on.

    :param port: the one that is wanted, 0 for any; None takes `FIRST_PORT` or the next free one
        after it, and warns where that is another.
    :raises WindowError: where the wanted port is taken, or the host is none of this machine.
    """
    if port is not None:
        if not 0 <= port < 65536:
            raise WindowError(f'{port} is not a port: give a number from 1 to 65535, or 0 for any')
        found = _bound(host, port)
        if found is None:
            raise WindowError(f'port {port} of {host} is taken: give another one, or none to '
                              'use a free one')
        return found
    for candidate in range(FIRST_PORT, FIRST_PORT + _TRIES):
        if _bound(host, candidate) is not None:
            if candidate != FIRST_PORT:
                _LOG.warning('port %d is taken: the window listens on port %d', FIRST_PORT,
                             candidate)
            return candidate
    raise WindowError(f'the ports {FIRST_PORT} to {FIRST_PORT + _TRIES - 1} of {host} are taken: '
                      'give another one')


def link_of(host: str, port: int) -> str:
    """Return the address to open in a browser, with the token."""
    name = 'localhost' if host in (LOCAL, '0.0.0.0', '::') else host
    return f'http://{f"[{name}]" if ":" in name else name}:{port}/{token()}/'


def warn_of(host: str) -> None:
    """Warn where others than this machine can reach the window."""
    if not is_local(host):
        _LOG.warning(
            'the window listens on %s: anyone with its link can see and control the simulation, '
            'and the link travels in clear text; over SSH, use `ssh -L %d:localhost:%d MACHINE` '
            'without --host', host, FIRST_PORT, FIRST_PORT)


def open_server(host: str, port: int, most_clients: int = MOST_CLIENTS,
                drive: Drive | None = None) -> viser.ViserServer:
    """
    Return a server that checks who uses it, see `access`, and prints nothing.

    It never hands its page to a relay on the internet: any browser could request that, and anyone
    with the link could drive. viser has no place for such checks, so the function of websockets
    that it starts is another one meanwhile.

    :param drive: see `Access`.
    :raises WindowError: where viser did not start that function.
    """
    access = Access(host, token(), most_clients, drive)
    serve = websocket_server.serve
    guarded: list[str] = []

    def guarded_serve(handler: Any, host: str, port: int, **options: Any) -> Any:
        guarded.append(host)
        return access.serve(serve, handler, host, port, **options)

    with _OPENING, contextlib.redirect_stdout(io.StringIO()):  # viser prints a box
        before = set(threading.enumerate())
        websocket_server.serve = guarded_serve  # type: ignore[assignment,misc]
        try:
            server = viser.ViserServer(host=host, port=port, label='mvsim_ros2', verbose=False)
        finally:
            websocket_server.serve = serve  # type: ignore[misc]
        _threads[server] = set(threading.enumerate()) - before
    server.request_share_url = _refuse
    if not guarded:
        close_server(server)
        raise WindowError(f'viser {viser.__version__} opens its port in another way, so that '
                          'access cannot be restricted: install the one that setup.py names')
    return server


def listen(host: str, port: int | None, drive: Drive | None = None) -> viser.ViserServer:
    """
    Return a server on a port; where another program has just taken the chosen one, on the next.

    :param port: see `free_port`.
    :param drive: see `Access`.
    :raises WindowError: where the wanted port is taken, or the host is none of this machine.
    """
    server = open_server(host, free_port(host, port), drive=drive)
    if port and server.get_port() != port:
        close_server(server)
        raise WindowError(f'port {port} of {host} was taken just now: give another one')
    return server


def close_server(server: viser.ViserServer) -> None:
    """End a server, printing nothing."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()
        for thread in _threads.pop(server, ()):  # they print that they end
            thread.join(_PATIENCE)


def _bound(host: str, port: int) -> int | None:
    """
    Return the port that could be listened on, None where it is taken.

    :raises WindowError: where the host is none of this machine.
    """
    if not host:
        raise WindowError('the host is empty: give 127.0.0.1, or 0.0.0.0 for all networks of this '
                          'machine')
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except (PermissionError, OverflowError):
            return None
        except socket.gaierror as error:
            raise WindowError(f'there is no host {host!r}: give 127.0.0.1, or 0.0.0.0 for all '
                              'networks of this machine') from error
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise WindowError(f'{host} is not an address of this machine: give 127.0.0.1, or '
                                  '0.0.0.0 for all of its networks') from error
            return None
        number: int = probe.getsockname()[1]
        return number


def _refuse(verbose: bool = True) -> None:
    """Replace the method of viser that requests an address from a relay."""

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Strangers do not get into the window: other pages, other names, other tokens, floods.

:claim: Only visitors with the link can use a window, from its own page and address
:reference: handshakes of RFC 6455, by an independent client
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
import socket
import time
from types import SimpleNamespace

from live_pages import answer_of, camera_message, joined, talk
import pytest
import viser
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WindowError
from mvsim_ros2.window import access, server
from mvsim_ros2.window.live_run import LiveRun
from mvsim_ros2.window.page import Page

PATIENCE = 60.0  # s


@pytest.fixture(scope='module')
def run(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """Return a run with a window, and with time for each request however busy the machine is."""
    simulation = Simulation.from_file(project / 'worlds' / 'empty.world.xml', sensors=False)
    simulation.warm_up()
    (vehicle,) = simulation.vehicles.values()
    vehicle.set_twist(1.0, 1.0)
    simulation.step(2)  # compiles what only a driven vehicle runs: no test below waits for it
    simulation.reset()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, 'HANDSHAKE', PATIENCE)
        run = LiveRun(simulation, Page('', 0), folder=tmp_path_factory.mktemp('recorded'))
    with run:
        run.start()
        yield run


def status_of(run: LiveRun, path: str, **headers: str) -> int:
    """Return what a window answers to a handshake, by the bytes of RFC 6455."""
    port = run.window.page.port
    lines = {'Host': f'localhost:{port}', 'Upgrade': 'websocket', 'Connection': 'Upgrade',
             'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '13',
             'Sec-WebSocket-Protocol': f'viser-v{viser.__version__}', **headers}
    with socket.create_connection(('127.0.0.1', port), PATIENCE) as line:
        line.sendall((f'GET {path} HTTP/1.1\r\n' + ''.join(
            f'{name}: {value.format(port=port)}\r\n' for name, value in lines.items())
            + '\r\n').encode())
        return int(line.makefile('rb').readline().split()[1])


@pytest.mark.parametrize(('headers', 'status'), [
    pytest.param({}, 101, id='a program'),
    pytest.param({'Origin': 'http://localhost:{port}'}, 101, id='its own page'),
    pytest.param({'Host': '127.0.0.1:{port}', 'Origin': 'http://127.0.0.1:{port}'}, 101,
                 id='its address in numbers'),
    pytest.param({'Host': 'localhost:9000', 'Origin': 'http://localhost:9000'}, 101,
                 id='a tunnel with another port'),
    pytest.param({'Origin': 'https://evil.example'}, 403, id='a foreign page'),
    pytest.param({'Origin': 'http://localhost:1'}, 403, id='a page of another server here'),
    pytest.param({'Origin': 'null'}, 403, id='a page without an origin'),
    pytest.param({'Host': 'evil.example', 'Origin': 'http://evil.example'}, 421,
                 id='a name that was bound to this machine'),
    pytest.param({'Host': 'localhost.evil.example:{port}'}, 421, id='a name that looks alike'),
    pytest.param({'Host': '[::1'}, 421, id='a damaged name')])
def test_handshakes(run: LiveRun, headers: dict[str, str], status: int) -> None:
    assert status_of(run, f'/{access.token()}/', **headers) == status


@pytest.mark.parametrize('path', ['/', '/drive', '/?token=', '/{}/', '/{}/../', '//', '/{old}/'])
def test_no_token_and_those_of_others(run: LiveRun, path: str) -> None:
    other = access.token()[:-1] + ('y' if access.token().endswith('x') else 'x')
    path = path.replace('{old}', 'x' * 32).format(other)
    assert status_of(run, path) == 403
    assert run.window.clients == 0


def test_the_token_of_a_window_before_is_refused(
        run: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(access.TOKEN_VARIABLE, 'of-a-run-of-yesterday')
    old = server.open_server(server.LOCAL, server.free_port(server.LOCAL, 0))
    link = server.link_of(server.LOCAL, run.window.page.port)
    server.close_server(old)
    assert 'of-a-run-of-yesterday' in link
    assert status_of(run, '/of-a-run-of-yesterday/') == 403


def test_tokens_of_the_environment_are_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ('', 'short', 16 * 'ä', 'with a space and more'):
        monkeypatch.setenv(access.TOKEN_VARIABLE, text)
        with pytest.raises(WindowError, match='MVSIM_TOKEN is not a token: use 16 to 200'):
            access.token()


def test_no_bag_is_begun_by_a_foreign_page(run: LiveRun) -> None:
    async def press() -> None:
        with pytest.raises(InvalidStatus, match='403'):
            async with joined(run.link, origin='https://evil.example') as line:
                await line.send(camera_message())

    talk(press())
    assert run.window.clients == 0 and not run.recorders.active
    assert not any(run.recorders.folder.iterdir())


def test_pages_need_the_token_and_change_nothing(run: LiveRun) -> None:
    connection = HTTPConnection('localhost', run.window.page.port, timeout=PATIENCE)
    seen = {}
    for path in ('/', '/index.html', f'/{access.token()}/', f'/{access.token()}',
                 f'/{access.token()}/?websocket=ws://localhost', f'/{access.token()}/bag',
                 f'/{access.token()}/%2e%2e/%2e%2e/_viser.py'):
        connection.request('GET', path)
        answer = connection.getresponse()
        seen[path] = answer.status
        body = answer.read()
        assert (answer.status == 200) == (b'<html' in body.lower())
        assert answer.status != 200 or answer.headers['Referrer-Policy'] == 'no-referrer'
        connection.close()
    assert list(seen.values()) == [403, 403, 200, 200, 200, 404, 404]
    assert run.window.clients == 0 and not run.recorders.active


@pytest.mark.parametrize(('listens', 'named', 'own'), [
    ('127.0.0.1', '192.0.2.7:8080', False), ('0.0.0.0', '192.0.2.7:8080', True),
    ('0.0.0.0', 'evil.example:8080', False), ('robot.lan', 'robot.lan:8080', True),
    ('0.0.0.0', f'{socket.gethostname()}:8080', True), ('::1', '[::1]:8080', True),
    ('127.0.0.1', f'{socket.gethostname()}:8080', socket.gethostname() == 'localhost')])
def test_names_of_this_machine(listens: str, named: str, own: bool) -> None:
    request = Request(f'/{access.token()}/', Headers(Host=named))
    assert (access.Access(listens, access.token()).refusal(request, 0) is None) == own


def test_a_hundred_clients_leave_the_simulation_alone(run: LiveRun) -> None:
    async def come() -> int:
        lines = await asyncio.gather(*(joined(run.link) for _ in range(100)),
                                     return_exceptions=True)
        there = [line for line in lines if not isinstance(line, BaseException)]
        before = steps = await asyncio.to_thread(answer_of, run, lambda it: it.steps)
        while steps < before + 50:
            steps = await asyncio.to_thread(answer_of, run, lambda it: it.steps)
        for line in there:
            await line.close()
        assert all(isinstance(line, InvalidStatus) and line.response.status_code == 503
                   for line in lines if line not in there)
        return len(there)

    assert talk(come()) == access.MOST_CLIENTS


@pytest.mark.parametrize('whole', [True, False])
def test_messages_of_a_hundred_megabytes_end_a_client(run: LiveRun, whole: bool) -> None:
    async def flood() -> int:
        async with joined(run.link, compression=None) as line:
            await line.send(camera_message())
            if whole:  # the head of a frame: no byte of the rest is waited for
                line.transport.write(b'\x82\xff' + (10 ** 8).to_bytes(8) + bytes(4))
            else:
                async def parts() -> AsyncIterator[bytes]:
                    for _ in range(100):
                        yield bytes(10 ** 6)

                with pytest.raises(ConnectionClosed):
                    await line.send(parts())
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    await asyncio.wait_for(line.recv(), PATIENCE)
            assert closed.value.rcvd is not None
            return closed.value.rcvd.code

    assert talk(flood()) == 1009  # RFC 6455: too big


def test_driving_has_a_path_of_its_own(run: LiveRun) -> None:
    """What drives is below the token; what is no command does nothing."""
    (vehicle,) = run.window.simulation.vehicles.values()

    def twist(_: Simulation) -> tuple[float, float, float]:
        return vehicle.commanded_twist

    async def drive() -> tuple[float, float, float]:
        async with joined(f'{run.link}drive') as line:
            for text in ('', 'x', '1 2', '1 2 3 4', 'nan nan nan', '1e999 0 0', '\x00',
                         10 ** 6 * '9', b'1 0 0'):
                await line.send(text)
            found = 0.0, 0.0, 0.0
            while not any(found):  # sent again and again, as the page does while a key is held
                await line.send('0.5 0 -1')
                await line.send('x')
                found = await asyncio.to_thread(answer_of, run, twist)
            return found

    assert talk(drive()) == pytest.approx(
        (0.5 * run.window.driver.speed, 0.0, -run.window.driver.turn))
    while any(answer_of(run, twist)):  # until no one drives any more
        pass


def test_floods_of_messages_wait(run: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that sends three times its rate for a second is heard two seconds later."""
    monkeypatch.setattr(access, 'MESSAGES_A_SECOND', 50.0)
    count = 150

    async def flood() -> float:
        async with joined(run.link) as line:
            begin = time.monotonic()
            for number in range(count):
                await line.send(camera_message(float(number)))
            while not any(client.camera.position[0] == count - 1
                          for client in run.window._server.get_clients().values()):
                assert time.monotonic() < begin + PATIENCE
                await asyncio.sleep(0.02)
            return time.monotonic() - begin

    assert talk(flood()) > 1.8


def test_requests_that_do_not_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, 'HANDSHAKE', 0.1)
    slow = server.open_server(server.LOCAL, server.free_port(server.LOCAL, 0))
    with socket.create_connection((server.LOCAL, slow.get_port()), PATIENCE) as line:
        line.sendall(b'GET / HTTP/1.1\r\nHost: ')
        assert line.recv(1) == b''
    server.close_server(slow)


def test_connections_without_a_request_leave_room_for_others(run: LiveRun) -> None:
    lines = [socket.create_connection((server.LOCAL, run.window.page.port), PATIENCE)
             for _ in range(access.MOST_WAITING + 20)]
    assert status_of(run, f'/{access.token()}/') == 101
    for line in lines[:20]:
        with suppress(ConnectionResetError):
            assert line.recv(1) == b''
    for line in lines:
        line.close()


def test_a_server_that_cannot_be_guarded_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, 'websocket_server', SimpleNamespace(serve=None))
    port = server.free_port(server.LOCAL, 0)
    with pytest.raises(WindowError, match='access cannot be restricted'):
        server.open_server(server.LOCAL, port)
    assert server.free_port(server.LOCAL, port) == port


def test_nobody_visits_the_server_of_an_export() -> None:
    request = Request(f'/{access.token()}/', Headers(Host='localhost:8080', Upgrade='websocket'))
    refused = access.Access(server.LOCAL, access.token(), 0).refusal(request, 0)
    assert refused is not None and refused[0] == 503

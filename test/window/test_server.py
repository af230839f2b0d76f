# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the window listens."""

import logging
import socket

import pytest

from mvsim_ros2.errors import WindowError
from mvsim_ros2.window import server


@pytest.fixture
def taken():
    """Return a port at which somebody else listens."""
    with socket.create_server((server.LOCAL, 0)) as other:
        yield other.getsockname()[1]


def test_taken_port_is_an_error_and_without_one_the_next_is_taken(taken, caplog, monkeypatch):
    with pytest.raises(WindowError, match=f'port {taken} of 127.0.0.1 is taken'):
        server.free_port(server.LOCAL, taken)
    monkeypatch.setattr(server, 'FIRST_PORT', taken)
    with caplog.at_level(logging.WARNING, 'mvsim_ros2'):
        assert server.free_port(server.LOCAL, None) > taken
    assert f'port {taken} is taken' in caplog.text


def test_port_that_is_taken_meanwhile_is_not_said(taken, monkeypatch):
    monkeypatch.setattr(server, 'free_port', lambda host, port: taken)
    opened = server.listen(server.LOCAL, None)
    assert opened.get_port() != taken
    server.close_server(opened)
    with pytest.raises(WindowError, match='taken just now'):
        server.listen(server.LOCAL, taken)


@pytest.mark.parametrize('host, port, words', [
    pytest.param(server.LOCAL, 70000, 'not a port', id='port'),
    pytest.param('192.0.2.1', 0, 'not an address of this machine', id='address'),
    pytest.param('no such host', 0, 'no host', id='host'),
    pytest.param('', 0, 'the host is empty', id='empty')])
def test_impossible_places(host, port, words):
    with pytest.raises(WindowError, match=words):
        server.free_port(host, port)


@pytest.mark.parametrize('host, warns', [
    pytest.param('127.0.0.1', False, id='local'), pytest.param('0.0.0.0', True, id='all')])
def test_others_are_warned_of(host, warns, caplog):
    with caplog.at_level(logging.WARNING, 'mvsim_ros2'):
        server.warn_of(host)
    assert ('in clear text' in caplog.text) is warns


def test_nothing_is_printed_at_the_end(capfd):
    """Also by a thread of viser that ends later than the call that ends it."""
    for _ in range(3):
        server.close_server(server.open_server(server.LOCAL, server.free_port(server.LOCAL, 0)))
    assert capfd.readouterr() == ('', '')

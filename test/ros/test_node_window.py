# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The window of the node: a browser's requests do what the services do."""

import socket
from urllib.request import urlopen

import pytest
from ros_client import Client
from ros_client import Simulator
from ros_client import WORLDS

from mvsim_ros2.messages.settings import ParameterError

pytest.importorskip('viser', reason='no viser: pip install viser')


@pytest.fixture(scope='module')
def port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def page(port: int) -> bytes:
    """Return the page of the window, nothing where it is not there yet."""
    try:
        with urlopen(f'http://127.0.0.1:{port}', timeout=20) as answer:
            return bytes(answer.read())
    except OSError:
        return b''


def test_node_serves_the_page(domain: int, port: int) -> None:
    client = Client(domain)
    with Simulator(domain, f'world:={WORLDS}/wall.world.xml', f'viewer:={port}',
                   'start_paused:=true') as client.simulator:
        assert b'<title>' in client.wait('the page', lambda: page(port))
    client.close()


@pytest.mark.parametrize('text, expected', [
    pytest.param('true', None, id='true'), pytest.param('8123', 8123, id='port')])
def test_parameter_is_true_or_a_port(text: str, expected: int | None) -> None:
    from mvsim_ros2.ros.window import port_of
    assert port_of(text) == expected


def test_other_parameters_are_refused() -> None:
    from mvsim_ros2.ros.window import port_of
    with pytest.raises(ParameterError, match="'perhaps' should be true, false or a port"):
        port_of('perhaps')


def test_control_asks_the_loop() -> None:
    from mvsim_ros2.ros.window import NodeControl

    class Loop:
        paused, realtime_factor = False, 0.0
        done: list[object] = []

        def pause(self) -> None:
            self.done.append('pause')

        def set_realtime_factor(self, factor: float) -> None:
            self.done.append(factor)

        def step(self, count: int) -> None:
            self.done.append(count)

    loop = Loop()
    control = NodeControl(loop, lambda action: action())  # type: ignore[arg-type]
    assert control.running and control.speed == float('inf')
    control.set_speed(2.0)
    control.set_speed(float('inf'))
    control.step(3)
    assert loop.done == [2.0, 0.0, 'pause', 3]

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The window of the node: a browser's requests do what the services do."""

from operator import call
import socket
from types import SimpleNamespace
from urllib.request import urlopen

import numpy as np
import pytest
from ros_client import Client, running, WALL, WORLDS

pytest.importorskip('viser', reason='no viser: pip install viser')

TOKEN = 'known-to-this-test'


@pytest.fixture(scope='module')
def port() -> int:
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def page(port: int) -> bytes:
    """Return the page of the window, nothing where it is not there yet."""
    try:
        with urlopen(f'http://127.0.0.1:{port}/{TOKEN}/', timeout=20) as answer:
            return bytes(answer.read())
    except OSError:
        return b''


def test_node_serves_the_page(domain: int, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('MVSIM_TOKEN', TOKEN)
    with running(domain, WALL, f'viewer:={port}', 'start_paused:=true') as client:
        assert b'<title>' in client.wait('the page', lambda: page(port))


def test_control_asks_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    from mvsim_ros2.ros import window
    monkeypatch.setattr(window, 'Window', lambda *_: None)

    class Loop:
        paused, simulation, pacer = False, None, SimpleNamespace(factor=0.0)
        done: list[object] = []

        def pause(self) -> None:
            self.done.append('pause')

        def set_realtime_factor(self, factor: float) -> None:
            self.done.append(factor)

        def step(self, count: int) -> None:
            self.done.append(count)

    loop = Loop()
    control = window.NodeWindow(loop, call, None)  # type: ignore[arg-type]
    assert control.running and control.speed == float('inf')
    control.set_speed(2.0)
    control.set_speed(float('inf'))
    control.step(3)
    assert loop.done == [2.0, 0.0, 'pause', 3]


def test_planned_paths_are_shown_in_the_world(domain: int) -> None:
    import rclpy
    from geometry_msgs.msg import PoseStamped
    from nav_msgs.msg import Path

    from mvsim_ros2 import Simulation
    from mvsim_ros2.ros.messages.names import Namespaces
    from mvsim_ros2.ros.messages.settings import Settings
    from mvsim_ros2.ros.window import PathSubscribers
    from mvsim_ros2.ros.world_context import WorldContext
    settings = Settings(viewer_paths=('route', ''))
    simulation = Simulation.from_file(f'{WORLDS}/wall.world.xml', sensors=False)
    context = WorldContext(simulation, Namespaces(settings, list(simulation.vehicles)))
    shown: list[tuple[str, list[list[float]]]] = []
    client = Client(domain)
    rclpy.init(domain_id=domain)
    try:
        node = rclpy.create_node('shows_paths')
        PathSubscribers(node, settings, lambda: context,
                        lambda name, points: shown.append((name, points.tolist())))
        publisher = client.node.create_publisher(Path, 'route', 1)
        message = Path()
        for x, y in ((1.0, 2.0), (3.0, 4.0)):
            pose = PoseStamped()
            pose.pose.position.x, pose.pose.position.y = x, y
            message.poses.append(pose)

        def wait_for(frame: str, first: tuple[float, float]) -> None:
            message.header.frame_id = frame

            def is_shown() -> bool:  # and not what was published before
                publisher.publish(message)
                rclpy.spin_once(node, timeout_sec=0.1)
                return bool(shown) and shown[-1][1][0][:2] == pytest.approx(first)

            client.wait(f'a path in {frame}', is_shown)
            assert shown[-1][0] == 'route'

        wait_for('map', (1.0, 2.0))
        assert shown[-1][1] == [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]]
        (vehicle,) = simulation.vehicles.values()
        start = vehicle.spec.init_pose
        wait_for('odom', tuple(start.transform(np.array([1.0, 2.0, 0.0]))[:2].tolist()))
        count = len(shown)
        message.header.frame_id = 'somewhere'
        publisher.publish(message)
        for _ in range(3):
            rclpy.spin_once(node, timeout_sec=0.1)
        assert all(points for _, points in shown[count:])  # nothing of that frame
    finally:
        rclpy.shutdown()
        client.close()

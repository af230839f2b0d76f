# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of the real node that measure when a service or a topic says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ros_client import Client, running, stamp_ns
from sensor_msgs.msg import LaserScan
from std_msgs.msg import Empty
from std_srvs.srv import Trigger

from mvsim_ros2 import Simulation

WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"/>
  <sensor class="laser" name="lossy"><nrays>5</nrays><sensor_period>0.05</sensor_period>
    <latency>0.03</latency><lost>0.4</lost></sensor>
  <sensor class="laser" name="eye"><trigger>external</trigger><nrays>5</nrays>
    <latency>0.03</latency></sensor>
</mvsim_world>"""
NAME = '/mvsim/trigger/eye'


@pytest.fixture
def client(domain: int, tmp_path: Path) -> Iterator[Client]:
    """Provide a client of a node that starts paused."""
    world = tmp_path / 'eye.world.xml'
    world.write_text(WORLD)
    with running(domain, f'world:={world}', 'start_paused:=true', 'realtime_factor:=0.0',
                 'steps_per_request:=20') as client:
        client.world = world
        yield client


def test_stamps_in_lock_step_with_latency_and_losses(client: Client) -> None:
    """
    The node publishes what the simulation does: the same stamps, after their latency.

    :reference: the simulation without ROS
    """
    client.listen(LaserScan, '/lossy')
    scans = client.heard['/lossy']

    def step() -> bool:
        assert client.trigger('step').success
        return bool(scans)

    client.wait('the sensor', step)
    assert client.trigger('reset').success
    client.catch_up()
    del scans[:]
    while client.paused_ns() < 2_000_000_000:
        step()
        assert all(stamp_ns(each.header) + 30_000_000 <= client.paused_ns() for each in scans)
    simulation = Simulation.from_file(client.world)
    wanted = [each.stamp_ns for _ in range(client.paused_ns() // round(1e9 * simulation.dt))
              for each in simulation.step() if each.sensor == 'lossy']
    assert 15 < len(wanted) < 35
    client.wait('the last scan', lambda: len(scans) >= len(wanted))
    assert [stamp_ns(each.header) for each in scans] == wanted


def test_a_sensor_measures_when_a_service_or_a_topic_says_so(client: Client) -> None:
    """In lock step too, and what it measures comes after its latency."""
    client.listen(LaserScan, '/eye')
    scans = client.heard['/eye']
    publisher = client.node.create_publisher(Empty, NAME, 10)

    def step() -> None:
        assert client.trigger('step').success

    def turned_on() -> bool:
        """Return whether the node knows who listens."""
        step()
        return bool(client.call(Trigger, NAME, Trigger.Request()).success)

    client.wait('the sensor', turned_on)
    begin = client.paused_ns()
    step()
    client.wait('a scan', lambda: bool(scans))
    assert begin < stamp_ns(scans[0].header) <= begin + 10_000_000
    assert client.paused_ns() >= stamp_ns(scans[0].header) + 30_000_000
    step()
    assert len(scans) == 1

    def heard_again() -> bool:
        publisher.publish(Empty())
        step()
        return len(scans) > 1

    client.wait('another scan', heard_again)

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

WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"/>
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
        yield client


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

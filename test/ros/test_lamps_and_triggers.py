# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lamps and sensors of the real node that services, topics and parameters switch and trigger."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ros_client import Client, running, stamp_ns
from sensor_msgs.msg import Image, LaserScan
from std_msgs.msg import Empty
from std_srvs.srv import SetBool, Trigger

from mvsim_ros2 import Simulation

WORLD = """<mvsim_world version="1.0">
  <lights><light_ambient>0.02</light_ambient><light_color>#000000</light_color></lights>
  <element class="horizontal_plane"/>
  <block name="lamp-post"><static>true</static><init_pose>2 1 0</init_pose>
    <geometry type="box" lx="0.1" ly="0.1" lz="2"/>
    <light_group name="street light"><point_light position="0.3 0 1" diffuse="2"/></light_group>
  </block>
  <sensor class="camera" name="eye"><pose_3d>0 0 1 -90 0 -110</pose_3d><ncols>40</ncols>
    <nrows>30</nrows><cx>19.5</cx><cy>14.5</cy><fx>30</fx><fy>30</fy><renderer>cpu</renderer>
    <sensor_period>0.02</sensor_period></sensor>
  <sensor class="laser" name="lossy"><nrays>5</nrays><sensor_period>0.05</sensor_period>
    <latency>0.03</latency><lost>0.4</lost></sensor>
  <sensor class="laser" name="ray"><trigger>external</trigger><nrays>5</nrays>
    <latency>0.03</latency></sensor>
</mvsim_world>"""
SERVICE, TRIGGER = '/mvsim/set_light/lamp_post/street_light', '/mvsim/trigger/ray'
PARAMETER = 'lights.lamp_post.street_light'


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / 'lamps.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture
def client(domain: int, world: Path) -> Iterator[Client]:
    with running(domain, f'world:={world}', 'start_paused:=true', 'realtime_factor:=0.0',
                 'steps_per_request:=20') as client:
        yield client


def brightness(client: Client) -> float:
    """Return the mean of an image of a later time than it is."""
    images, now = client.heard['/eye/image_raw'], client.paused_ns()

    def is_there() -> bool:
        there = bool(images) and stamp_ns(images[-1].header) > now
        if not there:  # none comes before the node knows who listens
            assert client.trigger('step').success
        return there

    client.wait('an image', is_there)
    return float(np.frombuffer(images[-1].data, np.uint8).mean())


def test_a_lamp_is_switched_by_a_service_and_a_parameter(client: Client) -> None:
    client.listen(Image, '/eye/image_raw')
    light = brightness(client)
    assert client.call(SetBool, SERVICE, SetBool.Request(data=False)).success
    dark = brightness(client)
    assert client.call(SetBool, SERVICE, SetBool.Request(data=True)).success
    assert light > 2.0 * dark > 0.0
    assert brightness(client) == pytest.approx(light, abs=0.5)

    assert client.parameters(PARAMETER) == [True]
    assert not client.put(**{PARAMETER: False})
    assert brightness(client) == pytest.approx(dark, abs=0.5)
    assert client.call(SetBool, SERVICE, SetBool.Request(data=True)).success
    assert client.parameters(PARAMETER) == [True]


def test_stamps_in_lock_step_with_latency_and_losses(client: Client, world: Path) -> None:
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
    simulation = Simulation.from_file(world)
    wanted = [each.stamp_ns for _ in range(client.paused_ns() // round(1e9 * simulation.dt))
              for each in simulation.step() if each.sensor == 'lossy']
    assert 15 < len(wanted) < 35
    client.wait('the last scan', lambda: len(scans) >= len(wanted))
    assert [stamp_ns(each.header) for each in scans] == wanted


def test_a_sensor_measures_when_a_service_or_a_topic_says_so(client: Client) -> None:
    """In lock step too, and what it measures comes after its latency."""
    client.listen(LaserScan, '/ray')
    scans = client.heard['/ray']
    publisher = client.node.create_publisher(Empty, TRIGGER, 10)

    def step() -> None:
        assert client.trigger('step').success

    def turned_on() -> bool:
        """Return whether the node knows who listens."""
        step()
        return bool(client.call(Trigger, TRIGGER, Trigger.Request()).success)

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

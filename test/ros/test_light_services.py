# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lamps switched by services of the real node, seen by a camera."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ros_client import Client, running, stamp_ns
from sensor_msgs.msg import Image
from std_srvs.srv import SetBool

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
</mvsim_world>"""
SERVICE = '/mvsim/set_light/lamp_post/street_light'
PARAMETER = 'lights.lamp_post.street_light'


@pytest.fixture
def client(domain: int, tmp_path: Path) -> Iterator[Client]:
    """Provide a client of a node that starts paused."""
    world = tmp_path / 'lamps.world.xml'
    world.write_text(WORLD)
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

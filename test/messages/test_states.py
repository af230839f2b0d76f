# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages are made by pure functions: no ROS has to run for these tests."""

from pathlib import Path

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.world.spec.grid import OccupancyMap

STAMP_NS = 3_020_000_001


def test_a_strided_array_is_packed_in_its_order() -> None:
    values = np.arange(10, dtype=np.float32)[::3]
    assert list(state_messages.packed(TYPES, values, np.float32)) == [0, 3, 6, 9]


@pytest.mark.parametrize('pose', [
    pytest.param(Pose(1.0, 2.0, 0.0, 0.7), id='planar'),
    pytest.param(Pose(1.0, 2.0, 3.0, -2.0, 0.4, -0.3), id='in space'),
])
def test_transform(pose: Pose) -> None:
    message = state_messages.transform(TYPES, STAMP_NS, 'odom', 'base_link', pose)
    assert (message.header.frame_id, message.child_frame_id) == ('odom', 'base_link')
    t, q = message.transform.translation, message.transform.rotation
    assert (t.x, t.y, t.z) == (pose.x, pose.y, pose.z)
    assert (q.x, q.y, q.z, q.w) == pytest.approx(pose.quaternion)


def test_occupancy_grid() -> None:
    values = np.array([[0, 100, -1], [100, 0, 0]], np.int8)
    message = state_messages.occupancy_grid(
        TYPES, OccupancyMap(values, 0.05, -1.0, -2.0), STAMP_NS, 'map')
    assert (message.info.width, message.info.height) == (3, 2)
    assert message.info.resolution == pytest.approx(0.05)
    assert (message.info.origin.position.x, message.info.origin.position.y) == (-1.0, -2.0)
    assert message.info.origin.orientation.w == 1.0
    assert list(message.data) == [0, 100, -1, 100, 0, 0]


def test_cells_on_map_are_free_occupied_or_unknown(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 60, 126, 129, 200, 255]], np.uint8)).save(tmp_path / 'map.png')
    (tmp_path / 'map.world.xml').write_text(
        '<mvsim_world><element class="occupancy_grid"><file>map.png</file></element>'
        '</mvsim_world>')
    world = load_world(tmp_path / 'map.world.xml')
    (solid,) = [element.occupancy.solid[0].tolist() for element in world.elements]
    cells = {topic: np.asarray(messages[0].data).tolist()
             for topic, kind, _, messages in state_messages.map_messages(
                 TYPES, world, 'map', 1, True)
             if kind == 'nav_msgs/OccupancyGrid'}
    # amcl and the static layer of Nav2 take 100 alone as a wall, and 0 alone as free
    assert cells['map'] == [100, 100, 100, -1, 0, 0]
    assert [cell == 100 for cell in cells['map']] == solid
    assert cells['simul_map'] == [99, 76, 51, 49, 22, 1]

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The messages of occupancy maps."""

from pathlib import Path

import numpy as np
from PIL import Image

from mvsim_ros2 import load_world
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.state_messages import map_messages


def test_cells_on_map_are_free_occupied_or_unknown(tmp_path: Path) -> None:
    Image.fromarray(np.array([[0, 60, 126, 129, 200, 255]], np.uint8)).save(tmp_path / 'map.png')
    (tmp_path / 'map.world.xml').write_text(
        '<mvsim_world><element class="occupancy_grid"><file>map.png</file></element>'
        '</mvsim_world>')
    world = load_world(tmp_path / 'map.world.xml')
    (solid,) = [element.occupancy.solid[0].tolist() for element in world.elements]
    cells = {topic: np.asarray(messages[0].data).tolist()
             for topic, kind, _, messages in map_messages(TYPES, world, 'map', 1, True)
             if kind == 'nav_msgs/OccupancyGrid'}
    # amcl and the static layer of Nav2 take 100 alone as a wall, and 0 alone as free
    assert cells['map'] == [100, 100, 100, -1, 0, 0]
    assert [cell == 100 for cell in cells['map']] == solid
    assert cells['simul_map'] == [99, 76, 51, 49, 22, 1]

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays and indices that grow with a world."""

import math

import numpy as np
import pytest

from mvsim_ros2.physics.ground.surface_index import SurfaceIndex
from mvsim_ros2.physics.state.growing import appended


def test_arrays_grow_without_being_copied_each_time() -> None:
    array, copies = np.zeros((0, 2), np.float32), 0
    for i in range(1000):
        longer = appended(array, [(i, -i)])
        copies += not np.shares_memory(longer, array)
        array = longer
    assert copies < 12
    assert array.tolist() == [[i, -i] for i in range(1000)] and array.flags.c_contiguous


def test_part_of_an_array_is_not_appended_to_in_place() -> None:
    whole = appended(np.zeros(0), [1.0, 2.0, 3.0])
    assert appended(whole[1:], [4.0]).tolist() == [2.0, 3.0, 4.0]
    assert whole.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize('reach', [0.0, 3.0, 100.0])
def test_surfaces_near_a_place_are_all_found(reach: float) -> None:
    random = np.random.default_rng(0)
    index, placed = SurfaceIndex(), {}
    for row in [*range(200), *range(0, 200, 3)]:
        radius = math.inf if row == 7 else float(random.uniform(0.1, 40.0))
        placed[row] = (*random.uniform(-60.0, 60.0, 2).tolist(), radius)
        index.put(row, *placed[row])
    for x, y in random.uniform(-70.0, 70.0, (50, 2)).tolist():
        wanted = {row for row, (at_x, at_y, radius) in placed.items()
                  if math.hypot(at_x - x, at_y - y) <= radius + reach}
        near = index.near(x, y, reach)
        assert wanted <= set(near) and near == sorted(near)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scans of a full circle that end with the ray that they began with, as of an l360."""

import math

import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.world.file.load import load_world_text

SENSOR = ('<sensor class="laser" name="l"> <fov_degrees>360</fov_degrees> <nrays>5</nrays> '
          '<range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg> {}'
          '</sensor> <block name="b"> <init_pose>-3 0 0</init_pose> </block>')


@pytest.mark.parametrize('how, increment, seen', [
    ('<closed_circle>true</closed_circle>', 0.5 * math.pi, [0, 4]),
    ('', 0.4 * math.pi, [0]),
    ('<closed_circle>true</closed_circle> <raytrace_3d>true</raytrace_3d>', 0.5 * math.pi,
     [0, 4])])
def test_the_first_ray_is_repeated_where_asked(how: str, increment: float, seen: list[int],
                                               ) -> None:
    scan = Simulation(load_world_text(SENSOR.format(how), 'a string')).measure('l')
    assert (scan.angle_min, scan.angle_increment) == pytest.approx((-math.pi, increment))
    assert [k for k, distance in enumerate(scan.ranges) if distance < 9.0] == seen
    assert scan.ranges[seen] == pytest.approx([2.5] * len(seen), abs=1e-3)

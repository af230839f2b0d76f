# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A vehicle that is put where it cannot stand falls from there."""

from drawn_worlds import block, Scene, SIZES, WHEELS
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.world.file.load import load_world_text

TOP = 0.8  # m, of a block that ends at x = 0
ROBOT = SIZES['robot']


def simulation(wheels, x, y, yaw, how):
    """Return a robot that is put partly beyond the edge of a block, at its height."""
    text = Scene('robot', wheels, 'flat', 0.0, 0.0, 0.0, 0.8).text(0.002)
    text = text.replace('<element class="horizontal_plane"/>', block(-20.0, 0.0, TOP))
    start, end = text.index('<init_pose3d>'), text.index('</init_pose3d>')
    place = f'{x} {y} {TOP} {np.degrees(yaw)} 0 0' if how == 'file' else '5 0 0 0 0 0'
    made = Simulation(load_world_text(
        text[:start] + f'<init_pose3d>{place}' + text[end:], 'a string'))
    if how == 'set_pose':
        made.set_pose('r', Pose(x, y, TOP, yaw))
    elif how == 'spawn':
        spec = made.vehicles['r'].spec
        made.remove('r')
        made.spawn_vehicle('r', spec, Pose(x, y, TOP, yaw))
    return made


@pytest.mark.parametrize('how', ['file', 'set_pose', 'spawn'])
@pytest.mark.parametrize('wheels', [*WHEELS])
@pytest.mark.parametrize(('x', 'yaw'), [(-0.1, 0.0), (0.05, 0.0), (0.05, 1.57), (-0.1, 0.7)])
def test_partly_beyond_an_edge_it_falls_from_where_it_is(wheels, x, yaw, how):
    """Level, on the wheels that have ground; nothing throws it in the first steps."""
    made = simulation(wheels, x, 0.0, yaw, how)
    vehicle = made.vehicles['r']
    assert tuple(vars(vehicle.pose).values()) == pytest.approx((x, 0.0, TOP, yaw, 0.0, 0.0))
    made.run(0.02)
    pose = vehicle.pose
    assert np.hypot(pose.x - x, pose.y) < 1e-3
    assert TOP - 0.01 < pose.z < TOP + 0.001
    made.run(2.0)
    assert np.isfinite([*vars(vehicle.pose).values()]).all()
    assert -0.05 < vehicle.pose.z < TOP + 0.05


@pytest.mark.parametrize('wheels', [*WHEELS])
def test_on_all_wheels_it_stays(wheels):
    """Up to the edge, on a springy tyre pressed in."""
    made = simulation(wheels, -ROBOT.base - 0.01, 0.0, 0.0, 'file')
    made.run(1.0)
    pose = made.vehicles['r'].pose
    assert (pose.x, pose.y) == pytest.approx((-ROBOT.base - 0.01, 0.0), abs=2e-3)
    assert TOP - 0.1 * ROBOT.radius < pose.z <= TOP

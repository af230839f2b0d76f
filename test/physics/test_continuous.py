# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fast bodies do not pass through thin ones, slow ones do not pay for that."""

from dataclasses import replace
import itertools

import numpy as np
import pytest
from small_worlds import changed, physics, vehicle

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.continuous import Thicknesses
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.world.spec import BlockSpec
from mvsim_ros2.world.spec.outlines import circle, placed, rectangle

THIN = rectangle(-0.025, -3.0, 0.025, 3.0)
SMALL = rectangle(-0.1, -0.1, 0.1, 0.1)


def ball(i, **fields):
    """Return a small block that flies at a wall with 50 m/s."""
    return BlockSpec(f'ball{i}', init_pose=Pose(-1.0 - 0.13 * i, 0.4 * i - 1.5), shape=SMALL,
                     init_twist=(50.0, 0.0, 3.0 * i), mass=2.0, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('dt', [0.001, 0.002, 0.005, 0.01, 0.02])
def test_nothing_tunnels_at_50_metres_per_second(mode, dt):
    wall = BlockSpec('wall', static=True, shape=THIN)
    world = physics(blocks=(wall, *map(ball, range(8))), dt=dt, mode=mode)
    world.step(round(0.2 / dt))
    assert world.blocks.pose[1:, 0].max() < 0.0


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('dt', [0.005, 0.01, 0.02])
@pytest.mark.parametrize('speed', [0.0, -50.0], ids=['stands', 'oncoming'])
def test_nothing_tunnels_through_what_moves(mode, dt, speed):
    """Neither a thin vehicle nor a wide one through a plate of 5 cm that can be pushed."""
    wide = vehicle()
    thin = changed(wide, {'shape': rectangle(-0.025, -0.4, 0.025, 0.4)})
    for spec, start in itertools.product((wide, thin), (0.0, 0.13, 0.37)):
        plate = BlockSpec('plate', mass=2000.0, shape=THIN, init_twist=(speed, 0.0, 0.0),
                          init_pose=Pose(5.0 - 0.15 * speed, 0.2))
        world = physics(replace(spec, init_pose=Pose(start), init_twist=(50.0, 0.0, 0.0)),
                        blocks=(plate,), dt=dt, mode=mode)
        world.step(round(0.3 / dt))
        assert world.vehicles.pose[0, 0] < world.blocks.pose[0, 0]


@pytest.mark.parametrize('distance, speed, ahead, continuous', [
    (1.2, 10.0, 0.0, False), (1.2, 100.0, 0.0, True), (9.0, 100.0, 0.0, False),
    (1.2, 100.0, 90.0, False)], ids=['slow', 'fast', 'far', 'as fast'])
def test_what_can_be_pushed_makes_steps_continuous_where_it_must(
        distance, speed, ahead, continuous):
    block = BlockSpec('block', mass=5.0, init_pose=Pose(distance), shape=SMALL,
                      init_twist=(ahead, 0.0, 0.0))
    world = physics(vehicle(init_twist=(speed, 0.0, 0.0)), blocks=(block,))
    world.step()
    assert world.stepper is not None
    assert world.stepper.engine.bullets.any() == continuous


@pytest.mark.parametrize('mode', MODES)
def test_a_body_that_is_suddenly_fast_does_not_tunnel(mode):
    wall = BlockSpec('wall', static=True, shape=THIN, init_pose=Pose(2.0))
    world = physics(vehicle(), blocks=(wall,), dt=0.02, mode=mode)
    world.step(50)
    world.set_pose('r1', Pose(), (50.0, 0.0, 0.0))
    world.step(20)
    assert world.vehicles.pose[0, 0] < 2.0


@pytest.mark.parametrize('thick, distance, speed, continuous', [
    pytest.param(0.05, 2.0, 0.5, False, id='slow'),
    pytest.param(0.05, 2.0, 4.0, True, id='fast'),
    pytest.param(0.05, 90.0, 4.0, False, id='nothing near'),
    pytest.param(1.0, 2.0, 4.0, False, id='thick'),
])
def test_a_step_is_continuous_where_it_must(thick, distance, speed, continuous):
    block = BlockSpec('block', static=True, init_pose=Pose(0.0, distance + 0.5 * thick),
                      shape=rectangle(-1.0, -0.5 * thick, 1.0, 0.5 * thick))
    world = physics(vehicle(init_twist=(speed, 0.0, 0.0)), blocks=(block,))
    world.step()
    assert world.stepper is not None
    assert world.stepper.engine.fast.any() == continuous


@pytest.mark.parametrize('polygon', [
    rectangle(0.0, 0.0, 2.0, 0.3), circle(0.4), placed(rectangle(-1, -2, 1, 2), Pose(yaw=0.7)),
    ((0.0, 0.0), (4.0, 0.0), (0.0, 3.0))])
def test_thickness_is_the_least_width(polygon):
    angles = np.linspace(0.0, np.pi, 20_001)
    along = np.array(polygon) @ np.array([np.cos(angles), np.sin(angles)])
    least = np.ptp(along, axis=0).min()
    known = Thicknesses()
    known.add_standing(polygon, 0.01)
    known.update()
    assert np.nanmin(known.table) == pytest.approx(least + 0.02, rel=1e-3)

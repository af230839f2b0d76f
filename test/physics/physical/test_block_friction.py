# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks on the ground in mode physical: the spin friction of an even pressure.

:claim: A spinning block stops as under an even pressure on the ground, within 1 %
:reference: closed form
"""

import math

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.bodies import mean_distance
from mvsim_ros2.world.spec import BlockSpec

SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
ASIDE = ((0.2, -0.3), (1.0, -0.3), (0.4, 0.6))


@pytest.mark.parametrize('polygon', [SQUARE, ASIDE], ids=['square', 'triangle'])
def test_mean_distance(polygon):
    """Against a fine grid of points; of a square of side a it is 0.3826 a."""
    corners = np.array(polygon)
    x, y = corners.mean(axis=0)
    grid = np.stack(np.meshgrid(np.linspace(-0.5, 1.0, 751), np.linspace(-0.5, 0.6, 551)), -1)
    ahead = np.roll(corners, -1, axis=0) - corners
    inside = np.all([ahead[k, 0] * (grid[..., 1] - corners[k, 1])
                     > ahead[k, 1] * (grid[..., 0] - corners[k, 0])
                     for k in range(len(corners))], axis=0)
    distances = np.hypot(grid[inside][:, 0] - x, grid[inside][:, 1] - y)
    assert mean_distance(polygon, x, y) == pytest.approx(distances.mean(), rel=5e-3)
    if polygon is SQUARE:
        assert mean_distance(polygon, 0.0, 0.0) == pytest.approx(0.38260, abs=1e-5)


def test_a_spinning_block_stops_as_under_an_even_pressure(physics, dt):
    """``w mu g d / k^2`` with the mean distance d and ``k^2 = a^2 / 6``, within 1 % and a step."""
    mu = 1.0
    world = physics(
        blocks=(BlockSpec('b', shape=SQUARE, mass=3.0, ground_friction=mu, angular_damping=0.0),),
        simul_timestep=dt, options={'mode': 'physical'})
    world.set_pose('b', Pose(), (0.0, 0.0, 10.0))
    expected = 10.0 / 6.0 / (mu * 9.81 * 0.38260)
    time = 0.0
    while world.blocks.twist_body[0, 2] > 1e-3 and time < 2.0:
        world.step(1)
        time += dt
    assert time == pytest.approx(expected, rel=0.01, abs=dt)
    assert math.hypot(*world.blocks.twist_body[0, :2]) < 1e-4

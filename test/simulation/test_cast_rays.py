# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Anyone may look around in the plane, and changes nothing by it."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import PhysicsError, SensorError
from mvsim_ros2.sensors.observations import LaserScan2D

WORLD = Path(__file__).resolve().parents[2] / 'worlds' / 'demo.world.xml'


def test_distances_are_exact_and_follow_what_moves() -> None:
    simulation = Simulation.from_file(WORLD, sensors=False)
    simulation.set_pose('robot', Pose(-8.0, 0.0))
    across = [math.pi / 2, -math.pi / 2]
    # the walls of the corridor are at 1.1 m to both sides, 0.15 m thick
    np.testing.assert_allclose(
        simulation.cast_rays((-8.0, 0.0), across, 5.0, 'robot'), [1.025, 1.025])
    assert (simulation.cast_rays((-8.0, 0.0), across, 5.0) < 0.5).all()  # its own outline
    assert np.isinf(simulation.cast_rays((-8.0, 0.0), across, 1.0, 'robot')).all()
    before = simulation.cast_rays((-11.0, 0.0), [0.0], 20.0)
    simulation.set_pose('robot', Pose(-6.0, 0.0))
    np.testing.assert_allclose(
        simulation.cast_rays((-11.0, 0.0), [0.0], 20.0) - before, [2.0], atol=1e-6)


def test_looking_changes_nothing_of_what_sensors_measure() -> None:
    runs = []
    for looks in (False, True):
        simulation = Simulation.from_file(WORLD, seed=3)
        simulation.vehicles['robot'].set_twist(0.3, 0.2)
        scans = []
        for _ in range(100):
            scans += [each.ranges for each in simulation.step(4)
                      if isinstance(each, LaserScan2D)]
            if looks:
                simulation.cast_rays((0.0, 0.0), np.linspace(0, 6, 50), 9.0)
        runs.append(np.array(scans))
    np.testing.assert_array_equal(runs[0], runs[1])


def test_what_cannot_be_is_refused() -> None:
    simulation = Simulation.from_file(WORLD, sensors=False)
    with pytest.raises(SensorError, match='finite'):
        simulation.cast_rays((math.nan, 0.0), [0.0], 1.0)
    with pytest.raises(PhysicsError, match='no vehicle'):
        simulation.cast_rays((0.0, 0.0), [0.0], 1.0, 'nobody')

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that meet in many ways."""

import math

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec


def test_robots_meet_head_on(vehicle, physics):
    """Twins that drive at each other stop halfway, as mirror images of each other."""
    world = physics(
        vehicle(name='r1', init_pose=Pose(-2.0)),
        vehicle(name='r2', init_pose=Pose(2.0, yaw=math.pi)))
    for i in range(2):
        world.vehicles.set_twist(i, 0.8, 0.0)
    world.step(2000)
    (x1, y1, *_), (x2, y2, *_) = world.vehicles.pose
    assert (x1, y1) == pytest.approx((-x2, -y2), abs=2e-3)
    assert -0.63 < x1 < -0.595
    assert world.vehicles.collided.all()
    assert np.abs(world.vehicles.twist_body).max() < 0.02


def test_pushes_a_chain_of_blocks(vehicle, physics):
    """Four blocks in a row move on together without running into each other or away."""
    row = tuple(
        BlockSpec(f'b{i}', init_pose=Pose(1.5 + 1.1 * i), mass=3.0, ground_friction=0.2)
        for i in range(4))
    world = physics(vehicle(), blocks=row)
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(1600)
    x = np.concatenate([world.vehicles.pose[:1, 0] + 0.1, world.blocks.pose[:, 0]])
    assert np.diff(x) == pytest.approx(np.ones(4), abs=0.05)
    assert x[-1] > 5.2
    assert np.abs(world.blocks.pose[:, 1]).max() < 0.05
    assert np.abs(world.blocks.twist_body).max() < 0.7


def test_rested_bodies_sleep_until_something_happens(vehicle, physics):
    """A pushed block sleeps once left alone; a robot is awake in time for each command."""
    world = physics(vehicle(), blocks=(BlockSpec('b', init_pose=Pose(1.3), mass=4.0),))
    body = world.blocks.bodies[0]
    world.step(150)
    assert not body.is_awake
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(400)
    assert body.is_awake and world.blocks.pose[0, 0] > 1.35
    world.vehicles.set_twist(0, -0.5, 0.0)
    world.step(400)
    assert not body.is_awake


def test_slow_robots_do_not_fall_asleep(vehicle, physics):
    """Slower than what the engine takes for rest (1 cm/s), a robot keeps moving."""
    world = physics(vehicle('diff2', 'ideal'))
    world.vehicles.set_twist(0, 0.004, 0.0)
    world.step(2000)
    assert world.vehicles.pose[0, 0] == pytest.approx(0.04, rel=0.01)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far robots are from what is solid, and what comes of it."""

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

from mvsim_ros2 import Pose
from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
from mvsim_ros2.gym.clearance import distances, FARTHEST, STEPS


def test_as_scipy_says() -> None:
    """Within 8 %, up to where it ends."""
    free = np.random.default_rng(1).random((60, 90)) > 0.01
    found = distances(free)
    exact = distance_transform_edt(np.pad(free, 1))[1:-1, 1:-1]
    near = free & (exact < 0.9 * FARTHEST / STEPS)
    assert found[near] / STEPS == pytest.approx(exact[near], rel=0.08)
    assert not found[~free].any()


def test_robots_near_a_wall_pay_for_it() -> None:
    """In proportion to how near they are; nothing in the middle of the room."""
    envs = VehicleVectorEnv(2, Navigate(near=-2.0, margin=0.8), maps.rooms(6.0, 6.0, clutter=0),
                            rays=8, time_limit=100.0)
    envs.reset(seed=1)
    for row, agent in enumerate(envs.arena.agents):
        agent.simulation.set_pose('robot', Pose((2.3, 0.0)[row]))
    _, _, _, _, info = envs.step(np.zeros((2, 2)))
    near = info['reward_terms']['near']
    wall = 3.0 - 0.1 - 2.3  # walls are 0.1 m thick
    assert near[0] == pytest.approx(-2.0 * 0.1 * (1.0 - wall / 0.8), abs=0.03)
    assert near[1] == 0.0

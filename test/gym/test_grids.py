# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shortest paths to goals and distances from what is solid: by SciPy, and in rewards."""

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

from mvsim_ros2 import Pose
from mvsim_ros2.gym import maps, Navigate, VehicleEnv, VehicleVectorEnv
from mvsim_ros2.gym.clearance import distances, FARTHEST, STEPS
from mvsim_ros2.gym.path_lengths import ASLANT, length_from, path_lengths, STRAIGHT, UNREACHED


def by_dijkstra(free, row, column):
    """Return the same by a library."""
    sparse = pytest.importorskip('scipy.sparse')
    graphs = pytest.importorskip('scipy.sparse.csgraph')
    number = np.arange(free.size).reshape(free.shape)
    rows, columns = free.shape
    ends, weights = [], []
    for down, aside, weight in ((0, 1, STRAIGHT), (1, 0, STRAIGHT), (1, 1, ASLANT),
                                (1, -1, ASLANT)):
        at = number[:rows - down, max(0, -aside):columns - max(0, aside)].ravel()
        to = number[down:, max(0, aside):columns + min(0, aside)].ravel()
        both = free.ravel()[at] & free.ravel()[to]
        ends.append(np.stack([at[both], to[both]]))
        weights.append(np.full(both.sum(), weight))
    graph = sparse.coo_matrix((np.concatenate(weights), np.concatenate(ends, axis=1)),
                              shape=(free.size, free.size))
    lengths = graphs.dijkstra(graph, directed=False, indices=number[row, column])
    return np.where(np.isinf(lengths), UNREACHED, lengths).reshape(free.shape)


@pytest.mark.parametrize('share', [0.0, 0.25, 0.4])
def test_lengths_are_those_of_dijkstra(share):
    """
    Path lengths in rewards equal the shortest paths on the grid.

    :reference: Dijkstra's algorithm of SciPy
    """
    free = np.random.default_rng(1).random((30, 40)) >= share
    free[12, 7] = True
    assert (path_lengths(free, 12, 7) == by_dijkstra(free, 12, 7)).all()


def test_a_place_between_cells_goes_to_the_best_one_near():
    free = np.ones((9, 30), bool)
    free[:, 10:13] = False
    free[8, 10:13] = True
    lengths = path_lengths(free, 0, 0)
    assert length_from(lengths, 0.5, 0.5) == 0.0
    assert length_from(lengths, 4.5, 0.5) == pytest.approx(4.0)
    # in the wall: to one of the cells beside it
    assert length_from(lengths, 11.5, 0.5) == pytest.approx(2.0 + 9.0)
    assert length_from(np.full((3, 3), UNREACHED, np.int32), 1.0, 1.0) == -1.0


def test_progress_along_the_path_counts_the_way_around_a_wall():
    """Behind the wall of the demo progress is that of the path, and its sum is its length."""
    env = VehicleEnv(Navigate(nearest=4.0, farthest=8.0, along_path=True), 'demo', rays=4)
    env.reset(seed=3)
    task, space = env.arena.task, env.arena.agents[0].space
    x, y = env.arena.now.pose[0, :2]
    lengths = space.lengths_to(*task.goals[0])
    before = space.path_length(lengths, x, y)
    # never shorter than the crow flies, but for half a cell at each end
    assert before > np.hypot(*(task.goals[0] - (x, y))) - 0.05
    gained = 0.0
    for _ in range(15):
        _, _, ended, _, info = env.step([1.0, 0.3])
        gained += info['reward_terms']['progress']
        if ended:
            break
    after = space.path_length(lengths, *env.arena.now.pose[0, :2])
    assert gained == pytest.approx(before - after)


def test_distances_are_those_of_scipy() -> None:
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

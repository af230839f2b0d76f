# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shortest paths to goals: against Dijkstra's algorithm of SciPy, and as progress."""

import numpy as np
import pytest

import mvsim_ros2.gym as gym
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
    env = gym.VehicleEnv(gym.Navigate(nearest=4.0, farthest=8.0, along_path=True), 'demo', rays=4)
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

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Train a Jackal to find its way through the fields of BARN, and compare it with a planner.

    python examples/learn/barn.py --out barn

D. Perille, A. Truong, X. Xiao, P. Stone: Benchmarking Metric Ground Navigation, SSRR 2020. The
worlds are drawn by the same procedure (`maps.barn`), 25 of each of its 12 kinds for the
examination. The training is that of `navigate.py`, with random starts and goals in such fields.
The planner is the dynamic window approach, along the shortest path of a map that it knows; the
policy has nothing but its scan, and the way through what that has shown. Scores are those of the
BARN challenge:
X. Xiao and others: Autonomous Ground Navigation in Highly Constrained Spaces, IEEE RAM 29(4),
2022.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from navigate import asked, drive, learn, UNSEEN, write
import numpy as np

from mvsim_ros2.gym import Cross, maps, Navigate, VehicleVectorEnv
from mvsim_ros2.gym.actions import Limits
from mvsim_ros2.gym.clearance import STEPS
from mvsim_ros2.gym.free_space import connected, RESOLUTION
from mvsim_ros2.gym.task import Agent

WORLDS, TIME = 300, 100.0  # of the examination; s of an episode of it, as in the challenge
TRAINING = 50.0  # s, of an episode of the training
WAY = 0.28, 0.36  # m; how far ways that are observed lead past what scans have shown
WORLD = Path(__file__).with_name('jackal.world.xml')
LIMITS = Limits(forward=1.0, backward=0.2, turn=1.5)
FASTEST = 2.0  # m/s, of the shortest path that scores are measured by
CORNERS = [(x, y) for x in (-0.23, 0.23) for y in (-0.22, 0.22)]  # m, of a Jackal and a bit
NARROW, ROOM = 0.27, 0.36  # m to both sides: to drive ahead, to stand in any direction
BRAKES, TURNS = 2.0, 4.0  # m/s^2, rad/s^2 that the planner counts on
AHEAD, PARTS = 1.5, 10  # s of an arc that it looks at, in so many parts


def narrow(agent: Agent) -> Agent:
    """Return an agent whose shortest paths lead through gaps that it just fits through."""
    space, home = agent.space, agent.home
    clear = space.around * (RESOLUTION / STEPS)
    cells = connected(clear > NARROW, int((home.y - space.y_min) / RESOLUTION),
                      int((home.x - space.x_min) / RESOLUTION))
    stands = np.flatnonzero(cells & (clear > ROOM)).astype(np.int32)
    return replace(agent, space=replace(space, cells=cells, free=stands))


class FromAnywhere(Navigate):
    """The task of the training."""

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind([narrow(agent) for agent in agents])


class Through(Cross):
    """The task of the examination."""

    def bind(self, agents: list[Agent]) -> None:
        """See `Task`."""
        super().bind([narrow(agent) for agent in agents])


def fields(count: int, seed: int, task: Navigate, examined: bool = False) -> VehicleVectorEnv:
    """Return environments with fields of their own; those examined have all kinds in turn."""
    worlds = [maps.barn(k % WORLDS, WORLD) for k in range(count)] if examined else maps.barn(
        base=WORLD)
    return VehicleVectorEnv(
        count, task, worlds, seed=seed, copy=False, autoreset_mode='SameStep', collision=-15.0,
        way=WAY, threads=2, limits=LIMITS, time_limit=TIME if examined else TRAINING)


class DynamicWindow:
    """
    A planner that knows the map.

    D. Fox, W. Burgard, S. Thrun: The Dynamic Window Approach to Collision Avoidance, IEEE RAM
    4(1), 1997, towards the goal along shortest paths, as in O. Brock, O. Khatib: High-Speed
    Navigation Using the Global Dynamic Window Approach, ICRA 1999.
    """

    def __init__(self, envs: VehicleVectorEnv, fastest: float) -> None:
        """
        Plan for robots in their worlds.

        :param envs: with a task that knows clearances and paths.
        :param fastest: speed at most [m/s].
        """
        self._arena, self._fastest = envs.arena, fastest

    def __call__(self, _: dict[str, np.ndarray]) -> np.ndarray:
        """Return the actions that look best."""
        now, task = self._arena.now, self._arena.task
        assert isinstance(task, Navigate)
        period = self._arena.period
        speed, turn = now.twist[:, 0], now.twist[:, 2]
        best = np.full(len(speed), np.inf)
        chosen = np.zeros((len(speed), 2))
        for faster in np.linspace(-BRAKES, BRAKES, 5) * period:
            for turned in np.linspace(-TURNS, TURNS, 13) * period:
                forward = np.clip(speed + faster, 0.0, self._fastest)
                around = np.clip(turn + turned, -LIMITS.turn, LIMITS.turn)
                cost = self._cost(task, now.pose, forward, around)
                better = cost < best
                best[better] = cost[better]
                chosen[better] = np.column_stack([forward, around])[better]
        return (chosen / (LIMITS.forward, LIMITS.turn)).astype(np.float32)

    def _cost(self, task: Navigate, pose: np.ndarray, forward: np.ndarray, around: np.ndarray,
              ) -> np.ndarray:
        """Return how bad arcs are, shape (n,)."""
        at, nearest = pose.copy(), np.full(len(pose), np.inf)
        step = AHEAD / PARTS
        for _ in range(PARTS):
            at[:, 2] += 0.5 * step * around
            at[:, 0] += step * forward * np.cos(at[:, 2])
            at[:, 1] += step * forward * np.sin(at[:, 2])
            at[:, 2] += 0.5 * step * around
            cosine, sine = np.cos(at[:, 2]), np.sin(at[:, 2])
            for x, y in CORNERS:
                corner = np.column_stack([at[:, 0] + x * cosine - y * sine,
                                          at[:, 1] + x * sine + y * cosine])
                nearest = np.minimum(nearest, task.clearance(corner))
        left = np.nan_to_num(task.path_left(at), posinf=50.0)
        here = np.nan_to_num(task.path_left(pose), posinf=50.0)
        ahead = at.copy()  # where it looks at the end
        ahead[:, :2] += 0.3 * np.column_stack([np.cos(at[:, 2]), np.sin(at[:, 2])])
        onward = np.nan_to_num(task.path_left(ahead), posinf=50.0)
        return (left - here + 0.5 * np.minimum(onward - left, 1.0)
                + np.clip(1.0 - nearest / 0.2, 0.0, 1.0) + 100.0 * (nearest < 0.06))


def results(act: Any, envs: VehicleVectorEnv, seed: int) -> dict[str, float]:
    """Return how it went in the fields, and the score of the challenge, at most 0.25."""
    envs.reset(seed=seed)
    task = envs.arena.task
    assert isinstance(task, Navigate)
    least = task.path_left(envs.arena.now.pose) / FASTEST
    success, collided, seconds = drive(envs, act, seed)
    score = success * least / np.clip(seconds, 4.0 * least, 8.0 * least)
    return {'episodes': len(success), 'success': float(success.mean()),
            'collided': float(collided.mean()), 'score': float(score.mean()),
            'seconds': float(seconds[success].mean()) if success.any() else TIME}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Train, examine, write, and return the results."""
    chosen = asked(arguments, __doc__, 40.0, WORLDS, 'barn')
    act, result = learn(
        chosen, FromAnywhere(time=-0.2, along_path=True, near=-2.0, margin=0.45), fields)
    unseen = fields(chosen.episodes, UNSEEN, Through(along_path=True, near=-2.0), examined=True)
    result['unseen'] = {
        'policy': results(act, unseen, UNSEEN),
        'planner, 0.5 m/s': results(DynamicWindow(unseen, 0.5), unseen, UNSEEN),
        'planner, 1 m/s': results(DynamicWindow(unseen, 1.0), unseen, UNSEEN)}
    unseen.close()
    write(chosen, result)
    for name, each in result['unseen'].items():
        print(f'{name}: {100 * each["success"]:.1f} % reached, {100 * each["collided"]:.1f} % '
              f'collided, {each["seconds"]:.1f} s, score {each["score"]:.4f}')
    return result


if __name__ == '__main__':
    main()

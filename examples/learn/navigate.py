# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Train a robot with a planar LiDAR of 64 rays to find places in rooms it has never seen.

    python examples/learn/navigate.py --seed 1 --out navigate

It writes `navigate/policy.onnx`, which `ros2 launch mvsim_ros2 policy.launch.py` drives, and
`navigate/result.json`: the learning curve, and the share of the goals that are reached in unseen
rooms. A room is 8 m wide, with ten boxes. Goals come farther away as the robot gets better; to cut
corners costs (`near`).
"""

import argparse
from dataclasses import asdict
import json
from pathlib import Path
import time
from typing import Any

import numpy as np
from ppo import Agent
from ppo import flat
from ppo import Options
from ppo import Progress
from ppo import save
from ppo import train

from mvsim_ros2.gym import maps
from mvsim_ros2.gym import Navigate
from mvsim_ros2.gym import VehicleVectorEnv

RAYS = 64
UNSEEN = 100_000  # seed of the rooms for the examination, above those of all trainings
FIRST, FARTHEST = 1.5, 10.0  # m; distance of the goals at first, and at last
GOOD = 0.75  # share of goals that are reached before they come farther away
WINDOW = 300  # episodes over which it is counted


def rooms(count: int, seed: int, task: Navigate) -> VehicleVectorEnv:
    """Return environments with rooms of their own."""
    return VehicleVectorEnv(
        count, task, maps.rooms(8.0, 8.0, clutter=10), rays=RAYS, seed=seed, copy=False,
        autoreset_mode='SameStep', time_limit=40.0, collision=-10.0)


class Course:
    """The training: how far away goals are, and how it went."""

    def __init__(self, task: Navigate, most_seconds: float) -> None:
        """Begin with goals that are near."""
        self.task, self._start, self._most = task, time.monotonic(), most_seconds
        self.curve: list[dict[str, float]] = []
        self._recent: list[bool] = []
        task.nearest, task.farthest = 0.8, FIRST

    def __call__(self, progress: Progress, agent: Agent) -> bool:
        """Take note of an update; return whether the time is over."""
        self._recent = (self._recent + [reached for _, reached in progress.episodes])[-WINDOW:]
        share = float(np.mean(self._recent or [0.0]))
        seconds = time.monotonic() - self._start
        self.curve.append({
            'steps': progress.steps, 'seconds': round(seconds, 1), 'success': round(share, 3),
            'farthest': round(self.task.farthest, 2), 'loss': round(progress.loss, 4)})
        print(f'{progress.steps:9d} steps, {seconds:5.0f} s: {100 * share:3.0f} % of goals up to '
              f'{self.task.farthest:4.1f} m reached', flush=True)
        if len(self._recent) == WINDOW and share > GOOD and self.task.farthest < FARTHEST:
            self.task.farthest = min(FARTHEST, 1.3 * self.task.farthest)
            self.task.nearest = min(2.0, 1.1 * self.task.nearest)
            self._recent = []
        return seconds > self._most


def examine(agent: Agent, episodes: int, seed: int = UNSEEN) -> dict[str, float]:
    """Return how often an agent succeeds in rooms it has never seen, one episode in each."""
    envs = rooms(episodes, seed, Navigate())
    seen, _ = envs.reset(seed=seed)
    over, success = np.zeros(episodes, bool), np.zeros(episodes, bool)
    collided = np.zeros(episodes, bool)
    while not over.all():
        seen, _, terminated, truncated, info = envs.step(agent.act(flat(seen)))
        ended = (terminated | truncated) & ~over
        success |= ended & info['final_info']['success'] if ended.any() else False
        collided |= ended & info['final_info']['collided'] if ended.any() else False
        over |= ended
    envs.close()
    return {'episodes': episodes, 'success': float(success.mean()),
            'collided': float(collided.mean())}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Train, examine, write, and return the results."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, default=3_000_000, help='of all environments')
    parser.add_argument('--minutes', type=float, default=15.0, help='after which it ends')
    parser.add_argument('--envs', type=int, default=128)
    parser.add_argument('--episodes', type=int, default=200, help='of the examination')
    parser.add_argument('--out', type=Path, default=Path('navigate'))
    chosen = parser.parse_args(arguments)
    course = Course(Navigate(time=-0.2, along_path=True, near=-2.0, margin=0.65),
                    60.0 * chosen.minutes)
    envs = rooms(chosen.envs, 1000 * chosen.seed, course.task)
    options = Options(hidden=(128, 128))
    agent = train(envs, chosen.steps, options, chosen.seed, course)
    chosen.out.mkdir(parents=True, exist_ok=True)
    save(agent, envs, chosen.out / 'policy.onnx')
    envs.close()
    result = {'seed': chosen.seed, 'options': asdict(options), 'curve': course.curve,
              'unseen': examine(agent, chosen.episodes)}
    (chosen.out / 'result.json').write_text(json.dumps(result, indent=1) + '\n')
    print(f'in {chosen.episodes} unseen rooms: {100 * result["unseen"]["success"]:.1f} % reached, '
          f'{100 * result["unseen"]["collided"]:.1f} % collided')
    return result


if __name__ == '__main__':
    main()

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Train a robot with a planar LiDAR of 64 rays to find places in rooms it has never seen.

    python examples/learn/navigate.py --seed 1 --out navigate

It writes `navigate/policy.onnx`, which `ros2 launch mvsim_ros2 policy.launch.py` drives, and
`navigate/result.json`: the learning curve, and the share of the goals that are reached in unseen
rooms. A room is 8 m wide, with ten boxes. Again and again others come, since a policy learns 256
rooms by heart. Goals come farther away as the robot gets better; to cut corners costs (`near`).
The robot draws a map of what its scans show, and sees the next turns of the shortest way through
what it knows so far (`way`): to drive there is what it learns. Only the value, which is not needed
any more after the training, is told where the shortest path really goes. In a mirror the robot
does the mirrored: each room teaches as two.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict
import json
from pathlib import Path
import time
from typing import Any

import numpy as np
from ppo import Agent, flat, Options, Progress, save, STEPS, train

from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
from mvsim_ros2.policies import Policy

RAYS = 64
UNSEEN = 100_000  # seed of the rooms for the examination
SEEN = 1_000_000  # times the seed of a training: of its rooms
FIRST, FARTHEST = 1.5, 10.0  # m; distance of the goals at first, and at last
GOOD = 0.75  # share of goals that are reached before they come farther away
WINDOW = 300  # episodes over which it is counted
WAY = (0.4, 0.6)  # m; how far from walls it has to be, and had better be
TIME = 40.0  # s; of an episode
AROUND, BEARINGS = 0.5, 8  # m; how far from the robot, and where, paths are looked at


def rooms(count: int, seed: int, task: Navigate) -> VehicleVectorEnv:
    """Return environments with rooms of their own."""
    return VehicleVectorEnv(
        count, task, maps.rooms(8.0, 8.0, clutter=10), rays=RAYS, seed=seed, copy=False,
        autoreset_mode='SameStep', time_limit=TIME, collision=-15.0, way=WAY, threads=2)


def hints(envs: VehicleVectorEnv) -> np.ndarray:
    """
    Return what the value is told, shape (envs, 3 + BEARINGS), about 1.

    Length of the shortest path and time left, and how much shorter paths are from around.
    """
    arena, task = envs.arena, envs.arena.task
    assert isinstance(task, Navigate)
    pose = arena.now.pose
    left = task.path_left(pose)
    spent = arena.age * arena.period / arena.settings.time_limit
    found = [left / 5.0, np.log(left + 0.1), 1.0 - spent]
    for bearing in 2.0 * np.pi / BEARINGS * np.arange(BEARINGS):
        turned = pose[:, 2] + bearing
        there = pose + AROUND * np.stack([np.cos(turned), np.sin(turned), 0.0 * turned], 1)
        found.append((left - task.path_left(there)) / AROUND)
    return np.nan_to_num(np.stack(found, 1), posinf=3.0, neginf=-3.0).clip(
        -3.0, 3.0).astype(np.float32)


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


Act = Callable[[dict[str, np.ndarray]], np.ndarray]  # actions of rows of observations


def drive(envs: VehicleVectorEnv, act: Act, seed: int,
          ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Drive an episode in each environment.

    :returns: which reached their goals, which touched something, and how long they took [s].
    """
    seen, _ = envs.reset(seed=seed)
    over, success, collided = np.zeros((3, envs.num_envs), bool)
    seconds = np.zeros(envs.num_envs)
    while not over.all():
        seconds += envs.arena.period * ~over
        seen, _, terminated, truncated, info = envs.step(act(seen))
        ended = (terminated | truncated) & ~over
        if ended.any():
            success |= ended & info['final_info']['success']
            collided |= ended & info['final_info']['collided']
        over |= ended
    return success, collided, seconds


def driver(agent: Agent) -> Act:
    """Return what an agent does."""
    return lambda seen: agent.act(flat(seen))


def driver_of(file: Path) -> Act:
    """Return what the policy in an ONNX file does."""
    policy = Policy(file)
    return lambda seen: np.stack([
        policy.act({name: rows[row] for name, rows in seen.items()})
        for row in range(len(seen['goal']))])


def examine(act: Act, episodes: int, seed: int = UNSEEN) -> dict[str, float]:
    """Return how often a driver succeeds in rooms it has never seen, one episode in each."""
    envs = rooms(episodes, seed, Navigate())
    success, collided, _ = drive(envs, act, seed)
    envs.close()
    return {'episodes': episodes, 'success': float(success.mean()),
            'collided': float(collided.mean())}


def asked(arguments: list[str] | None, description: str, minutes: float, episodes: int,
          out: str, steps: int = 5_000_000) -> argparse.Namespace:
    """Return the options of the command line; the last four are defaults."""
    parser = argparse.ArgumentParser(description=description.strip().splitlines()[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, default=steps, help=STEPS)
    parser.add_argument('--minutes', type=float, default=minutes, help='after which it ends')
    parser.add_argument('--envs', type=int, default=256)
    parser.add_argument('--episodes', type=int, default=episodes, help='of the examination')
    parser.add_argument('--out', type=Path, default=Path(out))
    parser.add_argument('--policy', type=Path, help='ONNX file to examine; nothing is trained')
    return parser.parse_args(arguments)


def learn(chosen: argparse.Namespace, task: Navigate,
          make: Callable[[int, int, Navigate], VehicleVectorEnv]) -> tuple[Act, dict[str, Any]]:
    """
    Train an agent and write its policy, or take the one that is given.

    :param make: returns so many environments by a seed, with a task.
    :returns: it as a driver, and results: seed, options and learning curve, or the file.
    """
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.policy is not None:
        return driver_of(chosen.policy), {'file': str(chosen.policy)}
    course, seed = Course(task, 60.0 * chosen.minutes), SEEN * chosen.seed
    envs = make(chosen.envs, seed, task)
    options = Options(horizon=32, epochs=5, rate=7e-4, discount=0.995, hidden=(256, 256))
    agent = train(envs, chosen.steps, options, chosen.seed, course, hints, lambda made: make(
        chosen.envs, seed + chosen.envs * (1 + made), task))
    save(agent, envs, chosen.out / 'policy.onnx')
    envs.close()
    return driver(agent), {'seed': chosen.seed, 'options': asdict(options), 'curve': course.curve}


def write(chosen: argparse.Namespace, result: dict[str, Any]) -> None:
    """Write results beside the policy."""
    (chosen.out / 'result.json').write_text(json.dumps(result, indent=1) + '\n')


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Train, examine, write, and return the results."""
    chosen = asked(arguments, __doc__, 15.0, 1000, 'navigate', 3_000_000)
    act, result = learn(
        chosen, Navigate(time=-0.2, along_path=True, near=-2.0, margin=0.65), rooms)
    unseen = result['unseen'] = examine(act, chosen.episodes)
    write(chosen, result)
    print(f'in {chosen.episodes} unseen rooms: {100 * unseen["success"]:.1f} % reached, '
          f'{100 * unseen["collided"]:.1f} % collided')
    return result


if __name__ == '__main__':
    main()

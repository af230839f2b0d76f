# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Train an F1TENTH car to race, and compare its laps with those of the best pure pursuit.

    python examples/learn/race.py --seed 1 --out race

The track is 60 m long and 3 m wide. Pure pursuit (R. Coulter, CMU-RI-TR-92-01) knows the middle of
the track and its curvature, and brakes for bends ahead; how far it looks and how fast it takes a
bend are those of 40 pairs with the fastest laps. The policy sees 64 rays, its speed, and points on
the middle ahead. `race/policy.npz` and `race/result.json` are written.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ppo import Agent, flat, Options, Progress, STEPS, train

from mvsim_ros2.gym import Limits, maps, Race, VehicleVectorEnv

Array = NDArray[np.float64]
Driver = Callable[[VehicleVectorEnv, dict[str, Any]], Array]

WORLD = Path(__file__).with_name('race.world.xml')
TRACK, LENGTH, WIDTH = 3, 60.0, 3.0  # seed, m, m
AHEAD = (0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0)  # m; points on the middle that are observed
WHEELBASE = 0.3302  # m
LIMITS = Limits(forward=8.0, backward=8.0, angle=0.4189)
RATE = 20.0  # Hz; of commands
LOOK = (0.2, 0.25, 0.3, 0.4, 0.5)  # s; of pure pursuit, at its speed
GRIP = (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)  # m/s^2; in a bend, and half as much to brake
STARTS = 100_000  # seed of the places where laps begin that are compared


def cars(count: int, laps: int = 1, seed: int = 0) -> VehicleVectorEnv:
    """Return cars on tracks of their own, all alike."""
    world, route = maps.track(TRACK, LENGTH, WIDTH, WORLD)
    task = Race(route, laps, AHEAD, width=0.5 * WIDTH, time=-2.0)
    return VehicleVectorEnv(
        count, task, world, rays=64, seed=seed, copy=False, autoreset_mode='SameStep',
        action='steering', limits=LIMITS, control_rate=RATE, time_limit=40.0)


def task_of(envs: VehicleVectorEnv) -> Race:
    """Return the task of cars."""
    assert isinstance(envs.arena.task, Race)
    return envs.arena.task


class PurePursuit:
    """Steers to a point of the route ahead, as fast as its curvature allows."""

    def __init__(self, look: Array, grip: Array) -> None:
        """
        Set up one for each car.

        :param look: time after which the point would be reached [s], shape (n,).
        :param grip: largest acceleration to the side [m/s^2], shape (n,).
        """
        route = maps.track(TRACK, LENGTH, WIDTH, WORLD)[1]
        self._look, self._count = look, 600
        step = route.length / self._count
        stations = step * np.arange(-4, self._count + 5)
        line = np.column_stack([np.interp(stations % route.length, route.stations, axis)
                                for axis in route.points.T])
        heading = np.unwrap(np.arctan2(*np.diff(line, axis=0).T[::-1]))
        curvature = np.abs(heading[8:] - heading[:-8])[:self._count] / (8 * step)
        self._speeds = np.minimum(
            LIMITS.forward, np.sqrt(grip[:, None] / np.maximum(curvature, 1e-3)))
        for i in range(2 * self._count - 1, -1, -1):  # brakes in time, in two laps backward
            after = self._speeds[:, (i + 1) % self._count]
            here = self._speeds[:, i % self._count]
            np.minimum(here, np.sqrt(after ** 2 + grip * step), out=here)
        self._step = step

    def __call__(self, envs: VehicleVectorEnv, seen: dict[str, Any]) -> Array:
        """Return the actions."""
        task, speed = task_of(envs), seen['velocity'][:, 0]
        reach = np.maximum(0.6, self._look * np.abs(speed))
        x, y = task.ahead_of(envs.arena.now, reach[:, None])[:, 0].T
        angle = np.arctan(2.0 * WHEELBASE * y / (x ** 2 + y ** 2))
        place = ((task.station + speed / RATE) / self._step).astype(int) % self._count
        wanted = self._speeds[np.arange(len(place)), place]
        return np.column_stack([wanted / LIMITS.forward, angle / LIMITS.angle]).clip(-1.0, 1.0)


def drive(driver: Driver, count: int) -> dict[str, Array]:
    """
    Drive two laps with each car.

    :returns: arrays of a row for each car: seconds of the first, standing lap and of the second,
        flying one, nan for those that did not end both; `x`, `y` [m] and `speed` [m/s] at each
        command of the second lap of the fastest car.
    """
    envs = cars(count, 2, STARTS)
    task, (seen, _) = task_of(envs), envs.reset(seed=STARTS)
    standing, flying = np.full(count, np.nan), np.full(count, np.nan)
    over, ticks, lines = np.zeros(count, bool), 0, list[Array]()
    while not over.all():
        pose = envs.arena.now.pose
        lines.append(np.column_stack([pose[:, :2], seen['velocity'][:, :1]]))
        seen, _, terminated, truncated, info = envs.step(driver(envs, seen))
        ticks += 1
        passed = (task.driven >= task.route.length) & np.isnan(standing) & ~over
        standing[passed] = ticks / RATE
        ended = (terminated | truncated) & ~over
        if ended.any():
            success = ended & info['final_info']['success']
            flying[success] = ticks / RATE - standing[success]
        over |= ended
    envs.close()
    standing[np.isnan(flying)] = np.nan
    found: dict[str, Array] = {'standing': standing, 'flying': flying}
    if not np.isnan(flying).all():
        best = int(np.nanargmin(flying))
        begin = round(standing[best] * RATE)
        line = np.array([each[best] for each in lines])[begin:begin + round(flying[best] * RATE)]
        found |= dict(zip(('x', 'y', 'speed'), line.T, strict=True))
    return found


def best_pursuit(starts: int = 4) -> tuple[float, float]:
    """Return how far ahead to look [s] and the acceleration in bends [m/s^2], for fast laps."""
    look, grip = (each.ravel() for each in np.meshgrid(LOOK, GRIP))
    laps = drive(PurePursuit(np.repeat(look, starts), np.repeat(grip, starts)),
                 starts * len(look))
    mean = laps['flying'].reshape(-1, starts).mean(axis=1)  # nan where one of them failed
    best = int(np.nanargmin(mean))
    return float(look[best]), float(grip[best])


def summary(laps: dict[str, Array]) -> dict[str, Any]:
    """Return what is told of laps."""
    return {'cars': len(laps['flying']), 'finished': int(np.isfinite(laps['flying']).sum()),
            'standing': float(np.nanmean(laps['standing'])),
            'flying': float(np.nanmean(laps['flying'])),
            'line': [[round(float(v), 2) for v in laps[name]] for name in ('x', 'y', 'speed')]}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Train, compare, write, and return the results."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--steps', type=int, default=2_000_000, help=STEPS)
    parser.add_argument('--cars', type=int, default=64, help='in training and comparison')
    parser.add_argument('--out', type=Path, default=Path('race'))
    parser.add_argument('--policy', type=Path, help='file to compare; nothing is trained')
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    trained = {'file': str(chosen.policy)} if chosen.policy else learn(chosen)
    look, grip = best_pursuit()
    pursuit = PurePursuit(np.full(chosen.cars, look), np.full(chosen.cars, grip))
    policy = read(chosen.policy or chosen.out / 'policy.npz')
    result = trained | {
        'track': TRACK, 'length': LENGTH, 'width': WIDTH, 'look': look, 'grip': grip,
        'pursuit': summary(drive(pursuit, chosen.cars)),
        'policy': summary(drive(policy, chosen.cars))}
    (chosen.out / 'result.json').write_text(json.dumps(result) + '\n')
    for name in ('pursuit', 'policy'):
        each = result[name]
        print(f'{name}: {each["finished"]} of {each["cars"]} ended, standing lap '
              f'{each["standing"]:.2f} s, flying lap {each["flying"]:.2f} s')
    return result


def learn(chosen: argparse.Namespace) -> dict[str, Any]:
    """Train, write the policy, and return the seed, the options and the learning curve."""
    curve: list[dict[str, float]] = []

    def note(progress: Progress, _: Agent) -> None:
        curve.append({'steps': progress.steps, 'reward': round(progress.reward, 2),
                      'success': round(progress.success, 3)})
        print(f'{progress.steps:8d} steps: {100 * progress.success:3.0f} % of laps ended, '
              f'reward {progress.reward:.1f}', flush=True)

    envs = cars(chosen.cars, seed=1000 * chosen.seed)
    options = Options(discount=0.99, spread=0.5, last_spread=0.1)
    agent = train(envs, chosen.steps, options, chosen.seed, note)
    envs.close()
    write(agent, chosen.out / 'policy.npz')
    return {'seed': chosen.seed, 'options': asdict(options), 'curve': curve}


def write(agent: Agent, file: Path) -> None:
    """Write the policy of an agent."""
    arrays: dict[str, Any] = {
        f'{kind}{i}': each for i, layer in enumerate(agent.policy.weights)
        for kind, each in zip(('weights', 'offsets'), layer, strict=True)}
    np.savez(file, mean=agent.mean.astype(np.float32), scale=agent.scale.astype(np.float32),
             **arrays)


def read(file: Path) -> Driver:
    """Return the driver of a written policy."""
    with np.load(file) as arrays:
        kept = dict(arrays)
    layers = [(kept[f'weights{i}'], kept[f'offsets{i}']) for i in range((len(kept) - 2) // 2)]

    def act(_: VehicleVectorEnv, seen: dict[str, Any]) -> Array:
        values = ((flat(seen) - kept['mean']) / kept['scale']).clip(-5.0, 5.0)
        for weights, offsets in layers[:-1]:
            values = np.tanh(values @ weights + offsets)
        weights, offsets = layers[-1]
        return np.asarray((values @ weights + offsets).clip(-1.0, 1.0))

    return act


if __name__ == '__main__':
    main()

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Time of each part of a step of learning environments in shipped worlds.

64 environments of each world with 64 rays take random actions. Prints CPU times of a step of one
of them [us]: least physics, what the scan adds to it, what all else adds, and a least reset
times the resets in a step. Worlds without a planar LiDAR have no scan.

    python benchmarks/learning_worlds.py [WORLD ...]

:claim: Where the time of a step of learning environments goes, in shipped worlds
:reference: the world `empty`, in one run
"""

import sys
import time
from typing import Any

import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym import Navigate, VehicleVectorEnv

COUNT, STEPS, RAYS = 64, 150, 64


def timed(call: Any, taken: list[float]) -> Any:
    """Return a function that appends the CPU time of each call [s]."""
    def made(*arguments: Any) -> None:
        begin = time.process_time()
        call(*arguments)
        taken.append(time.process_time() - begin)
    return made


def least_times(world: str, **options: Any) -> tuple[float, float, float]:
    """Return least times of a round and of the rest of a step, and of resets in a step [us]."""
    envs = VehicleVectorEnv(COUNT, Navigate(), world, seed=1, copy=False,
                            autoreset_mode='SameStep', **options)
    envs.reset(seed=1)
    rounds: list[float] = []
    resets: list[float] = []
    rest, ended, per_reset = [], 0, []
    arena: Any = envs.arena
    arena._rounds.run = timed(arena._rounds.run, rounds)
    arena.begin = timed(arena.begin, resets)
    random = np.random.default_rng(0)
    for _ in range(STEPS):
        resets.clear()
        begin = time.process_time()
        _, _, terminated, truncated, _ = envs.step(random.uniform(-1.0, 1.0, (COUNT, 2)))
        taken = time.process_time() - begin
        rest.append(taken - rounds[-1] - sum(resets))
        if resets:
            count = int((terminated | truncated).sum())
            ended += count
            per_reset.append(resets[0] / count)
    envs.close()
    share = 1e6 / COUNT
    return (share * min(rounds), share * min(rest),
            1e6 * min(per_reset, default=0.0) * ended / COUNT / STEPS)


def main(worlds: list[str]) -> None:
    """Print the table."""
    print(f'{"":20} {"physics":>8} {"scan":>8} {"else":>8} {"resets":>8} {"sum":>8}  us')
    for world in worlds:
        physics, other, resets = least_times(world, sensors=())
        scan = 0.0
        try:
            both, other, resets = least_times(world, rays=RAYS)
            scan = both - physics
        except LearningError:  # no planar LiDAR
            pass
        parts = physics, scan, other, resets
        print(f'{world:20}', *(f'{each:8.1f}' for each in (*parts, sum(parts))), flush=True)


if __name__ == '__main__':
    main(sys.argv[1:] or ['empty', 'demo', 'occupancy_map', 'warehouse', 'outdoor'])

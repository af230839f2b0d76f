# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sensors of learning environments on a graphics card, beside the processor in the same run.

A robot drives in one of 16 maps of rooms with a LiDAR in three dimensions (16 x 360 beams) or a
depth camera (64 x 48 pixels), in as many worlds at once. Printed
are how far both devices are apart for the same seed and actions, the steps of environments a
second by the clock with all processors, and the rays a second of the sensors alone: as the arrays
on the card are measured again and again, between two synchronisations.

    python benchmarks/card.py [--worlds 64 1024]

:claim: Speed of sensors on a graphics card
:reference: the same sensors on the processor, in one run
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
import os
import time
from typing import Any

from numba import cuda
import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.gym import maps, Navigate, VehicleVectorEnv
from mvsim_ros2.world.spec import Lidar3dSpec, RgbdCameraSpec, WorldSpec

RUNS, LEAST, STEPS, ROOMS = 3, 0.5, 20, 16
SENSORS: dict[str, tuple[Any, ...]] = {
    'LiDAR, 16 x 360': (Lidar3dSpec(
        name='seen', pose=Pose(z=0.5), sensor_period=0.1, vert_nrays=16, horz_nrays=360,
        rolling=False, organised=True, max_range=30.0),),
    'depth, 64 x 48': (RgbdCameraSpec(
        name='seen', pose=Pose(0.2, z=0.4), sensor_period=0.1, sense_rgb=False,
        publish_ros_colored_pointcloud=False, depth_ncols=64, depth_nrows=48, depth_fx=40.0,
        depth_fy=40.0, depth_cx=31.5, depth_cy=23.5, renderer='cpu'),),
}
RAYS = {'LiDAR, 16 x 360': 5760, 'depth, 64 x 48': 3072}


def worlds_of(kind: str) -> list[WorldSpec]:
    """Return rooms in which the robot has a sensor."""
    rooms = maps.rooms()
    return [replace(world, vehicles=tuple(
        replace(each, sensors=(*each.sensors, *SENSORS[kind])) for each in world.vehicles))
        for world in (rooms(np.random.default_rng(seed)) for seed in range(ROOMS))]


def environments(kind: str, count: int, device: str, threads: int) -> VehicleVectorEnv:
    """Return environments in so many rooms."""
    return VehicleVectorEnv(
        count, Navigate(), worlds_of(kind), physics='physical', seed=1, copy=False,
        time_limit=1e6, collision=0.0, threads=threads, device=device,
        sensors=('seen',))


def host(array: Any) -> np.ndarray[Any, Any]:
    """Return an array of what is observed."""
    return np.array(array.cpu() if hasattr(array, 'cpu') else array)


def apart(kind: str, count: int) -> np.ndarray[Any, Any]:
    """Return how far what both devices measure is apart, sorted [m]."""
    both = [environments(kind, count, device, 1) for device in ('cpu', 'cuda')]
    found = [np.abs(np.subtract(*(host(envs.reset(seed=3)[0]['seen']) for envs in both)))]
    random = np.random.default_rng(0)
    for _ in range(STEPS):
        actions = random.uniform(-1.0, 1.0, (count, 2))
        found.append(np.abs(np.subtract(*(host(envs.step(actions)[0]['seen']) for envs in both))))
    for envs in both:
        envs.close()
    return np.sort(np.concatenate([each.ravel() for each in found]))


def best(run: Callable[[], object], count: int, least: float = LEAST) -> float:
    """Return how many are done a second by the clock, in the best of some runs."""
    run()
    most = 0.0
    for _ in range(RUNS):
        done, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < least:
            run()
            done += count
        most = max(most, done / (time.perf_counter() - begin))
    return most


def rates(kind: str, count: int, device: str, threads: int) -> tuple[float, float]:
    """Return steps a second, and rays a second of the sensors alone; 0 on the processor."""
    envs = environments(kind, count, device, threads)
    envs.reset(seed=1)
    random = np.random.default_rng(0)
    actions = random.uniform(-1.0, 1.0, (count, 2))
    actions[:, 0] *= 0.05  # it turns where it is

    def step() -> None:
        envs.step(actions)
        if device == 'cuda':
            cuda.synchronize()

    steps, rays = best(step, count), 0.0
    if device == 'cuda':
        card, rows = envs.arena._card, np.arange(count)

        def measure() -> None:
            for _ in range(10):
                card.measure(rows)
            cuda.synchronize()
        rays = best(measure, 10 * count * RAYS[kind])
    envs.close()
    return steps, rays


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--worlds', type=int, nargs='+', default=[64, 1024])
    given = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    print(f'{cuda.get_current_device().name}, {threads} processors')
    for kind in SENSORS:
        far = apart(kind, ROOMS)
        print(f'{kind}: of {len(far)} measurements half are less than {far[len(far) // 2]:.1e} m '
              f'apart, 99.99 % {far[int(0.9999 * len(far))]:.1e} m, all {far[-1]:.1e} m; more '
              f'than 1e-4 m are {np.count_nonzero(far > 1e-4)}')
    print(f'{"steps a second":20}{"worlds":>8}{"processor":>12}{"card":>12}{"ratio":>8}'
          f'{"Mrays/s":>10}')
    for kind in SENSORS:
        for count in given.worlds:
            slow, _ = rates(kind, count, 'cpu', threads)
            fast, rays = rates(kind, count, 'cuda', threads)
            print(f'{kind:20}{count:8}{slow:12.0f}{fast:12.0f}{fast / slow:8.2f}'
                  f'{1e-6 * rays:10.0f}', flush=True)


if __name__ == '__main__':
    main()

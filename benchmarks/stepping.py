# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time of a world with one robot through the public interface, stepped one by one and 20 a call.

The robot drives a circle in the hall of `lidar2d.py`, without a sensor and with a planar LiDAR of
360 rays at 10 Hz; then a scan that is asked for alone. Prints the least of twelve runs, which is
meaningful on a busy machine, and what it costs to put things elsewhere and to add some where
there are many already. Run it as `python benchmarks/stepping.py`.
"""

from collections.abc import Callable
from dataclasses import replace
import math
import time

from lidar2d import hall
from physics import small_robot

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.world.spec import BlockSpec, LaserSpec, WorldSpec

RUNS, STEPS_A_CALL = 12, 20
BLOCKS = 10, 1000, 10_000
GHOSTS = 60
LIDAR = LaserSpec(name='scan', fov=2 * math.pi, nrays=360, max_range=30.0, range_std_noise=0.01,
                  angle_std_noise=0.0, sensor_period=0.1)


def least_us(task: Callable[[], object], calls: int, runs: int = RUNS) -> float:
    """Return the least CPU time of a call in several runs [us]."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        for _ in range(calls):
            task()
        times.append((time.process_time() - begin) / calls)
    return 1e6 * min(times)


def robot(mode: str, with_lidar: bool) -> Simulation:
    """Return a robot that drives in a hall."""
    vehicle = replace(small_robot('robot', 0.0, 0.0), sensors=(LIDAR,) if with_lidar else ())
    simulation = Simulation(
        replace(hall(1), vehicles=(vehicle,), simul_timestep=0.005), physics=mode)
    simulation.vehicles['robot'].set_twist(0.1, 0.1)
    simulation.step(400)
    return simulation


def crowded(count: int) -> Simulation:
    """Return a robot among blocks that stand, and some that can be put elsewhere."""
    side = math.isqrt(count) + 1
    standing = tuple(BlockSpec(name=f'b{i}', static=True, init_pose=Pose(
        3.0 * (i % side), 3.0 * (i // side))) for i in range(count))
    ghosts = tuple(BlockSpec(name=f'g{i}', init_pose=Pose(3.0 * i, -9.0)) for i in range(GHOSTS))
    return Simulation(WorldSpec(
        vehicles=(small_robot('robot', -5.0, -5.0),), blocks=standing + ghosts))


def main() -> None:
    """Print the tables."""
    use_machine_code()
    print('a step [us]: one by one, 20 a call; the same with a scan at 10 Hz; a scan alone')
    for mode in MODES:
        numbers = []
        for with_lidar in (False, True):
            simulation = robot(mode, with_lidar)
            numbers.append(least_us(simulation.step, 4000))
            numbers.append(least_us(lambda s=simulation: s.step(STEPS_A_CALL), 500)
                           / STEPS_A_CALL)
        numbers.append(least_us(lambda s=simulation: s.measure('robot/scan'), 1000))
        print(f'{mode:>9}', *(f'{number:8.2f}' for number in numbers), flush=True)
    print(f'blocks; [us] a vehicle put elsewhere, a block, one of {GHOSTS} by set_poses; added: a '
          'block, one that stands, a vehicle')
    for count in BLOCKS:
        simulation = crowded(count)
        simulation.step(5)
        poses = {f'g{i}': Pose(3.0 * i, -10.0) for i in range(GHOSTS)}
        names = iter(f'new{i}' for i in range(15))
        row = (
            least_us(lambda s=simulation: s.set_pose('robot', Pose(-5.0, -6.0)), 10),
            least_us(lambda s=simulation: s.set_pose('g0', Pose(0.0, -10.0)), 3),
            least_us(lambda s=simulation, p=poses: s.set_poses(p), 1) / GHOSTS,
            *(least_us(lambda s=simulation, n=names, b=block: s.spawn_block(
                next(n), b, Pose(-9.0, -9.0)), 1, 5) for block in (
                    BlockSpec(), BlockSpec(static=True))),
            least_us(lambda s=simulation, n=names: s.spawn_vehicle(
                next(n), small_robot('', 0.0, 0.0), Pose(-29.0, -9.0)), 1, 5))
        print(f'{count:9d}', *(f'{number:8.1f}' for number in row), flush=True)


if __name__ == '__main__':
    main()

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time of a scan of the planar LiDAR.

Robots stand near the points of a 4 m grid, each with a scanner of 360 rays and 1 cm of range
noise that looks 30 m far; the scans of all robots are taken together, ten at different poses.
Around them is a hall with four walls, a partition with a door, and static boxes, one to four
robots at least. Prints the median over several runs of CPU time per scan, noise and limits
and the making of the observation included; then the same with noise of the bearings, and the
ray casting alone. Run it as `python benchmarks/lidar2d.py`.

:claim: Cost of a planar scan, for 1 robot and for 100
:reference: ray casting only, in one run
"""

from collections.abc import Callable
from functools import partial
import math
import statistics
import time

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.scene.planar import PlanarScene
from mvsim_ros2.sensors.body_state import BodyState, Movers
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.world.spec import (
    BlockSpec, DifferentialSpec, LaserSpec, OpeningSpec, VehicleSpec, VerticalPlaneSpec, WallsSpec,
    WorldSpec)

COUNTS = 1, 100  # robots
SPACING, MARGIN = 4.0, 4.0  # m
RAYS, REACH = 360, 30.0
SCANS = 2000  # in one run
RUNS = 9
POSES = 10  # different ones of each robot


def hall(count: int) -> WorldSpec:
    """Return a hall with `count` robots and static boxes between them."""
    side = math.ceil(math.sqrt(count))
    low, high = -MARGIN, SPACING * (side - 1) + MARGIN
    corners = [(low, low), (high, low), (high, high), (low, high)]
    ends = [point for i in range(4) for point in (corners[i], corners[(i + 1) % 4])]
    partition = VerticalPlaneSpec(x0=low + 2, y0=low, x1=low + 2, y1=high, doors=(OpeningSpec(),))
    between = np.arange(low + SPACING / 2, high, 2 * SPACING)
    boxes = tuple(
        BlockSpec(name=f'box{i}', static=True, init_pose=Pose(x, y, yaw=0.3 * i))
        for i, (x, y) in enumerate((x, y) for x in between for y in between))
    robots = tuple(
        VehicleSpec(name=f'r{i}', dynamics=DifferentialSpec(),
                    init_pose=Pose(SPACING * (i % side), SPACING * (i // side)))
        for i in range(count))
    return WorldSpec(walls=(WallsSpec(shape=tuple(ends)),), elements=(partition,),
                     blocks=boxes, vehicles=robots)


def states_of(world: WorldSpec) -> list[list[BodyState]]:
    """Return the states of all robots, each near its point of the grid, for some scans."""
    rng = np.random.default_rng(0)
    grid = np.array([(robot.init_pose.x, robot.init_pose.y, 0.0) for robot in world.vehicles])
    states = []
    for _ in range(POSES):
        poses: NDArray[np.float64] = grid + rng.uniform(
            [-0.7, -0.7, -math.pi], [0.7, 0.7, math.pi], grid.shape)
        movers = partial(Movers, poses)
        states.append([BodyState(np.array([x, y, 0.0, yaw, 0.0, 0.0]), movers=movers,
                                 mover_index=i) for i, (x, y, yaw) in enumerate(poses)])
    return states


def median_us(task: Callable[[int], object], count: int) -> float:
    """Return the median CPU time [us] of `task`, which takes the number of the pose, per scan."""
    calls = SCANS // count
    task(0)
    runs = []
    for _ in range(RUNS):
        begin = time.process_time()
        for call in range(calls):
            task(call % POSES)
        runs.append((time.process_time() - begin) / (calls * count))
    return 1e6 * statistics.median(runs)


def main() -> None:
    """Print the table."""
    use_machine_code()
    print(f'CPU time per scan of {RAYS} rays [us], median of {RUNS} runs')
    print(f'{"robots":>6} {"scan":>8} {"bearing noise":>14} {"rays alone":>11}')
    for count in COUNTS:
        world = hall(count)
        caster = PlanarRayCaster(PlanarScene.from_world(world))
        states = states_of(world)
        times = []
        for range_noise, angle_noise in ((0.01, 0.0), (0.01, math.radians(0.01)), (0.0, 0.0)):
            spec = LaserSpec(name='laser1', fov=2 * math.pi, nrays=RAYS, max_range=REACH,
                             range_std_noise=range_noise, angle_std_noise=angle_noise)
            lidars = [Lidar2D(spec, robot.name, caster, stream(0, robot.name))
                      for robot in world.vehicles]

            def scan(pose: int, lidars: list[Lidar2D] = lidars) -> object:
                return Lidar2D.measure_together(lidars, 1, states[pose])
            times.append(median_us(scan, count))
        print(f'{count:6d} {times[0]:8.1f} {times[1]:14.1f} {times[2]:11.1f}')


if __name__ == '__main__':
    main()

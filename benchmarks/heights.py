# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time that the height filter of contacts adds to a step.

Fifty robots, each of which pushes a crate; the same with a crate far away on another storey, which
enables the height filter: by compiled code, by Python (steps one by one), and not at all. Last,
fifty crates on the storey above the robots. Prints medians over several runs: microseconds a step.
Run it as `python benchmarks/heights.py`.
"""

from dataclasses import replace
import statistics
import time

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.vehicle.controller import TwistPidController
from mvsim_ros2.world.spec.vehicle.dynamics import DifferentialSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

ROBOTS = 50
STEPS = 200  # in one run
RUNS = 7
UPSTAIRS = BlockSpec('up', init_pose=Pose(-50.0, 0.0, 3.0), static=True,
                     skip_elevation_adjust=True)


def robots() -> tuple[VehicleSpec, ...]:
    """Return robots in a column."""
    dynamics = DifferentialSpec(controller=TwistPidController(KP=10.0, max_torque=20.0))
    return tuple(VehicleSpec(f'r{i}', init_pose=Pose(0.0, 3.0 * i), dynamics=dynamics)
                 for i in range(ROBOTS))


def crates(z: float = 0.0) -> tuple[BlockSpec, ...]:
    """Return a crate in front of each robot; above it where z is not 0."""
    return tuple(BlockSpec(
        f'c{i}', init_pose=Pose(1.2 if z == 0.0 else 0.0, 3.0 * i, z), mass=5.0, static=z > 0.0,
        skip_elevation_adjust=True) for i in range(ROBOTS))


def measure(world: WorldSpec) -> float:
    """Return the median CPU time of a step [us]."""
    physics = PhysicsWorld(world, RandomStreams(0), 'physical')
    for i in range(len(physics.vehicles)):
        physics.vehicles.set_twist(i, 0.3, 0.0)
    physics.step(300)
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        physics.step(STEPS)
        times.append((time.process_time() - start) / STEPS * 1e6)
    return statistics.median(times)


def main() -> None:
    """Measure and print a table."""
    use_machine_code()
    level = WorldSpec(vehicles=robots(), blocks=crates())
    storeys = replace(level, blocks=(*crates(), UPSTAIRS))
    print(f'{ROBOTS} robots that push a crate each')
    print(f'  all on one level: {measure(level):.1f} us a step')
    print(f'  a crate upstairs: {measure(storeys):.1f} us a step')
    below = WorldSpec(vehicles=robots(), blocks=crates(3.0))
    print(f'{ROBOTS} robots below a crate each: {measure(below):.1f} us a step')
    print(f'{ROBOTS} robots alone: {measure(WorldSpec(vehicles=robots())):.1f} us a step')


if __name__ == '__main__':
    main()

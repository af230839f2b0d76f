# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time that hills, scripted motion and the height filter of contacts add to a step.

Robots with four wheels drive arcs on level ground and on hills; blocks with keyframes and actors
move along theirs, one and fifty of each, in mode `mvsim`. Then fifty robots in mode `physical`,
each of which pushes a crate; the same with a crate far away on another storey, which enables the
height filter; with the crates on the storey above them; and without. Prints medians over several
runs. Run it as `python benchmarks/ground.py`.
"""

import statistics
import time

import numpy as np

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec import (
    ActorSpec, AnimationSpec, BlockSpec, Differential4Spec, DifferentialSpec, ElevationMapSpec,
    HeightMap, Keyframe, PathSpec, TwistPidController, VehicleSpec, WaypointSpec, WorldSpec)

ROBOTS = 50
SPACING = 4.0  # m
STEPS, RUNS = 400, 9  # of a run
CONTROLLER = TwistPidController(KP=10.0, max_torque=20.0)
KEYS = AnimationSpec(keys=(
    Keyframe(0.0, Pose()), Keyframe(4.0, Pose(1.0, yaw=1.0)), Keyframe(8.0, Pose())))
UPSTAIRS = BlockSpec('up', init_pose=Pose(-50.0, 0.0, 3.0), static=True,
                     skip_elevation_adjust=True)


def hills() -> ElevationMapSpec:
    """Return hills of 0.3 m."""
    along = 0.5 * np.arange(120)
    return ElevationMapSpec(heights=HeightMap(
        0.3 * np.sin(along)[:, None] * np.cos(along), 0.5, -10.0, -10.0))


def robots(column: bool = False) -> tuple[VehicleSpec, ...]:
    """Return robots with four wheels on a grid, or with two wheels in a column."""
    return tuple(
        VehicleSpec(f'r{i}', init_pose=Pose(0.0, 3.0 * i),
                    dynamics=DifferentialSpec(controller=CONTROLLER)) if column else
        VehicleSpec(f'r{i}', init_pose=Pose(SPACING * (i % 8), SPACING * (i // 8)),
                    dynamics=Differential4Spec(controller=CONTROLLER)) for i in range(ROBOTS))


def movers(count: int) -> tuple[BlockSpec, ...]:
    """Return blocks with keyframes."""
    return tuple(BlockSpec(f'b{i}', init_pose=Pose(SPACING * i), animation=KEYS)
                 for i in range(count))


def actors(count: int) -> tuple[ActorSpec, ...]:
    """Return actors that walk back and forth."""
    return tuple(ActorSpec(f'a{i}', init_pose=Pose(SPACING * i), path=PathSpec(waypoints=(
        WaypointSpec(Pose(SPACING * i, 5.0)), WaypointSpec(Pose(SPACING * i, 0.0)))))
        for i in range(count))


def crates(z: float = 0.0) -> tuple[BlockSpec, ...]:
    """Return a crate in front of each robot of a column; above it where z is not 0."""
    return tuple(BlockSpec(
        f'c{i}', init_pose=Pose(1.2 if z == 0.0 else 0.0, 3.0 * i, z), mass=5.0, static=z > 0.0,
        skip_elevation_adjust=True) for i in range(ROBOTS))


def measure(world: WorldSpec, mode: str = 'mvsim', turn: float = 0.5) -> float:
    """Return the median CPU time of a step [us] of vehicles that turn [rad/s]."""
    physics = PhysicsWorld(world, RandomStreams(0), mode)
    for i in range(len(physics.vehicles)):
        physics.vehicles.set_twist(i, 0.5 if turn else 0.3, turn)
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
    for name, elements in (('level', ()), ('hills', (hills(),))):
        cost = measure(WorldSpec(vehicles=robots(), elements=elements)) / ROBOTS
        print(f'{ROBOTS} robots with four wheels, {name}: {cost:.2f} us a vehicle and step')
    for count in (1, 50):
        print(f'{count:2d} blocks with keyframes: {measure(WorldSpec(blocks=movers(count))):.0f}'
              f' us a step; {count:2d} actors: '
              f'{measure(WorldSpec(actors=actors(count))):.0f} us a step')
    for name, blocks in (
            ('that push a crate each', crates()), ('and one upstairs', (*crates(), UPSTAIRS)),
            ('below a crate each', crates(3.0)), ('alone', ())):
        cost = measure(WorldSpec(vehicles=robots(True), blocks=blocks), 'physical', 0.0)
        print(f'{ROBOTS} robots {name}: {cost:.1f} us a step')


if __name__ == '__main__':
    main()

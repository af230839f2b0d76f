# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
CPU time that hills and scripted motion add to a step.

Robots with four wheels drive arcs on level ground and on hills; blocks with keyframes and
actors move along theirs. Prints medians over several runs: microseconds a vehicle and step, and
microseconds a step for worlds with one and with fifty things that move. Run it as
`python benchmarks/ground.py`.
"""

import statistics
import time

import numpy as np

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.actor import ActorSpec, PathSpec, WaypointSpec
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import AnimationSpec, Keyframe
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.vehicle.controller import TwistPidController
from mvsim_ros2.world.spec.vehicle.dynamics import Differential4Spec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

ROBOTS = 50
SPACING = 4.0  # m
STEPS = 400  # in one run
RUNS = 9
KEYS = AnimationSpec(keys=(
    Keyframe(0.0, Pose()), Keyframe(4.0, Pose(1.0, yaw=1.0)), Keyframe(8.0, Pose())))


def hills() -> ElevationMapSpec:
    """Return hills of 0.3 m."""
    along = 0.5 * np.arange(120)
    return ElevationMapSpec(heights=HeightMap(
        0.3 * np.sin(along)[:, None] * np.cos(along), 0.5, -10.0, -10.0))


def robots() -> tuple[VehicleSpec, ...]:
    """Return robots with four wheels on a grid."""
    dynamics = Differential4Spec(controller=TwistPidController(KP=10.0, max_torque=20.0))
    return tuple(VehicleSpec(
        f'r{i}', init_pose=Pose(SPACING * (i % 8), SPACING * (i // 8)), dynamics=dynamics)
        for i in range(ROBOTS))


def movers(count: int) -> tuple[BlockSpec, ...]:
    """Return blocks with keyframes."""
    return tuple(BlockSpec(f'b{i}', init_pose=Pose(SPACING * i), animation=KEYS)
                 for i in range(count))


def actors(count: int) -> tuple[ActorSpec, ...]:
    """Return actors that walk back and forth."""
    return tuple(ActorSpec(f'a{i}', init_pose=Pose(SPACING * i), path=PathSpec(waypoints=(
        WaypointSpec(Pose(SPACING * i, 5.0)), WaypointSpec(Pose(SPACING * i, 0.0)))))
        for i in range(count))


def measure(world: WorldSpec) -> float:
    """Return the median CPU time of a step [us]."""
    physics = PhysicsWorld(world, RandomStreams(0), 'mvsim')
    for i in range(len(physics.vehicles)):
        physics.vehicles.set_twist(i, 0.5, 0.5)
    physics.step(200)
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


if __name__ == '__main__':
    main()

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Planar scanners see animated things and actors where they are."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import (
    AckermannSpec, ActorSpec, AnimationSpec, BlockSpec, ChassisSpec, FrontSteerPidController,
    Keyframe, LaserSpec, PathSpec, VehicleSpec, VerticalPlaneSpec, WaypointSpec, WheelSpec,
    WorldSpec)

AWAY = AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(10.0, Pose(10.0))))
WORLD = WorldSpec(simul_timestep=0.01, sensors=(LaserSpec(
    name='eye', fov=math.radians(2), nrays=3, max_range=40.0, range_std_noise=0.0,
    angle_std_noise=0.0, sensor_period=0.1),))


@pytest.mark.parametrize(('things', 'gap', 'speed'), [
    ({'blocks': (BlockSpec('b', init_pose=Pose(5.0, 0.0), static=True, animation=AWAY),)},
     0.5, 1.0),
    ({'elements': (VerticalPlaneSpec(x0=5.0, y0=-1.0, x1=5.0, y1=1.0, thickness=0.2,
                                     animation=AWAY),)}, 0.1, 1.0),
    ({'actors': (ActorSpec('bob', init_pose=Pose(5.0, 0.0), path=PathSpec(
        waypoints=(WaypointSpec(Pose(99.0, 0.0)),))),)}, 0.3, 1.4),
], ids=['static block', 'wall', 'actor'])
def test_scanners_see_what_moves(things: dict, gap: float, speed: float) -> None:
    """The distance grows as it goes away, and begins anew at a reset."""
    simulation = Simulation(replace(WORLD, **things))
    for _ in range(2):
        ranges = []
        for _ in range(3):
            ranges.append(float(simulation.sensors['eye'].measure().ranges[1]))
            simulation.step(100)
        assert ranges == pytest.approx([5.0 - gap + speed * t for t in (0, 1, 2)], abs=1e-4)
        simulation.reset()


def test_actors_have_handles() -> None:
    """By name, to be read only."""
    simulation = Simulation(replace(WORLD, actors=(ActorSpec('bob', init_pose=Pose(
        5.0, 0.0), path=PathSpec(waypoints=(WaypointSpec(Pose(99.0, 0.0)),))),)))
    simulation.step(100)
    bob = simulation.actors['bob']
    assert bob.pose.x == pytest.approx(6.4)
    assert bob.twist_body == pytest.approx(np.array([1.4, 0.0, 0.0]))
    with pytest.raises(KeyError, match='bob'):
        simulation.actors['eve']


@pytest.mark.parametrize('degrees', [0.0, 25.0, -25.0], ids=str)
def test_scanners_see_how_wheels_are_steered(degrees: float) -> None:
    """A scanner beside a front wheel measures the distance to the edge that it turns to it."""
    angle = math.radians(degrees)
    wheel = WheelSpec((0.0, 1.0, 0.0), diameter=0.8, width=0.2)
    dynamics = AckermannSpec(
        controller=FrontSteerPidController(), max_steer_ang=math.radians(40),
        chassis=ChassisSpec(shape=((-0.5, -0.5), (3.0, -0.5), (3.0, 0.5), (-0.5, 0.5))),
        rl_wheel=wheel, rr_wheel=replace(wheel, pos=(0.0, -1.0, 0.0)),
        fl_wheel=wheel, fr_wheel=wheel, f_wheels_x=2.0, f_wheels_d=2.0)
    car = VehicleSpec('car', dynamics=dynamics, init_pose=Pose(-2.0, -4.0))
    simulation = Simulation(replace(WORLD, vehicles=(car,), sensors=(
        LaserSpec('eye', pose=Pose(0.2, 0.0, yaw=-0.5 * math.pi), nrays=3, fov=0.2,
                  range_std_noise=0.0, angle_std_noise=0.0),)))
    simulation.vehicles['car'].set_steering(0.0, angle)
    simulation.step(2)
    turned = float(simulation.vehicles['car'].wheels['steer'][2])
    assert math.copysign(1.0, turned) * degrees >= 0.0
    # the ray down at x = 0.2 meets the side (y = 0.1) of the wheel, turned about (0, -3)
    expected = 3.0 - (0.1 / math.cos(turned) + 0.2 * math.tan(turned))
    seen = float(simulation.sensors['eye'].measure().ranges[1])
    assert seen == pytest.approx(expected, abs=1e-4)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles far from the origin, where single precision is coarse.

:claim: robots 10 km from the origin arrive where they do near it, within 0.2 mm
:reference: the same run near the origin
"""

from collections.abc import Callable
import math

import numpy as np
import pytest

from mvsim_ros2.errors import ArgumentError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec

Worlds = Callable[..., PhysicsWorld]
Vehicles = Callable[..., VehicleSpec]

STEPS = (0.001, 0.005, 0.02)


@pytest.mark.parametrize('dt', STEPS, ids=str)
@pytest.mark.parametrize(('mode', 'kind', 'controller'), [
    ('physical', 'diff2', 'ideal'), ('physical', 'diff4', 'pid'), ('mvsim', 'diff_x03', 'ideal')])
def test_a_slow_robot_arrives_at_10_km(
        physics: Worlds, vehicle: Vehicles, mode: str, kind: str, controller: str, dt: float,
        ) -> None:
    """At 5 cm/s, slantwise, as far as one near the origin."""
    ends = []
    for away in (0.0, 1e4):
        world = physics(vehicle(kind, controller, init_pose=Pose(away, -away, yaw=0.3)),
                        simul_timestep=dt, options={'mode': mode})
        world.vehicles.set_twist(0, 0.05, 0.0)
        world.step(round(4.0 / dt))
        ends.append(world.vehicles.pose[0, [0, 1, 3]] - (away, -away, 0.3))
    assert math.hypot(*ends[1][:2]) == pytest.approx(
        0.2, rel=0.01 if controller == 'ideal' else 0.3)
    assert ends[1] == pytest.approx(ends[0], abs=2e-4)


def test_circles_close_at_10_km(physics: Worlds, vehicle: Vehicles) -> None:
    """Those of a robot whose centre of mass is not its reference point."""
    world = physics(vehicle('diff_x03', 'ideal', init_pose=Pose(9e3, 4e3)), simul_timestep=0.01,
                    options={'mode': 'physical'})
    world.vehicles.set_twist(0, 0.1, 2.0 * math.pi / 10.0)
    world.step(1000)
    assert world.vehicles.pose[0, :2] == pytest.approx((9e3, 4e3), abs=1e-3)


def test_a_place_is_kept_to_the_bit(physics: Worlds, vehicle: Vehicles) -> None:
    world = physics(vehicle('diff_x03', 'raw', init_pose=Pose(12345.67891, -0.3, yaw=0.7)),
                    options={'mode': 'physical'})
    assert world.vehicles.pose[0, 0] == pytest.approx(12345.67891, abs=1e-8)
    world.set_pose('r1', Pose(-8000.12345, 77.0, yaw=0.1))
    assert world.vehicles.pose[0, 0] == pytest.approx(-8000.12345, abs=1e-8)
    world.step(200)
    assert world.vehicles.pose[0, 0] == pytest.approx(-8000.12345, abs=1e-6)


def test_walls_stop_it_there(physics: Worlds, vehicle: Vehicles) -> None:
    """Contacts are as coarse as the engine, 1 mm, but hold."""
    block = BlockSpec('b', init_pose=Pose(1e4 + 2.0, 0.0), static=True)
    world = physics(vehicle('diff2', 'ideal', init_pose=Pose(1e4, 0.0)), blocks=(block,),
                    options={'mode': 'physical'})
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(1000)
    nose = world.vehicles.pose[0, 0] + 0.6
    assert nose == pytest.approx(1e4 + 1.5, abs=0.02)
    assert world.vehicles.take_collided(0)


@pytest.mark.parametrize('bulk', [True, False], ids=['memory', 'public functions'])
def test_a_snapshot_continues_there(physics: Worlds, vehicle: Vehicles, bulk: bool) -> None:
    world = physics(vehicle('diff_x03', 'ideal', init_pose=Pose(1e4, 2e3, yaw=0.3)),
                    options={'mode': 'physical', 'bulk': bulk})
    world.vehicles.set_twist(0, 0.03, 0.2)
    world.step(100)
    state = world.snapshot()
    ends = []
    for _ in range(2):
        world.step(150)
        ends.append(world.vehicles.pose[0].copy())
        world.restore(state)
    assert np.array_equal(*ends) if bulk else np.allclose(*ends, atol=1e-6, rtol=0.0)


@pytest.mark.parametrize('pose', [Pose(1e308), Pose(0.0, math.nan), Pose(yaw=math.inf),
                                  Pose(-1e7)], ids=str)
def test_a_place_beyond_the_numbers_is_refused(
        physics: Worlds, vehicle: Vehicles, pose: Pose) -> None:
    world = physics(vehicle())
    with pytest.raises(ArgumentError, match=r"pose of 'r1' has a number .*: give finite ones"):
        world.set_pose('r1', pose)
    with pytest.raises(ArgumentError, match=r"twist of 'r1' has a number 1e\+308"):
        world.set_pose('r1', Pose(), (1e308, 0.0, 0.0))
    world.step()


def test_all_ways_give_the_same_bytes(physics: Worlds, vehicle: Vehicles) -> None:
    """Through memory and through public functions."""
    ends = []
    for bulk in (True, False):
        world = physics(vehicle('diff_x03', 'ideal', init_pose=Pose(1e4, 2e3, yaw=0.3)),
                        options={'mode': 'physical', 'bulk': bulk})
        world.vehicles.set_twist(0, 0.03, 0.2)
        world.step(1500)
        ends.append(world.vehicles.pose.tobytes())
    assert ends[0] == ends[1]

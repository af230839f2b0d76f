# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tipping over, against the closed form of its threshold."""

from collections.abc import Callable
from dataclasses import replace
import math
from typing import Any

import numpy as np
import pytest

from test_free_body import light

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.tyres import DefaultTyre

Worlds = Callable[..., PhysicsWorld]
Vehicles = Callable[..., Any]

G = 9.81
TRACK, HEIGHT = 1.0, 0.6  # m; of the four-wheeled robot, and its centre of mass


def tall(vehicle: Vehicles, **changes: Any) -> Any:
    """Return a robot with a high centre of mass on tyres that do not slide."""
    robot = vehicle('diff4', 'raw', friction=DefaultTyre(mu=2.0, C_damping=0.0), **changes)
    dynamics = robot.dynamics
    wheels = {name: replace(getattr(dynamics, name), mass=1e-3)
              for name in ('lr_wheel', 'rr_wheel', 'lf_wheel', 'rf_wheel')}
    chassis = replace(dynamics.chassis, centre_of_mass=(0.0, 0.0, HEIGHT), zmin=0.15, zmax=1.0)
    return replace(robot, dynamics=replace(dynamics, chassis=chassis, **wheels))


@pytest.mark.parametrize('part', [0.98, 1.02])
def test_it_tips_over_on_a_side_slope(
        physics: Worlds, vehicle: Vehicles, dt: float, part: float) -> None:
    """
    From tan a = t / (2 h) on, within 2 %.

    :claim: Vehicles tip over from tan a = track / (2 height), within 2 %
    :reference: closed form
    """
    rise = part * 0.5 * TRACK / HEIGHT
    heights = np.repeat(rise * np.arange(-20.0, 21.0)[None, :], 41, axis=0)
    world = physics(tall(vehicle), simul_timestep=dt, options={'mode': 'physical'},
                    elements=(ElevationMapSpec(heights=HeightMap(heights, 1.0, -20.0, -20.0)),))
    world.step(round(4.0 / dt))
    assert bool(world.vehicles.arrays.records['tipped'][0]) is (part > 1.0)
    if part < 1.0:
        assert world.vehicles.pose[0, 5] == pytest.approx(math.atan(rise), abs=1e-3)


@pytest.mark.parametrize('part', [0.9, 1.8])
def test_it_tips_over_when_it_slides_sideways(
        physics: Worlds, vehicle: Vehicles, part: float) -> None:
    """With a friction above t / (2 h), on level ground; and then it lies."""
    robot = replace(tall(vehicle, init_twist=(0.0, 8.0, 0.0)), friction=DefaultTyre(
        mu=part * 0.5 * TRACK / HEIGHT))
    world = physics(robot, options={'mode': 'physical'})
    world.step(600)
    tipped = bool(world.vehicles.arrays.records['tipped'][0])
    assert tipped is (part > 1.0)
    if tipped:
        assert abs(world.vehicles.pose[0, 5]) > 1.2
        assert world.vehicles.wheels['normal_load'].max() == 0.0
        assert np.hypot(*world.vehicles.twist_body[0, :2]) < 1e-3


@pytest.mark.parametrize('part', [0.9, 1.15])
def test_a_kerb_trips_what_slides_into_it(
        physics: Worlds, vehicle: Vehicles, dt: float, part: float) -> None:
    """
    A kerb of 0.08 m against wheels of 0.1 m stops them sideways, and the ground carries them.

    With the centre of mass h over the ground and b beside the wheels the body leaves the impact
    turning about the point below them at the height k of the kerb: with the angular momentum
    there, ``w = m v (h - k) / (I + m (b^2 + (h - k)^2))``. It rolls over where that energy lifts
    its centre of mass above the edge of the kerb.

    :claim: A vehicle that slides sideways into a kerb trips, with a roll rate right within 3 % and
        the effect of gravity in two steps. The speed of a roll-over is right within 10 to 15 %
    :reference: angular momentum about the contacts
    """
    height, kerb, beside = 0.6, 0.08, 0.5
    robot = light(vehicle('diff4', 'raw'), 0.15)
    chassis = replace(robot.dynamics.chassis, zmax=1.05, shape=(
        (-0.6, -0.45), (-0.6, 0.45), (0.6, 0.45), (0.6, -0.45)))
    wheels = {name: replace(getattr(robot.dynamics, name), width=0.01)
              for name in ('lr_wheel', 'rr_wheel', 'lf_wheel', 'rf_wheel')}
    robot = replace(robot, friction=DefaultTyre(mu=1e-3),
                    dynamics=replace(robot.dynamics, chassis=chassis, **wheels))
    mass, inertia = chassis.mass, chassis.mass / 12.0 * (0.9 ** 2 + 0.9 ** 2)
    over = inertia + mass * (beside ** 2 + (height - kerb) ** 2)
    rise = kerb + math.hypot(beside, height - kerb) - height
    speed = part * math.sqrt(2.0 * G * rise * over / mass) / (height - kerb)
    world = physics(
        replace(robot, init_twist=(0.0, speed, 0.0)), simul_timestep=dt,
        options={'mode': 'physical'}, blocks=(BlockSpec(
            'kerb', init_pose=Pose(0.0, 1.0), static=True, skip_elevation_adjust=True, zmax=kerb,
            shape=((-9.0, 0.0), (9.0, 0.0), (9.0, 5.0), (-9.0, 5.0))),))
    record, rates = world.vehicles.arrays.records[0], []
    while len(rates) < 0.6 / dt:
        world.step()
        rates.append(-float(record['w_x']))
    turned = mass * speed * (height - kerb) / over
    assert max(rates) == pytest.approx(
        turned, abs=0.03 * turned + 2.0 * dt * mass * G * beside / over)
    world.step(round(2.5 / dt))
    assert abs(world.vehicles.pose[0, 5]) > 1.2 if part > 1.0 else (
        abs(world.vehicles.pose[0, 5]) < 0.1)

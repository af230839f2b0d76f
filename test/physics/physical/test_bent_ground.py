# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Over hills: the speed along the ground stays where the ground bends."""

from collections.abc import Callable
from dataclasses import replace
import math
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.tyres import DefaultTyre

G = 9.81
WHEELS = ('rl_wheel', 'rr_wheel', 'fl_wheel', 'fr_wheel')


def step_of(x: np.ndarray, start: float, end: float) -> np.ndarray:
    """Return a smooth rise from 0 to 1 m between two places."""
    share = np.clip((x - start) / (end - start), 0.0, 1.0)
    return 0.5 - 0.5 * np.cos(math.pi * share)


def coasting(vehicle: Callable[..., Any], physics: Callable[..., PhysicsWorld], dt: float,
             heights: np.ndarray, speed: float, yaw: float) -> PhysicsWorld:
    """
    Return a car with light wheels and without losses that coasts over a ridge.

    :param heights: along its way, from -20 m on, a value each 0.25 m.
    :param yaw: of that way.
    """
    car = vehicle(
        'ack', 'raw', friction=DefaultTyre(mu=3.0, C_damping=0.0),
        init_pose=Pose(-18.0 * math.cos(yaw), -18.0 * math.sin(yaw), yaw=yaw),
        init_twist=(speed, 0.0, 0.0))
    dynamics = car.dynamics
    light = {name: replace(getattr(dynamics, name), mass=0.01) for name in WHEELS}
    ridge = np.repeat(heights[:, None], len(heights), axis=1)
    ridge = HeightMap(ridge if yaw == 0.0 else ridge.T.copy(), 0.25, -20.0, -20.0)
    return physics(
        replace(car, dynamics=replace(dynamics, **light)), simul_timestep=dt,
        elements=(ElevationMapSpec(heights=ridge),), options={'mode': 'physical'})


@pytest.mark.parametrize('yaw', [0.0, 0.5 * math.pi], ids=['east', 'north'])
def test_acceptance_06_climbs_to_a_plateau(
        vehicle: Callable[..., Any], physics: Callable[..., PhysicsWorld], dt: float,
        yaw: float) -> None:
    """
    From level to level: the energy stays within 0.1 %, and what the step of the method loses.

    A body that moves by its velocity at the end of a step h loses (g sin a)^2 h / 2 a second on a
    slope a, 0.1 % here a 10 ms.
    """
    world = coasting(vehicle, physics, dt, 2.0 * step_of(
        np.arange(-20.0, 20.0, 0.25), -8.0, 4.0), 8.0, yaw)
    world.step(round(4.2 / dt))
    assert world.vehicles.pose[0, 2] == pytest.approx(2.0, abs=1e-6)
    speed = world.vehicles.twist_body[0, 0]
    assert 0.5 * speed ** 2 + 2.0 * G == pytest.approx(32.0, rel=max(1e-3, 0.11 * dt))


def test_no_energy_comes_from_a_steep_way_up_and_a_gentle_one_down(
        vehicle: Callable[..., Any], physics: Callable[..., PhysicsWorld]) -> None:
    x = np.arange(-20.0, 20.0, 0.25)
    ridge = 1.2 * (step_of(x, -14.0, -8.0) - step_of(x, -6.0, 12.0))  # it does not take off
    world = coasting(vehicle, physics, 0.005, ridge, 7.0, 0.0)
    while world.vehicles.pose[0, 0] < 14.0:
        world.step(10)
    assert world.vehicles.pose[0, 2] == pytest.approx(0.0, abs=1e-6)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(7.0, rel=2e-3)

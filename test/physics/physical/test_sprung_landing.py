# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on springy tyres that roll off a table: they fly, land, bounce, and gain nothing."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_free_body import coasting, energy, light, stage, Vehicles, Worlds

from mvsim_ros2.world.spec.vehicle.parts import WheelSpec

STIFFNESS = 2e4  # N/m
HEIGHT = 0.25  # m


def sprung(vehicle: Any) -> Any:
    """Return a vehicle whose tyres are springs without damping."""
    dynamics = vehicle.dynamics
    return replace(vehicle, dynamics=replace(dynamics, **{
        name: replace(value, tyre_stiffness=STIFFNESS)
        for name, value in vars(dynamics).items() if isinstance(value, WheelSpec)}))


@pytest.mark.parametrize('kind', ['diff2', 'diff4'])
def test_a_landing_on_springs_gains_nothing(
        physics: Worlds, vehicle: Vehicles, kind: str, dt: float) -> None:
    world = coasting(physics, sprung(light(vehicle(kind, 'raw'))), 1.0, dt,
                     stage(-5.0, 0.8, HEIGHT))
    world.step()
    pressed = np.sum(world.vehicles.wheels['normal_load'] ** 2) / (2.0 * STIFFNESS)
    begin = energy(world) + pressed / world.vehicles.arrays.records['mass'][0]
    energies, poses = [], []
    for _ in range(round(4.0 / dt)):
        world.step()
        energies.append(energy(world))
        poses.append(world.vehicles.pose[0].copy())
    places = np.array(poses)
    assert max(energies) < 1.002 * begin
    assert places[:, 2].min() > -0.06  # tyres give way by v sqrt(m / k), the ground does not
    if kind == 'diff4':  # its front wheels throw it back, so that it turns over
        return
    assert np.abs(places[:, 4]).max() < np.radians(40.0)
    assert 3.95 < places[-1, 0] < 4.15  # as it rolled at 1 m/s, and what rolling off adds

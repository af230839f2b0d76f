# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Regions of the ground with their own friction."""

import logging

import numpy as np
import pytest

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.tyres.on_ground import friction_regions, surface
from mvsim_ros2.world.spec import PropertyRegionSpec, WorldSpec


def region(what='friction_mu', value=0.2, **extent):
    """Return a region of 2 m by 2 m at the origin."""
    return PropertyRegionSpec(property_name=what, value_double=value, **extent)


REGIONS = friction_regions(WorldSpec(elements=(
    region(value=0.1), region(value=0.3, x_max=5.0), region('friction_C_rr', 0.05, z_max=0.5),
    region('gps_no_coverage', None))))


@pytest.mark.parametrize(('point', 'expected'), [
    ((0.0, 0.0, 0.0), (0.1, 0.05)), ((1.0, -1.0, 0.5), (0.1, 0.05)),
    ((3.0, 0.0, 0.0), (0.3, 0.01)), ((0.0, 0.0, 0.6), (0.1, 0.01)),
    ((6.0, 0.0, 0.0), (0.8, 0.01)),
], ids=['first in the file', 'border', 'second', 'above', 'outside'])
def test_surface(point, expected):
    """The first region of a property that holds the point counts, else the tyre."""
    assert surface(REGIONS, *point, 0.8, 0.01) == expected


def test_wheels_in_a_region_slip(vehicle, physics):
    """Only the wheels on ice are limited by it, wherever the vehicle looks."""
    ice = region(value=0.01, x_min=0.1, x_max=2.0, y_min=-2.0, y_max=2.0)
    world = physics(vehicle('diff2', 'raw'), elements=(ice,))
    world.vehicles.set_torques(0, (3.0, 3.0))
    world.step(400)
    omega = world.vehicles.wheels['omega'] * 0.1
    assert np.all(omega > 10 * world.vehicles.twist_body[0, 0])
    assert np.all(np.abs(world.vehicles.wheels['force_long']) < 0.011 * 9.81 * 8.5)


def test_negative_friction_is_refused(vehicle, physics):
    """A negative value is an error that says where."""
    with pytest.raises(PhysicsError, match='friction_mu is -0.1'):
        physics(vehicle(), elements=(region(value=-0.1),))


def test_a_region_without_a_number_is_reported(vehicle, physics, caplog):
    """Friction that is not a number has no effect, and a warning says so."""
    with caplog.at_level(logging.WARNING):
        physics(vehicle(), elements=(region(value=None),))
    assert 'friction_mu has no value_double' in caplog.text

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Horizontal planes whose corners are given on the Earth."""

import math

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import HorizontalPlaneSpec, WorldSpec

SW, NE = (36.7140, -4.4960), (36.7160, -4.4930)
PLANE = ('<element class="horizontal_plane"> <geo_corner_sw>{} {}</geo_corner_sw> '
         '<geo_corner_ne>{} {}</geo_corner_ne> </element>').format(*SW, *NE)


def world(reference: str, plane: str = PLANE) -> WorldSpec:
    return load_world_text(f'<georeference>{reference}</georeference>{plane}', 'a string')


def plane_of(spec: WorldSpec) -> HorizontalPlaneSpec:
    (plane,) = spec.elements
    assert isinstance(plane, HorizontalPlaneSpec)
    return plane


@pytest.mark.parametrize('turn', [0.0, 30.0])
def test_the_corners_lie_where_they_are_on_the_earth(turn: float) -> None:
    """A receiver that stands at a corner of the plane says the corner's coordinates."""
    spec = world(f'<latitude>{SW[0]}</latitude> <longitude>-4.495</longitude> '
                 f'<world_to_enu_rotation_deg>{turn}</world_to_enu_rotation_deg>')
    plane = plane_of(spec)
    assert plane.texture_size_x == pytest.approx(plane.x_max - plane.x_min)
    assert plane.texture_size_y == pytest.approx(plane.y_max - plane.y_min)
    for (x, y), (latitude, longitude) in (
            ((plane.x_min, plane.y_min), SW), ((plane.x_max, plane.y_max), NE)):
        place = plane.init_pose.transform(np.array([x, y, 0.0]))
        receiver = world(
            f'<latitude>{SW[0]}</latitude> <longitude>-4.495</longitude> '
            f'<world_to_enu_rotation_deg>{turn}</world_to_enu_rotation_deg>',
            f'<sensor class="gnss" name="g"> <pose_3d>{place[0]:.9f} {place[1]:.9f} 0 0 0 0'
            '</pose_3d> <horizontal_std_noise>0</horizontal_std_noise> '
            '<vertical_std_noise>0</vertical_std_noise> </sensor>')
        fix = Simulation(receiver).measure('g')
        assert (fix.latitude, fix.longitude) == pytest.approx((latitude, longitude), abs=2e-8)


def test_in_a_utm_world_they_are_easting_and_northing() -> None:
    plane = plane_of(world(f'<latitude>{SW[0]}</latitude> <longitude>{SW[1]}</longitude> '
                           '<world_is_utm>true</world_is_utm>'))
    zone = geodesy.TransverseMercator(geodesy.utm_meridian(30))
    easting, northing = zone.project(*map(math.radians, NE))
    assert (plane.x_max, plane.y_max) == pytest.approx((easting + 5e5, northing))


@pytest.mark.parametrize('text, message', [
    (PLANE, 'needs a <georeference>'),
    ('<element class="horizontal_plane"> <geo_corner_sw>1 2</geo_corner_sw> </element>',
     'go together'),
    ('<element class="horizontal_plane"> <geo_corner_sw>1 2</geo_corner_sw> '
     '<geo_corner_ne>1 3</geo_corner_ne> </element>', 'north and east of geo_corner_sw')])
def test_corners_that_make_no_rectangle(text: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        load_world_text(text, 'a string')

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The field `ambient` of Ouster: daylight on surfaces, in the sun and in the shade."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
WORLD = """<mvsim_world version="1.0">
  <lights><light_elevation_deg>{}</light_elevation_deg><light_azimuth_deg>{}</light_azimuth_deg>
    <light_ambient>0.4</light_ambient></lights>
  <element class="horizontal_plane"><x_min>-40</x_min><x_max>40</x_max><y_min>-40</y_min>
    <y_max>40</y_max><reflectivity>0.6</reflectivity></element>
  <block name="wall"><static>true</static><init_pose>5 0 0</init_pose><zmax>3</zmax>
    <shape><pt>0 -2</pt><pt>0.2 -2</pt><pt>0.2 2</pt><pt>0 2</pt></shape></block>
  <sensor class="lidar3d" name="l"><pose_3d>0 0 2 0 0 0</pose_3d><layout>ouster</layout>
    <organised>true</organised><rolling>{}</rolling><range_std_noise>0</range_std_noise>
    <vert_nrays>32</vert_nrays><vert_fov_degrees>60</vert_fov_degrees>
    <horz_nrays>720</horz_nrays><labels>true</labels>{}</sensor>
</mvsim_world>"""


def scan(folder: Path, elevation: float, azimuth: float = 60.0, rolling: str = 'false',
         more: str = '') -> tuple[np.ndarray, Simulation]:
    """Return the points of a LiDAR before a wall, and its simulation."""
    path = folder / 'w.world.xml'
    path.write_text(WORLD.format(elevation, azimuth, rolling, more))
    simulation = Simulation.from_file(path)
    return simulation.measure('l').points, simulation


@pytest.mark.parametrize('more', ['', '<returns>2</returns>',
                                  '<beam_samples>3</beam_samples>'], ids=['one', 'two', 'wide'])
def test_daylight_is_that_of_sun_and_sky_and_none_of_the_sun_in_the_shade(
        more: str, tmp_path: Path) -> None:
    """
    Ground has reflectivity times the light of sun and sky, and that of the sky behind a wall.

    :reference: Lambert's law, projection of the wall along the light
    """
    points, simulation = scan(tmp_path, 35.0, 0.0, more=more)  # from behind the wall
    lighting = simulation.scene().lighting
    towards = np.array(lighting.towards_light) / np.linalg.norm(lighting.towards_light)
    up = np.array([0.0, 0.0, 1.0])
    sky = LUMINANCE @ lighting.ambient_colour + LUMINANCE @ lighting.ambient_lean * (
        up @ np.array(lighting.ambient_axis))
    sun = LUMINANCE @ lighting.light_colour * (up @ towards)
    ground = (points['label'] == 1) & (np.abs(points['z'] + 2.0) < 1e-3)
    # where the light that comes to a place on the ground passes the plane of the wall
    x, y, z = (points[axis][ground] for axis in 'xyz')
    away = (5.1 - x) / towards[0]
    height, side = z + 2.0 + away * towards[2], y + away * towards[1]
    shade = (away > 0) & (height < 2.9) & (np.abs(side) < 1.9)
    lit = (away < 0) | (height > 3.1) | (np.abs(side) > 2.1)
    found = points['ambient'][ground]
    assert shade.sum() > 50 and lit.sum() > 2000
    np.testing.assert_allclose(found[shade], 600.0 * sky, atol=1.0)
    np.testing.assert_allclose(found[lit], 600.0 * (sky + sun), atol=1.0)
    nothing = points['label'] == 0
    assert len(np.unique(points['ambient'][nothing])) == 1  # the sky


def test_there_is_little_daylight_at_night(tmp_path: Path) -> None:
    day, _ = scan(tmp_path, 45.0)
    night, _ = scan(tmp_path, -10.0)
    assert day['ambient'].mean() > 300 and night['ambient'].mean() < 0.05 * day['ambient'].mean()


def test_swept_points_have_daylight_too(tmp_path: Path) -> None:
    at_once, _ = scan(tmp_path, 45.0)
    swept, _ = scan(tmp_path, 45.0, rolling='true')
    np.testing.assert_array_equal(at_once['ambient'], swept['ambient'])

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs before mirrors, retroreflectors and textures."""

import math
from pathlib import Path

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import Simulation

LIDAR = """<sensor class="lidar3d" name="s"> <range_std_noise>0</range_std_noise>
  <vert_nrays>1</vert_nrays> <horz_nrays>3600</horz_nrays> <layout>mvsim</layout>
  <azimuth_min_degrees>LOW</azimuth_min_degrees> <azimuth_max_degrees>HIGH</azimuth_max_degrees>
  <rolling>false</rolling> <organised>true</organised> <max_range>200</max_range> </sensor>"""


def _block(x: float, y: float, yaw: float, matter: str, more: str = '') -> str:
    """Return a wall, 20 m long, whose face looks to -x of its own frame."""
    return (f'<block> <init_pose>{x} {y} {yaw}</init_pose> <static>true</static> <zmin>-5</zmin>'
            f'<zmax>5</zmax> <shape> <pt>0 -10</pt> <pt>0.2 -10</pt> <pt>0.2 10</pt>'
            f'<pt>0 10</pt> </shape> <material {matter}/> {more} </block>')


def _measure(folder: Path, things: str, low: float, high: float) -> np.ndarray:
    file = folder / 'a.world.xml'
    lidar = LIDAR.replace('LOW', f'{low}').replace('HIGH', f'{high}')
    file.write_text(f'<mvsim_world version="1.0">{things}{lidar}</mvsim_world>')
    points: np.ndarray = Simulation.from_file(file).measure('s').points[0]
    return points


def _ranges(points: np.ndarray) -> np.ndarray:
    return np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)


def test_a_mirror_shows_what_is_in_front_of_it_behind_it(tmp_path: Path) -> None:
    """
    A mirror at x = 4, turned by 45 degrees, throws beams to +y, at a wall at y = 6.

    :claim: mirrors show LiDARs what is before them, behind them, within 0.1 mm
    :reference: mirror images
    :figure: images/sensors_matter.png
    """
    mirror = _block(4.0, 0.0, -45.0, 'mirror="0.9"', '<reflectivity>0</reflectivity>')
    wall = _block(4.0, 6.0, 90.0, 'mirror="0"', '<reflectivity>0.6</reflectivity>')
    points = _measure(tmp_path, mirror + wall, -3.0, 3.0)
    # the mirror image of the wall y = 6 in the plane x - y = 4 is the wall x = 10
    np.testing.assert_allclose(points['x'], 10.0, atol=1e-4)
    # there and back over the mirror, at 45 degrees: Schlick; facing the wall
    middle = points[np.argmin(np.abs(points['y']))]
    share = 0.9 + 0.1 * (1.0 - math.sqrt(0.5)) ** 5
    assert middle['intensity'] == pytest.approx(0.6 * share ** 2, rel=1e-5)


def test_what_a_mirror_scatters_itself_is_seen_where_it_is(tmp_path: Path) -> None:
    mirror = _block(4.0, 0.0, -45.0, 'mirror="0.3"', '<reflectivity>0.8</reflectivity>')
    wall = _block(4.0, 6.0, 90.0, 'mirror="0"', '<reflectivity>0.1</reflectivity>')
    points = _measure(tmp_path, mirror + wall, -2.0, 2.0)
    np.testing.assert_allclose(points['x'] - points['y'], 4.0, atol=1e-4)


def test_a_mirror_that_faces_the_sensor_is_a_glint(tmp_path: Path) -> None:
    mirror = _block(5.0, 0.0, 0.0, 'mirror="1"', '<reflectivity>0</reflectivity>')
    points = _measure(tmp_path, mirror, -5.0, 5.0)
    bright = np.nonzero(points['intensity'] > 1.0)[0]
    assert np.isfinite(_ranges(points)[bright]).all()
    angles = np.degrees(np.arctan2(points['y'][bright], points['x'][bright]))
    # only where it comes back within the beam: 0.086 degrees, less than a step of 0.1
    assert len(bright) == 1 and abs(angles[0]) < 0.05
    assert points['intensity'][bright[0]] == pytest.approx(1.0 / (4.0 * 0.0015 ** 2), rel=1e-3)


def test_glass_is_passed_where_it_faces_and_mirrors_where_it_grazes(tmp_path: Path) -> None:
    glass = _block(4.0, 0.0, 0.0, 'mirror="0.04"', '<color>#ffffff10</color>'
                   '<transmittance>0.95</transmittance> <reflectivity>0.01</reflectivity>')
    wall = _block(8.0, 0.0, 0.0, 'mirror="0"')
    ahead = _measure(tmp_path, glass + wall, -1.0, 1.0)
    glint = np.arange(len(ahead)) == len(ahead) // 2  # comes straight back
    np.testing.assert_allclose(ahead['x'], np.where(glint, 4.0, 8.0), atol=1e-4)
    # a pane along the way, at y = 0.3: beams to the left graze it and come back to y < 0
    pane = _block(10.0, 0.3, 90.0, 'mirror="0.04"', '<color>#ffffff10</color>'
                  '<transmittance>0.5</transmittance> <reflectivity>0.01</reflectivity>')
    side = _block(12.0, -0.9, 90.0, 'mirror="0"', '<reflectivity>0.9</reflectivity>')
    grazed = _measure(tmp_path, pane + side, 3.5, 4.5)
    # mirrored, the wall's upper face at y = -0.7 stands at 0.3 + 1.0 = 1.3
    assert (np.abs(grazed['y'] - 1.3) < 1e-3).mean() > 0.8


# ASTM D4956, type III: 250 cd/(lx m^2) at an entrance angle of -4 degrees, 150 at 30 degrees
@pytest.mark.parametrize('entrance, table', [(4.0, 250.0), (30.0, 150.0)])
def test_a_retroreflector_shines_as_its_sheet_says(
        entrance: float, table: float, tmp_path: Path) -> None:
    sign = _block(20.0, 0.0, -entrance, 'retroreflection="252"',
                  '<reflectivity>0</reflectivity>')
    points = _measure(tmp_path, sign, -0.01, 0.01)
    # intensity is that of an even surface: pi R_A / cosine
    found = float(points['intensity'].max()) * math.cos(math.radians(entrance)) / math.pi
    assert found == pytest.approx(table, rel=0.02)


def test_stripes_of_a_texture_are_seen(tmp_path: Path) -> None:
    stripes = np.zeros((4, 8, 3), np.uint8)
    stripes[:, 4:] = 188  # half of the light, linear
    Image.fromarray(stripes).save(tmp_path / 'stripes.png')
    plane = ('<element class="vertical_plane"> <x0>5</x0> <y0>-4</y0> <x1>5</x1> <y1>4</y1>'
             '<z>-1</z> <height>2</height> <texture>stripes.png</texture>'
             '<texture_size_x>2</texture_size_x> <reflectivity>0.8</reflectivity>'
             '<material textured="MARK"/> </element>')
    seen = _measure(tmp_path, plane.replace('MARK', 'true'), -30.0, 30.0)
    cosine = seen['x'] / _ranges(seen)
    levels = seen['intensity'] / cosine / 0.8
    half = ((188 / 255 + 0.055) / 1.055) ** 2.4
    assert (np.abs(levels - np.where(levels > 0.2, half, 0.0)) < 1e-5).all()
    assert 0.3 < (levels > 0.2).mean() < 0.7
    changes = np.flatnonzero(np.diff(levels > 0.2))
    assert np.diff(seen['y'][changes]) == pytest.approx(-1.0, abs=0.03)  # stripes of 1 m
    plain = _measure(tmp_path, plane.replace('MARK', 'false'), -30.0, 30.0)
    np.testing.assert_allclose(plain['intensity'], 0.8 * cosine, rtol=1e-5)


@pytest.mark.parametrize('turned', [12.0, -45.0])
def test_a_perfect_mirror_is_not_seen_itself(turned: float, tmp_path: Path) -> None:
    mirror = _block(4.0, 0.0, turned, 'mirror="1"', '<reflectivity>0.5</reflectivity>')
    points = _measure(tmp_path, mirror, -3.0, 3.0)
    assert not np.isfinite(points['x']).any(), 'the beams go into the open'

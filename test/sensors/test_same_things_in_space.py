# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What planar LiDARs see is the same in a world with and without ground that is not level.

The ground makes them measure in three dimensions, in which outlines stand upright between their
heights.
"""

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Simulation

WORLD = """
<mvsim_world version="1.0">
  <vehicle:class name="cart"> <dynamics class="ackermann">
    <fl_wheel diameter="0.3" width="0.08"/> <fr_wheel diameter="0.3" width="0.08"/>
    <rl_wheel diameter="0.3" width="0.08"/> <rr_wheel diameter="0.3" width="0.08"/>
    <chassis mass="15" zmin="0.2" zmax="0.6"/> </dynamics>
    <visual> <geometry type="sphere" radius="0.2"/> <model_offset_z>0.9</model_offset_z> </visual>
  </vehicle:class>
  <vehicle name="a" class="cart"> <init_pose>0 0 0</init_pose>
    <sensor class="laser" name="scan"> <pose_3d>0 0 {z} 0 0 0</pose_3d>
      <fov_degrees>360</fov_degrees> <nrays>720</nrays> {noise} </sensor>
    <sensor class="laser" name="sweep"> <pose_3d>0 0 {z} 0 0 180</pose_3d> <rolling>true</rolling>
      <fov_degrees>360</fov_degrees> <nrays>720</nrays> {noise} </sensor>
  </vehicle>
  {things}
</mvsim_world>
"""
NOISE = '<range_std_noise>0</range_std_noise> <angle_std_noise_deg>0</angle_std_noise_deg>'
UNEVEN = {
    'lift': '<block name="far"> <init_pose>300 0 0</init_pose> <animation>'
            '<time_pose>0 0 0 0</time_pose> <time_pose>3 1 0 0</time_pose> </animation> </block>',
    'ramp': '<block name="far"> <init_pose>300 0 0</init_pose> <static>true</static>'
            '<geometry type="ramp" lx="4" ly="6" lz="0.8"/> <shape_from_visual/> </block>'}
THINGS = {
    'actor': '<actor name="p"> <init_pose>3 2 40</init_pose> </actor>',
    'vehicle': '<vehicle name="b" class="cart"> <init_pose>3 -3 20</init_pose> </vehicle>',
    'box': '<block name="k"> <init_pose>-3 1 20</init_pose> </block>',
    'intangible': '<block name="k"> <init_pose>3 0 0</init_pose> <intangible>true</intangible>'
                  '</block>',
    'small mesh': '<block name="k"> <init_pose>-2 -4 10</init_pose>'
                  '<visual> <geometry type="box" lx="0.2" ly="0.2" lz="0.2"/> </visual> </block>',
    'cylinder': '<block name="k"> <init_pose>1 -6 0</init_pose> <shape_from_visual/>'
                '<geometry type="cylinder" radius="0.5" length="2"/> </block>',
    'glass': '<block name="k"> <init_pose>-5 -1 30</init_pose> <color>#4080c040</color>'
             '<zmax>2</zmax> </block>',
    'animated': '<block name="k"> <init_pose>5 5 30</init_pose> <animation>'
                '<time_pose>0 0 0 0</time_pose> <time_pose>3 0 -2 90</time_pose> </animation>'
                '</block>',
    'wall': '<element class="vertical_plane"> <x0>8</x0> <y0>-8</y0> <x1>8</x1> <y1>8</y1>'
            '<height>1.6</height> <window> <name>w</name> <position>0.7</position>'
            '<width>1.5</width> <sill_height>0.1</sill_height> <height>1</height> </window>'
            '<door> <name>d</name> <position>0.3</position> <width>1</width>'
            '<height>0.9</height> </door> </element>',
    'moving wall': '<element class="vertical_plane"> <x0>5</x0> <y0>-3</y0> <x1>5</x1>'
                   '<y1>8</y1> <height>1.6</height> <animation> <time_pose>0 0 0 0</time_pose>'
                   '<time_pose>3 2 -2 20</time_pose> </animation> </element>'}


def scans(tmp_path: Path, things: str, z: float) -> NDArray[np.float32]:
    """Return ranges and intensities of a scan and of a sweep, shape (2, 2, rays)."""
    path = tmp_path / 'space.world.xml'
    path.write_text(WORLD.format(z=z, things=things, noise=NOISE))
    run = Simulation.from_file(path)
    run.run(0.5)
    found = [run.measure(f'a/{name}') for name in ('scan', 'sweep')]
    return np.array([[each.ranges, each.intensities] for each in found])


def test_it_is_said_once_that_a_scan_is_one_in_space(
        tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, 'mvsim_ros2'):
        for _ in range(2):
            scans(tmp_path, UNEVEN['ramp'], 0.5)
    told = [record.getMessage() for record in caplog.records if 'dimensions' in record.msg]
    assert len(told) == 2 and all('ground that is not level' in each for each in told)
    assert len(set(told)) == 2 and all('space.world.xml' in each for each in told)


@pytest.mark.parametrize('ground', UNEVEN)
@pytest.mark.parametrize('name', THINGS)
def test_ground_far_away_changes_no_scan(name: str, ground: str, tmp_path: Path) -> None:
    seen = 0
    for z in (0.1, 0.5, 1.2, 1.72):
        level = scans(tmp_path, THINGS[name], z)
        other = scans(tmp_path, THINGS[name] + UNEVEN[ground], z)
        seen += np.isfinite(level[:, 0]).sum()
        # during a sweep in space movers go straight between five places
        for sensor, off, dimmer in ((0, 1e-4, 0.01), (1, 1e-3, 1.0)):
            for kind, most in enumerate((off, dimmer)):
                np.testing.assert_allclose(
                    other[sensor, kind], level[sensor, kind], rtol=0.0, atol=most)
    assert (seen > 0) == (name != 'intangible')


def test_a_ball_is_round_either_way(tmp_path: Path) -> None:
    ball = ('<block name="k"> <init_pose>5 0 0</init_pose> <shape_from_visual/>'
            '<geometry type="sphere" radius="0.6"/> </block>')
    level, other = scans(tmp_path, ball, 0.4), scans(tmp_path, ball + UNEVEN['lift'], 0.4)
    assert np.isfinite(level[:, 0]).sum() > 20
    np.testing.assert_allclose(other[:, 0], level[:, 0], rtol=0.0, atol=0.005)


def test_told_to_measure_in_space_it_meets_meshes(tmp_path: Path) -> None:
    path = tmp_path / 'mesh.world.xml'
    path.write_text(WORLD.format(z=0.1, noise=NOISE + '<raytrace_3d>true</raytrace_3d>'
                                 '<ignore_parent_body>true</ignore_parent_body>',
                                 things=THINGS['small mesh'] + THINGS['intangible'].replace(
                                     '"k"', '"i"')))
    ranges = Simulation.from_file(path).measure('a/scan').ranges
    assert ranges[360] == pytest.approx(2.5, abs=1e-4)  # the intangible block ahead
    assert 4.1 < ranges[100:160].min() < 4.4  # of the small block, not of an outline of 1 m

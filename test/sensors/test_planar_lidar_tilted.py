# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Planar LiDARs that measure in three dimensions, and what the original measures so.

What they see is the same in a world with and without ground that is not level, which makes them
measure so: outlines stand upright between their heights. The original renders a depth image and
reads a pixel, or some between, for each ray, half a pixel aside; see its Lidar3D.cpp and
LaserScanner.cpp. Ours meets the triangles.
"""

import logging
from pathlib import Path
from typing import Any

from making import at, CUBE, mesh_scene, simulate
from mounting import mounted
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.sensors.body_state import BodyState, STANDING
from mvsim_ros2.sensors.lidar.planar_tilted import Lidar2DInSpace
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec

Array = NDArray[np.float64]
SIZE = np.array([20.0, 16.0, 5.0])
PERIOD_NS = 100_000_000


def laser(**options: Any) -> Lidar2DInSpace:
    """Return a LiDAR that is handed its scenes."""
    spec = LaserSpec(**({'name': 'l', 'range_std_noise': 0.0, 'angle_std_noise': 0.0,
                         'raytrace_3d': True, 'nrays': 721, 'fov': 4.7} | options))
    return Lidar2DInSpace(mounted(spec, ''))


@pytest.fixture(scope='module')
def room() -> RayScene:
    """Return a closed room with a low box in it."""
    return RayScene(mesh_scene((CUBE, at(size=SIZE)), (CUBE, at(4.0, 0.0, -2.4, (1, 4, 0.2)))))


@pytest.mark.parametrize('mount', [
    pytest.param(Pose(0.3, -0.2, 0.5), id='level'),
    pytest.param(Pose(0.3, -0.2, 0.5, 0.4, 0.15, -0.1), id='tilted'),
    pytest.param(Pose(0.0, 0.0, 0.2, 0.0, 0.0, np.pi), id='upside down')])
def test_ranges_are_those_of_the_tilted_plane(mount: Pose, room: RayScene) -> None:
    scan = laser(pose=mount).scan(room, PERIOD_NS, STANDING)
    angles = scan.angle_min + scan.angle_increment * np.arange(721)
    heading = np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1) @ mount.rotation.T
    with np.errstate(divide='ignore'):
        expected = ((np.where(heading > 0, SIZE / 2, -SIZE / 2) - mount.position)
                    / heading).min(axis=1, where=heading != 0, initial=np.inf)
    assert np.abs(scan.ranges - expected).max() < 1e-5


@pytest.mark.parametrize('z, seen', [pytest.param(-2.4, 3.5, id='over the floor'),
                                     pytest.param(-2.0, 10.0, id='above it')])
def test_height_counts(z: float, seen: float, room: RayScene) -> None:
    scan = laser(height=z, nrays=1).scan(room, PERIOD_NS, STANDING)
    assert scan.ranges == pytest.approx([seen], abs=1e-5)


def test_limits_read_as_in_the_plane(room: RayScene) -> None:
    scan = laser(nrays=3, fov=np.pi, min_range=8.5, max_range=9.0).scan(room, 0, STANDING)
    assert scan.ranges.tolist() == [-np.inf, np.inf, -np.inf]


def test_a_rolling_scan_is_taken_from_where_the_vehicle_was(room: RayScene) -> None:
    state = BodyState(np.array([0.0, 0.0, 0.0, 0.3, 0.0, 0.0]), np.array([2.0, 0.0, 1.0]))
    sensor = laser(rolling=True, nrays=900, fov=6.2831853)
    scan = sensor.scan(room, PERIOD_NS, state)
    assert scan.stamp_ns == PERIOD_NS - sensor.sweep_ns
    age = 1e-9 * sensor.sweep_ns - scan.time_increment * np.arange(900)
    yaw = 0.3 - age
    x, y = 2.0 * (np.sin(yaw) - np.sin(0.3)), 2.0 * (np.cos(0.3) - np.cos(yaw))
    bearing = yaw + scan.angle_min + scan.angle_increment * np.arange(900)
    world = np.stack([x + scan.ranges * np.cos(bearing), y + scan.ranges * np.sin(bearing)], 1)
    assert np.abs(np.abs(world) - SIZE[:2] / 2).min(axis=1).max() < 1e-5


def test_tilt_of_the_vehicle_counts(room: RayScene) -> None:
    state = BodyState(np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.0]))  # nose down
    scan = laser(nrays=1, pose=Pose()).scan(room, PERIOD_NS, state)
    down = rotation_matrix(0.0, 0.3)[2, 0]
    assert scan.ranges == pytest.approx([2.5 / -down], abs=1e-5)


WORLD = """
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


def scans(things: str, z: float) -> NDArray[np.float32]:
    """Return ranges and intensities of a scan and of a sweep, shape (2, 2, rays)."""
    run = simulate(WORLD.format(z=z, things=things, noise=NOISE))
    run.run(0.5)
    found = [run.measure(f'a/{name}') for name in ('scan', 'sweep')]
    return np.array([[each.ranges, each.intensities] for each in found])


def test_it_is_said_once_that_a_scan_is_one_in_space(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, 'mvsim_ros2'):
        for _ in range(2):
            scans(UNEVEN['ramp'], 0.5)
    told = [record.getMessage() for record in caplog.records if 'dimensions' in record.msg]
    assert len(told) == 2 and all('ground that is not level' in each for each in told)
    assert len(set(told)) == 2 and all('test.world.xml' in each for each in told)


@pytest.mark.parametrize('ground', UNEVEN)
@pytest.mark.parametrize('name', THINGS)
def test_ground_far_away_changes_no_scan(name: str, ground: str) -> None:
    seen = 0
    for z in (0.1, 0.5, 1.2, 1.72):
        level, other = scans(THINGS[name], z), scans(THINGS[name] + UNEVEN[ground], z)
        seen += np.isfinite(level[:, 0]).sum()
        # during a sweep in space movers go straight between five places
        for sensor, off, dimmer in ((0, 1e-4, 0.01), (1, 1e-3, 1.0)):
            for kind, most in enumerate((off, dimmer)):
                np.testing.assert_allclose(
                    other[sensor, kind], level[sensor, kind], rtol=0.0, atol=most)
    assert (seen > 0) == (name != 'intangible')


def test_a_ball_is_round_either_way() -> None:
    ball = ('<block name="k"> <init_pose>5 0 0</init_pose> <shape_from_visual/>'
            '<geometry type="sphere" radius="0.6"/> </block>')
    level, other = scans(ball, 0.4), scans(ball + UNEVEN['lift'], 0.4)
    assert np.isfinite(level[:, 0]).sum() > 20
    np.testing.assert_allclose(other[:, 0], level[:, 0], rtol=0.0, atol=0.005)


def test_told_to_measure_in_space_it_meets_meshes() -> None:
    ranges = simulate(WORLD.format(
        z=0.1, things=THINGS['small mesh'] + THINGS['intangible'].replace('"k"', '"i"'),
        noise=NOISE + '<raytrace_3d>true</raytrace_3d><ignore_parent_body>true'
        '</ignore_parent_body>')).measure('a/scan').ranges
    assert ranges[360] == pytest.approx(2.5, abs=1e-4)  # the intangible block ahead
    assert 4.1 < ranges[100:160].min() < 4.4  # of the small block, not of an outline of 1 m


def test_the_cloud_of_the_original_lies_within_its_pixels(shared: Path) -> None:
    folder = shared / 'golden/mvsim/sens_lidar3d_vlp16_pose0'
    golden = np.loadtxt(folder / 'obs/r1_vlp16_1.csv', delimiter=',', skiprows=3)
    cloud, = Simulation.from_file(folder / 'world.xml', seed=0).step(25)
    assert isinstance(cloud, PointCloud)
    ours = cloud.points
    distance = np.sqrt(ours['x'] ** 2 + ours['y'] ** 2 + ours['z'] ** 2)

    def beam(x: Array, y: Array, ring: Array) -> NDArray[np.int64]:
        column = np.round((np.pi - np.arctan2(y, x)) / (2 * np.pi / 1800)).astype(int) % 1800
        return column * 16 + ring.astype(int)

    ranges, theirs = np.full((2, 1800 * 16), np.nan)
    ranges[beam(ours['x'], ours['y'], ours['ring'])] = distance
    theirs[beam(golden[:, 0], golden[:, 1], golden[:, 3])] = np.linalg.norm(
        golden[:, :3], axis=1)
    assert np.mean(np.isnan(ranges) != np.isnan(theirs)) < 0.005
    both = ~(np.isnan(ranges) | np.isnan(theirs))
    error = np.abs(theirs - ranges)[both]
    # a pixel is 0.33 degrees at the middle of a face: 6 mm a metre across the beam
    assert np.median(error) < 0.03
    # the ground of the original is too near, as if seen a fraction of a pixel further down
    ground = np.zeros(1800 * 16, bool)
    on_floor = np.abs(ours['z'] + 0.9) < 1e-6
    ground[beam(ours['x'], ours['y'], ours['ring'])[on_floor]] = True
    elevation = np.radians(np.linspace(-15, 15, 16))[np.arange(1800 * 16) % 16]
    below = ground & both
    seen_at = np.arcsin(np.clip(0.9 / theirs[below], -1, 1))
    pixels = (seen_at + elevation[below]) / np.radians(0.33)
    assert 0.0 < np.median(pixels) < 1.0
    assert ranges[below] == pytest.approx(0.9 / np.sin(-elevation[below]), abs=1e-4)


@pytest.mark.parametrize('name, rays', [
    pytest.param('l181', 181, id='180 degrees'), pytest.param('l360', 360, id='360 degrees'),
    pytest.param('l1080_270', 1080, id='270 degrees')])
def test_planar_scans_of_the_original_lie_within_its_pixels(
        name: str, rays: int, shared: Path) -> None:
    folder = shared / 'golden/mvsim/sens_lidar2d_raytrace3d_pose0'
    golden = np.loadtxt(folder / f'obs/r1_{name}_1.csv', delimiter=',', skiprows=3)
    scans = {scan.sensor: scan for scan in Simulation.from_file(
        folder / 'world.xml', seed=0).step(25)}
    scan = scans[f'r1/{name}']
    assert isinstance(scan, LaserScan2D) and len(scan.ranges) == rays == len(golden)
    # every range of the original is one of ours within the pixel that it read: 150 degrees
    # over 500 pixels of a plane are 0.86 degrees in the middle, and one ray for its bearings
    angles = scan.angle_min + scan.angle_increment * np.arange(rays)
    reach = np.radians(0.86) + abs(golden[1, 1] - golden[0, 1])
    explained = 0
    for angle, measured, valid in golden[:, 1:4]:
        near = np.abs(np.angle(np.exp(1j * (angles - angle)))) <= reach
        candidates = scan.ranges[near]
        seen = candidates[np.isfinite(candidates)]
        if not valid:
            explained += not np.isfinite(candidates).all()
        elif len(seen):
            explained += seen.min() - 0.02 <= measured <= seen.max() + 0.02
    assert explained / rays > 0.97

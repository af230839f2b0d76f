# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cylinders and spheres are round for all sensors, whatever outline their bodies have."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import (
    BlockSpec, GeometrySpec, LaserSpec, Lidar3dSpec, RgbdCameraSpec, VisualSpec, WorldSpec)

WITHIN = 1e-3  # m
X = 7.0  # m; place of the thing, ahead of the sensors
EXACT = {'range_std_noise': 0.0}


def sensors(z: float, fov: float) -> tuple:
    """Return a planar LiDAR, one in three dimensions and a depth camera at a height [m]."""
    pose = Pose(z=z)
    return (
        LaserSpec('planar', pose=pose, nrays=181, fov=fov, angle_std_noise=0.0, **EXACT),
        LaserSpec('tilted', pose=pose, nrays=181, fov=fov, angle_std_noise=0.0,
                  raytrace_3d=True, **EXACT),
        Lidar3dSpec('lidar', pose=pose, vert_nrays=5, vert_fov=0.1, horz_nrays=1440,
                    rolling=False, **EXACT),
        RgbdCameraSpec('camera', pose=pose, sense_rgb=False, depth_ncols=160, depth_nrows=40,
                       depth_cx=79.5, depth_cy=19.5, depth_fx=100.0, depth_fy=100.0,
                       depth_noise_sigma=0.0, depth_encoding='32FC1',
                       publish_ros_colored_pointcloud=True))


def points_of(simulation: Simulation) -> dict[str, np.ndarray]:
    """Return the points that each sensor measures, in the world but for its height."""
    found = {}
    for name in ('planar', 'tilted'):
        scan = simulation.measure(name)
        angle = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
        met = np.isfinite(scan.ranges)
        r, a = scan.ranges[met], angle[met]
        found[name] = np.stack([r * np.cos(a), r * np.sin(a), np.zeros(len(r))], axis=1)
    cloud = simulation.measure('lidar').points
    found['lidar'] = np.stack([cloud[each] for each in 'xyz'], axis=1)
    cloud = simulation.measure('camera').cloud.points  # optical: z ahead, x right, y down
    seen = np.isfinite(cloud['z'])
    found['camera'] = np.stack(
        [cloud['z'][seen], -cloud['x'][seen], -cloud['y'][seen]], axis=1)
    return found


def block(kind: str, radius: float, **options: object) -> BlockSpec:
    """Return a round block, standing on the ground."""
    geometry = GeometrySpec(kind, radius=radius, length=2.0)
    z = radius if kind == 'sphere' else 0.0
    return BlockSpec('it', init_pose=Pose(X, 0.0, z, 0.3), geometry=geometry,
                     skip_elevation_adjust=True, **options)


@pytest.mark.parametrize('static', [pytest.param(True, id='static'),
                                    pytest.param(False, id='movable')])
@pytest.mark.parametrize('radius', [0.05, 1.0, 4.0])
@pytest.mark.parametrize('options', [
    pytest.param({}, id='square body'),
    pytest.param({'shape_from_visual': True}, id='round body'),
    pytest.param({'shape': ((-0.2, -0.1), (0.2, -0.1), (0.0, 0.2))}, id='triangular body')])
def test_all_sensors_see_a_circle(radius: float, static: bool, options: dict) -> None:
    """
    Round cylinders look round to LiDARs and depth cameras, within 1 mm.

    :reference: closed form
    """
    thing = block('cylinder', radius, static=static, **options)
    fov = 1.8 * math.asin(radius / X)
    simulation = Simulation(WorldSpec(blocks=(thing,), sensors=sensors(0.5, fov)))
    for name, points in points_of(simulation).items():
        assert len(points) > 4, name
        off = np.hypot(points[:, 0] - X, points[:, 1]) - radius
        # the surface, or the flat top where the camera sees it
        off = np.where(abs(points[:, 2] - 1.5) < WITHIN, np.minimum(off, 0), off)
        assert abs(off).max() < WITHIN, name


@pytest.mark.parametrize('static', [pytest.param(True, id='static'),
                                    pytest.param(False, id='movable')])
@pytest.mark.parametrize('height', [0.3, 1.0, 1.7])
def test_all_sensors_see_a_sphere(height: float, static: bool) -> None:
    thing = block('sphere', 1.0, static=static)
    simulation = Simulation(WorldSpec(blocks=(thing,), sensors=sensors(height, 0.15)))
    for name, points in points_of(simulation).items():
        assert len(points) > 4, name
        off = np.linalg.norm(points - (X, 0.0, 1.0 - height), axis=1) - 1.0
        assert abs(off).max() < WITHIN, name


def test_a_round_visual_is_round_in_plan() -> None:
    visual = VisualSpec(geometry=GeometrySpec('cylinder', radius=0.5, length=2.0),
                        model_scale=2.0, model_offset_x=0.5, model_offset_z=0.1)
    thing = BlockSpec('it', init_pose=Pose(X - 0.5), visuals=(visual,))
    world = WorldSpec(blocks=(thing,), sensors=sensors(0.5, 0.25))
    for name, points in points_of(Simulation(world)).items():
        assert abs(np.hypot(points[:, 0] - X, points[:, 1]) - 1.0).max() < WITHIN, name


def test_mode_mvsim_keeps_the_outline_of_the_body() -> None:
    thing = block('cylinder', 1.0, shape_from_visual=True)
    world = WorldSpec(blocks=(replace(thing, init_pose=Pose(X)),), sensors=sensors(0.5, 0.2))
    points = points_of(Simulation(world, physics='mvsim'))['planar']
    off = np.hypot(points[:, 0] - X, points[:, 1]) - 1.0
    assert off.min() == pytest.approx(math.cos(math.pi / 10) - 1.0, abs=2e-3)


@pytest.mark.parametrize('mode, ahead', [
    pytest.param('physical', math.inf, id='physical'), pytest.param('mvsim', 2.5, id='mvsim')])
@pytest.mark.parametrize('static', [pytest.param(True, id='static'),
                                    pytest.param(False, id='movable')])
def test_a_beam_meets_what_is_at_its_height(mode: str, ahead: float, static: bool) -> None:
    lamp = BlockSpec('lamp', init_pose=Pose(3.0), zmin=5.0, zmax=5.3, static=static)
    world = WorldSpec(blocks=(lamp,), sensors=sensors(0.5, 0.1)[:1])
    assert Simulation(world, physics=mode).measure('planar').ranges[90] == ahead
    above = replace(world, sensors=sensors(5.2, 0.1)[:1])
    assert Simulation(above, physics=mode).measure('planar').ranges[90] == 2.5


@pytest.mark.parametrize('pitch, expected', [
    pytest.param(0.0, math.inf, id='level'), pytest.param(-0.3, 2.5, id='up'),
    pytest.param(-0.6, math.inf, id='above it')])
def test_a_tilted_beam_goes_where_it_points(pitch: float, expected: float) -> None:
    box = BlockSpec('box', init_pose=Pose(3.0), zmin=0.8, zmax=1.6, static=True)
    laser = LaserSpec('planar', pose=Pose(z=0.5, pitch=pitch), nrays=3, fov=0.1, **EXACT)
    ranges = Simulation(WorldSpec(blocks=(box,), sensors=(laser,))).measure('planar').ranges
    assert ranges[1] == pytest.approx(expected / math.cos(pitch), abs=1e-3)


@pytest.mark.parametrize('in_space', [False, True])
def test_intensity_is_reflectivity_times_cosine(in_space: bool) -> None:
    """Lambert's law: a wall of 40 % at an angle sends back 255 * 0.4 * cosine."""
    wall = BlockSpec('wall', init_pose=Pose(3.0, yaw=0.5), shape=(
        (-0.1, -5.0), (0.1, -5.0), (0.1, 5.0), (-0.1, 5.0)), static=True, reflectivity=0.4)
    laser = LaserSpec('planar', pose=Pose(z=0.5), nrays=61, fov=1.0, max_range=4.0,
                      angle_std_noise=0.0, raytrace_3d=in_space, **EXACT)
    simulation = Simulation(WorldSpec(blocks=(wall,), sensors=(laser,)))
    scan = simulation.measure('planar')
    angle = scan.angle_min + scan.angle_increment * np.arange(61)
    met = np.isfinite(scan.ranges)
    assert 20 < met.sum() < 61
    assert scan.intensities[met] == pytest.approx(
        255 * 0.4 * np.cos(angle[met] - 0.5), abs=0.01)
    assert not scan.intensities[~met].any()

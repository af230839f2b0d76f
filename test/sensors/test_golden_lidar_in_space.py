# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Scans of the C++ original in three dimensions, and what its resolution makes of them.

The original renders a depth image and reads a pixel, or some between, for each ray, half a
pixel aside; see its Lidar3D.cpp and LaserScanner.cpp. Ours meets the triangles.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud

Array = NDArray[np.float64]


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

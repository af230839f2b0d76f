# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measurements that take time follow the true motion, whatever that was."""

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.scene.scene import MoverStates
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.observations import LaserScan2D
from mvsim_ros2.sensors.observations import PointCloud
from mvsim_ros2.sensors.views.pose_history import PoseHistory

Array = NDArray[np.float64]

WALL = 11.99  # m from the middle to a face
MOUNT = Pose(0.2, 0.1, 4.0, np.radians(10.0), np.radians(5.0))
WORLD = """<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
<element class="elevation_map"><elevation_image>hills.png</elevation_image>
<elevation_image_min_z>0</elevation_image_min_z><elevation_image_max_z>2</elevation_image_max_z>
<resolution>0.5</resolution></element>
WALLS
<vehicle name="r"><init_pose3d>0 0 3 0 0 0</init_pose3d><dynamics class="differential">
<l_wheel pos="0 0.5" mass="4" width="0.2" diameter="0.4"/>
<r_wheel pos="0 -0.5" mass="4" width="0.2" diameter="0.4"/>
<chassis mass="15" zmin="0.05" zmax="0.6"/>
<controller class="twist_pid"><KP>100</KP><KI>5</KI><KD>0</KD><max_torque>50</max_torque>
</controller></dynamics>
SENSORS</vehicle></mvsim_world>"""
WALL_OF = """<element class="vertical_plane"><cull_face>NONE</cull_face>
<z>-5</z><height>15</height>
<x0>{0[0]}</x0><y0>{0[1]}</y0><x1>{1[0]}</x1><y1>{1[1]}</y1></element>"""
CORNERS = (-12, -12), (12, -12), (12, 12), (-12, 12), (-12, -12)
LASER = """<sensor class="laser" name="s"><pose_3d>0.2 0.1 4 10 5 0</pose_3d><nrays>400</nrays>
<fov_degrees>360</fov_degrees><range_std_noise>0</range_std_noise><rolling>true</rolling>
<angle_std_noise_deg>0</angle_std_noise_deg><ignore_parent_body>true</ignore_parent_body>
<raytrace_3d>IN_SPACE</raytrace_3d></sensor>"""
LIDAR = """<sensor class="lidar3d" name="s"><pose_3d>0.2 0.1 4 10 5 0</pose_3d>
<vert_nrays>4</vert_nrays><horz_nrays>400</horz_nrays><range_std_noise>0</range_std_noise>
<ignore_parent_body>true</ignore_parent_body><labels>true</labels></sensor>"""
KINDS = [pytest.param(LASER.replace('IN_SPACE', 'false'), False, id='laser'),
         pytest.param(LASER.replace('IN_SPACE', 'true'), True, id='laser in space'),
         pytest.param(LIDAR, True, id='lidar3d')]


def world(folder: Path, sensors: str) -> Path:
    """Write a world of hills within walls; a planar laser sees the walls as segments."""
    x, y = np.meshgrid(np.arange(80), np.arange(80))
    hills = 127 + 100 * np.sin(x / 6) * np.cos(y / 7)
    Image.fromarray(hills.astype(np.uint8)).save(folder / 'hills.png')
    path = folder / 'hills.world.xml'
    path.write_text(WORLD.replace('SENSORS', sensors).replace('WALLS', ''.join(
        WALL_OF.format(*ends) for ends in pairwise(CORNERS))))
    return path


def points(measured: LaserScan2D | PointCloud) -> tuple[Array, Array]:
    """Return points at walls in the sensor frame, shape (N, 3), and when they were measured."""
    if isinstance(measured, PointCloud):
        cloud = measured.points[measured.points['label'] == Scene.LABELS.index('wall')]
        return (np.stack([cloud['x'], cloud['y'], cloud['z']], axis=1).astype(float),
                1e-9 * measured.stamp_ns + cloud['time'].astype(float))
    ray = np.flatnonzero(np.isfinite(measured.ranges) & (measured.ranges > 3.0))
    angle = measured.angle_min + measured.angle_increment * ray
    range_ = measured.ranges[ray].astype(float)
    return (np.stack([range_ * np.cos(angle), range_ * np.sin(angle), 0.0 * angle], axis=1),
            1e-9 * measured.stamp_ns + measured.time_increment * ray)


def off_walls(measured: LaserScan2D | PointCloud, times: list[float], poses: list[Pose],
              in_space: bool) -> Array:
    """Return how far points are from the walls, without the true motion of the vehicle [m]."""
    local, when = points(measured)
    later = np.clip(np.searchsorted(times, when), 1, len(times) - 1)
    share = ((when - np.array(times)[later - 1])
             / (np.array(times)[later] - np.array(times)[later - 1]))[:, np.newaxis]
    table = np.array([[p.x, p.y, p.z, p.yaw, p.pitch, p.roll] for p in poses])
    way = table[later] - table[later - 1]
    way[:, 3] = np.angle(np.exp(1j * way[:, 3]))
    pose = table[later - 1] + share * way
    if in_space:
        turn = rotation_matrix(*pose[:, 3:].T)
        mounted = MOUNT.transform(local)
    else:
        turn = rotation_matrix(pose[:, 3])
        mounted = Pose(MOUNT.x, MOUNT.y, 0.0, MOUNT.yaw).transform(local)
    placed = np.einsum('nij,nj->ni', turn, mounted) + pose[:, :3]
    distance: Array = np.abs(np.abs(placed[:, :2]).max(axis=1) - WALL)
    # what is not at a wall is the ground
    return distance[np.abs(placed[:, :2]).max(axis=1) > WALL - 1.0]


@pytest.mark.parametrize('sensor, in_space', KINDS)
def test_a_sweep_without_the_true_motion_lies_on_the_walls(
        sensor: str, in_space: bool, tmp_path: Path) -> None:
    """
    Points of a LiDAR in motion lie on the walls within 0.1 mm, its true motion taken out.

    :reference: equations of the walls
    """
    sim = Simulation.from_file(world(tmp_path, sensor))
    robot = sim.vehicles['r']
    times, poses, scans, seen = [0.0], [robot.pose], 0, 0
    for forward, turn in ((0.0, 0.0), (1.0, 0.8), (-0.5, -1.0)):
        robot.set_twist(forward, turn)
        for _ in range(60):
            measured = sim.step()
            times.append(sim.time)
            poses.append(robot.pose)
            for each in measured:
                assert isinstance(each, LaserScan2D | PointCloud)
                distance = off_walls(each, times, poses, in_space)
                assert distance.max() < 1e-4
                scans, seen = scans + 1, seen + len(distance)
    assert scans == 9 and seen > 9 * 50
    assert np.ptp([pose.pitch for pose in poses]) > 0.03  # it tilts


@pytest.mark.parametrize('sensor, in_space', KINDS)
def test_sweeps_are_the_same_however_steps_are_grouped_and_after_a_restore(
        sensor: str, in_space: bool, tmp_path: Path) -> None:
    sim = Simulation.from_file(world(tmp_path, sensor))

    def data(steps: list[int]) -> list[bytes]:
        return [points(each)[0].tobytes() for n in steps for each in sim.step(n)]

    sim.vehicles['r'].set_twist(1.0, 0.8)
    sim.step(33)  # within a sweep
    state = sim.snapshot()
    once = data([40])
    sim.restore(state)
    assert once and data([1] * 40) == once
    sim.restore(state)
    assert data([3, 17, 20]) == once


def test_a_leap_is_no_motion(tmp_path: Path) -> None:
    sim = Simulation.from_file(world(tmp_path, LIDAR))
    sim.step(30)
    sim.set_pose('r', Pose(3.0, -2.0, 1.0, 1.0))
    scan, = sim.step(10)
    assert isinstance(scan, PointCloud)
    pose = sim.vehicles['r'].pose
    distance = off_walls(scan, [0.0, 1.0], [pose, pose], True)
    assert len(distance) and np.median(distance) < 0.02


def test_the_past_is_known_as_far_as_it_was_seen_without_a_gap() -> None:
    def at(place: float) -> MoverStates:
        return MoverStates(np.full((1, 6), place), np.zeros(0), np.zeros(0), np.zeros((0, 6)),
                           np.zeros((0, 6)))

    past = PoseHistory()
    assert past.before(10, 1e-9) == []
    for time in (10, 20, 30, 40):
        past.remember(time, at(time), 10, 20)
    assert [age for age, _ in past.before(50, 2e-8)] == pytest.approx([1e-8, 2e-8])
    assert past.before(50, 5e-8) == []  # longer ago than anybody needs
    assert past.before(60, 1e-8) == []  # a step is missing
    past.remember(70, at(70.0), 10, 20)
    assert past.before(80, 2e-8) == []
    past.forget()
    assert past.before(80, 1e-8) == []

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Velocities in space integrate to the pose, and readings of an ideal IMU to these."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import rotation_matrix

G = 9.81  # m/s^2
MOUNTING = rotation_matrix(*np.radians((30.0, 20.0, 10.0)))  # of the IMU on its robot
PLACE = np.array((0.1, 0.05, 0.2))  # m; of the IMU on its robot
WHEEL = 'mass="0.5" width="0.05" diameter="0.2"/>'
WORLD = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
<block name="stage"><init_pose>0 0 0</init_pose><static>true</static>
  <intangible>true</intangible><zmax>{height}</zmax>
  <shape><pt>-9 -5</pt><pt>{end} -5</pt><pt>{end} 5</pt><pt>-9 5</pt></shape>
  {keys}</block>
<vehicle name="r"><init_pose3d>0 0 {height} 10 0 0</init_pose3d>
  <init_vel>{speed} 0 0</init_vel>
  <dynamics class="differential_4_wheels">
    <chassis mass="20" zmin="0.08" zmax="0.3"/><controller class="raw"/>
    <lf_wheel pos="0.15 0.2" {wheel}<rf_wheel pos="0.15 -0.2" {wheel}
    <lr_wheel pos="-0.15 0.2" {wheel}<rr_wheel pos="-0.15 -0.2" {wheel}</dynamics>
  <sensor class="imu" name="imu"><pose_3d>0.1 0.05 0.2 30 20 10</pose_3d>
    <sensor_period>{period}</sensor_period></sensor></vehicle></mvsim_world>"""
LIFT = """<animation><time_pose3d>0.2 0 0 0 0 0 0</time_pose3d>
<time_pose3d>1.2 0 0 0.5 0 0 0</time_pose3d>
<time_pose3d>9 0 0 0.5 0 0 0</time_pose3d></animation>"""


@pytest.mark.parametrize('samples', [1, 4])
@pytest.mark.parametrize(('mode', 'height', 'end', 'speed', 'keys'), [
    ('physical', 1.5, 0.6, 4.0, ''), ('mvsim', 1.5, 0.6, 4.0, ''), ('physical', 0.3, 0.6, 2.0, ''),
    ('physical', 0.02, 0.6, 1.0, ''), ('mvsim', 0.02, 0.6, 1.0, ''),
    ('physical', 0.5, 9.0, 0.0, LIFT), ('mvsim', 0.5, 9.0, 0.0, LIFT)])
def test_an_imu_tells_how_it_moves(tmp_path: Path, mode: str, height: float, end: float,
                                   speed: float, keys: str, samples: int, dt: float) -> None:
    """
    On a lever, turned, over edges: what it feels adds up to its velocity, that to its place.

    :claim: Over cliffs, kerbs and lifts, at 1 to 20 ms, an integrated ideal IMU gives the true
        motion within 0.02 m/s. The true velocity gives the pose within 1 mm/s
    :reference: the true pose
    """
    file = tmp_path / 'stage.world.xml'
    file.write_text(WORLD.format(dt=dt, period=samples * dt, height=height, end=end, speed=speed,
                                 keys=keys, wheel=WHEEL))
    simulation = Simulation.from_file(file, physics=mode)
    robot = simulation.vehicles['r']

    def velocity() -> np.ndarray:
        twist = robot.twist_in_space
        return np.asarray(robot.pose.rotation @ (twist[:3] + np.cross(twist[3:], PLACE)))
    felt, before, offs, gaps = None, robot.pose, [0.0], []
    for _ in range(round(1.5 / dt)):
        for observation in simulation.step():
            force = robot.pose.rotation @ MOUNTING @ observation.linear_acceleration
            gained = samples * dt * (force - (0.0, 0.0, G))
            felt = velocity() if felt is None else felt + gained
            offs.append(np.abs(felt - velocity()).max())
        now = robot.pose
        gaps.append(np.abs((now.position - before.position) / dt
                           - now.rotation @ robot.twist_in_space[:3]).max())
        before = now
    assert max(offs) < 0.02
    assert max(gaps) < 1e-3

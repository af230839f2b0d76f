# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Recordings that several tests look at."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.recording.recorder import Recorder
from mvsim_ros2.recording.text_files import hold_twist

WORLD = """<mvsim_world>
  <simul_timestep>0.005</simul_timestep>
  <include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
  <vehicle name="robot" class="small_robot">
    <init_pose>0 0 30</init_pose>
    <include file="package://mvsim_ros2/worlds/sensors/lidar2d.sensor.xml" sensor_nrays="90"/>
    <sensor class="lidar3d" name="top">
      <pose_3d>0.1 0 0.6 10 5 0</pose_3d> <sensor_period>0.1</sensor_period>
      <vert_nrays>4</vert_nrays> <horz_nrays>60</horz_nrays>
    </sensor>
    <sensor class="camera" name="eye">
      <pose_3d>0.1 0 0.5 -90 0 -90</pose_3d> <sensor_period>0.5</sensor_period>
      <ncols>32</ncols> <nrows>24</nrows> <cx>15.5</cx> <cy>11.5</cy> <fx>30</fx> <fy>30</fy>
      <renderer>cpu</renderer> <labels>true</labels>
    </sensor>
    <include file="package://mvsim_ros2/worlds/sensors/imu.sensor.xml"
             sensor_period_sec="0.005" gyro_walk="0.01" accel_walk="0.1"/>
  </vehicle>
  <block name="box"> <init_pose>3 1 20</init_pose> <mass>5</mass> </block>
  <walls> <shape> <pt>-4 -4</pt> <pt>4 -4</pt> <pt>4 -4</pt> <pt>4 4</pt> </shape> </walls>
</mvsim_world>"""
DURATION = 2.0  # s


@pytest.fixture(scope='session')
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp('worlds') / 'rig.world.xml'
    path.write_text(WORLD)
    return path


@pytest.fixture(scope='session')
def make_run(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return what records a run of two seconds in a curve, and returns its folder."""
    def record(name: str, seed: int = 0, **options: object) -> Path:
        folder = tmp_path_factory.mktemp('runs') / name
        options.setdefault('controller', hold_twist(0.8, 0.9))
        with Recorder(Simulation.from_file(world, seed=seed), folder, **options) as recorder:
            assert recorder.run(DURATION)
        return folder

    return record


@pytest.fixture(scope='session')
def run(make_run: Callable[..., Path]) -> Path:
    return make_run('plain')

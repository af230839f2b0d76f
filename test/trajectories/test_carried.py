# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that are carried along poses of a file."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.cli.run_command import run_command
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose
from mvsim_ros2.trajectories.route_file import carried_along
from mvsim_ros2.world.file.load import load_world_text

WORLD = """<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <element class="vertical_plane"> <x0>3</x0> <x1>3</x1> <y0>-9</y0> <y1>9</y1> </element>
  <vehicle name="drone"> <init_pose>0 0 0</init_pose>
    <dynamics class="differential"/> <sensor class="imu" name="imu"/>
  </vehicle>
</mvsim_world>"""


def file_of(folder: Path, poses: list[tuple[float, Pose]]) -> Path:
    path = folder / 'poses.tum'
    path.write_text(''.join(
        f'{time} {pose.x} {pose.y} {pose.z} {" ".join(map(str, pose.quaternion))}\n'
        for time, pose in poses))
    return path


POSES = [(100.0, Pose(1.0, 2.0, 5.0, 0.3, 0.2, 0.1)), (101.0, Pose(2.0, 2.0, 6.0, 0.3, 0.2, 0.1)),
         (103.0, Pose(6.0, 0.0, 5.0, 1.3, -0.4, 0.6))]


def test_it_is_where_the_file_says_through_walls_and_air(tmp_path: Path) -> None:
    world, last = carried_along(load_world_text(WORLD, 'a string'), file_of(tmp_path, POSES))
    sim = Simulation(world)
    assert last == 3.0
    for (time, wanted) in ((0.5, Pose(1.5, 2.0, 5.5, 0.3, 0.2, 0.1)), (1.0, POSES[1][1]),
                           (2.99999, POSES[2][1])):
        sim.run(time - sim.time)
        pose = sim.vehicles['drone'].pose
        away = np.linalg.inv(wanted.matrix) @ pose.matrix
        assert np.abs(away[:3, 3]).max() < 0.02 + 2.5 * abs(sim.time - time)
        assert math.acos(min(1.0, 0.5 * (np.trace(away[:3, :3]) - 1.0))) < 0.01


@pytest.mark.parametrize('text, message', [
    ('0 1 2 3 0 0 0 1', 'one pose only'),
    ('0 1 2 3 0 0 0 1\n0 1 2 3 0 0 0 1', ':2: time 0 s does not come after 0 s'),
    ('0 1 2 3 0 0 0 1\n1 1 2 3 0 0 0 2', ':2: the quaternion'),
    ('0 1 2\n', '3 columns: there should be the 8 columns')])
def test_what_cannot_be_followed(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / 'poses.tum'
    path.write_text(text)
    with pytest.raises(TrajectoryError, match=message):
        carried_along(load_world_text(WORLD, 'a string'), path)


def test_a_recording_of_it_lasts_as_long(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = tmp_path / 'w.world.xml'
    world.write_text(WORLD)
    poses = file_of(tmp_path, POSES)
    assert run_command(
        ['record', str(world), '--poses', str(poses), '-o', str(tmp_path / 'bag')]) == 0
    assert ': 3 s, ' in capsys.readouterr().out
    rows = np.loadtxt(tmp_path / 'bag' / 'ground_truth' / 'base_link.tum')
    row = rows[np.searchsorted(rows[:, 0], 0.4999)]
    assert row[1:4] == pytest.approx([1.5, 2.0, 5.5], abs=1e-6)

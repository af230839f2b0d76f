# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2 new` writes worlds that have no fault and run."""

from pathlib import Path

import numpy as np
from PIL import Image
import pytest

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.cli import main
from mvsim_ros2.cli.new import shipped, world_text


def test_the_world_is_whole_and_drives(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / 'my.world.xml'
    assert main(['new', str(file)]) == 0
    assert main(['check', '--strict', str(file)]) == 0
    assert 'warnings: 0' in capsys.readouterr().out
    simulation = Simulation.from_file(file)
    simulation.vehicles['robot'].set_twist(0.5, 0.0)
    seen = []
    simulation.run(2.0, seen.append)
    assert simulation.vehicles['robot'].pose.x > 0.5
    assert {each.sensor for each in seen} == {'robot/lidar2d', 'robot/imu'}


def test_what_stands_in_the_shade_of_a_picture_is_seen(tmp_path: Path) -> None:
    file, picture = tmp_path / 'my.world.xml', tmp_path / 'my.png'
    assert main(['new', str(file)]) == 0
    assert main(['picture', str(file), '--size', '320x180', '-o', str(picture)]) == 0
    brightest = np.asarray(Image.open(picture).convert('RGB')).max(axis=2)
    assert np.mean(brightest < 70) < 0.01  # wheels, but no wall


@pytest.mark.parametrize('vehicle', shipped('vehicle'))
def test_every_vehicle_stands_in_it(vehicle: str, tmp_path: Path) -> None:
    file = tmp_path / 'my.world.xml'
    file.write_text(world_text(str(file), vehicle, ['lidar2d']))
    world = load_world(file, strict=True)
    simulation = Simulation(world)
    simulation.run(0.2)
    pose = simulation.vehicles['robot'].pose
    assert abs(pose.x) + abs(pose.y) < 0.01 and not world.warnings
    assert not simulation.vehicles['robot'].collided


@pytest.mark.parametrize('sensor', shipped('sensor'))
def test_every_sensor_can_be_on_it(sensor: str, tmp_path: Path) -> None:
    file = tmp_path / 'my.world.xml'
    file.write_text(world_text(str(file), 'small_robot', [sensor]))
    (vehicle,) = load_world(file, strict=True).vehicles
    assert vehicle.sensors


@pytest.mark.parametrize('arguments, message', [
    pytest.param([], 'say which file', id='no file'),
    pytest.param(['{}/a.xml', '--vehicle', 'smal_robot'], "did you mean 'small_robot'?",
                 id='vehicle'),
    pytest.param(['{}/a.xml', '--sensors', 'imu', 'imu'], 'two sensors with one name', id='twice'),
    pytest.param(['{}/no/a.xml'], 'there is no folder', id='folder'),
    pytest.param(['{}/there.xml'], 'exists already', id='file')])
def test_what_cannot_be_written_is_refused(
        arguments: list[str], message: str, tmp_path: Path,
        capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / 'there.xml').write_text('mine')
    assert main(['new', *(each.format(tmp_path) for each in arguments)]) == 1
    assert message in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {'there.xml': 'mine'}


def test_what_there_is_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['new', '--list']) == 0
    vehicles, sensors = capsys.readouterr().out.splitlines()
    assert 'small_robot' in vehicles.split() and 'vlp16' in sensors.split()

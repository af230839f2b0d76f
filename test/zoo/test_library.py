# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The robots of the library are what their descriptions make, and do what they are told."""

from pathlib import Path
import sys

import numpy as np
import pytest
from test_zoo import drive

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.world.file.urdf_import.convert import class_of_file

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'docs' / 'figures'))
import robots  # noqa: E402, I100

OWN_MOTORS = 'turtlebot3_burger', 'turtlebot3_waffle', 'turtlebot4', 'jackal', 'husky', 'f1tenth'


def alone(folder: Path, name: str, arguments: str = '') -> Path:
    path = folder / 'one.world.xml'
    path.write_text(
        f'<mvsim_world><include file="{robots.CLASSES / name}.vehicle.xml" {arguments}/>'
        f'<vehicle name="r" class="{name}"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>')
    return path


@pytest.mark.parametrize('name', robots.NAMES)
def test_a_robot_is_what_its_description_makes(name: str, tmp_path: Path) -> None:
    kept = robots.CLASSES / f'{name}.vehicle.xml'
    assert robots.class_text(name) == kept.read_text(), 'python docs/figures/robots.py'
    assert (robots.PICTURES / f'{name}.webp').is_file()
    world = load_world(alone(tmp_path, name), strict=name not in ('jackal', 'husky'))
    (vehicle,) = world.vehicles
    assert len(vehicle.visuals) > 4 and len(vehicle.sensors) > 1
    simulation = Simulation(world)
    for sensor in vehicle.sensors:
        seen = simulation.measure(f'r/{sensor.name}')
        if sensor.XML_CLASS == 'laser':
            assert not np.isfinite(seen.ranges).any(), 'it sees itself'
    (bare,) = load_world(alone(tmp_path, name, 'looks="false" default_sensors="false"')).vehicles
    assert not bare.visuals and not bare.sensors


@pytest.mark.parametrize('name', [name for name in robots.NAMES if name not in OWN_MOTORS])
def test_a_robot_drives_as_told(name: str, tmp_path: Path) -> None:
    path = alone(tmp_path, name)
    for command in ((0.3, 0.0), (0.2, 0.5)):
        assert drive(path, *command)[[0, 2]] == pytest.approx(command, rel=0.02, abs=2e-3)


@pytest.mark.parametrize('name', OWN_MOTORS)
def test_own_dynamics_stand_on_the_wheels_of_the_description(name: str, tmp_path: Path) -> None:
    path = tmp_path / 'one.world.xml'
    path.write_text(f'<mvsim_world><vehicle:class name="c" urdf="{robots.SOURCES / name}'
                    '.urdf.xacro"/></mvsim_world>')
    described = class_of_file(str(path)).dynamics.wheels
    kept = class_of_file(str(robots.CLASSES / f'{name}.vehicle.xml')).dynamics.wheels
    assert sorted((*wheel.pos[:2], wheel.diameter) for wheel in kept[:2]) == [
        pytest.approx(each, abs=2e-3) for each in sorted(
            (*wheel.pos[:2], wheel.diameter) for wheel in described
            if wheel.pos[0] == pytest.approx(kept[0].pos[0], abs=1e-3) or
            wheel.pos[0] == pytest.approx(kept[1].pos[0], abs=1e-3))[:2]]


def test_the_pages_are_those_that_the_script_writes() -> None:
    assert robots.page_text() == robots.PAGE.read_text(), 'python docs/figures/robots.py'
    page = robots.READING.read_text()
    assert robots.reading_text(page) == page, 'python docs/figures/robots.py'
    assert '`min_angle`' in page and page.count('| `rgbd_camera` |') == 1

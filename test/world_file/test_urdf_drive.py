# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Robots of other people's descriptions drive, turn and see as they should."""

from pathlib import Path
import re

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.world.file.load import load_world_text

PAGE = Path(__file__).resolve().parents[2] / 'docs' / 'urdf.md'
ROBOTS = ['round_robot.urdf.xacro', 'car.urdf.xacro', 'skid_robot.urdf']


def ready(robot: str, sensors: bool = False) -> Simulation:
    """Return a world of one robot on a floor, in mode physical, after it came to rest."""
    simulation = Simulation(load_world_text(
        f'<vehicle name="r1" urdf="package://mvsim_ros2/worlds/descriptions/{robot}"><init_pose>'
        '0 0 0</init_pose></vehicle><block name="box"><init_pose>3 0 0</init_pose><static>true'
        '</static></block>', 'a string'), physics='physical', sensors=sensors)
    simulation.run(0.5)
    return simulation


@pytest.mark.parametrize('robot', ROBOTS)
def test_drives_a_metre_straight(robot: str) -> None:
    simulation = ready(robot)
    vehicle = simulation.vehicles['r1']
    assert vehicle.pose.position == pytest.approx([0.0, 0.0, 0.0], abs=1e-3)
    vehicle.set_twist(0.25, 0.0)
    simulation.run(4.0)
    # the time constant of the controller is 0.2 s, or 0.05 m at this speed
    assert vehicle.pose.x == pytest.approx(1.0, abs=0.06)
    assert vehicle.pose.y == pytest.approx(0.0, abs=1e-3)
    assert vehicle.twist_body[0] == pytest.approx(0.25, rel=0.03)


@pytest.mark.parametrize(('robot', 'forward'),
                         list(zip(ROBOTS, (0.0, 0.25, 0.0), strict=True)),
                         ids=ROBOTS)
def test_turns_at_the_commanded_rate(robot: str, forward: float) -> None:
    simulation = ready(robot)
    vehicle = simulation.vehicles['r1']
    vehicle.set_twist(forward, 0.2)
    simulation.run(3.0)
    before = vehicle.pose.yaw
    simulation.run(2.0)
    assert (vehicle.pose.yaw - before) / 2.0 == pytest.approx(0.2, rel=0.03)


def test_caster_carries_its_share() -> None:
    loads = ready(ROBOTS[0]).vehicles['r1'].wheels['normal_load']
    # base, LiDAR and caster itself behind the axle, on a caster 0.11 m behind it
    behind = 2.4 * 0.02 + 0.1 * 0.03 + 0.05 * 0.11
    assert loads[2] == pytest.approx(9.81 * behind / 0.11, rel=1e-3)
    assert loads.sum() == pytest.approx(9.81 * 2.75, rel=1e-3)


def test_mass_of_the_body_has_the_centre_of_the_description() -> None:
    loads = ready(ROBOTS[1]).vehicles['r1'].wheels['normal_load']
    front = 12 * 0.25 + 2 * 0.2 * 0.5 + 0.6 * 0.3 + 2 * 0.8 * 0.5
    assert loads[2:].sum() == pytest.approx(9.81 * front / 0.5, rel=1e-3)


@pytest.mark.parametrize(('robot', 'sensor'), [
    pytest.param(ROBOTS[0], 'lidar', id='scan all round'),
    pytest.param(ROBOTS[2], 'scan', id='scan ahead'),
])
def test_scan_begins_outside_the_robot(robot: str, sensor: str) -> None:
    simulation = ready(robot, sensors=True)
    scan = simulation.sensors[f'r1/{sensor}'].measure()
    ranges = scan.ranges[np.isfinite(scan.ranges)]
    place = simulation.sensors[f'r1/{sensor}'].pose.x
    assert ranges.min() == pytest.approx(2.5 - place, abs=0.05)  # the box begins at x = 2.5
    assert len(ranges) < 0.2 * len(scan.ranges)


def test_lidar_does_not_see_its_own_housing() -> None:
    simulation = ready(ROBOTS[1], sensors=True)
    points = simulation.sensors['r1/lidar3d'].measure().points
    distance = np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)
    assert distance.min() > 0.3 and (points['x'] > 2.0).any()


def test_the_world_of_the_page() -> None:
    (text,) = re.findall(r'```xml\n(<mvsim_world.*?)```', PAGE.read_text(), re.DOTALL)
    assert len(text.splitlines()) <= 10
    simulation = Simulation(load_world_text(text, 'page.world.xml', strict=True))
    assert not simulation.world.warnings
    (vehicle,) = simulation.vehicles.values()
    vehicle.set_twist(0.2, 0.0)
    start = vehicle.pose.x
    simulation.run(2.0)
    assert vehicle.pose.x - start > 0.3
    scan = simulation.sensors[f'{vehicle.name}/lidar'].measure()
    assert np.isfinite(scan.ranges).any()

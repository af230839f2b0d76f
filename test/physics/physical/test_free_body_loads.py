# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Loads of free bodies: contacts that push the same way share what they push."""

import math
from pathlib import Path

import pytest
from test_free_body import coasting, light, stage, Vehicles, Worlds

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world

CLIMB = """<mvsim_world version="1.0"><element class="elevation_map">
<resolution>40</resolution><corner_min_x>-20</corner_min_x><corner_min_y>-20</corner_min_y>
<elevation_data_matrix>[-{high} -{high}; {high} {high}]</elevation_data_matrix></element>
<include file="package://mvsim_ros2/worlds/vehicles/turtlebot4.vehicle.xml"/>
<vehicle name="r" class="turtlebot4"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"""


def test_a_robot_that_drags_its_tail_climbs_straight_ahead(tmp_path: Path) -> None:
    """Two wheels and a caster at its tail carry it: left as much as right."""
    file = tmp_path / 'climb.world.xml'
    file.write_text(CLIMB.format(high=20.0 * math.tan(math.radians(8.0))))
    simulation = Simulation(load_world(file))
    robot = simulation.vehicles['r']
    simulation.run(1.0)
    robot.set_twist(0.3, 0.0)
    simulation.run(10.0)
    assert math.degrees(robot.pose.pitch) < -8.0
    left, right = robot.wheels['normal_load'][:2]
    assert left == pytest.approx(right, rel=1e-4)
    assert abs(robot.pose.yaw) < 1e-4
    assert abs(robot.pose.y) < 1e-4


def test_it_lands_with_as_much_load_left_as_right(
        physics: Worlds, vehicle: Vehicles, dt: float) -> None:
    """Four wheels off a table."""
    world = coasting(physics, light(vehicle('diff4', 'raw')), 1.0, dt, stage(-5.0, 0.8, 0.25))
    wheels, carried = world.vehicles.wheels, 0
    left = wheels['y'] > 0.0
    for _ in range(round(2.0 / dt)):
        world.step()
        loads = wheels['normal_load']
        carried += bool(world.vehicles.arrays.records['spatial'][0]) and bool(loads.any())
        assert loads[left].sum() == pytest.approx(loads[~left].sum(), rel=1e-4, abs=1e-3)
    assert carried > 1

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on springs that drive onto edges and off them: nothing but the ground stops them."""

import math
from pathlib import Path

import numpy as np
import pytest
from test_springs_on_slopes import driving, G

RAMP = """<block name="ramp"><init_pose>12 0 0</init_pose><static>true</static>
<geometry type="ramp" lx="4" ly="6" lz="{height}"/><shape_from_visual/></block>"""
TABLE = """<block name="table"><init_pose>0 0 0</init_pose><static>true</static>
<zmax>{height}</zmax><shape><pt>-10 -4</pt><pt>-10 4</pt><pt>10 4</pt><pt>10 -4</pt></shape>
</block>"""
TYRES = 'tyre_stiffness="2e5" tyre_damping="2000"'
SUSPENSIONS = ('tyre_stiffness="2e5" tyre_damping="500" '
               'suspension_stiffness="25000" suspension_damping="2500"')


@pytest.mark.parametrize('springs', [TYRES, SUSPENSIONS], ids=['tyres', 'suspensions'])
def test_it_flies_off_the_end_of_a_ramp(tmp_path: Path, springs: str, dt: float) -> None:
    """
    At 9 m/s off 0.8 m: its climb leaves 8.1 m/s at most, and its landing some of that.

    Its front wheels fall first, so that its nose scrapes along the ground.
    """
    simulation = driving(tmp_path, springs, RAMP.format(height=0.8),
                         '<init_pose>0 0 0</init_pose><init_vel>9 0 0</init_vel>', dt)
    car, slowest, highest = simulation.vehicles['car'], 9.0, 0.0
    for _ in range(round(4.0 / dt)):
        simulation.step()
        slowest = min(slowest, float(car.twist_in_plan[0]))
        highest = max(highest, car.pose.z)
    assert 5.9 < slowest < car.twist_in_plan[0] + 0.05
    assert car.twist_in_plan[0] < math.sqrt(81.0 - 2.0 * G * 0.8)
    assert 0.7 < highest < 1.0
    assert abs(car.pose.y) < 1e-3
    assert abs(car.pose.yaw) < 1e-4


@pytest.mark.parametrize('speed', [5.0, 10.0])
@pytest.mark.parametrize('springs', [TYRES, SUSPENSIONS], ids=['tyres', 'suspensions'])
def test_off_a_table_it_falls_straight_ahead(tmp_path: Path, springs: str, speed: float) -> None:
    """
    No faster than by what it falls while its wheels push it off the edge, and not aside.

    Its reference point turns about its centre of mass, and its belly scrapes over the edge.
    """
    simulation = driving(
        tmp_path, springs, TABLE.format(height=0.5),
        f'<init_pose3d>0 0 0.5 0 0 0</init_pose3d><init_vel>{speed} 0 0</init_vel>')
    car = simulation.vehicles['car']
    before = car.pose.x
    for _ in range(600):
        simulation.step()
        assert car.pose.x - before == pytest.approx(
            0.005 * speed, abs=0.005 * 1.1)  # none is pushed out of the table
        before = car.pose.x
    assert np.abs([car.pose.y, car.pose.yaw]).max() < 1e-6
    assert 0.9 * speed < car.twist_in_plan[0] < speed + 0.1  # its nose scrapes

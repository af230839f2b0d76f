# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on springs on slopes that they do not face, and on edges that they drive off."""

import math

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation

G = 9.81
WORLD = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
{ground}
<vehicle name="car">{start}<dynamics class="ackermann_drivetrain">
  <rl_wheel pos="-1.3 0.7" mass="20" width="0.2" diameter="0.6" {springs}/>
  <rr_wheel pos="-1.3 -0.7" mass="20" width="0.2" diameter="0.6" {springs}/>
  <fl_wheel mass="20" width="0.2" diameter="0.6" {springs}/>
  <fr_wheel mass="20" width="0.2" diameter="0.6" {springs}/>
  <f_wheels_x>1.2</f_wheels_x><f_wheels_d>1.4</f_wheels_d><drivetrain type="open_rear"/>
  <brakes torque="800" parking_torque="1500"/>
  <chassis mass="1000" zmin="0.2" zmax="1.0">
    <shape><pt>-2 -0.8</pt><pt>-2 0.8</pt><pt>2 0.8</pt><pt>2 -0.8</pt></shape></chassis>
  <controller class="raw"/></dynamics>
  <friction class="default"><mu>0.9</mu><C_damping>0</C_damping></friction>
</vehicle></mvsim_world>"""
SLOPE = """<element class="elevation_map">
  <resolution>400</resolution><corner_min_x>-200</corner_min_x><corner_min_y>-200</corner_min_y>
  <elevation_data_matrix>[{low} {low}; {high} {high}]</elevation_data_matrix>
</element>"""
TYRES = 'tyre_stiffness="2e6" tyre_damping="2e4"'
SUSPENSIONS = ('tyre_stiffness="2e6" tyre_damping="2e3" '
               'suspension_stiffness="25000" suspension_damping="2500"')
each_springs = pytest.mark.parametrize('springs', [TYRES, SUSPENSIONS],
                                       ids=['tyres', 'suspensions'])


def driving(folder, springs, ground, start, dt=0.005):
    """Return a car on springs that rolls freely, on some ground."""
    file = folder / 'car.world.xml'
    file.write_text(WORLD.format(springs=springs, ground=ground, start=start, dt=dt))
    return Simulation(load_world(file))


def parked(folder, springs, degrees, yaw):
    """Return a car with its parking brake on, on a plane that rises along x."""
    high = 200.0 * math.tan(math.radians(degrees))
    simulation = driving(folder, springs, SLOPE.format(low=-high, high=high),
                         f'<init_pose>0 0 {yaw}</init_pose>')
    simulation.vehicles['car'].set_parking_brake(1.0)
    return simulation


@pytest.mark.parametrize('yaw', [0.0, 45.0, 120.0])
@each_springs
def test_its_tyres_hold_what_the_slope_pulls(tmp_path, springs, yaw):
    """Parked on 20 degrees: m g times the parts of down along the axes of the tilted car."""
    simulation = parked(tmp_path, springs, 20.0, yaw)
    simulation.run(4.0)
    angle, rise = math.radians(yaw), math.tan(math.radians(20.0))
    pitch = -math.atan(rise * math.cos(angle))
    roll = -math.atan(rise * math.sin(angle) * math.cos(pitch))
    wheels, weight = simulation.vehicles['car'].wheels, 1080.0 * G
    expected = -math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(math.radians(20.0))
    assert [wheels[name].sum() / weight for name in (
        'force_long', 'force_lat', 'normal_load')] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize('yaw', [0.0, 45.0, 60.0])
@each_springs
def test_it_coasts_down_as_on_an_inclined_plane(tmp_path, springs, yaw):
    """At g sin a over 1 + sum I / (m R^2), a the slope along its heading."""
    simulation = parked(tmp_path, springs, 20.0, yaw)
    car = simulation.vehicles['car']
    simulation.run(2.0)
    car.set_parking_brake(0.0)
    simulation.run(1.0)
    before = float(np.linalg.norm(car.twist_in_space[:3]))
    simulation.run(1.0)
    along = math.atan(math.tan(math.radians(20.0)) * math.cos(math.radians(yaw)))
    expected = G * math.sin(along) * 1080.0 / 1120.0
    assert float(np.linalg.norm(car.twist_in_space[:3])) - before == pytest.approx(
        expected, rel=2e-3)


@pytest.mark.parametrize('yaw', [0.0, 45.0, 90.0])
@pytest.mark.parametrize('degrees', [10.0, 20.0, 30.0])
def test_it_is_put_on_all_its_wheels(tmp_path, degrees, yaw):
    """On its suspensions: all carry, together m g cos a, from the first step on."""
    simulation = parked(tmp_path, SUSPENSIONS, degrees, yaw)
    wheels = simulation.vehicles['car'].wheels
    for _ in range(3):
        assert wheels['normal_load'].min() > 100.0
        assert wheels['normal_load'].sum() == pytest.approx(
            1080.0 * G * math.cos(math.radians(degrees)), rel=5e-3)
        simulation.step(1)


RAMP = """<block name="ramp"><init_pose>12 0 0</init_pose><static>true</static>
<geometry type="ramp" lx="4" ly="6" lz="{height}"/><shape_from_visual/></block>"""
TABLE = """<block name="table"><init_pose>0 0 0</init_pose><static>true</static>
<zmax>{height}</zmax><shape><pt>-10 -4</pt><pt>-10 4</pt><pt>10 4</pt><pt>10 -4</pt></shape>
</block>"""
SOFT_TYRES = 'tyre_stiffness="2e5" tyre_damping="2000"'
SOFT_SUSPENSIONS = ('tyre_stiffness="2e5" tyre_damping="500" '
                    'suspension_stiffness="25000" suspension_damping="2500"')
soft_springs = pytest.mark.parametrize('springs', [SOFT_TYRES, SOFT_SUSPENSIONS],
                                       ids=['tyres', 'suspensions'])


@soft_springs
def test_it_flies_off_the_end_of_a_ramp(tmp_path, springs, dt):
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
@soft_springs
def test_off_a_table_it_falls_straight_ahead(tmp_path, springs, speed):
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

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on springs on slopes that they do not face, against the inclined plane."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world

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


def driving(folder: Path, springs: str, ground: str, start: str, dt: float = 0.005) -> Simulation:
    """Return a car on springs that rolls freely, on some ground."""
    file = folder / 'car.world.xml'
    file.write_text(WORLD.format(springs=springs, ground=ground, start=start, dt=dt))
    return Simulation(load_world(file))


def parked(folder: Path, springs: str, degrees: float, yaw: float) -> Simulation:
    """Return a car with its parking brake on, on a plane that rises along x."""
    high = 200.0 * math.tan(math.radians(degrees))
    simulation = driving(folder, springs, SLOPE.format(low=-high, high=high),
                         f'<init_pose>0 0 {yaw}</init_pose>')
    simulation.vehicles['car'].set_parking_brake(1.0)
    return simulation


@pytest.mark.parametrize('yaw', [0.0, 45.0, 120.0])
@pytest.mark.parametrize('springs', [TYRES, SUSPENSIONS], ids=['tyres', 'suspensions'])
def test_its_tyres_hold_what_the_slope_pulls(tmp_path: Path, springs: str, yaw: float) -> None:
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
@pytest.mark.parametrize('springs', [TYRES, SUSPENSIONS], ids=['tyres', 'suspensions'])
def test_it_coasts_down_as_on_an_inclined_plane(tmp_path: Path, springs: str, yaw: float,
                                                ) -> None:
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
def test_it_is_put_on_all_its_wheels(tmp_path: Path, degrees: float, yaw: float) -> None:
    """On its suspensions: all carry, together m g cos a, from the first step on."""
    simulation = parked(tmp_path, SUSPENSIONS, degrees, yaw)
    wheels = simulation.vehicles['car'].wheels
    for _ in range(3):
        assert wheels['normal_load'].min() > 100.0
        assert wheels['normal_load'].sum() == pytest.approx(
            1080.0 * G * math.cos(math.radians(degrees)), rel=5e-3)
        simulation.step(1)

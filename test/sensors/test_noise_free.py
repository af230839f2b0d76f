# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Random errors of sensors, switched off and on again."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvsim_ros2 import Simulation

SENSORS = """
<sensor class="laser" name="laser"/>
<sensor class="laser" name="laser_in_space"><raytrace_3d>true</raytrace_3d></sensor>
<sensor class="lidar3d" name="lidar"><dropout>0.2</dropout><vert_nrays>4</vert_nrays></sensor>
<sensor class="imu" name="imu">
    <measure_orientation>true</measure_orientation>
    <linear_acceleration_bias>0.1 0 0</linear_acceleration_bias>
    <linear_acceleration_bias_std_noise>0.3</linear_acceleration_bias_std_noise>
    <angular_velocity_noise_density>0.01</angular_velocity_noise_density>
    <angular_velocity_random_walk_std_noise>0.1</angular_velocity_random_walk_std_noise>
</sensor>
<sensor class="gnss" name="gnss">
    <horizontal_drift_std_noise>2</horizontal_drift_std_noise>
</sensor>
<sensor class="sonar" name="sonar"/>
<sensor class="magnetometer" name="compass"/>
<sensor class="barometer" name="barometer"><drift_std_noise>9</drift_std_noise></sensor>
"""
WORLD = f"""
<mvsim_world version="1.0">
    <georeference><latitude>48</latitude><longitude>11</longitude></georeference>
    <block name="wall">
        <static>true</static><zmax>3</zmax><init_pose>2 0 0</init_pose>
        <shape><pt>-0.05 -4</pt><pt>0.05 -4</pt><pt>0.05 4</pt><pt>-0.05 4</pt></shape>
    </block>
    <vehicle name="r1">
        <init_pose>0 0 0</init_pose>
        <dynamics class="differential">
            <l_wheel pos="0 0.2" mass="2" width="0.05" diameter="0.2"/>
            <r_wheel pos="0 -0.2" mass="2" width="0.05" diameter="0.2"/>
            <controller class="twist_ideal"/>
        </dynamics>
        <sensor class="wheel_encoders" name="wheels"/>
        {SENSORS}
    </vehicle>
</mvsim_world>
"""
NOISY = ['laser', 'laser_in_space', 'lidar', 'imu', 'gnss', 'sonar', 'compass', 'barometer']


@pytest.fixture
def sim(tmp_path: Path) -> Simulation:
    """Provide a robot with the noisy sensors, that stands in front of a wall."""
    file = tmp_path / 'a.world.xml'
    file.write_text(WORLD)
    return Simulation.from_file(file)


def values(sim: Simulation, name: str) -> dict[str, Any]:
    """Return what a sensor measures, by the name of the value."""
    measured = sim.sensors[f'r1/{name}'].measure()
    return {each.name: np.asarray(getattr(measured, each.name)) for each in fields(measured)
            if each.name != 'stamp_ns'}


def repeats(sim: Simulation, name: str) -> bool:
    """Return whether a sensor measures the same twice."""
    first, second = values(sim, name), values(sim, name)
    return all(np.array_equal(first[key], second[key], first[key].dtype.kind == 'f')
               for key in first)


@pytest.mark.parametrize('name', [pytest.param(name, id=name) for name in NOISY])
def test_noise_is_off_and_on_again(sim: Simulation, name: str) -> None:
    sim.step(200)
    assert not repeats(sim, name)
    sim.set_noise(False)
    assert repeats(sim, name)
    sim.reset()
    sim.step(200)
    assert repeats(sim, name), 'a reset is no reason to be noisy again'
    sim.set_noise(True)
    assert not repeats(sim, name)


def test_what_is_systematic_stays(sim: Simulation) -> None:
    sim.set_noise(False)
    sim.step(200)
    assert values(sim, 'imu')['linear_acceleration'] == pytest.approx([0.1, 0.0, 9.81])
    assert not values(sim, 'imu')['angular_velocity'].any()


def test_measurements_go_on_when_they_are_due(sim: Simulation) -> None:
    whole = [(each.sensor, each.stamp_ns) for each in sim.step(400)]
    sim.reset()
    switched = sim.step(123)
    sim.set_noise(False)
    switched += sim.step(177)
    sim.set_noise(True)
    switched += sim.step(100)
    assert [(each.sensor, each.stamp_ns) for each in switched] == whole


def test_sensors_without_noise_are_left_alone(sim: Simulation) -> None:
    sim.vehicles['r1'].set_twist(0.5, 0.0)
    sim.step(100)
    before = sim.sensors['r1/wheels'].memory
    sim.set_noise(False)
    assert before['last_ns'] and sim.sensors['r1/wheels'].memory == before

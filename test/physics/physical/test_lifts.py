# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Floors and blocks that move by keyframes take along what stands on them: lifts, ferries."""

import logging
import math

import numpy as np
import pytest

from mvsim_ros2 import load_world, Simulation

G = 9.81
RATE = 0.5  # m/s
WORLD = """<mvsim_world version="1.0"><simul_timestep>{dt}</simul_timestep>
<georeference><latitude>48</latitude><longitude>11</longitude></georeference>
<include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"/>
{ground}
<vehicle name="r" class="small_robot"><init_pose3d>1 0 {z} 0 0 0</init_pose3d>
<sensor class="imu" name="imu"><sensor_period>{dt}</sensor_period></sensor>
<sensor class="gnss" name="gnss"/></vehicle></mvsim_world>"""
KEYS = """<animation><time_pose3d>0 0 0 0 0 0 0</time_pose3d>
<time_pose3d>1 0 0 0 0 0 0</time_pose3d><time_pose3d>3 {x} 0 {rise} {yaw} 0 0</time_pose3d>
<time_pose3d>9 {x} 0 {rise} {yaw} 0 0</time_pose3d></animation>"""
FLOOR = '<element class="horizontal_plane"><z>{z}</z>{keys}</element>'
BLOCK = """<block name="b"><init_pose3d>0 0 0 0 0 0</init_pose3d><zmin>1.3</zmin><zmax>{z}</zmax>
<shape><pt>-3 -3</pt><pt>-3 3</pt><pt>3 3</pt><pt>3 -3</pt></shape>{keys}</block>"""


def riding(folder, ground, dt=0.005, rise=0.0, x=0.0, yaw=0.0, physics='physical'):
    """Return a robot on ground that moves by these from 1 s to 3 s."""
    z = 1.5
    file = folder / 'lift.world.xml'
    file.write_text(WORLD.format(dt=dt, z=z, ground=ground.format(
        z=z, keys=KEYS.format(rise=rise, x=x, yaw=yaw))))
    simulation = Simulation(load_world(file), physics=physics)
    simulation.set_noise(False)
    return simulation


@pytest.mark.parametrize('way', [1.0, -1.0], ids=['up', 'down'])
@pytest.mark.parametrize('ground', [FLOOR, BLOCK], ids=['floor', 'block'])
def test_a_robot_on_a_lift_feels_and_tells_that_it_moves(tmp_path, ground, way, dt):
    """At 0.5 m/s: its velocity, that of GNSS, and what its accelerometer makes of it."""
    simulation = riding(tmp_path, ground, dt, 2.0 * way * RATE)
    robot = simulation.vehicles['r']
    felt, gained = 0.0, []
    for k in range(round(4.0 / dt)):
        for observation in simulation.step():
            if observation.sensor == 'r/imu':
                felt += dt * (observation.linear_acceleration[2] - G)
        if k in (round(0.5 / dt), round(2.0 / dt), round(3.5 / dt)):
            gained.append(felt)
            velocity = simulation.measure('r/gnss').velocity
            expected = way * RATE if len(gained) == 2 else 0.0
            assert robot.twist_in_space[:3] == pytest.approx([0, 0, expected], abs=1e-4)
            # it swings a little on its caster where the lift starts and stops
            assert robot.twist_in_space[3:] == pytest.approx(np.zeros(3), abs=5e-3)
            assert velocity[2] == pytest.approx(expected, abs=1e-6)
        assert abs(robot.pose.z - 1.5 - way * RATE * min(max(simulation.time - 1, 0), 2)
                   ) < 1.001 * RATE * dt  # it never hops
    if dt < 0.011:  # else it is sampled too seldom
        assert gained == pytest.approx([0.0, way * RATE, 0.0], abs=5e-5)


def test_a_snapshot_on_a_lift_goes_on_as_it_was(tmp_path):
    simulation = riding(tmp_path, FLOOR, rise=-1.0)
    robot = simulation.vehicles['r']
    simulation.run(2.0)
    state = simulation.snapshot()
    ends = []
    for _ in range(2):
        assert robot.twist_in_space[2] == pytest.approx(-RATE)
        simulation.run(0.1)
        ends.append((*robot.twist_in_space, robot.pose.z))
        simulation.restore(state)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(('x', 'yaw'), [(4.0, 0.0), (0.0, 90.0)], ids=['sideways', 'turning'])
def test_a_floor_that_slides_is_warned_about_in_mode_mvsim(tmp_path, caplog, x, yaw):
    """It takes nothing along in plan there."""
    with caplog.at_level(logging.WARNING):
        simulation = riding(tmp_path, FLOOR, x=x, yaw=yaw, physics='mvsim')
    assert 'it carries objects only up and down' in caplog.text
    simulation.run(2.0)
    assert np.abs(simulation.vehicles['r'].twist_body).max() < 1e-9
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        riding(tmp_path, FLOOR, rise=1.0, physics='mvsim')
    assert 'in plan' not in caplog.text


SPEED, TURN = 2.0, math.radians(45.0)  # m/s, rad/s: of the keyframes from 1 s to 3 s


@pytest.mark.parametrize('ground', [FLOOR, BLOCK], ids=['floor', 'block'])
def test_a_ferry_takes_a_robot_along(tmp_path, ground, dt):
    """
    By 4 m within 2 s: it slides until it has the speed, and slides on where that ends.

    :claim: A moving platform carries the objects on it, apart from the sliding that friction
        allows
    :reference: v^2 / (2 mu g) of sliding at either end
    """
    simulation = riding(tmp_path, ground, dt, x=2.0 * SPEED)
    robot, start = simulation.vehicles['r'], 1.0
    simulation.run(2.5)
    slides = SPEED ** 2 / (2.0 * 0.5 * 9.81)
    assert robot.twist_in_space[0] == pytest.approx(SPEED, abs=1e-3)
    assert start + 1.5 * SPEED - slides < robot.pose.x <= start + 1.5 * SPEED + 1e-3
    simulation.run(2.5)
    assert robot.twist_in_space[0] == pytest.approx(0.0, abs=1e-3)
    assert robot.pose.x == pytest.approx(start + 2.0 * SPEED, abs=slides)
    assert abs(robot.pose.y) < 1e-3


def test_a_turntable_takes_a_robot_around(tmp_path, dt):
    """By 90 degrees within 2 s, 1 m from its middle: slowly enough to hold by friction."""
    simulation = riding(tmp_path, FLOOR, dt, yaw=90.0)
    robot = simulation.vehicles['r']
    simulation.run(2.5)
    assert robot.twist_in_space[5] == pytest.approx(TURN, abs=0.01)
    simulation.run(2.5)
    assert np.hypot(robot.pose.x, robot.pose.y) == pytest.approx(1.0, abs=0.05)
    assert math.atan2(robot.pose.y, robot.pose.x) == pytest.approx(math.pi / 2.0, abs=0.06)
    assert robot.pose.yaw == pytest.approx(math.pi / 2.0, abs=0.06)
    assert np.abs(robot.twist_in_space).max() < 2e-3

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""PIDs in mode physical: the same motion at every step, and what cannot work is said."""

from dataclasses import replace
import logging

import numpy as np
import pytest

from mvsim_ros2.physics.controllers.pid import pid_step
from mvsim_ros2.physics.state.record_layout import PID
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec import (
    FrontSteerPidController, TwistFrontSteerPidController, TwistPidController)

STEPS = (0.001, 0.005, 0.01, 0.02)
SHIPPED = """<mvsim_world version="1.0">
<include file="{worlds}/vehicles/{name}.vehicle.xml" controller="twist_pid"
    default_sensors="false"/>
<vehicle name="r1" class="{name}"><init_pose>0 0 0</init_pose></vehicle>
</mvsim_world>"""
CAR = """<mvsim_world version="1.0"><vehicle name="r1"><init_pose>0 0 0</init_pose>
<dynamics class="{kind}">
    <rl_wheel pos="0 1" mass="6" width="0.3" diameter="0.62"/>
    <rr_wheel pos="0 -1" mass="6" width="0.3" diameter="0.62"/>
    <fl_wheel mass="6" width="0.3" diameter="0.62"/>
    <fr_wheel mass="6" width="0.3" diameter="0.62"/>
    <f_wheels_x>1.5</f_wheels_x> <f_wheels_d>2</f_wheels_d>
    <chassis mass="500" zmin="0.3" zmax="1"/> {drivetrain}
    <controller class="twist_front_steer_pid">
        <KP>3000</KP> <KI>10</KI> <max_torque>3000</max_torque>
    </controller>
</dynamics></vehicle></mvsim_world>"""


def driven(world, dt, v, w, seconds):
    """Return a simulation in which `r1` has followed a twist."""
    simulation = Simulation(replace(world, simul_timestep=dt), sensors=False)
    simulation.vehicles['r1'].set_twist(v, w)
    simulation.run(seconds)
    return simulation


@pytest.mark.parametrize(('name', 'told', 'least'), [
    ('tracked', (0.0, 0.8), (0.0, 0.6)), ('tracked', (0.5, 0.4), (0.495, 0.28)),
    ('burger', (0.2, 0.0), (0.198, 0.0)), ('burger', (0.2, 1.0), (0.198, 0.99)),
    ('four_wheels', (0.0, 0.8), (0.0, 0.5)), ('mecanum', (0.5, 0.5), (0.495, 0.495)),
    ('small_robot', (0.5, 0.5), (0.495, 0.495))])
def test_shipped_vehicles_drive_alike_at_every_step(tmp_path, project, name, told, least):
    """
    Speed and yaw rate are within 3 % of each other, and what the tyres let them be.

    :claim: Five shipped vehicles drive equally, within 3 %, at steps of 1 to 20 ms
    :reference: each other
    :figure: images/physics_circles.png
    """
    file = tmp_path / 'a.world.xml'
    file.write_text(SHIPPED.format(worlds=project / 'worlds', name=name))
    world = load_world(file)
    twists = [driven(world, dt, *told, 4.0).vehicles['r1'].twist_body[[0, 2]] for dt in STEPS]
    assert np.allclose(twists, twists[0], rtol=0.03, atol=2e-3)
    assert (np.array(least) <= np.array(twists) + 1e-4).all()
    assert (np.array(twists) <= 1.01 * np.array(told) + 1e-3).all()


@pytest.mark.parametrize(('kind', 'drivetrain'), [
    ('ackermann', ''), ('ackermann_drivetrain', '<drivetrain type="open_front"/>'),
    ('ackermann_drivetrain', '<drivetrain type="torsen_4wd"/>')])
def test_a_strong_controller_does_not_spin_a_car(tmp_path, kind, drivetrain):
    """More torque than the tyres hold: the wheels turn as told, and the car comes after."""
    file = tmp_path / 'a.world.xml'
    file.write_text(CAR.format(kind=kind, drivetrain=drivetrain))
    world = load_world(file)
    places = []
    for dt in STEPS:
        simulation = driven(world, dt, 5.0, 0.5, 2.0)
        wheels = simulation.vehicles['r1'].wheels
        assert np.abs(wheels['omega'] * wheels['radius']).max() < 12.0
        simulation.run(6.0)
        twist = simulation.vehicles['r1'].twist_body
        assert twist[[0, 2]] == pytest.approx((5.0, 0.5), rel=0.02)
        pose = simulation.vehicles['r1'].pose
        places.append((pose.x, pose.y))
    assert np.abs(np.subtract(places, places[0])).max() < 0.03 * 5.0 * 8.0


def test_a_wheel_without_ground_follows_its_command_in_a_step(lone, dt):
    """On ice nothing but its inertia is there: no oscillation, however light it is."""
    world = lone('diff2', 'pid', dt, mu=1e-6)
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(200)
    wheels = world.vehicles.wheels
    assert wheels['omega'] * wheels['radius'] == pytest.approx(np.full(2, 0.5), rel=0.03)
    assert np.abs(wheels['torque']).max() < 0.2


def test_the_integral_has_a_limit():
    state = np.zeros(1, PID)[0]
    for _ in range(30):
        output = pid_step(0.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.1, state)
    assert output == state['integral'] == 0.5
    for _ in range(30):
        pid_step(0.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.5, -1.0, 0.0, 0.0, 0.1, state)
    assert state['integral'] == -0.5


@pytest.mark.parametrize(('kind', 'controller'), [
    ('diff2', TwistPidController(KI=3.0, I_MAX=2.0)),
    ('ack', TwistFrontSteerPidController(KI=3.0, I_MAX=2.0)),
    ('ack', FrontSteerPidController(KI=3.0, I_MAX=2.0))])
def test_i_max_acts_in_mode_physical(vehicle, physics, kind, controller):
    robot = vehicle(kind)
    robot = replace(robot, dynamics=replace(robot.dynamics, controller=controller))
    for mode, most in (('physical', 2.0), ('mvsim', 0.0)):
        world = physics(robot, options={'mode': mode})
        assert world.vehicles.arrays.records['most_integral'].tolist() == [most]


@pytest.mark.parametrize(('kind', 'gains', 'message'), [
    ('diff2', {'KP': -1.0}, 'is driven away from its commands by a gain below 0'),
    ('diff2', {'KP': 0.0}, 'never moves with KP and KI of 0'),
    ('diff2', {'KP': 0.1, 'KI': 30.0}, 'swings about its commands, with a damping ratio of 0.0'),
    ('diff4', {'KP': 2.0}, 'turns on the spot only at commands above'),
    ('diff2', {'KP': 10.0, 'KI': 5.0}, None), ('diff4', {'KP': 10.0, 'KI': 5.0}, None)])
def test_gains_that_cannot_work_are_said(vehicle, physics, caplog, kind, gains, message):
    """With the remedy; in mode mvsim, which is as the original, nothing is said."""
    robot = vehicle(kind)
    robot = replace(robot, dynamics=replace(
        robot.dynamics, controller=TwistPidController(**gains)))
    with caplog.at_level(logging.WARNING):
        physics(robot, options={'mode': 'mvsim'})
    assert not caplog.messages
    with caplog.at_level(logging.WARNING):
        physics(robot, options={'mode': 'physical'})
    if message is None:
        assert not caplog.messages
        return
    (said,) = caplog.messages
    assert message in said and '`mvsim_ros2 tune WORLD r1` proposes gains' in said

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers and vehicles in mode physical: the same motion at every step."""

from dataclasses import replace
import logging
import math

import numpy as np
import pytest
from small_worlds import changed, physical, physics, run, tilt, vehicle, world_with

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.controllers.pid import pid_step
from mvsim_ros2.physics.state.record_layout import PID
from mvsim_ros2.physics.vehicle.steering import swivelled, turned_to
from mvsim_ros2.world.spec import (
    AnimationSpec, BakkerTyre, BlockSpec, ChassisSpec, ClayTyre, DefaultTyre, DifferentialSpec,
    DrivetrainSpec, FrontSteerPidController, Keyframe, LinearTyre, MagicFormulaTyre,
    PropertyRegionSpec, SandTyre, TwistFrontSteerPidController, TwistPidController, VehicleSpec,
    WheelSpec)


def test_a_small_robot_follows_its_commands(dt):
    """With the gains and the tyres of the original, 1 m/s is 1 m/s, and a turn a turn."""
    wheel = WheelSpec((0.0, 0.5, 0.0), mass=4.0, width=0.2, diameter=0.4)
    world = physical(VehicleSpec(
        'r1', friction=DefaultTyre(mu=0.7, C_damping=0.1, C_rr=0.01), dynamics=DifferentialSpec(
            chassis=ChassisSpec(mass=15.0, zmin=0.05, zmax=0.6), l_wheel=wheel,
            r_wheel=replace(wheel, pos=(0.0, -0.5, 0.0)),
            controller=TwistPidController(KP=4.1543, KI=1.9118, max_torque=14.44))), dt=dt)
    for v, w in ((1.0, 0.0), (0.5, 0.8), (-0.6, -0.4)):
        world.vehicles.set_twist(0, v, w)
        run(world, 25.0)
        assert world.vehicles.twist_body[0, [0, 2]] == pytest.approx([v, w], abs=0.01)
    world.vehicles.set_twist(0, 0.0, 0.0)
    run(world, 5.0)
    assert np.abs(world.vehicles.twist_body[0]).max() < 1e-9


@pytest.mark.parametrize('v, w', [(0.5, 0.5), (0.0, 1.0), (1.0, -0.4)],
                         ids=['arc', 'on the spot', 'bend'])
def test_acceptance_09_skid_steering_does_not_depend_on_the_step(v, w):
    """Yaw rates at 1, 5, 10 and 20 ms lie within 3 %; the original doubles its own."""
    rates = []
    for dt in (0.001, 0.005, 0.01, 0.02):
        world = world_with('diff4', 'pid', dt)
        world.vehicles.set_twist(0, v, w)
        run(world, 15.0)
        rates.append(abs(float(world.vehicles.twist_body[0, 2])))
    assert max(rates) < 1.03 * min(rates)
    assert 0.1 * abs(w) < min(rates) < abs(w)


def test_acceptance_17_yaw_chatter_comes_to_rest(dt):
    """A little yaw rate dies out; the original chatters for ever."""
    world = world_with('diff4', 'raw', dt, init_twist=(0.0, 0.0, math.radians(1.0)))
    run(world, 2.0)
    assert abs(world.vehicles.twist_body[0, 2]) < 1e-6


def test_a_caster_does_not_hinder_turning(dt):
    """A robot with a caster turns on the spot, and backs up, like one without."""
    world = world_with('diff3', 'pid', dt)
    for v, w in ((0.0, 1.0), (0.6, 0.6), (-0.6, 0.3)):
        world.vehicles.set_twist(0, v, w)
        run(world, 10.0)
        assert world.vehicles.twist_body[0, [0, 2]] == pytest.approx([v, w], abs=0.02)
        assert abs(world.vehicles.wheels['force_lat'][2]) == 0.0
    caster, twist = world.vehicles.wheels[2], world.vehicles.twist_body[0]
    pin = twist[0], twist[1] + twist[2] * caster['x']
    trail = 0.5 * caster['radius']
    steady = math.atan2(pin[1], pin[0]) - math.asin(
        0.3 * trail / math.hypot(*pin))  # sin(angle - course) = -w trail / U
    assert math.sin(caster['steer'] - steady) == pytest.approx(0.0, abs=0.02)
    assert math.cos(caster['steer'] - steady) > 0.0


@pytest.mark.parametrize('angle', [0.1, 1.5, 3.0, -2.0], ids=str)
def test_a_caster_swings_as_its_equation_says(angle):
    """One long step gives what the differential equation gives in 20000 short ones."""
    vx, vy, trail = 0.5, 0.2, 0.1
    short = angle
    for _ in range(20000):
        course = math.atan2(vy, vx)
        short += 1e-5 * (-math.hypot(vx, vy) / trail * math.sin(short - course))
    before = math.sin(angle), math.cos(angle)
    swung = swivelled(*before, vx, vy, 0.0, 1.0, trail, 0.2)
    assert swung == pytest.approx((math.sin(short), math.cos(short)), abs=1e-4)
    turned = swivelled(*before, 0.0, 0.0, math.sin(0.03), math.cos(0.03), trail, 0.1)
    assert turned == pytest.approx((math.sin(angle - 0.03), math.cos(angle - 0.03)), abs=1e-15)
    for after in swung, turned:
        assert turned_to(angle, *before, *after) == pytest.approx(math.atan2(*after), abs=1e-15)


@pytest.mark.skipif(np.finfo(np.longdouble).eps >= np.finfo(float).eps,
                    reason='no extended precision')
def test_a_caster_is_where_its_equation_says_to_the_last_digits():
    """``tan(off / 2)`` shrinks by ``exp(-U dt / trail)``: in extended precision by its angles."""
    random = np.random.default_rng(0)
    for _ in range(2000):
        numbers = (random.uniform(-math.pi, math.pi), *random.normal(
            size=2) * 10.0 ** random.uniform(-3.0, 1.0), random.normal(),
            random.uniform(0.01, 0.3), 0.005)
        angle, vx, vy, turn, trail, dt = map(np.longdouble, numbers)
        course = np.arctan2(vy, vx)
        angle = course - turn * dt + 2 * np.arctan(
            np.tan((angle - course) / 2) * np.exp(-np.hypot(vx, vy) * dt / trail))
        before, *pin, rate, length, step = map(float, numbers)
        start = math.sin(before), math.cos(before)
        found = swivelled(*start, *pin, math.sin(rate * step), math.cos(rate * step), length, step)
        assert max(abs(found[0] - np.sin(angle)), abs(found[1] - np.cos(angle))) < 2e-15
        error = abs(turned_to(before, *start, *found) - angle) % (8 * np.arctan(np.longdouble(1)))
        assert min(error, 8 * np.arctan(np.longdouble(1)) - error) < 2e-15


def test_ideal_is_ideal_and_pushes_nothing(dt):
    """The twist is the command, on any slope and tyre; the wheels roll along."""
    world = world_with('diff4', 'ideal', dt, mu=0.1)
    world.vehicles.set_twist(0, 1.5, 0.7, 0.2)
    run(world, 1.0)
    assert world.vehicles.twist_body[0] == pytest.approx([1.5, 0.2, 0.7], abs=1e-6)
    assert not world.vehicles.wheels['force_x'].any()
    assert world.vehicles.wheels['omega'][0] == pytest.approx((1.5 - 0.7 * 0.5) / 0.1, rel=1e-5)


@pytest.mark.parametrize('kind', ['diff2', 'diff3', 'diff4', 'ack', 'open_4wd', 'single', 'skid6',
                                  'chain6', 'tracked'])
def test_feedforward_carries_the_slope(kind):
    """Without any other gain it holds the speed uphill within 1 % for a second."""
    controller = 'twist_front' if kind in ('ack', 'open_4wd', 'single') else 'pid'
    spec = vehicle(kind, controller, friction=DefaultTyre(C_damping=0.0),
                   init_twist=(1.0, 0.0, 0.0))
    world = physical(changed(spec, controller=replace(
        spec.dynamics.controller, KP=0.0, KI=0.0, KD=0.0, max_torque=1e4,
        enable_feedforward=True, feedforward_gain=1.0)))
    tilt(world, math.radians(5))
    world.vehicles.set_twist(0, 1.0, 0.0)
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize('kind', ['open_rear', 'torsen_rear', 'torsen_tbr'])
def test_acceptance_14_a_launch_on_a_split_road(dt, kind):
    """
    The left wheels on ice: the right one drives with the share of its differential.

    Within 2 %, 4 % for the Torsen of the original, whose share still grows. The left wheel
    spins up and pushes with the friction of ice; odometry believes it.
    """
    spec = vehicle('open_rear', 'raw', friction=DefaultTyre(C_damping=0.0),
                   drivetrain=DrivetrainSpec(kind=kind.replace('tbr', 'rear'), torsen_tbr=(
                       3.0 if kind == 'torsen_tbr' else None)))
    world = physical(spec, dt=dt,
                     elements=(PropertyRegionSpec(property_name='friction_mu', value_double=0.05,
                                                  x_min=-99.0, x_max=99.0, y_min=0.5, y_max=9.0),))
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    record['turn_inertia'] = 1e9  # it keeps its course
    record['com_height'] = 0.0
    world.vehicles.set_torques(0, (400.0,))
    run(world, 0.5)
    first = world.vehicles.twist_body[0, 0]
    run(world, 0.5)
    radius = wheels['radius'][0]
    rolling = record['mass'] + 3.0 * wheels['inertia'][0] / radius ** 2
    force = 0.05 * wheels['normal_load'][0] + wheels['torque'][1] / radius
    gained = world.vehicles.twist_body[0, 0] - first
    assert gained == pytest.approx(
        0.5 * force / rolling, rel=0.04 if kind == 'torsen_rear' else 0.02)
    assert wheels['omega'][0] * radius > 5.0 * world.vehicles.twist_body[0, 0]
    assert world.odometry(0).twist[0] > 5.0 * world.vehicles.twist_body[0, 0]
    share = wheels['torque'][1] / 400.0
    assert share == pytest.approx({
        'open_rear': 0.5, 'torsen_tbr': 0.75, 'torsen_rear': 0.88}[kind], abs=0.03)


def test_an_animated_vehicle_moves_as_it_is_told():
    """Its wheels roll along and push nothing."""
    there = AnimationSpec(keys=(Keyframe(0.0, Pose()), Keyframe(4.0, Pose(2.0))))
    world = physical(vehicle('diff2', 'raw', animation=there))
    run(world, 2.0)
    assert world.vehicles.pose[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert not world.vehicles.wheels['force_x'].any()


@pytest.mark.parametrize('tyre', [pytest.param(kind(), id=kind.XML_CLASS) for kind in (
    LinearTyre, MagicFormulaTyre, BakkerTyre, ClayTyre, SandTyre)])
def test_a_tyre_of_the_other_mode_is_refused(tyre):
    """Mode mvsim says where the tyre stands and what to use."""
    with pytest.raises(
            PhysicsError, match=f"{tyre.source}.*'{tyre.XML_CLASS}'.*use mode 'physical'"):
        physics(vehicle('diff2', 'pid', friction=tyre), mode='mvsim')


def test_an_unknown_mode_is_refused():
    """The message lists both modes."""
    with pytest.raises(PhysicsError, match="'mvsim' or 'physical'"):
        physics(vehicle(), mode='exact')


def test_a_world_without_weight_is_refused():
    """Tyres need a load."""
    with pytest.raises(PhysicsError, match='gravity is 0'):
        physical(vehicle(), gravity=0.0)


@pytest.mark.parametrize('mode, kept', [('mvsim', math.exp(-0.1)), ('physical', 1.0)])
def test_the_chassis_is_damped_where_the_file_says_so(mode, kept):
    """Without a number there is damping in mode mvsim only."""
    for rate, expected in ((None, kept), (0.5, math.exp(-0.5))):
        world = physics(vehicle('diff2', 'raw', friction=DefaultTyre(mu=0.0), chassis={
            'linear_damping': rate}, init_twist=(1.0, 0.0, 0.0)), mode=mode)
        run(world, 1.0)
        assert world.vehicles.twist_body[0, 0] == pytest.approx(expected, rel=2e-3)


def test_an_ideal_vehicle_tells_how_it_moves(dt):
    """As told from the first step on, and not at all where a wall holds it."""
    wall = BlockSpec('wall', init_pose=Pose(4.0, 0.0), static=True)
    world = physical(vehicle('diff4', 'ideal'), blocks=(wall,), dt=dt)
    world.vehicles.set_twist(0, 1.0, 0.0)
    run(world, 2.0)
    assert world.vehicles.pose[0, 0] == pytest.approx(2.0, abs=1e-4)  # single precision
    assert world.vehicles.twist_body[0].tolist() == [1.0, 0.0, 0.0]
    run(world, 2.0)
    assert world.vehicles.pose[0, 0] < 3.5
    assert world.vehicles.twist_body[0] == pytest.approx(0.0, abs=0.02)
    world.vehicles.set_twist(0, -0.5, 0.8)
    run(world, 1.0)
    assert world.vehicles.twist_body[0] == pytest.approx((-0.5, 0.0, 0.8), abs=1e-6)


@pytest.mark.parametrize('v, w', [(0.5, 2.0), (-0.5, 2.0), (0.0, 1.0)],
                         ids=['ahead', 'back', 'on the spot'])
@pytest.mark.parametrize('rate', [None, 0.5], ids=['at once', 'taking time'])
def test_a_car_keeps_its_speed_where_it_cannot_turn_as_told(v, w, rate):
    """Turned by 0.5 rad at most: the rear axle goes at v, the yaw rate is `v tan(0.5) / L`."""
    world = world_with('ack', 'twist_front', max_steer_ang=0.5, steer_rate=rate)
    world.vehicles.set_twist(0, v, w)
    world.step(1200)
    ahead, _, turn = world.vehicles.twist_body[0]
    assert ahead == pytest.approx(v, rel=0.01, abs=1e-6)
    # towards the commanded side: backward the wheels point to the other one
    assert turn == pytest.approx(abs(v) * math.tan(0.5) / 1.3, rel=0.02, abs=1e-6)


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


def test_a_wheel_without_ground_follows_its_command_in_a_step(dt):
    """On ice nothing but its inertia is there: no oscillation, however light it is."""
    world = world_with('diff2', 'pid', dt, mu=1e-6)
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
def test_i_max_acts_in_mode_physical(kind, controller):
    robot = changed(vehicle(kind), controller=controller)
    for mode, most in (('physical', 2.0), ('mvsim', 0.0)):
        world = physics(robot, mode=mode)
        assert world.vehicles.arrays.records['most_integral'].tolist() == [most]


@pytest.mark.parametrize(('kind', 'gains', 'message'), [
    ('diff2', {'KP': -1.0}, 'is driven away from its commands by a gain below 0'),
    ('diff2', {'KP': 0.0}, 'never moves with KP and KI of 0'),
    ('diff2', {'KP': 0.1, 'KI': 30.0}, 'swings about its commands, with a damping ratio of 0.0'),
    ('diff4', {'KP': 2.0}, 'turns on the spot only at commands above'),
    ('diff2', {'KP': 10.0, 'KI': 5.0}, None), ('diff4', {'KP': 10.0, 'KI': 5.0}, None)])
def test_gains_that_cannot_work_are_said(caplog, kind, gains, message):
    """With the remedy; in mode mvsim, which is as the original, nothing is said."""
    robot = changed(vehicle(kind), controller=TwistPidController(**gains))
    with caplog.at_level(logging.WARNING):
        physics(robot, mode='mvsim')
    assert not caplog.messages
    with caplog.at_level(logging.WARNING):
        physical(robot)
    if message is None:
        assert not caplog.messages
        return
    (said,) = caplog.messages
    assert message in said and '`mvsim_ros2 tune WORLD r1` proposes gains' in said

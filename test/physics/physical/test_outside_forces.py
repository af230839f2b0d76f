# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that are pushed, held, towed, tipped or parked on slopes: at every step the same."""

import math

import numpy as np
import pytest
from small_worlds import physical, run, slope, tilt, vehicle, world_with
from test_movers import slider

from mvsim_ros2 import Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec, BrakesSpec, ClayTyre, DefaultTyre, MagicFormulaTyre

STEPS = [0.001, 0.005, 0.02]
ROBOT = """<include file="package://mvsim_ros2/worlds/vehicles/small_robot.vehicle.xml"
controller="{}"/><vehicle name="r" class="small_robot"><init_pose>0 0 0</init_pose><odometry
linear_std_noise="0" yaw_std_noise="0" yaw_drift_std_noise="0"/></vehicle>"""
CAR = """<vehicle:class name="car"><dynamics class="ackermann">
<rl_wheel pos="-1.3 0.7" mass="20" width="0.2" diameter="0.6"/>
<rr_wheel pos="-1.3 -0.7" mass="20" width="0.2" diameter="0.6"/>
<fl_wheel mass="20" width="0.2" diameter="0.6"/><fr_wheel mass="20" width="0.2" diameter="0.6"/>
<f_wheels_x>1.2</f_wheels_x><f_wheels_d>1.4</f_wheels_d>
<brakes torque="800" parking_torque="1500"/><chassis mass="1000" zmin="0.2" zmax="1.0">
<shape><pt>-2 -0.8</pt><pt>-2 0.8</pt><pt>2 0.8</pt><pt>2 -0.8</pt></shape></chassis>
<controller class="raw"/></dynamics><friction class="default"><mu>0.9</mu></friction>
</vehicle:class><vehicle:class name="trailer"><dynamics class="differential">
<l_wheel pos="0 0.7" mass="20" width="0.2" diameter="0.6"/>
<r_wheel pos="0 -0.7" mass="20" width="0.2" diameter="0.6"/>
<chassis mass="400" zmin="0.2" zmax="1.0">
<shape><pt>-1 -0.8</pt><pt>-1 0.8</pt><pt>1 0.8</pt><pt>1 -0.8</pt></shape></chassis>
<controller class="raw"/></dynamics><friction class="default"><mu>0.9</mu></friction>
</vehicle:class><vehicle name="car" class="car"><init_pose>0 0 0</init_pose></vehicle>"""
RISE = 10.0 * np.tan(np.radians(10.0))  # m a point
SLOPE = f"""<element class="elevation_map"><resolution>10</resolution><elevation_data_matrix>[{
    ';'.join(' '.join(f'{RISE * k:.9f}' for _ in range(5)) for k in range(-2, 3))
}]</elevation_data_matrix></element>"""


def simulated(folder, step, *parts):
    path = folder / 'pushed.world.xml'
    path.write_text(f'<mvsim_world><simul_timestep>{step}</simul_timestep>'
                    f'{"".join(parts)}</mvsim_world>')
    return Simulation.from_file(path)


def block(x, *tags):
    return f'<block name="b"><init_pose>{x} 0 0</init_pose>{"".join(tags)}</block>'


def test_a_robot_pushes_a_crate_as_fast_at_any_step(tmp_path):
    """It pushes with the friction of the crate, 0.4 * 20 kg * 9.81 m/s^2."""
    found = []
    for step in STEPS:
        simulation = simulated(tmp_path, step, ROBOT.format('twist_pid'), block(
            0.95, '<mass>20</mass><ground_friction>0.4</ground_friction>'))
        robot = simulation.vehicles['r']
        robot.set_twist(0.3, 0.0)
        simulation.run(5.0)
        at, told = robot.pose.x, robot.odometry.pose[0]
        simulation.run(4.0)
        found.append((robot.pose.x - at, robot.odometry.pose[0] - told,
                      robot.wheels['force_long'].sum()))
    for each in found[1:]:
        assert each == pytest.approx(found[0], rel=2e-3)
    assert found[0][2] == pytest.approx(0.4 * 20 * 9.81, rel=0.02)
    assert 1.005 < found[0][1] / found[0][0] < 1.04  # slip of the brush tyre at that force


@pytest.mark.parametrize('step', STEPS)
@pytest.mark.parametrize('controller', ['twist_pid', 'raw'])
def test_wheels_stand_before_a_wall(controller, step, tmp_path):
    simulation = simulated(tmp_path, step, ROBOT.format(controller), block(
        0.95, '<static>true</static>'))
    robot = simulation.vehicles['r']
    if controller == 'raw':
        robot.set_torques(5.0, 5.0)
    else:
        robot.set_twist(0.3, 0.0)
    simulation.run(5.0)
    at, told = robot.pose.x, robot.odometry.pose[0]
    simulation.run(3.0)
    assert robot.pose.x == pytest.approx(at, abs=1e-6)
    assert robot.odometry.pose[0] == pytest.approx(told, abs=1e-5)
    assert robot.wheels['force_long'].sum() > 40.0


@pytest.mark.parametrize('step', STEPS)
@pytest.mark.parametrize('springs', ['', ' tyre_stiffness="2e5" tyre_damping="2000"'])
def test_a_wall_does_not_rear_a_car_up(springs, step, tmp_path):
    """It pushes where the tyres do: the loads are those at rest, with springs and without."""
    wheels = CAR.replace('diameter="0.6"', f'diameter="0.6"{springs}').split(
        '<vehicle:class name="trailer">')[0]
    simulation = simulated(tmp_path, step, wheels, '<vehicle name="car" class="car"><init_pose>'
                           '0 0 0</init_pose></vehicle>', block(2.6, '<static>true</static>'))
    car = simulation.vehicles['car']
    simulation.run(1.0)
    rest = car.wheels['normal_load'].copy()
    car.set_torques(500.0, 500.0)
    simulation.run(5.0)
    assert car.wheels['force_long'].sum() > 3000.0
    assert car.wheels['normal_load'] == pytest.approx(rest, rel=0.02)
    assert abs(car.pose.pitch) < 2e-3


@pytest.mark.parametrize('step', STEPS)
def test_a_parked_car_holds_its_trailer_on_a_slope(step, tmp_path):
    """Joints without a height, 10 degrees."""
    simulation = simulated(
        tmp_path, step, SLOPE, CAR,
        '<vehicle name="t" class="trailer"><init_pose>-4 0 0</init_pose></vehicle>'
        '<joint type="revolute" body_a="car" body_b="t" anchor_a="-2.2 0" anchor_b="1.8 0"/>')
    car = simulation.vehicles['car']
    car.set_parking_brake(1.0)
    simulation.run(3.0)
    assert car.pose.pitch == pytest.approx(-np.radians(10.0), abs=1e-3)
    at = car.pose.x
    simulation.run(4.0)
    assert car.pose.x == pytest.approx(at, abs=1e-6)


def test_a_damped_robot_slips_no_more_at_a_longer_step(tmp_path):
    """Damping of 3 / s at 1 m/s takes three times its mass of 26 kg [N]."""
    found = []
    for step in STEPS:
        simulation = simulated(
            tmp_path, step, '<vehicle name="r"><init_pose>0 0 0</init_pose>'
            '<dynamics class="differential"><l_wheel pos="0 0.3" mass="2" diameter="0.3"/>'
            '<r_wheel pos="0 -0.3" mass="2" diameter="0.3"/>'
            '<chassis mass="20" linear_damping="3" angular_damping="3"/><controller '
            'class="twist_pid"><KP>100</KP><KI>300</KI></controller></dynamics></vehicle>')
        robot = simulation.vehicles['r']
        robot.set_twist(1.0, 0.5)
        simulation.run(6.0)
        found.append((*robot.twist_in_plan, robot.wheels['force_long'].sum()))
    for each in found[1:]:
        assert each == pytest.approx(found[0], rel=2e-3, abs=5e-4)
    assert found[0][3] == pytest.approx(3.0 * found[0][0] * 24.0, rel=0.05)


def test_an_impact_is_over_when_it_is_over(tmp_path):
    """What hits a standing robot and stops moves it less than its tyres hold in a step."""
    simulation = simulated(
        tmp_path, 0.005, ROBOT.format('raw'), block(
            1.2, '<mass>1</mass><ground_friction>0</ground_friction>'
            '<init_vel>-2 0 0</init_vel>'))
    robot = simulation.vehicles['r']
    simulation.run(2.0)
    assert abs(robot.twist_in_space[0]) < 0.2
    record = simulation._physics.vehicles.arrays.records[0]
    assert [record[name] for name in ('shove_x', 'shove_y', 'shove_turn')] == [0.0, 0.0, 0.0]


def test_a_weak_motor_reaches_its_top_speed_at_any_step(tmp_path):
    """
    The top speed is where motor torque equals rolling resistance, at any step.

    What the motor can give goes by the spin before a step, so that it goes to and fro by more than
    rolling takes: means count.

    :reference: T (1 - w / w0) = C_rr m g R + C_damping w, for both wheels together
    """
    robot = (
        '<include file="package://mvsim_ros2/worlds/vehicles/turtlebot3_burger.vehicle.xml"/>'
        '<vehicle name="r" class="turtlebot3_burger"><init_pose>0 0 0</init_pose></vehicle>')
    found = []
    for step in (0.001, 0.005, 0.01):
        simulation = simulated(tmp_path, step, robot)
        burger = simulation.vehicles['r']
        burger.set_twist(0.25, 0.0)
        simulation.run(8.0)
        record, rows = simulation._physics.vehicles.arrays.records[0], []
        for _ in range(100):
            simulation.step(1)
            wheel = burger.wheels[0]
            rows.append((burger.twist_in_space[0], *(
                wheel[name] for name in ('torque', 'taken', 'omega'))))
        speed, torque, taken, omega = np.mean(rows, axis=0)
        found.append((speed, torque))
        assert torque == pytest.approx(taken, rel=0.01)
        assert omega / record['motor_speed'] == pytest.approx(
            1.0 - torque / (record['motor_torque'] * wheel['drive']), rel=5e-3)
    assert found[1] == pytest.approx(found[0], rel=5e-3)
    assert found[2] == pytest.approx(found[0], rel=5e-3)


G = 9.81


def parked(kind, torque, dt):
    """Return a world with a vehicle whose parking brakes are set."""
    return world_with(kind, 'raw', dt, brakes=BrakesSpec(parking_torque=torque, parked=True))


@pytest.mark.parametrize('kind', ['ack', 'single', 'tracked', 'skid6', 'diff4'])
def test_a_parking_brake_holds_on_a_slope(kind, dt):
    """For a minute on 15 degrees: the tyres give by less than 2 mm, then nothing moves."""
    world = parked(kind, 1e3, dt)
    tilt(world, math.radians(15))
    run(world, 5.0)
    there = world.vehicles.pose[0, :2].copy()
    assert np.abs(there).max() < 2e-3
    run(world, 55.0)
    assert world.vehicles.pose[0, :2] == pytest.approx(there, abs=1e-6)
    world.vehicles.set_parking_brake(0, False)
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] < -1.0


@pytest.mark.parametrize('kind', ['ack', 'diff4', 'single', 'tracked'])
@pytest.mark.parametrize('share, slides', [(0.8, True), (1.05, False)],
                         ids=['too weak', 'just strong enough'])
def test_a_weak_parking_brake_gives_way(kind, share, slides, dt):
    """Where its torque is less than M g sin R / n; it rolls by the difference, within 3 %."""
    climb = math.radians(10)
    probe = parked(kind, 1.0, dt)
    wheels, mass = probe.vehicles.wheels, float(probe.vehicles.arrays.records['mass'][0])
    needed = mass * G * math.sin(climb) / float((1.0 / wheels['radius']).sum())
    world = parked(kind, share * needed, dt)
    tilt(world, climb)
    run(world, 4.0)
    speed = -world.vehicles.twist_body[0, 0] / math.cos(climb)
    if not slides:
        assert abs(speed) < 1e-5
        return
    inert = mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    expected = 4.0 * (1.0 - share) * mass * G * math.sin(climb) / inert
    assert speed == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize('kind', ['ack', 'single'])
@pytest.mark.parametrize('tyre', [DefaultTyre(), MagicFormulaTyre(), ClayTyre()],
                         ids=['default', 'magic_formula', 'clay'])
def test_a_locked_wheel_that_is_let_go_soon_rolls(kind, tyre):
    """A tyre that slides is deflected no more than one about to: it does not fling its wheel."""
    world = physical(vehicle(kind, 'raw', friction=tyre, init_twist=(8.0, 0.0, 0.0)), dt=0.005)
    wheels, fastest = world.vehicles.wheels, 0.0
    wheels['brake'] = 1e5
    world.step(4)
    wheels['brake'] = 0.0
    for _ in range(60):
        world.step()
        speed = world.vehicles.twist_body[0, 0]
        fastest = max(fastest, float((wheels['omega'] * wheels['radius']).max()) - speed)
    assert fastest < 1.5
    assert wheels['omega'] * wheels['radius'] == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize('tyre', [DefaultTyre(mu=0.0), MagicFormulaTyre(D=0.0)],
                         ids=['default', 'magic_formula'])
def test_a_tyre_that_pushes_nothing_is_not_deflected(tyre):
    """Where it comes upon grip, or to the ground, it pushes off nothing."""
    world = physical(vehicle('ack', 'raw', friction=tyre, init_twist=(1.0, 0.5, 0.2)), dt=0.005)
    world.vehicles.wheels['omega'] *= -1.0
    world.step(10)
    assert not world.vehicles.wheels['slip_x'].any()
    assert not world.vehicles.wheels['slip_y'].any()


TRACK, HEIGHT = 1.0, 0.6  # m; of the four-wheeled robot, and its centre of mass


def tall(**changes):
    """Return a robot with a high centre of mass on tyres that do not slide."""
    return vehicle('diff4', 'raw', wheels={'mass': 1e-3}, chassis={
        'centre_of_mass': (0.0, 0.0, HEIGHT), 'zmin': 0.15, 'zmax': 1.0},
        **{'friction': DefaultTyre(mu=2.0, C_damping=0.0)} | changes)


@pytest.mark.parametrize('part', [0.98, 1.02])
def test_it_tips_over_on_a_side_slope(dt, part):
    """
    From tan a = t / (2 h) on, within 2 %.

    :claim: Vehicles tip over from tan a = track / (2 height), within 2 %
    :reference: closed form
    """
    rise = part * 0.5 * TRACK / HEIGHT
    world = physical(tall(), dt=dt, elements=(slope(0.0, rise),))
    world.step(round(4.0 / dt))
    assert bool(world.vehicles.arrays.records['tipped'][0]) is (part > 1.0)
    if part < 1.0:
        assert world.vehicles.pose[0, 5] == pytest.approx(math.atan(rise), abs=1e-3)


@pytest.mark.parametrize('part', [0.9, 1.8])
def test_it_tips_over_when_it_slides_sideways(part):
    """With a friction above t / (2 h), on level ground; and then it lies."""
    world = physical(tall(init_twist=(0.0, 8.0, 0.0), friction=DefaultTyre(
        mu=part * 0.5 * TRACK / HEIGHT)))
    world.step(600)
    tipped = bool(world.vehicles.arrays.records['tipped'][0])
    assert tipped is (part > 1.0)
    if tipped:
        assert abs(world.vehicles.pose[0, 5]) > 1.2
        assert world.vehicles.wheels['normal_load'].max() == 0.0
        assert np.hypot(*world.vehicles.twist_body[0, :2]) < 1e-3


@pytest.mark.parametrize('part', [0.9, 1.15])
def test_a_kerb_trips_what_slides_into_it(dt, part):
    """
    A kerb of 0.08 m against wheels of 0.1 m stops them sideways, and the ground carries them.

    With the centre of mass h over the ground and b beside the wheels the body leaves the impact
    turning about the point below them at the height k of the kerb: with the angular momentum
    there, ``w = m v (h - k) / (I + m (b^2 + (h - k)^2))``. It rolls over where that energy lifts
    its centre of mass above the edge of the kerb.

    :claim: A vehicle that slides sideways into a kerb trips, with a roll rate right within 3 % and
        the effect of gravity in two steps. The speed of a roll-over is right within 10 to 15 %
    :reference: angular momentum about the contacts
    """
    height, kerb, beside = 0.6, 0.08, 0.5
    mass = slider(0.0).dynamics.chassis.mass
    inertia = mass / 12.0 * (0.9 ** 2 + 0.9 ** 2)
    over = inertia + mass * (beside ** 2 + (height - kerb) ** 2)
    rise = kerb + math.hypot(beside, height - kerb) - height
    speed = part * math.sqrt(2.0 * G * rise * over / mass) / (height - kerb)
    world = physical(slider(speed), dt=dt, blocks=(
        BlockSpec('kerb', init_pose=Pose(0.0, 1.0), static=True, skip_elevation_adjust=True,
                  zmax=kerb, shape=((-9.0, 0.0), (9.0, 0.0), (9.0, 5.0), (-9.0, 5.0))),))
    record, rates = world.vehicles.arrays.records[0], []
    while len(rates) < 0.6 / dt:
        world.step()
        rates.append(-float(record['w_x']))
    turned = mass * speed * (height - kerb) / over
    assert max(rates) == pytest.approx(
        turned, abs=0.03 * turned + 2.0 * dt * mass * G * beside / over)
    world.step(round(2.5 / dt))
    assert abs(world.vehicles.pose[0, 5]) > 1.2 if part > 1.0 else (
        abs(world.vehicles.pose[0, 5]) < 0.1)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles against what other simulators give: tables recorded from their releases.

`test/references/commonroad_vehicle_models_3.0.2.csv`: single-track drift (std) and multi-body (mb)
model of the package commonroad-vehicle-models 3.0.2, integrated by LSODA to 1e-6;
`slipx_0.2.0.csv`: levels 1 and 2 of the package slipx 0.2.0, steps of 1 ms, with an open
differential, and level 2 of its reference car, whose rear axle is a spool. Each row is where the
vehicle is at the end.
"""

from collections.abc import Callable
import csv
import math
from pathlib import Path
from typing import NamedTuple

import pytest

from mvsim_ros2 import load_world, Simulation

ROOT = Path(__file__).resolve().parents[2]
STEP = 0.005
WHEEL = 0.344  # m, radius
MASS = {1: 1225.888, 2: 1093.295, 3: 1478.898}  # kg


class Manoeuvre(NamedTuple):
    """What a driver does, from straight ahead."""

    speed: float  # m/s at the start
    steering: Callable[[float], float]  # commanded angle [rad] by time [s]
    pull: float = 0.0  # commanded acceleration [m/s^2]
    seconds: float = 4.0


def bend(angle):
    """Return a step of the steering."""
    return lambda time: angle


def change(angle):
    """Return one to the left, back, and straight on."""
    return lambda time: angle if time < 1.0 - 1e-9 else -angle if time < 2.0 - 1e-9 else 0.0


def sine(time):
    """Return a steering to both sides once a second."""
    return 0.1 * math.sin(2.0 * math.pi * time)


ROADS = {
    'bend at 8': Manoeuvre(8.0, bend(0.03)), 'bend at 15': Manoeuvre(15.0, bend(0.03)),
    'bend at 25': Manoeuvre(25.0, bend(0.02)), 'lane change at 8': Manoeuvre(8.0, change(0.03)),
    'lane change at 15': Manoeuvre(15.0, change(0.03)),
    'brakes in a bend': Manoeuvre(15.0, bend(0.03), -2.0),
    'brakes hard in a bend': Manoeuvre(15.0, bend(0.05), -4.0, 2.5),
    'speeds up': Manoeuvre(8.0, bend(0.0), 2.0), 'brakes': Manoeuvre(15.0, bend(0.0), -4.0, 2.5),
    'speeds up in a bend': Manoeuvre(8.0, bend(0.04), 2.0),
    'limit of grip': Manoeuvre(15.0, bend(0.10)), 'sharp bend': Manoeuvre(12.0, bend(0.2))}
SMALL = {
    'bend at 2': Manoeuvre(2.0, bend(0.1)), 'bend at 3': Manoeuvre(3.0, bend(0.1)),
    'bend at 5': Manoeuvre(5.0, bend(0.08)), 'lane change': Manoeuvre(3.0, change(0.08)),
    'hard bend': Manoeuvre(5.0, bend(0.12)), 'limit of grip': Manoeuvre(5.0, bend(0.2)),
    'straight': Manoeuvre(3.0, bend(0.0)), 'wide bend at 5': Manoeuvre(5.0, bend(0.05)),
    'step at 5': Manoeuvre(5.0, bend(0.1)), 'sine at 3': Manoeuvre(3.0, sine),
    'sine at 5': Manoeuvre(5.0, sine)}
BEYOND = ('limit of grip', 'sharp bend')  # 0.75 and 1 g asked for


def table(name):
    """Return the rows of a reference."""
    with (ROOT / 'test/references' / name).open() as file:
        return list(csv.DictReader(file))


COMMONROAD = table('commonroad_vehicle_models_3.0.2.csv')
SLIPX = table('slipx_0.2.0.csv')


def from_row(simulation, row):
    """Return distance [m] and turn [rad] from where the reference ends."""
    pose = simulation.vehicles['r'].pose
    turned = pose.yaw - float(row['yaw'])
    return (math.hypot(pose.x - float(row['x']), pose.y - float(row['y'])),
            abs(math.remainder(turned, 2.0 * math.pi)))


def driven(folder, number, kind, does):
    """Return a CommonRoad vehicle at the end of a manoeuvre, pulled and braked by torques."""
    file = folder / 'road.world.xml'
    file.write_text(
        f'<mvsim_world version="1.0"> <simul_timestep>{STEP}</simul_timestep>'
        f'<include file="{ROOT}/worlds/vehicles/commonroad_{number}.vehicle.xml" '
        f'controller="raw"/><vehicle name="r" class="commonroad_{number}{kind}"> '
        f'<init_pose>0 0 0</init_pose> <init_vel>{does.speed} 0 0</init_vel> '
        '</vehicle></mvsim_world>')
    simulation = Simulation(load_world(file, strict=True))
    vehicle = simulation.vehicles['r']
    torque = MASS[number] * WHEEL * does.pull
    if torque < 0.0:
        most = len(vehicle.wheels) * vehicle.spec.dynamics.brakes.torque
        vehicle.set_brake(-torque / most)
    for step in range(round(does.seconds / STEP)):
        vehicle.set_torques(max(torque, 0.0), steering=does.steering(STEP * step))
        simulation.step()
    return simulation


def bounds(row):
    """Return the largest distance over the way, and the largest turn [rad]."""
    manoeuvre = row['manoeuvre']
    if manoeuvre.startswith('brakes') and manoeuvre.endswith('bend'):
        return 0.03, 0.06
    if manoeuvre in BEYOND:  # camber, the shift of tyres and the roll of axles are missing here
        return (0.09, 0.1) if manoeuvre == 'sharp bend' else (0.05, 0.03)
    return 0.01, 0.02


@pytest.mark.parametrize('row', [
    pytest.param(row, id=f'{row["model"]} {row["vehicle"]} {row["manoeuvre"]}')
    for row in COMMONROAD if row['model'] == 'mb' or row['manoeuvre'] not in BEYOND])
def test_acceptance_commonroad_models(tmp_path, row):
    """
    Within 1 % of the way and 0.02 rad, braking in a bend 3 %.

    Single tracks against the drift model, which has no limit of grip as they have: its loads
    follow the commanded acceleration, not the true one. Full vehicles against the multi-body
    model, beyond their grip too, where they end within 9 %.

    :claim: Cars drive as CommonRoad's models within 1 % of the path, 3 % when braking in a bend
        and 9 % beyond the limit of grip
    :reference: commonroad-vehicle-models 3.0.2: drift model for single tracks, multi-body model
        for full vehicles
    """
    does = ROADS[row['manoeuvre']]
    simulation = driven(
        tmp_path, int(row['vehicle']), '_single' if row['model'] == 'std' else '', does)
    way = does.speed * does.seconds + 0.5 * does.pull * does.seconds ** 2
    away, turned = from_row(simulation, row)
    most_away, most_turned = bounds(row)
    assert away < most_away * way
    assert turned < most_turned


LOAD = 3.5 * 9.81 / 4.0  # N, of a tyre
TYRES = {
    '1': '<friction class="linear"> <C_alpha>210</C_alpha> <C_s>210</C_s> <mu>1.1</mu> '
         '<relaxation_length>0.002</relaxation_length>',
    '2': f'<friction class="magic_formula"> <B>{120.0 / (1.68 * 1.2 * LOAD)}</B> <C>1.68</C> '
         '<D>1.2</D> <E>0.42</E> <lateral>ellipse</lateral> '
         f'<B_y>{210.0 / (1.68 * 1.1 * LOAD)}</B_y> <D_y>1.1</D_y> '
         '<relaxation_length>0.08</relaxation_length>',
    # along it is straight up to its limit
    'spool': f'<friction class="magic_formula"> <B>{120.0 / (1.05 * LOAD)}</B> <C>1</C> '
             '<D>1.05</D> <E>-1.5</E> <lateral>ellipse</lateral> <C_y>1.68</C_y> <E_y>0.42</E_y> '
             f'<B_y>{210.0 / (1.68 * 1.1 * LOAD)}</B_y> <D_y>1.1</D_y> '
             '<relaxation_length>0.045</relaxation_length>'}
_ACTUATOR = '<steer_rate_deg>573</steer_rate_deg> <steer_lag>0.0311</steer_lag>'
SERVO = {'1': '', '2': _ACTUATOR, 'spool': _ACTUATOR}
HEIGHT = {'1': 0.0, '2': 0.06, 'spool': 0.06}  # m, of the centre of mass; 1 moves no loads
AXLE = {'1': 'open_rear', '2': 'open_rear', 'spool': 'locked_rear'}
# m and rad; SlipX shortens forces along and across only beyond the ellipse, here they share the
# slip: 0.3 m of a step at 5 m/s, and its friction falls with load: 0.1 m
AWAY, TURNED = {'spool': 0.15, 'step at 5': 0.8}, {'step at 5': 0.16}


def reference_car(level, speed):
    """Return a world with the reference car of SlipX: 3.5 kg, axles 0.16 m from the middle."""
    wheel = 'mass="0.1" width="0.04" diameter="0.1" inertia="1e-5"'
    height = (3.5 * HEIGHT[level] - 0.4 * 0.05) / 3.1
    return f"""<mvsim_world version="1.0"> <simul_timestep>{STEP}</simul_timestep>
    <vehicle name="r"> <init_pose>0 0 0</init_pose> <init_vel>{speed} 0 0</init_vel>
        <dynamics class="ackermann_drivetrain">
            <rl_wheel pos="-0.16 0.12" {wheel}/> <rr_wheel pos="-0.16 -0.12" {wheel}/>
            <fl_wheel {wheel}/> <fr_wheel {wheel}/>
            <f_wheels_x>0.16</f_wheels_x> <f_wheels_d>0.24</f_wheels_d> <ackermann>0</ackermann>
            <max_steer_ang_deg>22.9</max_steer_ang_deg> {SERVO[level]}
            <chassis mass="3.1" zmin="0.03" zmax="0.12" centre_of_mass="0 0 {height}"
                     yaw_inertia="0.05" load_transfer_lag="0">
                <shape> <pt>-0.27 0.15</pt> <pt>0.27 0.15</pt> <pt>0.27 -0.15</pt>
                        <pt>-0.27 -0.15</pt> </shape>
            </chassis>
            <drivetrain type="{AXLE[level]}"/> <controller class="raw"/>
            <aerodynamics drag_area="0.02449"/>
        </dynamics>
        {TYRES[level]} <C_damping>0</C_damping> <C_rr>0.015</C_rr> </friction>
    </vehicle> </mvsim_world>"""


@pytest.mark.parametrize('row', [
    pytest.param(row, id=f'level {row["level"]} {row["manoeuvre"]}') for row in SLIPX])
def test_acceptance_slipx(tmp_path, row):
    """
    Three seconds: within 0.2 m and 0.05 rad, at the limit of grip too; on a spool at 5 m/s 0.8 m.

    With an open differential in place of the spool that step ends 3.3 m and 0.76 rad away.

    :claim: Slipping vehicles end within 0.2 m of SlipX's after 3 s; with a locked axle in a hard
        bend within 0.8 m
    :reference: slipx 0.2.0
    """
    does = SMALL[row['manoeuvre']]
    file = tmp_path / 'car.world.xml'
    file.write_text(reference_car(row['level'], does.speed))
    simulation = Simulation(load_world(file, strict=True))
    vehicle = simulation.vehicles['r']
    for step in range(round(3.0 / STEP)):
        pull = 4.0 * (does.speed - float(vehicle.twist_body[0]))  # m/s^2
        vehicle.set_torques(3.5 * pull * 0.05, steering=does.steering(STEP * step))
        simulation.step()
    away, turned = from_row(simulation, row)
    assert away < AWAY.get(row['manoeuvre'], AWAY.get(row['level'], 0.2))
    assert turned < TURNED.get(row['manoeuvre'], 0.05)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('share', [0.0, 0.5, 1.0])
def test_share_of_the_ackermann_geometry(tmp_path, share, mode):
    """Front wheels at `cot(angle) -+ share track / 2 base`, with and without an actuator."""
    for servo in SERVO.values():
        file = tmp_path / 'car.world.xml'
        text = reference_car('1', 0.0).replace(
            '<ackermann>0</ackermann>', f'<ackermann>{share}</ackermann> {servo}')
        for physical in ('<relaxation_length>0.002</relaxation_length>', 'load_transfer_lag="0"',
                         '<aerodynamics drag_area="0.02449"/>', '<C_alpha>210</C_alpha>',
                         '<C_s>210</C_s>'):
            text = text.replace(physical, '')
        file.write_text(text.replace('class="linear"', 'class="default"'))
        simulation = Simulation(load_world(file, strict=True), physics=mode)
        vehicle = simulation.vehicles['r']
        vehicle.set_torques(0.0, steering=0.3)
        simulation.run(1.0)
        left, right = vehicle.wheels['steer'][2:]
        for angle, sign in ((left, -1.0), (right, 1.0)):
            assert 1.0 / math.tan(angle) == pytest.approx(
                1.0 / math.tan(0.3) + sign * share * 0.24 / 0.64, rel=1e-4)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles as rigid bodies in flight and over one axle, against equations of motion of their own.

The references integrate a rigid body in the plane with the method of Runge and Kutta: attitude
and place of its centre of mass, with its wheels without mass.
"""

from collections.abc import Callable
import math
from typing import Any

import numpy as np
import pytest
from small_worlds import changed, physical, vehicle
from test_free_body import coasting, light, stage

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import DefaultTyre
from mvsim_ros2.world.spec.outlines import rectangle

G = 9.81
HEIGHT, SPEED = 0.8, 1.5  # m, m/s: of the table
Rates = Callable[[Any], Any]


def integrated(rates, state, until, step=1e-4):
    """Return the state at which a condition holds first, and the time of that [s]."""
    state, time = np.asarray(state, float), 0.0
    while not until(state):
        a = rates(state)
        b = rates(state + 0.5 * step * a)
        c = rates(state + 0.5 * step * b)
        state = state + step / 6.0 * (a + 2.0 * b + 2.0 * c + rates(state + step * c))
        time += step
    return state, time


def over_the_edge(world, speed=SPEED):
    """
    Return pitch, pitch rate, time and fall of the centre of mass as the rear wheels leave a table.

    From when the front wheels are past its edge. The rear hub, at the angles q of the body, is
    l behind and e below the centre of mass; its wheels roll freely, so that the centre of mass
    keeps its speed ahead: ``(I + m s^2) q'' + m s s' q' = m g s`` with the lever
    ``s = l cos q + e sin q`` and its rate ``s' = (e cos q - l sin q) q'``.
    """
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    mass, inertia = float(record['mass']), float(record['pitch_inertia'])
    radius, rear, front = float(wheels['radius'][0]), *wheels['x'][[0, 2]].tolist()
    back, up = float(record['com_x']) - rear, float(record['com_height']) - radius

    def hub(pitch):
        return back * math.cos(pitch) + up * math.sin(pitch)

    def rates(state):
        pitch, rate, _ = state
        lever = hub(pitch)
        turn = up * math.cos(pitch) - back * math.sin(pitch)
        return np.array((rate, mass * lever * (G - turn * rate * rate)
                         / (inertia + mass * lever * lever), speed))

    # the rear hub is behind the edge by the wheelbase, less what the body turns
    (pitch, rate, _), time = integrated(
        rates, (0.0, 0.0, 0.0), lambda s: s[2] - hub(s[0]) + back >= front - rear)
    fall = back * math.sin(pitch) + up * (1.0 - math.cos(pitch))
    return pitch, rate, time, fall


def lands(world, pitch, rate, height, climb):
    """
    Return the pitch at which the first corner of a flying robot is at the ground [rad].

    :param height: of its centre of mass [m]; climb its rate [m/s].
    """
    record = world.vehicles.arrays.records[0]
    up, half = float(record['com_height']), float(record['box_half_x'])
    corners = [(x, z - up) for x in (-half, half)
               for z in (float(record['box_low']), float(record['box_high']))]

    def lowest(at):
        angle = pitch + rate * at
        return height + climb * at - 0.5 * G * at * at + min(
            z * math.cos(angle) - x * math.sin(angle) for x, z in corners)
    at = 0.0
    while lowest(at) > 0.0:
        at += 1e-4
    return pitch + rate * at


def half_base(world):
    """Return how far rear wheels are behind the centre of mass [m]."""
    record = world.vehicles.arrays.records[0]
    return float(record['com_x'] - world.vehicles.wheels['x'][0])


def low_robot(dt, speed=SPEED, height=HEIGHT, base=0.3, half=0.18, top=0.2):
    """
    Return a world in which a low robot coasts to the edge of a table.

    :param base: its wheelbase; half of its length; height of its top.
    """
    robot = light(vehicle('diff4', 'raw', wheels={'diameter': 0.12}), 0.08)
    wheels = {f'{side}{end}_wheel': getattr(robot.dynamics, f'{side}{end}_wheel').at(x, y)
              for side, y in (('l', 0.15), ('r', -0.15))
              for end, x in (('r', -0.5 * base), ('f', 0.5 * base))}
    robot = changed(robot, {'zmax': top, 'shape': rectangle(-half, -0.12, half, 0.12)},
                    init_pose=Pose(0.0, 0.0, height), **wheels)
    return coasting(robot, speed, dt, stage(-9.0, 0.6, height))


@pytest.mark.parametrize('base', [0.2, 0.2937])  # the latter: 2.521 rad/s
def test_at_5_m_s_it_leaves_a_table_with_the_closed_form(dt, base):
    """
    While its front wheels are past the edge its weight turns it over the rear ones.

    For small angles it leaves with ``w = g l / (k^2 + l^2) b / v``: wheelbase b, l from the centre
    of mass to the rear axle, radius of gyration k. The table is 0.5 m high.
    """
    speed = 5.0
    world = low_robot(dt, speed, 0.5, base)
    record, lever = world.vehicles.arrays.records[0], half_base(world)
    gyration = float(record['pitch_inertia'] / record['mass'])
    closed = G * lever / (gyration + lever * lever) * base / speed
    _, rate, _, _ = over_the_edge(world, speed)
    assert rate == pytest.approx(closed, rel=0.03)
    world.step(round(0.26 / dt))
    assert not world.vehicles.wheels['touches'].any()
    assert not record['lies']
    assert record['w_y'] == pytest.approx(rate, rel=0.015 + 2.0 * dt)
    assert record['v_x'] == pytest.approx(speed, rel=0.01)


@pytest.mark.parametrize(('base', 'half', 'top', 'landing'), [
    (0.3, 0.18, 0.2, 3.20), (0.28, 0.15, 0.16, 3.40)])
def test_off_a_table_it_turns_a_somersault(dt, base, half, top, landing):
    """
    From 0.8 m at 1.5 m/s: its centre of mass falls on a parabola, its attitude turns evenly.

    Where its first corner lands follows from its last state in flight.

    :claim: A robot that falls off a table turns as a rigid body, within 1.5 % at 1 to 20 ms
    :reference: equation of motion over its rear wheels, then a parabola
    :figure: pictures/experiments/somersault.png
    """
    world = low_robot(dt, base=base, half=half, top=top)
    pitch, rate, time, fall = over_the_edge(world)
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    high = float(record['com_height'])
    lever = -half_base(world) * math.cos(pitch) - (
        high - float(wheels['radius'][0])) * math.sin(pitch)
    closed = lands(world, pitch, rate, HEIGHT + high - fall, rate * lever)
    assert closed == pytest.approx(landing, abs=0.005)
    while wheels['touches'][2]:
        world.step()
    turned, rows = 0.0, []
    while not rows or not record['lies']:
        world.step()
        turned += dt * float(record['w_y'])
        if not wheels['touches'].any() and not record['lies']:
            rows.append([turned, *(float(record[name]) for name in (
                'w_y', 'centre_z', 'v_z', 'v_x'))])
    _, rates, heights, _, speeds = np.array(rows).T
    assert len(rows) * dt > 0.2
    assert np.ptp(rates) < 1e-6
    assert rates[0] == pytest.approx(rate, rel=0.015)
    assert np.ptp(speeds) < 1e-6
    assert speeds[0] == pytest.approx(SPEED, rel=0.02)
    assert np.diff(heights, 2) == pytest.approx(-G * dt * dt, rel=1e-6)
    assert lands(world, *rows[-1][:4]) == pytest.approx(closed, rel=0.015)


@pytest.mark.parametrize('way', [-1.0, 1.0], ids=['endo', 'wheelie'])
def test_it_rears_up_over_one_axle(dt, way):
    """
    Its front wheels brake, or its rear wheels drive, at 1.15 g l / h, with grip for it.

    About its contact that body turns by ``(I + m s^2) q'' = F z - m s (g - c q'^2)`` at the
    height z of its centre of mass, the lever s of that over the contact and its height c over
    the hub.

    :claim: A car that brakes too hard turns over its front axle as a rigid body, within 1 % and 3
        times the step
    :reference: equation of motion about the contact of the axle
    :figure: pictures/experiments/endo.png
    """
    chassis = {'mass': 1000.0, 'centre_of_mass': (0.65, 0.0, 0.9), 'load_transfer_lag': 0.0}
    car = light(vehicle('open_front' if way < 0.0 else 'open_rear', 'raw', chassis=chassis), 0.2)
    world = physical(changed(car, init_twist=(12.0, 0.0, 0.0),
                             friction=DefaultTyre(mu=8.0, C_damping=0.0)), dt=dt)
    record, radius = world.vehicles.arrays.records[0], float(world.vehicles.wheels['radius'][0])
    mass, inertia, height = (float(record[name]) for name in (
        'mass', 'pitch_inertia', 'com_height'))
    lever, up = 0.65, height - radius
    force = 1.15 * mass * G * lever / height

    def rates(state):
        angle, rate, _ = state
        across = lever * math.cos(angle) - up * math.sin(angle)
        above = lever * math.sin(angle) + up * math.cos(angle)
        return np.array((rate, (force * (radius + above) - mass * across * (
            G - above * rate * rate)) / (inertia + mass * across * across), 1.0))

    (angle, rate, _), _ = integrated(rates, (0.0, 0.0, 0.0), lambda state: state[2] >= 0.6)
    world.vehicles.set_torques(0, (way * force * radius,))
    world.step(round(0.6 / dt))
    assert -way * world.vehicles.pose[0, 4] == pytest.approx(angle, rel=0.01 + 3.0 * dt)
    assert -way * record['w_y'] == pytest.approx(rate, rel=0.01 + 3.0 * dt)


MU = 1.0


def pitches(mass, inertia, ahead, high, times):
    """
    Return the pitch of a body whose locked front wheels slide with friction MU, at some times.

    Lagrange's equation for the height of the centre of mass over the ground, ``z(q) = R + (h - R)
    cos q + l sin q``, with the normal force from ``m z'' = N - m g`` and the moment of it and of
    the friction about the centre of mass, ``I q'' = N (mu z - z')``; steps of 10 us.
    """
    radius = 0.1
    q, rate, found, step = 0.0, 0.0, [], 1e-5
    for k in range(round(times[-1] / step) + 1):
        if k * step > times[len(found)] - 0.5 * step:
            found.append(q)
            if len(found) == len(times):
                break
        z = radius + (high - radius) * math.cos(q) + ahead * math.sin(q)
        slope = ahead * math.cos(q) - (high - radius) * math.sin(q)
        turn = (MU * z - slope) / inertia
        force = mass * (G - (z - radius) * rate * rate) / (1.0 - mass * slope * turn)
        rate += step * force * turn
        q += step * rate
    return np.array(found)


def test_brakes_turn_a_vehicle_over_its_front_axle(dt):
    """
    The centre of mass is 15 % higher than what friction holds; a step later than exact at most.

    :claim: A vehicle that brakes so hard that its rear wheels lift turns about the front axle as a
        rigid body
    :reference: equation of motion of a body on a sliding axle
    """
    world = physical(vehicle('diff4', 'pid', friction=DefaultTyre(mu=MU, C_damping=0.0),
                             init_twist=(20.0, 0.0, 0.0)), dt=dt)
    record, wheels = world.vehicles.arrays.records[0:1], world.vehicles.wheels
    ahead = float(wheels['x'].max() - record['com_x'][0])
    record['stopped'], record['com_height'], record['load_keep'] = 100.0, 1.15 * ahead, 0.0
    wheels['omega'] = 0.0
    body = float(record['mass'][0]), float(record['pitch_inertia'][0]), ahead, 1.15 * ahead
    times = np.arange(1, 5) * 0.06
    found = []
    for _ in times:
        world.step(round(0.06 / dt))
        found.append(world.vehicles.pose[0, 4])
    assert np.allclose(wheels['normal_load'][:2], 0.0)
    assert np.all(np.array(found) < 1.02 * pitches(*body, times) + 2e-4)
    assert np.all(np.array(found) > 0.98 * pitches(*body, times - 1.5 * dt))

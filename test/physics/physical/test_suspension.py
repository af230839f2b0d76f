# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sprung bodies on suspensions, against closed forms and the modes of their matrices.

:claim: Sprung bodies bounce, pitch and roll at the frequencies of their springs within 2 %, and
    lean in bends and dive under braking within 1 %
:reference: modes of the matrices, closed forms
:figure: pictures/experiments/landing.png
"""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import changed, physical, vehicle

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.state.spatial_motion import vehicle_motion
from mvsim_ros2.world.spec import DefaultTyre

G = 9.81
SPRING, TYRE, BAR = 1.5e4, 1.5e5, 6e3  # N/m
FRONT = ('fl_wheel', 'fr_wheel')


def sprung(dt=0.005, damping=0.0, controller='raw', front=None, mu=0.8, height=0.6, **wheels):
    """Return a world with a car on suspensions; `front` are more fields of its front wheels."""
    car = vehicle(
        'ack', controller, friction=DefaultTyre(mu=mu, C_damping=0.0),
        chassis={'mass': 500.0, 'centre_of_mass': (0.65, 0.0, height)},
        wheels={'suspension_stiffness': SPRING, 'tyre_stiffness': TYRE,
                'suspension_damping': damping, **wheels})
    return physical(changed(car, **{
        name: replace(getattr(car.dynamics, name), **(front or {})) for name in FRONT}), dt=dt)


def sprung_moment(world):
    """Return sprung mass times the height of its centre [kg m]."""
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    return float(record['mass'] * record['com_height'] - wheels['mass'] @ wheels['radius'])


def toppling(world):
    """
    Return the moment of the weight about the contacts for a pitch and a roll of 1 [N m].

    A wheel leans with the body, but stays right above its contact where the body pitches.
    """
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    return (G * float(record['mass'] * (record['com_height'] - wheels['radius'][0])),
            G * sprung_moment(world))


def matrices(world):
    """Return mass and stiffness for heave, slant along, slant across, and the wheels' heights."""
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    count = len(wheels)
    mass = np.zeros((3 + count, 3 + count))
    mass[:3, :3] = np.diag([record[name] for name in ('mass', 'pitch_inertia', 'roll_inertia')])
    # tyres hold the ground aside: it rolls about the plane of the contacts
    mass[2, 2] += record['mass'] * record['com_height'] ** 2
    mass[2, 2] -= np.sum(wheels['mass'] * wheels['radius'] ** 2)
    stiffness = np.zeros_like(mass)
    stiffness[1, 1], stiffness[2, 2] = (-moment for moment in toppling(world))
    ways = []
    for k, wheel in enumerate(wheels):
        arm = np.array([1.0, wheel['x'] - record['com_x'], wheel['y'] - record['com_y']])
        mass[:3, :3] -= wheel['mass'] * np.outer(arm, arm)
        mass[3 + k, 3 + k] = wheel['mass']
        way = np.zeros(3 + count)
        way[:3], way[3 + k] = -arm, 1.0
        ways.append(way)
        stiffness += wheel['suspension_stiffness'] * np.outer(way, way)
        stiffness[3 + k, 3 + k] += wheel['tyre_stiffness']
    for k, wheel in enumerate(wheels):
        other = int(wheel['partner'])
        if other > k:
            twist = ways[k] - ways[other]
            stiffness += wheel['anti_roll_stiffness'] * np.outer(twist, twist)
    return mass, stiffness


def arms(world):
    """Return how much each wheel rises with heave and slants of the body."""
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    return np.column_stack([np.ones(len(wheels)), wheels['x'] - record['com_x'],
                            wheels['y'] - record['com_y']])


def place(world):
    """Return where body and wheels are."""
    record, (pitch, roll) = world.vehicles.arrays.records[0], world.vehicles.pose[0, 4:]
    body = np.array((record['centre_z'] - record['com_height'], -pitch, roll))
    return np.concatenate([body, arms(world) @ body + world.vehicles.wheels['travel']])


def rate(world):
    """Return how fast they move."""
    record = world.vehicles.arrays.records[0]
    body = np.array((record['v_z'], -record['w_y'], record['w_x']))
    return np.concatenate([body, arms(world) @ body + world.vehicles.wheels['travel_rate']])


def move(world, change):
    """Move body and wheels by a little."""
    record = world.vehicles.arrays.records[0]
    record['centre_z'] += change[0]
    record['q_y'] -= 0.5 * change[1]
    record['q_x'] += 0.5 * change[2]
    world.vehicles.wheels['travel'] += change[3:] - arms(world) @ change[:3]


def test_it_rests_where_it_was_drawn(dt):
    """Springs are preloaded: only the tyres are pressed in, by the loads of the lever."""
    world = sprung(dt, 500.0)
    wheels = world.vehicles.wheels
    for _ in range(3):
        world.step(20)
        total = world.vehicles.arrays.records['mass'][0] * G
        assert wheels['normal_load'].sum() == pytest.approx(total, rel=1e-6)
        assert wheels['normal_load'] == pytest.approx(total * wheels['load_share'], rel=2e-3)
        assert place(world)[3:] == pytest.approx(-wheels['normal_load'] / TYRE, abs=1e-7)
        assert np.abs(rate(world)).max() < 1e-6


@pytest.mark.parametrize('mode', [0, 1, 2], ids=['first', 'second', 'third'])
def test_it_swings_in_its_modes(dt, mode):
    """
    Heave, pitch and roll of the body: the frequencies of the generalised eigenproblem.

    Where wheels hop faster than a step h the force of their tyres is that at its end, which damps
    a mode of frequency w by w h / 2 of the share that they have in its energy.
    """
    world = sprung(dt, anti_roll_stiffness=BAR)
    mass, stiffness = matrices(world)
    values, vectors = np.linalg.eig(np.linalg.solve(mass, stiffness))
    order = np.argsort(values.real)[mode]
    natural, shape = math.sqrt(values.real[order]), vectors[:, order].real
    world.step()
    rest = place(world)
    swing = 5e-3 * shape / np.abs(shape).max()
    move(world, swing)
    at, time = [], []
    for k in range(round(4.0 * 2.0 * math.pi / natural / dt)):
        world.step()
        at.append((place(world) - rest) @ mass @ shape / (swing @ mass @ shape))
        time.append(dt * (k + 1))
    crossings = [time[k] - dt * at[k] / (at[k] - at[k - 1]) for k in range(1, len(at))
                 if at[k] * at[k - 1] < 0.0]
    period = 2.0 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert period == pytest.approx(2.0 * math.pi / natural, rel=0.02)
    damping = 0.0
    if dt ** 2 * TYRE > world.vehicles.wheels['mass'][0]:
        tyres = TYRE * shape[3:] @ shape[3:] / (shape @ stiffness @ shape)
        damping = 0.5 * natural * dt * tyres
    assert max(np.abs(at[-round(1.5 * period / dt):])) == pytest.approx(
        math.exp(-5.0 * math.pi * damping), abs=0.25)


def test_no_energy_comes_out_of_it(dt):
    """Dropped askew, onto its stops, with a bar: it never has more than before."""
    world = sprung(dt, 300.0, anti_roll_stiffness=BAR, suspension_travel=0.06, tyre_damping=50.0)
    wheels = world.vehicles.wheels
    mass, stiffness = matrices(world)
    world.step()
    body = np.array((0.08, 0.03, -0.02))
    move(world, np.concatenate([body, arms(world) @ body]))
    weight = G * np.concatenate([mass[0, :3], wheels['mass']])

    def energy():
        q, v = place(world), rate(world)
        ways = q[3:] - arms(world) @ q[:3]
        pressed = np.maximum(-q[3:], 0.0)
        stops = np.maximum(np.abs(ways) - 0.03, 0.0)
        bars = 0.5 * BAR * sum(
            (ways[k] - ways[int(wheels['partner'][k])]) ** 2 for k in range(4)) / 2.0
        return float(0.5 * v @ mass @ v + weight @ q + wheels['preload'] @ ways
                     + 0.5 * SPRING * ways @ ways + 5.0 * SPRING * stops @ stops
                     + 0.5 * TYRE * pressed @ pressed + bars
                     - 0.5 * np.array(toppling(world)) @ q[1:3] ** 2)
    last = start = energy()
    scale = abs(start - (weight @ np.zeros(7)))
    for _ in range(round(1.0 / dt)):
        world.step()
        now = energy()
        assert now <= last + 1e-4 * scale
        last = now
    assert last < start - 0.5 * scale


def steady_turn(world, speed=4.0, turn=0.6):
    """Let a car drive a circle until it is steady; return its lateral acceleration [m/s^2]."""
    world.set_pose('r1', Pose(), (speed, 0.0, turn))
    world.vehicles.set_twist(0, speed, turn)
    world.step(round(6.0 / world.dt))
    return float(world.vehicles.arrays.records['pull_across'][0])


def test_it_rolls_by_the_stiffness_of_its_axles(dt):
    """
    Springs and bar take the moment of the sprung mass, tyres that of the whole.

    ``(m_s h_s a + m_s g h_s p) / K`` of springs, ``(m h a + m_s g h_s p) / K`` of tyres, which add
    up to the roll p (T. D. Gillespie, *Fundamentals of Vehicle Dynamics*, ch. 6; W. F. Milliken,
    D. L. Milliken, ch. 18), with a roll axis on the ground.
    """
    world = sprung(dt, 1000.0, 'twist_front', anti_roll_stiffness=BAR)
    across = steady_turn(world)
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    y = wheels['y'] - record['com_y']
    springs = 1.0 / (np.sum(SPRING * y ** 2) + BAR * 2.0 * (2.0 * abs(y[0])) ** 2)
    tyres = 1.0 / np.sum(TYRE * y ** 2)
    expected = across * (
        sprung_moment(world) * springs + record['mass'] * record['com_height'] * tyres) / (
        1.0 - toppling(world)[1] * (springs + tyres))
    assert 2.0 < across < 2.6
    assert world.vehicles.pose[0, 5] == pytest.approx(expected, rel=0.01)


def test_it_dives_by_the_stiffness_of_its_springs(dt):
    """
    Springs take the moment of the sprung mass, tyres that of the whole, as in a turn.

    Without anti-dive: ``(m_s h_s b + m g (h - R) p) / K`` of springs, ``(m h b + m g (h - R) p) /
    K`` of tyres add up to the pitch p of a car that brakes with b (T. D. Gillespie, ch. 3 and 7).
    """
    world = sprung(dt, 1500.0)
    world.set_pose('r1', Pose(), (12.0, 0.0, 0.0))
    world.vehicles.set_torques(0, (-150.0, -150.0))
    world.step(round(2.0 / dt))
    before = world.vehicles.twist_body[0, 0]
    pitch = float(np.mean([(world.step(), world.vehicles.pose[0, 4])[1]
                           for _ in range(round(0.5 / dt))]))
    braking = (before - world.vehicles.twist_body[0, 0]) / 0.5
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    x = wheels['x'] - record['com_x']
    springs, tyres = 1.0 / np.sum(SPRING * x ** 2), 1.0 / np.sum(TYRE * x ** 2)
    expected = braking * (
        sprung_moment(world) * springs + record['mass'] * record['com_height'] * tyres) / (
        1.0 - toppling(world)[0] * (springs + tyres))
    assert 1.5 < braking < 2.5
    assert pitch == pytest.approx(expected, rel=0.01)


def test_the_stiffer_axle_takes_more_of_the_load(dt):
    """The loads move by the shares of the axles in the stiffness against roll."""
    world = sprung(dt, 1000.0, 'twist_front', front={'anti_roll_stiffness': 3.0 * BAR})
    across = steady_turn(world)
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    load, y = wheels['normal_load'], wheels['y'] - record['com_y']
    axles = []
    for left, right, bar in ((0, 1, 0.0), (2, 3, 3.0 * BAR)):
        track = y[left] - y[right]
        springs = 0.5 * SPRING * track ** 2 + bar * track ** 2
        tyres = 0.5 * TYRE * track ** 2
        axles.append((track * 0.5 * (load[right] - load[left]),
                      springs * tyres / (springs + tyres)))
    leans = abs(world.vehicles.pose[0, 5])
    assert axles[0][0] + axles[1][0] == pytest.approx(
        record['mass'] * across * record['centre_z'] + toppling(world)[1] * leans, rel=0.015)
    assert axles[1][0] / axles[0][0] == pytest.approx(axles[1][1] / axles[0][1], rel=0.03)


def test_a_braking_car_dives(dt):
    """Nose down, its front wheels loaded; the IMU feels how it turns."""
    world = sprung(dt, 800.0, 'twist_front')
    world.set_pose('r1', Pose(), (8.0, 0.0, 0.0))
    world.vehicles.set_twist(0, 8.0, 0.0)
    world.step(round(0.5 / dt))
    world.vehicles.set_twist(0, 0.0, 0.0)
    pitches, felt = [world.vehicles.pose[0, 4]], [0.0]
    for _ in range(round(0.6 / dt)):
        world.step()
        pitches.append(world.vehicles.pose[0, 4])
        felt.append(vehicle_motion(world.vehicles, np.array([0])).rate[0, 1])
    assert max(pitches) > 0.01
    turned = dt * np.cumsum(felt[1:])
    assert turned == pytest.approx(np.array(pitches[1:]) - pitches[0], abs=1e-6)


@pytest.mark.parametrize('bar', [0.0, BAR], ids=['soft', 'bars'])
@pytest.mark.parametrize(('part', 'tips'), [(0.98, False), (1.02, True)], ids=['below', 'beyond'])
def test_it_tips_over_beyond_its_limit(dt, part, tips, bar):
    """
    From ``m h a + m_s g h_s p = m g t / 2`` on, with the roll p at which inner wheels lift.

    Then tyres have the moment ``m g t / 2``, springs that without ``m_u R a`` of the unsprung
    masses: a soft car tips earlier than a rigid one, by as far as its centre of mass comes out
    (T. D. Gillespie, ch. 9). 2 %, by a force at its centre of mass that grows slowly.
    """
    world = sprung(dt, 2000.0, mu=3.0, height=1.4, anti_roll_stiffness=bar)
    record, wheels = world.vehicles.arrays.records[0], world.vehicles.wheels
    y = wheels['y'] - record['com_y']
    half = float(np.abs(y).min())
    springs = 1.0 / (np.sum(SPRING * y ** 2) + bar * 2.0 * (2.0 * half) ** 2)
    tyres = 1.0 / np.sum(TYRE * y ** 2)
    whole, unsprung = record['mass'] * G * half, float(wheels['mass'] @ wheels['radius'])
    topples = toppling(world)[1]
    limit = whole * (1.0 - topples * (springs + tyres)) / (
        record['mass'] * record['com_height'] - topples * unsprung * springs)
    assert 0.75 * whole < limit * record['mass'] * record['com_height'] < 0.97 * whole
    for k in range(round(7.0 / dt)):
        record['v_y'] += dt * part * limit * min(k * dt / 4.0, 1.0)
        world.step()
    assert bool(abs(world.vehicles.pose[0, 5]) > 0.6) == tips


def test_it_continues_from_a_snapshot():
    world = sprung(0.005, 500.0, 'twist_front', anti_roll_stiffness=BAR)
    world.set_pose('r1', Pose(), (4.0, 0.0, 0.5))
    world.vehicles.set_twist(0, 4.0, -0.5)
    world.step(100)
    kept, ends = world.snapshot(), []
    for _ in range(2):
        world.step(150)
        ends.append((world.vehicles.pose.tobytes(), world.vehicles.wheels.tobytes()))
        world.restore(kept)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(('wheels', 'message'), [
    ({'tyre_stiffness': 0.0}, 'no tyre_stiffness'),
    ({'suspension_stiffness': 0.0, 'suspension_damping': 5.0}, 'no suspension_stiffness'),
    ({'front': {'suspension_stiffness': 0.0}}, 'no suspension_stiffness')], ids=str)
def test_half_a_suspension_is_refused(wheels, message):
    with pytest.raises(PhysicsError, match=message):
        sprung(**wheels)


def test_a_bar_needs_both_wheels():
    car = sprung().vehicles.specs[0]
    with pytest.raises(PhysicsError, match='both wheels of an axle'):
        physical(changed(car, fl_wheel=replace(car.dynamics.fl_wheel, anti_roll_stiffness=BAR)))

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Loads of hitches on axles, and draught of implements, against closed forms.

:claim: Hitches load axles according to their height and load, and soil holds implements, within 2
    %
:reference: closed forms
"""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physical, physics, run, tilt, vehicle

from mvsim_ros2 import load_world
from mvsim_ros2.errors import PhysicsError, WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec, DefaultTyre, DraughtSpec, JointSpec

G, L, R, HITCH, RING, HEIGHT = 9.81, 1.3, 0.31, -0.6, 2.0, 0.45
TIED = JointSpec('revolute', 'car', 'trailer', anchor_a=(HITCH, 0.0), anchor_b=(RING, 0.0),
                 height=HEIGHT)
SOIL = DraughtSpec(800.0, 150.0, 60.0, x=-1.0, z=0.0)


def train(dt=0.005, joint=TIED, car=None, trailer=None, speed=0.0, x=0.3, kind='open_rear',
          mu=0.9, mode='physical', C_rr=0.0, deck=None, more=()):
    """
    Return a world with a car of 600 kg and a trailer of 500 kg on one axle, in its wake.

    :param joint: of both; None for a car alone.
    :param car: draught of the car; trailer that of the trailer.
    :param x: where the mass of the trailer is; deck further fields of its chassis.
    """
    both = {'friction': DefaultTyre(mu=mu, C_damping=0.0, C_rr=C_rr),
            'init_twist': (speed, 0.0, 0.0)}
    front = vehicle(kind, 'raw', 'car', draught=car, **both,
                    chassis={'mass': 600.0, 'centre_of_mass': (0.5, 0.0, 0.7)})
    rear = vehicle(
        'diff2', 'raw', 'trailer', draught=trailer, init_pose=Pose(HITCH - RING), **both,
        chassis={'mass': 500.0, 'centre_of_mass': (x, 0.0, 0.8)} | (deck or {}))
    return physics(*((front, rear) if joint else (front,)), *more, dt=dt,
                   joints=(joint,) if joint else (), mode=mode)


def drive(world, force):
    """Drive the car by a force [N] of its driven wheels."""
    world.vehicles.set_torques(0, (force * R,))


def axles(world):
    """Return the loads of rear axle, front axle and trailer [N]."""
    loads = world.vehicles.wheels['normal_load']
    return float(loads[:2].sum()), float(loads[2:4].sum()), float(loads[4:].sum())


def masses(world):
    """Return masses of both and their centres along x, from their reference points."""
    car, trailer = world.vehicles.arrays.records[:2]
    return (float(car['mass']), float(trailer['mass']), float(car['com_x']),
            float(trailer['com_x']))


@pytest.mark.parametrize('x', [0.3, 0.0, -0.2])
def test_weight_of_a_trailer_rests_on_its_hitch(x, dt):
    """At rest V = m g x_com / x_ring; behind its axle it lifts the hitch; 0.1 %."""
    world = train(dt, x=x)
    run(world, 0.5)
    mass, towed, centre, middle = masses(world)
    tongue = towed * G * middle / RING
    front = (mass * G * centre + tongue * HITCH) / L
    assert axles(world) == pytest.approx(
        (mass * G + tongue - front, front, towed * G - tongue), rel=1e-3)


def test_a_joint_without_height_carries_nothing():
    world = train(joint=replace(TIED, height=None))
    run(world, 0.5)
    mass, towed, centre, _ = masses(world)
    assert axles(world) == pytest.approx(
        (mass * G * (1.0 - centre / L), mass * G * centre / L, towed * G), rel=1e-6)


@pytest.mark.parametrize('height', [0.0, 0.45, 0.9])
def test_a_steady_pull_moves_load_to_the_rear(height, dt):
    """At constant speed F z / L, and the same on the tongue: F z / x_ring; 1 %."""
    draught = DraughtSpec(constant=1000.0, x=0.0, z=0.0)
    world = train(dt, joint=replace(TIED, height=height), trailer=draught, speed=2.0)
    drive(world, 1000.0)
    run(world, 4.0)
    assert world.vehicles.twist_body[:, 0] == pytest.approx(2.0, rel=0.01)
    mass, towed, centre, middle = masses(world)
    tongue = (towed * G * middle + height * 1000.0) / RING
    front = (mass * G * centre + tongue * HITCH - 1000.0 * height) / L
    assert axles(world) == pytest.approx(
        (mass * G + tongue - front, front, towed * G - tongue), rel=0.01)


def test_an_acceleration_moves_load_by_all_forces(dt):
    """Of each by its centre of mass, m a h, and by the hitch, F z, F = m_trailer a; 1 %."""
    world = train(dt)
    drive(world, 1500.0)
    run(world, 2.0)
    wheels = world.vehicles.wheels
    mass, towed, centre, middle = masses(world)
    car, trailer = world.vehicles.arrays.records
    speed = world.vehicles.twist_body[0, 0]
    run(world, 0.2)
    rate = (world.vehicles.twist_body[0, 0] - speed) / 0.2
    pull = float(towed * rate - wheels['force_x'][4:].sum())
    tongue = (towed * G * middle - trailer['com_height'] * towed * rate + HEIGHT * pull) / RING
    front = (mass * G * centre + tongue * HITCH - pull * HEIGHT
             - car['com_height'] * mass * rate) / L
    assert axles(world) == pytest.approx(
        (mass * G + tongue - front, front, towed * G - tongue), rel=0.01)


def test_a_slope_pulls_at_the_hitch(dt):
    """Held by the car on 10 degrees: F = m_trailer g sin at z, weights at their heights; 1 %."""
    climb = math.radians(10.0)
    world = train(dt)
    tilt(world, climb)
    world.vehicles.pose[1, 4] = -climb
    world.vehicles.wheels['brake'][:4] = 1e5
    run(world, 3.0)
    mass, towed, centre, middle = masses(world)
    car, trailer = world.vehicles.arrays.records
    pull = towed * G * math.sin(climb)
    tongue = (towed * G * math.cos(climb) * middle
              - (trailer['com_height'] - HEIGHT) * pull) / RING
    weight = mass * G * math.cos(climb)
    front = (weight * centre + tongue * HITCH - pull * HEIGHT
             - car['com_height'] * mass * G * math.sin(climb)) / L
    assert car['tow_x'] == pytest.approx(-pull, rel=0.01)
    assert axles(world) == pytest.approx(
        (weight + tongue - front, front, towed * G * math.cos(climb) - tongue), rel=0.01)


def test_load_on_the_rear_axle_is_traction(dt):
    """Wheels that spin pull mu N_rear, and N_rear grows with the pull: up to 1 %."""
    draught, mu = DraughtSpec(constant=1e5, x=0.0), 0.4  # it holds
    world = train(dt, trailer=draught, mu=mu)
    drive(world, 4000.0)
    run(world, 1.0)
    mass, towed, centre, middle = masses(world)
    assert abs(world.vehicles.twist_body[:, 0]).max() < 1e-3
    # F = mu N, N L = m g (L - x) + V (L - HITCH) + F z, V RING = m' g x' + F z
    own = mass * G * (L - centre) / L + towed * G * middle / RING * (L - HITCH) / L
    grows = HEIGHT * (1.0 / L + (L - HITCH) / L / RING)
    load = own / (1.0 - mu * grows)
    assert axles(world)[0] == pytest.approx(load, rel=0.01)
    assert world.vehicles.wheels['force_x'][:2].sum() == pytest.approx(mu * load, rel=0.01)
    assert load > 1.1 * own


@pytest.mark.parametrize('towed', [False, True])
def test_speed_where_draught_takes_all(towed, dt):
    """Of a force F: A + B v + C v^2 = F; 1 %."""
    world = (train(dt, trailer=replace(SOIL, x=0.0), speed=1.0) if towed
             else train(dt, None, SOIL, speed=1.0))
    drive(world, 1500.0)
    run(world, 12.0)
    speed = (-150.0 + math.sqrt(150.0 ** 2 + 4.0 * 60.0 * 700.0)) / 120.0
    assert world.vehicles.twist_body[0, 0] == pytest.approx(speed, rel=0.01)


@pytest.mark.parametrize('depth', [0.0, 0.2])
def test_draught_loads_axles_by_its_depth(depth, dt):
    """At a constant speed a force at z moves F z / L to the rear, in the soil to the front."""
    world = train(dt, None, DraughtSpec(1000.0, x=-1.0, z=-depth), speed=2.0)
    drive(world, 1000.0)
    run(world, 2.0)
    record = world.vehicles.arrays.records[0]
    weight = float(record['mass']) * G
    front = (weight * record['com_x'] + 1000.0 * depth) / L
    assert axles(world)[:2] == pytest.approx((weight - front, front), rel=0.01)


@pytest.mark.parametrize('force', [0.0, 700.0])
def test_soil_drives_nothing(dt, force):
    """At rest it holds against less than its constant part: creep below 2 mm/s."""
    world = train(dt, None, SOIL)
    drive(world, force)
    run(world, 2.0)
    assert world.vehicles.pose[0, 0] == pytest.approx(0.0, abs=4e-3 if force else 1e-9)
    assert abs(world.vehicles.twist_body[0]).max() < (2e-3 if force else 1e-9)


def test_draught_brakes_to_a_stop(dt):
    """The way by v' = -A / m is m v^2 / (2 A); 1 % and half a step of motion."""
    world = train(dt, None, DraughtSpec(2000.0), speed=4.0)
    wheels = world.vehicles.wheels
    inert = float(world.vehicles.arrays.records[0]['mass']
                  + (wheels['inertia'] / wheels['radius'] ** 2).sum())
    run(world, 4.0)
    assert world.vehicles.pose[0, 0] == pytest.approx(
        inert * 16.0 / 4000.0, rel=0.01, abs=2.0 * dt)


def energy(world):
    """Return the energy of motion of bodies and spins [J]."""
    a, wheels = world.vehicles.arrays, world.vehicles.wheels
    velocity = a.motion[:, [7, 8, 9]]
    return float(0.5 * (a.records['mass'] * (velocity[:, :2] ** 2).sum(axis=1)
                        + a.records['turn_inertia'] * velocity[:, 2] ** 2).sum()
                 + 0.5 * (wheels['inertia'] * wheels['omega'] ** 2).sum())


def test_energy_never_rises(dt):
    """In thirty runs from anywhere, turning and sliding; 0.2 % of that at the start."""
    numbers = np.random.default_rng(5)
    for _ in range(30):
        soil = DraughtSpec(*numbers.uniform(0.0, (4000.0, 500.0, 300.0)), x=-1.5, z=-0.2)
        world = train(dt, trailer=soil if numbers.random() < 0.5 else None, car=replace(
            soil, constant=300.0), speed=numbers.uniform(-6.0, 6.0), mu=numbers.uniform(0.1, 0.9),
            joint=replace(TIED, height=numbers.uniform(0.0, 1.0)))
        world.vehicles.wheels['steer'][2:4] = numbers.uniform(-0.4, 0.4)
        before = first = energy(world)
        for _ in range(40):
            world.step(max(1, round(0.05 / dt)))
            now = energy(world)
            assert now <= before + 2e-3 * first
            before = now


def test_ends_are_those_of_small_steps():
    """A turn with draught: ends at 20, 10 and 5 ms within 3 % of the way of 1 ms."""
    ends = []
    for dt in (0.001, 0.005, 0.01, 0.02):
        world = train(dt, trailer=replace(SOIL, x=0.0), speed=1.5, C_rr=0.02)
        world.vehicles.wheels['steer'][2:4] = 0.1
        drive(world, 1400.0)
        run(world, 6.0)
        ends.append(world.vehicles.pose[:, [0, 1, 3]].copy())
    way = float(np.hypot(*ends[0][0, :2]))
    for end in ends[1:]:
        assert np.abs(end[:, :2] - ends[0][:, :2]).max() < 0.03 * way
        assert np.abs(end[:, 2] - ends[0][:, 2]).max() < 0.03


def test_snapshots_continue_alike():
    """From one snapshot twice the same bytes, and forces of hitches are part of it."""
    world = train(trailer=SOIL, speed=1.5, C_rr=0.02)
    drive(world, 1400.0)
    run(world, 1.0)
    state, kept = world.snapshot(), axles(world)
    ends = []
    for _ in range(2):
        world.restore(state)
        assert axles(world) == kept
        assert world.vehicles.arrays.records['tow_x'][0] < -500.0
        drive(world, 1400.0)
        run(world, 1.0)
        ends.append((world.vehicles.pose.tobytes(), world.vehicles.wheels.tobytes()))
    assert ends[0] == ends[1]


def test_a_train_loads_each_by_what_follows():
    """Two trailers at rest: the second rests on the first, both on the car; 0.1 %."""
    car, first = train(x=0.4).vehicles.specs
    second = replace(first, name='last', init_pose=Pose(HITCH - RING - 0.8 - RING, 0.0))
    joints = (TIED, replace(TIED, body_a='trailer', body_b='last', anchor_a=(-0.8, 0.0)))
    world = physical(car, first, second, joints=joints)
    run(world, 0.5)
    mass, towed, centre, middle = masses(world)
    last = towed * G * middle / RING
    tongue = (towed * G * middle - 0.8 * last) / RING
    front = (mass * G * centre + tongue * HITCH) / L
    loads = world.vehicles.wheels['normal_load']
    assert (loads[2:4].sum(), loads[4:6].sum(), loads[6:].sum()) == pytest.approx(
        (front, towed * G + last - tongue, towed * G - last), rel=1e-3)
    drive(world, 800.0)
    run(world, 2.0)
    inert = (world.vehicles.wheels['inertia'] / world.vehicles.wheels['radius'] ** 2)
    pulls = world.vehicles.arrays.records['tow_x']
    rate = 800.0 / (world.vehicles.arrays.records['mass'].sum() + inert.sum())
    assert world.vehicles.twist_body[:, 0] == pytest.approx(2.0 * rate, rel=0.02)
    assert pulls[2] == pytest.approx((towed + inert[6:].sum()) * rate, rel=0.02)
    assert pulls[1] == pytest.approx(pulls[2], rel=0.02)


class TestRefusals:
    """What cannot act says where, and what to do."""

    def test_heights_need_the_mode(self):
        with pytest.raises(PhysicsError, match="mode 'mvsim' does not have"):
            train(mode='mvsim')
        with pytest.raises(PhysicsError, match='has a <draught>, which physics mode'):
            train(mode='mvsim', joint=None, car=SOIL)

    def test_one_axle_cannot_carry_another(self):
        with pytest.raises(PhysicsError, match='both stand on one axle'):
            train(kind='diff2')

    def test_a_hitch_above_the_axle_holds_nothing(self):
        with pytest.raises(PhysicsError, match='above the only axle'):
            train(joint=replace(TIED, anchor_b=(0.0, 0.0)))

    def test_a_block_has_no_axles(self):
        car = train(joint=None).vehicles.specs[0]
        with pytest.raises(PhysicsError, match="'box' is no vehicle: leave the height out"):
            physical(car, blocks=(BlockSpec('box', init_pose=Pose(-4.0, 0.0)),),
                     joints=(replace(TIED, body_b='box'),))

    def test_a_rope_has_no_height(self, tmp_path):
        file = tmp_path / 'rope.world.xml'
        file.write_text(
            '<mvsim_world version="1.0"><joint type="rope" body_a="a" body_b="b" anchor_a="0 0" '
            'anchor_b="0 0" height="0.4"/></mvsim_world>')
        with pytest.raises(WorldFileError, match='height belongs to a revolute joint'):
            load_world(file, strict=True)

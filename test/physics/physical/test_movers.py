# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on pushed blocks and on vehicles, and impacts on the edges of these."""

from collections.abc import Callable
from dataclasses import replace
import math
from typing import Any

import numpy as np
import pytest
from small_worlds import changed, physical, slope, vehicle
from test_free_body import light
from test_hitch_loads import axles, drive, G, HITCH, L, masses, RING, train

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec import BlockSpec, DefaultTyre
from mvsim_ros2.world.spec.outlines import rectangle

Worlds = Callable[..., PhysicsWorld]
Vehicles = Callable[..., Any]

TOP = 0.25  # m


def sledge(mass, friction=0.0, **changes):
    """Return a low block of 6 by 4 m, without losses but those of friction."""
    return BlockSpec('sledge', mass=mass, zmax=TOP, ground_friction=friction, linear_damping=0.0,
                     angular_damping=0.0, shape=rectangle(-3.0, -2.0, 3.0, 2.0), **changes)


def on_top(*arguments, z=TOP, **changes):
    """Return a vehicle that stands at a height."""
    return replace(vehicle(*arguments, friction=DefaultTyre(mu=0.9, C_damping=0.0), **changes),
                   init_pose=Pose(0.0, 0.0, z))


def riders(rider, block, dt):
    return physical(rider, dt=dt, blocks=(block,))


def body(world):
    """Return mass and velocity of the first vehicle."""
    return float(world.vehicles.arrays.records['mass'][0]), float(
        world.vehicles.arrays.velocity[0, 0])


@pytest.mark.parametrize('mass', [20.0, 500.0], ids=['light', 'heavy'])
def test_what_drives_on_a_sledge_pushes_it_back(dt, mass):
    """
    On ice the momentum of both stays zero, whatever their masses.

    :claim: a vehicle that drives on a block on ice gets a speed of 0.2 m/s, within 1 %, and the
        block the opposite momentum, within 0.2 %
    :reference: momentum
    """
    world = riders(light(on_top('diff4', 'raw')), sledge(mass), dt)
    own, _ = body(world)
    force = 0.1 * own
    world.vehicles.set_torques(0, (0.5 * force * 0.1, 0.5 * force * 0.1))
    world.step(round(1.0 / dt))
    world.vehicles.set_torques(0, (0.0, 0.0))
    world.step(round(0.5 / dt))
    _, speed = body(world)
    assert speed == pytest.approx(0.2, rel=0.01)
    assert own * speed == pytest.approx(-mass * world.blocks.twist_body[0, 0], rel=0.002)
    assert world.vehicles.pose[0, 2] == pytest.approx(TOP, abs=1e-3)


def test_a_sledge_slides_as_far_with_a_load(dt):
    """
    Its friction bears the load as well: both stop after v^2 / (2 mu g), and nothing slips.

    :claim: a block with a parked vehicle on it slides v^2 / (2 mu g), within 2 %
    :reference: closed form
    """
    rider = light(on_top('diff4', 'pid', init_twist=(1.0, 0.0, 0.0)))
    world = riders(rider, sledge(50.0, 0.2, init_twist=(1.0, 0.0, 0.0)), dt)
    world.step(round(1.0 / dt))
    way = pytest.approx(1.0 / (2.0 * 0.2 * G), rel=0.02, abs=0.5 * dt)
    assert world.blocks.pose[0, 0] == way
    assert world.vehicles.pose[0, 0] == way


def test_a_turning_sledge_shares_its_angular_momentum(dt):
    """With what stands in its middle: I w before, (I + i) w after, within 1 %."""
    world = riders(light(on_top('diff4', 'pid')), sledge(50.0, init_twist=(0.0, 0.0, 0.5)), dt)
    inertia = 50.0 * (6.0 ** 2 + 4.0 ** 2) / 12.0
    added = float(world.vehicles.arrays.records['turn_inertia'][0])
    world.step(round(1.5 / dt))
    expected = 0.5 * inertia / (inertia + added)
    assert world.blocks.twist_body[0, 2] == pytest.approx(expected, rel=0.01)
    assert world.vehicles.arrays.velocity[0, 2] == pytest.approx(expected, rel=0.01)


def test_a_vehicle_drives_up_onto_a_plank(dt):
    """Of 2 cm, which lies there loose."""
    plank = replace(sledge(20.0, 0.8), zmax=0.02, init_pose=Pose(3.5))
    world = physical(light(vehicle('diff4', 'pid')), dt=dt, blocks=(plank,))
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(round(4.0 / dt))
    assert world.vehicles.pose[0, 2] == pytest.approx(0.02, abs=1e-3)
    assert world.blocks.pose[0, 0] == pytest.approx(3.5, abs=0.05)


def test_a_sledge_on_a_slope_tilts_what_stands_on_it(dt):
    world = physical(light(on_top('diff4', 'pid', z=0.5)), dt=dt, blocks=(sledge(50.0, 0.9),),
                     elements=(slope(0.03),))
    world.step(round(2.0 / dt))
    assert world.vehicles.pose[0, 4] == pytest.approx(-math.atan(0.03), abs=1e-3)
    assert world.vehicles.pose[0, 2] - 0.03 * world.vehicles.pose[0, 0] == pytest.approx(
        TOP, abs=0.01)
    assert np.abs(world.vehicles.arrays.velocity[0]).max() < 0.01


DECK = 0.6  # m; its height


def transport(dt, x=0.2):
    """Return a car, a trailer of 500 kg and a parked robot on that, x before its axle."""
    robot = light(vehicle('diff4', 'pid', 'robot', chassis={'mass': 200.0},
                          init_pose=Pose(HITCH - RING + x, 0.0, DECK)))
    deck = {'centre_of_mass': (0.3, 0.0, 0.5), 'zmin': 0.4, 'zmax': DECK,
            'shape': rectangle(-1.0, -0.9, 1.5, 0.9)}
    return train(dt, deck=deck, more=(robot,))


def test_a_trailer_bears_what_stands_on_its_deck(dt):
    """
    On axle and hitch by the law of the lever.

    :claim: a trailer bears the weight of a vehicle on its deck on axle and hitch, within 0.5 %
    :reference: law of the lever
    """
    world = transport(dt)
    world.step(round(1.5 / dt))
    mass, towed, centre, middle = masses(world)
    robot = world.vehicles.arrays.records[2]
    place = (world.vehicles.pose[2, 0] - world.vehicles.pose[1, 0] + robot['com_x'])
    added = float(robot['mass'])
    tongue = (towed * G * middle + added * G * place) / RING
    front = (mass * G * centre + tongue * HITCH) / L
    rear, ahead, trailer = (axles(world)[0], axles(world)[1],
                            float(world.vehicles.wheels['normal_load'][4:6].sum()))
    assert (rear, ahead, trailer) == pytest.approx(
        (mass * G + tongue - front, front, (towed + added) * G - tongue), rel=5e-3)
    assert world.vehicles.pose[2, 2] == pytest.approx(DECK, abs=2e-3)


def test_a_deck_takes_along_what_is_parked_on_it(dt):
    """
    A force F drives all three masses, also through a bend, and nothing slips.

    :claim: a vehicle on the deck of a trailer is taken along: F = (M + m + n) a, within 1 %
    :reference: Newton's second law
    """
    world = transport(dt)
    world.step(round(0.5 / dt))
    place = world.vehicles.pose[2, 0] - world.vehicles.pose[1, 0]
    drive(world, 1000.0)
    world.step(round(2.0 / dt))
    before = world.vehicles.arrays.velocity[:, 0].copy()
    world.step(round(1.0 / dt))
    gained = world.vehicles.arrays.velocity[:, 0] - before
    whole = float(world.vehicles.arrays.records['mass'].sum())
    spin = sum(float(wheel['inertia'] / wheel['radius'] ** 2) for wheel in world.vehicles.wheels)
    assert gained == pytest.approx(np.full(3, 1000.0 / (whole + spin)), rel=0.01)
    assert world.vehicles.pose[2, 0] - world.vehicles.pose[1, 0] == pytest.approx(
        place, abs=0.02)
    assert world.vehicles.pose[2, 2] == pytest.approx(DECK, abs=5e-3)


@pytest.mark.parametrize('how', ['restore', 'spawn'])
def test_a_deck_bears_on_when_the_ground_is_found_anew(dt, how):
    """What stands on it stays as heavy, and does not hop."""
    world = transport(dt)
    world.step(round(1.5 / dt))
    if how == 'restore':
        world.restore(world.snapshot())
    else:
        world.add_block(BlockSpec('far', init_pose=Pose(50.0), mass=1.0, zmax=0.1))
    loads = world.vehicles.wheels['normal_load'].copy()
    world.step(2)
    assert world.vehicles.wheels['normal_load'] == pytest.approx(loads, rel=0.01)
    assert world.vehicles.arrays.records['v_z'] == pytest.approx(0.0, abs=1e-3)


TALL = 0.6  # m; height of a centre of mass
BESIDE, HALF = 0.5, 0.45  # m; half the track, half the width of the chassis


def slider(speed, name='r1'):
    """Return a tall robot that slides to its left, with narrow wheels, without friction."""
    return changed(
        light(vehicle('diff4', 'raw', name), 0.15), {'zmax': 1.05, 'shape': rectangle(
            -0.6, -HALF, 0.6, HALF)}, {'width': 0.01}, friction=DefaultTyre(mu=1e-3),
        init_twist=(0.0, speed, 0.0))


@pytest.mark.parametrize('mass', [10.0, 1000.0], ids=['light', 'heavy'])
def test_a_loose_block_trips_what_slides_into_it(dt, mass):
    """
    By as much as it resists.

    An impulse J at the height k turns the body about the point below its wheels by
    ``w = J (h - k) / (I + m b^2)``, and ``J = v / (1 / m + 1 / M + (h - k)^2 / (I + m b^2))``
    lets the block of mass M move as fast as the point that it touches.

    :claim: a loose block on ice trips what slides into it: momentum within 1 %, rate of roll
        within 5 % and what gravity takes in two steps
    :reference: an inelastic impact of two bodies
    """
    height, speed = 0.08, 1.5
    block = BlockSpec('kerb', init_pose=Pose(0.0, 1.0), mass=mass, ground_friction=0.0,
                      linear_damping=0.0, lateral_friction=0.0, zmax=height,
                      shape=rectangle(-3.0, 0.0, 3.0, 2.0))
    world = physical(slider(speed), dt=dt, blocks=(block,))
    record = world.vehicles.arrays.records[0]
    own, inertia = float(record['mass']), float(record['roll_inertia'])
    arm, over = float(record['com_height']) - height, inertia + own * BESIDE ** 2
    impulse = speed / (1.0 / own + 1.0 / mass + arm ** 2 / over)
    rates = []
    while len(rates) < 0.4 / dt:
        world.step()
        rates.append(-float(record['w_x']))
    turned = impulse * arm / over
    assert max(rates) == pytest.approx(
        turned, abs=0.05 * turned + 2.0 * dt * own * G * BESIDE / over)
    assert own * float(record['v_y']) + mass * float(world.blocks.motion[0, 8]) == pytest.approx(
        own * speed, rel=0.01)


def test_a_low_vehicle_trips_a_tall_one(dt):
    """
    It meets the wheels at their hubs, and gets the momentum that the tall one loses.

    :claim: a tall vehicle that slides against a low one rolls at a rate within 10 % and what
        gravity takes in two steps; momentum within 2 %
    :reference: an inelastic impact of two bodies
    """
    low = changed(slider(0.0, 'low'), init_pose=Pose(0.0, 1.3), chassis={
        'zmin': 0.1, 'zmax': 0.3, 'shape': rectangle(-0.9, -0.6, 0.9, 0.6)})
    world = physical(slider(1.5), low, dt=dt)
    mass = world.vehicles.arrays.records['mass']
    over = float(world.vehicles.arrays.records['roll_inertia'][0]) + mass[0] * BESIDE ** 2
    arm, rates = TALL - 0.1, []
    turned = 1.5 / (1.0 / mass[0] + 1.0 / mass[1] + arm ** 2 / over) * arm / over
    for _ in range(round(0.5 / dt)):
        world.step()
        rates.append(-float(world.vehicles.arrays.records['w_x'][0]))
    assert max(rates) == pytest.approx(
        turned, abs=0.1 * turned + 2.0 * dt * mass[0] * G * BESIDE / over)
    speeds = world.vehicles.arrays.velocity[:, 1]
    assert float(mass @ speeds) == pytest.approx(1.5 * mass[0], rel=0.02)
    assert speeds[1] > speeds[0] - 1e-3

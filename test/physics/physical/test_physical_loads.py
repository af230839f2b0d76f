# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal loads of driving vehicles in mode physical."""

import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.physical import wheel_loads


@settings(max_examples=examples(40))
@given(climb=st.floats(-0.4, 0.4), side=st.floats(-0.4, 0.4), torque=st.floats(-200, 200),
       kind=st.sampled_from(['diff2', 'diff3', 'diff4', 'open_4wd']))
def test_acceptance_11_loads_balance_weight_and_moments(
        lone, tilt, run, climb, side, torque, kind):
    """The sum is the weight into the ground, moments are exact while all wheels push."""
    world = lone(kind, 'raw')
    tilt(world, climb, side)
    world.vehicles.set_torques(0, (torque,) * (1 if kind == 'open_4wd' else 2))
    for _ in range(10):
        run(world, 0.05)
        record = world.vehicles.arrays.records[0].copy()
        if record['spatial']:  # a wheel lifts
            break
        world.step()  # with the pull that was there before
        if world.vehicles.arrays.records['spatial'][0]:
            break
        wheels = world.vehicles.wheels
        load = wheels['normal_load']
        down = 9.81 * math.sqrt(1.0 - record['down_x'] ** 2 - record['down_y'] ** 2)
        assert load.sum() == pytest.approx(record['mass'] * down, rel=1e-9)
        assert (load >= 0.0).all()
        x, y = wheels['x'] - record['com_x'], wheels['y'] - record['com_y']
        height = record['com_height']
        expected = record['mass'] * np.array((
            down, -height * record['pull_along'], -height * record['pull_across'])) @ (
                wheel_loads.load_shares(x, y))
        assert load == pytest.approx(expected, rel=1e-6, abs=1e-6 * load.sum())


def test_braking_loads_the_front(lone, run, dt):
    """By M a h over the wheelbase, once the body has pitched."""
    world = lone('ack', 'twist_front', dt, init_twist=(20.0, 0.0, 0.0))
    world.vehicles.arrays.records['stopped'] = 100.0
    run(world, 1.5)
    record, load = world.vehicles.arrays.records[0], world.vehicles.wheels['normal_load']
    at_rest = lone('ack', 'twist_front', dt)
    run(at_rest, 0.1)
    moved = load[2:].sum() - at_rest.vehicles.wheels['normal_load'][2:].sum()
    braking = 0.8 * 9.81
    assert moved == pytest.approx(
        record['mass'] * braking * record['com_height'] / record['wheelbase'], rel=0.01)


def test_a_hard_turn_lifts_the_inner_wheels(lone, run):
    """Loads stay at 0 there, and the outer wheels carry all."""
    world = lone('ack', 'twist_front', mu=3.0, init_twist=(15.0, 0.0, 0.0))
    world.vehicles.arrays.records['com_height'] = 2.0
    world.vehicles.set_twist(0, 15.0, 1.5)
    least = np.inf
    for _ in range(40):
        run(world, 0.05)
        load = world.vehicles.wheels['normal_load']
        assert (load >= 0.0).all()
        least = min(least, load.min())
    assert least == 0.0

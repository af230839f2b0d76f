# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Any vehicle, tyre and command in mode physical: what nature does not allow.

More examples: `MVSIM_FUZZ_EXAMPLES=20000 pytest test/physics/physical/test_physical_fuzz.py`.
"""

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np

from mvsim_ros2.physics.physical.transient_slip import LEAST, LENGTH, STIFFNESS

KINDS = ('diff2', 'diff_x03', 'diff3', 'diff4', 'ack', 'open_front', 'torsen_rear', 'torsen_4wd',
         'single', 'skid6', 'chain6', 'tracked', 'mecanum', 'omni3')
STEERED = ('ack', 'open_front', 'torsen_rear', 'torsen_4wd', 'single')
SPEEDS = st.sampled_from([0.001, 0.005, 0.01, 0.02])


def stored_energy(limit, stiffness, slip, length):
    """Return the energy in the deflected brush [J], ``length`` times the integral of F ds."""
    if limit < LEAST:
        return 0.0
    full = 3.0 * limit / stiffness
    part = min(slip / full, 1.0)
    left = 1.0 - part
    return length * limit * (slip - 0.25 * full * (1.0 - left * left * left * left))


def energy(world):
    """Return the energy of motion, spin and tyres of vehicle 0 [J]."""
    v = world.vehicles
    record, motion, wheels = v.arrays.records[0], v.arrays.motion[0], v.wheels
    total = 0.5 * record['mass'] * (motion[7] ** 2 + motion[8] ** 2)
    total += 0.5 * record['turn_inertia'] * motion[9] ** 2
    for wheel in wheels:
        total += 0.5 * wheel['inertia'] * wheel['omega'] ** 2
        total += stored_energy(
            wheel['mu'] * wheel['normal_load'], STIFFNESS * wheel['normal_load'],
            float(np.hypot(wheel['slip_x'], wheel['slip_y'])), LENGTH * wheel['radius'])
    return float(total)


@settings(max_examples=examples(60))
@given(kind=st.sampled_from(KINDS), dt=SPEEDS, twist=st.tuples(
    st.floats(-8, 8), st.floats(-3, 3), st.floats(-3, 3)), mu=st.floats(0.05, 1.5),
    brake=st.sampled_from([0.0, 1.0, 30.0]))
def test_acceptance_12_energy_is_never_gained(lone, kind, dt, twist, mu, brake):
    """
    On level ground without torque: motion, spin and bent tyres together only lose.

    :claim: On level ground, a vehicle without torque ends at most 0.1 % above its initial energy
    :reference: the energy at the start, in 60 random runs of 14 drives
    """
    world = lone(kind, 'raw', dt, mu, init_twist=twist)
    world.vehicles.wheels['omega'] *= 0.7
    world.vehicles.wheels['brake'] = brake
    first = before = energy(world)
    for _ in range(60):
        world.step(round(0.02 / dt))
        now = energy(world)
        # single precision of the engine, load that moves between bent tyres, angle of the step
        assert now <= before + 2e-3 * first + 1e-6
        before = now
    assert now <= first * (1.0 + 1e-3) + 1e-6

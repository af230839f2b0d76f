# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Any vehicle, tyre, surface and command, in both modes: numbers stay numbers.

More examples: `MVSIM_FUZZ_EXAMPLES=20000 pytest test/physics/test_fuzz_vehicles.py`.
"""

from drawn_examples import examples
from hypothesis import example, given, settings, strategies as st
import numpy as np
from small_worlds import physical, physics, vehicle

from mvsim_ros2.world.spec import (
    BakkerTyre, ClayTyre, DefaultTyre, EllipseTyre, LinearTyre, MagicFormulaTyre,
    PropertyRegionSpec, SandTyre, WardIagnemmaTyre)
from mvsim_ros2.world.spec.elements.property_region import SURFACES

STEERED = ('single', 'ack', 'open_front', 'torsen_rear', 'torsen_4wd')
KINDS = ('diff2', 'diff_x03', 'diff3', 'diff4', 'skid6', 'chain6', 'tracked', 'mecanum', 'omni3',
         *STEERED)
OLD = (
    DefaultTyre(C_rr=0.02), WardIagnemmaTyre(), EllipseTyre(), DefaultTyre(mu=0.0),
    WardIagnemmaTyre(mu=0.2, C_damping=0.0), EllipseTyre(C_alpha_s=1.0, C_s_alpha=1.0))
NEW = (
    EllipseTyre(C_alpha=0.0), LinearTyre(), LinearTyre(C_alpha=1e7, mu=0.0), MagicFormulaTyre(),
    MagicFormulaTyre(surface='ice', C_rr=0.1), MagicFormulaTyre(B=50.0, C=3.0, E=-10.0),
    MagicFormulaTyre(lateral='crolla', D=0.0), BakkerTyre(), BakkerTyre(road_factor=0.0),
    BakkerTyre(preset='document_kN'), ClayTyre(), ClayTyre(cone_index=0.0, mode='vti'),
    ClayTyre(section_height=1e-6, vertical_stiffness=1.0), SandTyre(cone_index=1e4),
    SandTyre(reading='printed', section_height=1e-6), SandTyre(reading='original'),
    SandTyre(reading='brixius', cone_index=0.0))
COMMANDS = st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-3, 3)), min_size=1, max_size=4)
STEPS = st.sampled_from([0.001, 0.005, 0.01, 0.02])
TWISTS = st.tuples(*[st.floats(-5, 5) | st.just(0.0)] * 3)


def region(what, value):
    """Return a region of 2 m by 2 m at the origin."""
    if isinstance(value, str):
        return PropertyRegionSpec(property_name=what, value_string=value)
    return PropertyRegionSpec(property_name=what, value_double=value)


def drive(world, kind, raw, commands, largest):
    """Drive a vehicle; the state stays finite and forces within `largest` times the load."""
    vehicles = world.vehicles
    for torque, other in commands:
        if not raw:
            vehicles.set_twist(0, torque / 100, other)
        elif kind in ('mecanum', 'omni3'):
            vehicles.set_torques(0, [torque * (-1) ** k for k in range(len(vehicles.wheels))])
        elif kind == 'single' or kind[:4] in ('open', 'tors'):
            vehicles.set_torques(0, (torque,), other)
        else:
            vehicles.set_torques(0, (torque, -torque), other if kind == 'ack' else 0.0)
        world.step(50)
        assert np.isfinite(vehicles.pose).all() and np.isfinite(vehicles.twist_body).all()
        wheels = vehicles.wheels
        for name in wheels.dtype.names:
            assert np.isfinite(wheels[name]).all(), name
        assert (wheels['normal_load'] >= 0.0).all()
        for name in ('force_long', 'force_lat'):
            assert (np.abs(wheels[name]) <= largest * wheels['normal_load'] * 1.000001).all()


def controller(kind, raw):
    """Return a controller that this vehicle can have."""
    return 'raw' if raw else 'twist_front' if kind in STEERED else 'pid'


@settings(max_examples=examples(150))
@given(kind=st.sampled_from(KINDS), tyre=st.sampled_from(OLD), raw=st.booleans(), dt=STEPS,
       twist=TWISTS, mu=st.floats(0, 2), commands=COMMANDS)
def test_acceptance_12_never_a_number_that_is_none_in_mode_mvsim(
        kind, tyre, raw, dt, twist, mu, commands):
    world = physics(vehicle(kind, controller(kind, raw), friction=tyre, init_twist=twist), dt=dt,
                    elements=(region('friction_mu', mu),), mode='mvsim')
    drive(world, kind, raw, commands, max(mu, 0.8501))


@settings(max_examples=examples(150))
@example(kind='diff2', tyre=OLD[0], raw=False, dt=0.001, twist=(0.0, 0.0, 0.0), mu=5e-324,
         scale=1.0, surface=None, cone_index=None, height=None, spin=1.0, commands=[(0.0, 0.0)])
@given(kind=st.sampled_from(KINDS), tyre=st.sampled_from(OLD + NEW), raw=st.booleans(), dt=STEPS,
       twist=TWISTS, mu=st.none() | st.floats(0, 2), scale=st.floats(0, 1.5),
       surface=st.sampled_from((None, *SURFACES)),
       cone_index=st.none() | st.floats(0, 1e7), height=st.none() | st.floats(0, 20),
       spin=st.sampled_from([0.0, 1.0, -1.0, 100.0]), commands=COMMANDS)
def test_acceptance_12_never_a_number_that_is_none_in_mode_physical(
        kind, tyre, raw, dt, twist, mu, scale, surface, cone_index, height, spin, commands):
    """High centres of mass lift wheels, brakes lock them, soil carries nothing."""
    given_values = {'friction_mu': mu, 'mu_scale': scale, 'surface_type': surface,
                    'cone_index': cone_index}
    world = physical(vehicle(kind, controller(kind, raw), friction=tyre, init_twist=twist), dt=dt,
                     elements=tuple(region(name, value) for name,
                                    value in given_values.items() if value is not None))
    if height is not None:
        world.vehicles.arrays.records['com_height'] = height
    world.vehicles.wheels['omega'] *= spin
    drive(world, kind, raw, commands, max(2.0, 1.1 * scale) * max(scale, 1.0))

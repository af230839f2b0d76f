# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every tyre that gives a force for a slip, whatever is thrown at it."""

import math

from hypothesis import given, strategies as st
from oracles import slip, soil
import pytest

from mvsim_ros2.physics.physical.wheels import project
from mvsim_ros2.physics.tyres import bakker, clay, magic_formula, sand
from mvsim_ros2.physics.tyres.clay import Carcass

RADIUS = 0.35
CARCASS = Carcass(0.23, 0.66, 0.165)
# load, rolling speed, speeds along and across -> forces on hub along and across, under the rim


def _firm(forces):
    """Return the law of a tyre on firm ground: what acts on the hub acts under the rim."""
    def law(load, roll, along, across):
        force, side = forces(
            load, slip.symmetric(roll, along, 0.1), slip.angle(along, across, 0.1))
        return force, side, force
    return law


def _isotropic(curve):
    def law(load, roll, along, across):
        force, side = slip.isotropic(curve, load, *slip.vector(roll, along, across, 0.1))
        return force, side, force
    return law


def _within(limit, along, across):
    """Return a force shortened to a circle."""
    return project(along, across, max(limit, 0.0), max(limit, 0.0))


def _bakker(tyre):
    return _firm(lambda load, ratio, angle: (0.0, bakker.across(tyre, load, angle)))


def _clay(cone_index, deflection, vti):
    return _soil(soil.on_clay, clay.Clay(CARCASS, 0.09, vti), cone_index, deflection)


def _sand(cone_index, deflection, reading):
    return _soil(soil.on_sand, sand.Sand(CARCASS, 0.09, reading), cone_index, deflection)


def _soil(law, tyre, cone_index, deflection):
    return lambda load, roll, along, across: soil.forces(
        law(
            tyre, cone_index, load, deflection, slip.symmetric(roll, along, 0.1)),
        0.09, load, slip.angle(along, across, 0.1), slip.direction(along, 0.01))


WHEEL_OF = {f'magic formula {name}': _isotropic(curve)
            for name, curve in magic_formula.SURFACES.items()}
# law and the largest coefficient of each force
LAWS = {
    **{name: (law, magic_formula.SURFACES[name.split()[-1]].D)
       for name, law in WHEEL_OF.items()},
    'magic formula with shape 3': (_isotropic(
        magic_formula.MagicFormula(10.0, 3.0, 0.7, -2.0)), 0.7),
    'magic formula and crolla': (_firm(
        lambda load, ratio, angle: _within(
            0.82 * load, load * magic_formula.coefficient(magic_formula.SURFACES['wet'], ratio),
            soil.crolla(0.09, 0.82 * max(load, 0.0), angle))), 0.82),
    'linear': (_firm(lambda load, ratio, angle: _within(
        0.8 * load, 30e3 * ratio, -40e3 * angle)), 0.8),
    'bakker': (_bakker(bakker.PRESETS['bakker87']), 1.011),
    'bakker on soil': (_bakker(bakker.PRESETS['bakker87']._replace(road=0.4)), 0.41),
    'bakker document in kN': (_bakker(bakker.PRESETS['document_kN']), 0.1),
    **{f'clay {mode} {strength:g} Pa, {deflection:g} m': (
        _clay(strength, deflection, mode == 'vti'), 1.0)
        for mode in ('mavs', 'vti')
        for strength in (0.0, 1.0, 1e5, 1.7e6) for deflection in (0.0, 0.05, 0.165, 1.0)},
    **{f'sand {name} {strength:g} Pa, {deflection:g} m': (
        _sand(strength, deflection, reading), 1.0)
        for name, reading in sand.READINGS.items()
        for strength in (0.0, 1.0, 1e5, 1.7e6) for deflection in (0.0, 0.05, 0.165, 1.0)},
}
laws = pytest.mark.parametrize('name', [pytest.param(name, id=name) for name in LAWS])
speeds = st.floats(-60, 60) | st.sampled_from([0.0, -0.0, 1e-300, -1e-9, 1e-4])
loads = st.floats(0, 1e5) | st.sampled_from([0.0, 1e-300, 1e-9, 1e9])


@laws
@given(load=loads, roll=speeds, along=speeds, across=speeds)
def test_finite_bounded_odd_and_without_gain(name, load, roll, along, across):
    """
    Forces never exceed mu N, turn round with the motion, and only take energy out.

    The power that hub and spin get from the ground is `F_hub v_x - F_rim omega R + F_y v_y`.
    """
    law, limit = LAWS[name]
    hub, side, rim = found = law(load, roll, along, across)
    assert all(math.isfinite(force) for force in found)
    room = limit * load * (1.0 + 1e-9)
    assert abs(hub) <= room and abs(side) <= room
    assert law(load, -roll, -along, -across) == (-hub, -side, -rim)
    scale = room * (abs(roll) + abs(along) + abs(across))
    assert hub * along - rim * roll + side * across <= 1e-9 * scale


@laws
def test_no_load_no_force(name):
    for load in (0.0, -1.0):
        assert LAWS[name][0](load, 3.0, 2.0, 1.0) == (0.0, 0.0, 0.0)


@laws
def test_a_locked_and_a_spinning_wheel(name):
    """A locked wheel is never pushed along its way; one that spins at rest pushes forward."""
    law, limit = LAWS[name]
    hub, side, _ = law(1000.0, 0.0, 5.0, 0.0)
    assert hub <= 0.0 and side == 0.0
    assert law(1000.0, 5.0, 0.0, 0.0)[2] >= 0.0


firm = pytest.mark.parametrize('name', [
    pytest.param(name, id=name) for name in LAWS if not name.startswith(('clay', 'sand'))])


@firm
@given(load=loads, roll=speeds, along=speeds, across=speeds)
def test_within_the_friction_circle(name, load, roll, along, across):
    law, limit = LAWS[name]
    hub, side, _ = law(load, roll, along, across)
    assert math.hypot(hub, side) <= limit * load * (1.0 + 1e-9)


@given(st.tuples(*[st.floats(-1e6, 1e6)] * 2), st.tuples(*[st.floats(0, 1e5)] * 2))
def test_projection_ends_on_the_ellipse(force, limits):
    found = project(*force, *limits)
    used = 0.0
    for part, whole, limit in zip(found, force, limits, strict=True):
        assert math.isfinite(part) and part * whole >= 0.0 and abs(part) <= abs(whole)
        assert abs(part) <= limit * (1.0 + 1e-9)
        if limit > 1e-200:
            used += (part / limit)**2
    assert used <= 1.0 + 1e-9

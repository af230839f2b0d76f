# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every tyre law, those of installed plugins included."""

import math
import sys

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
from processes import python
import pytest
from small_worlds import physical, physics, tilt

from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.tyres.law import LAWS, Mounting
from mvsim_ros2.world.file.manual import manual
from mvsim_ros2.world.spec import (
    Differential4Spec, PropertyRegionSpec, RawController, TwistPidController, VehicleSpec)
from mvsim_ros2.world.spec.elements.property_region import SURFACES

# prints a hash of a run on each law in each mode; `plain` leaves out numba
RUN = """
import hashlib
import sys

if 'plain' in sys.argv:
    sys.modules['numba'] = None

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.tyres.law import LAWS
from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.world.spec.vehicle.controller import TwistPidController
from mvsim_ros2.world.spec.vehicle.dynamics import Differential4Spec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

for law in LAWS:
    for mode in law.modes:
        vehicle = VehicleSpec('r1', friction=law.spec(), dynamics=Differential4Spec(
            controller=TwistPidController(KP=40.0, max_torque=60.0)), init_twist=(1.0, 0.5, 0.2))
        world = PhysicsWorld(WorldSpec(vehicles=(vehicle,)), RandomStreams(0), mode)
        world.vehicles.set_twist(0, 2.0, 1.0)
        world.step(60)
        state = hashlib.sha256(world.vehicles.pose.tobytes() + world.vehicles.wheels.tobytes())
        print(law.spec.XML_CLASS, mode, state.hexdigest())
"""

PID = TwistPidController(KP=4.0, KI=3.0, max_torque=20.0)


def laws(with_part):
    """Return a mark that runs a test with the laws for which something holds."""
    return pytest.mark.parametrize(
        'law', list(filter(with_part, LAWS)), ids=lambda law: law.spec.XML_CLASS)


every_law = laws(lambda law: True)
in_its_modes = pytest.mark.parametrize('law, mode', [
    pytest.param(law, mode, id=f'{law.spec.XML_CLASS} {mode}')
    for law in LAWS for mode in law.modes])


def made(law, mode, controller=PID, dt=0.005, **changes):
    """Return a world with a four-wheeled robot on tyres of a law."""
    return physics(VehicleSpec('r1', dynamics=Differential4Spec(controller=controller),
                               friction=law.spec(), **changes), dt=dt, mode=mode)


@every_law
def test_has_a_section_in_the_manual(law):
    _, _, section = manual().partition(f'\n## `<friction class="{law.spec.XML_CLASS}">`')
    title, _, text = section.partition('\n\n')
    assert 'rear_friction' in title
    assert text.startswith(law.spec.__doc__ or '')


@every_law
def test_packs_numbers(law):
    values = law.values(law.spec(), Mounting(0.1, 0.05, 50.0))
    assert np.isfinite(values).all()
    assert not values[len(law.columns):].any()


@in_its_modes
def test_moves_a_vehicle(law, mode):
    """Told to drive a bend, it does; the other bend is the mirrored one."""
    twists = []
    for side in (1, -1):
        world = made(law, mode)
        world.vehicles.set_twist(0, 1.0, side * 0.3)
        world.step(1000)
        twists.append(world.vehicles.twist_body[0] * (1, side, side))
    assert twists[0] == pytest.approx(twists[1], abs=5e-3)
    assert twists[0][0] == pytest.approx(1.0, abs=0.1)
    assert 0.05 < twists[0][2] < 0.35


@in_its_modes
@pytest.mark.parametrize('climb, side', [(0.1, 0.0), (0.0, 0.1)], ids=['up', 'across'])
def test_holds_on_a_slope(law, mode, climb, side):
    """To less than 0.1 mm in 10 s, or the law says that it creeps."""
    world = made(law, mode)
    tilt(world, climb, side)
    world.step(1000)
    settled = world.vehicles.pose[0].copy()
    assert np.abs(settled[:2]).max() < 0.02
    world.step(2000)
    moved = np.abs(world.vehicles.pose[0] - settled).max()
    assert moved < 1e-4 or mode in law.creeps


@every_law
def test_creeps_where_it_says_so(law):
    for mode in law.creeps:
        world = made(law, mode)
        world.vehicles.arrays.records[0]['down_y'] = 0.1
        world.step(2000)
        assert world.vehicles.pose[0, 1] > 1e-3


@laws(lambda law: law.secants is not None)
@settings(max_examples=examples(300))
@given(load=st.floats(1e-6, 1e5), part=st.floats(0, 2), along=st.floats(1e-9, 3),
       across=st.floats(1e-9, 3))
def test_curves_stay_within_their_limits(law, load, part, along, across):
    """Forces are finite, never against the slip, and within the ellipse of the limits."""
    wheel = Mounting(0.1, 0.05, 50.0)
    tyre = law.spec()
    values, (mu, per_mu) = law.values(tyre, wheel), law.friction(tyre, wheel)
    friction = part * (1.0 if per_mu is None else mu * per_mu)
    most_along, most_across, drag = limits = law.limits(values, friction, load, along)
    assert np.isfinite(limits).all() and min(limits) >= 0.0 and drag <= load
    assert max(most_along, most_across) <= 3.0 * load
    limit = 0.0
    if min(most_along, most_across) > 0.0:
        limit = math.hypot(along, across) / math.hypot(along / most_along, across / most_across)
    secants = law.secants(values, friction, load, along, across, limit)
    assert np.isfinite(secants).all() and min(secants) >= 0.0
    for secant, slip, most in zip(secants, (along, across), limits, strict=False):
        assert secant * slip <= most * (1.0 + 1e-6) + 1e-9
    if min(most_along, most_across) > 1e-9:
        assert math.hypot(secants[0] * along / most_along,
                          secants[1] * across / most_across) <= 1.0 + 1e-6


@laws(lambda law: law.wheel_step is not None)
@given(torque=st.floats(-1e4, 1e4), vx=st.floats(-30, 30), vy=st.floats(-30, 30),
       omega=st.floats(-300, 300), slope=st.tuples(*[st.floats(-50, 50)] * 2),
       mass=st.floats(0.0, 1e4), dt=st.floats(1e-4, 0.05))
def test_steps_of_a_wheel_stay_finite(law, torque, vx, vy, omega, slope, mass, dt):
    """Whatever comes; forces are below twice the load, and stop the slip across the wheel."""
    values = law.values(law.spec(), Mounting(0.1, 0.05, 50.0))
    along, across, spin = found = law.wheel_step(
        values, 0.8, 0.01, 0.02, mass, 9.81, 0.1, 0.005, omega, torque, vx, vy, *slope, dt)
    assert np.isfinite(found).all()
    assert max(abs(along), abs(across)) <= 2.0 * mass * 9.81
    if slope[1] == 0.0:
        assert across * vy <= 0.0


@in_its_modes
@settings(max_examples=examples(20))
@given(twist=st.tuples(st.floats(-5, 5), st.floats(-2, 2), st.floats(-2, 2)),
       spin=st.floats(-1.0, 1.5), dt=st.sampled_from([0.001, 0.005, 0.02]))
def test_only_takes_energy_out(law, mode, twist, spin, dt):
    """A vehicle without torque that slides in any way never has more energy than at first."""
    world = made(law, mode, RawController(), dt, init_twist=twist)
    wheels, mass = world.vehicles.wheels, world.vehicles.bodies[0].mass
    turns = world.vehicles.bodies[0].inertia
    wheels['omega'] *= spin

    def energy():
        vx, vy, w = world.vehicles.twist_body[0]
        return float(0.5 * mass * (vx * vx + vy * vy) + 0.5 * turns * w * w
                     + 0.5 * (wheels['inertia'] * wheels['omega'] ** 2).sum())
    first = energy()
    for _ in range(20):
        world.step(round(0.04 / dt))
        assert np.isfinite(world.vehicles.pose).all()
        assert energy() <= first * (1.0 + 5e-3) + 1e-6


@laws(lambda law: PHYSICAL in law.modes)
@pytest.mark.parametrize('surface', SURFACES)
def test_rolls_on_every_surface(law, surface):
    """Mode physical: as commanded or slower, with forces that such ground has."""
    world = physical(VehicleSpec('r1', dynamics=Differential4Spec(
        controller=PID), friction=law.spec()), elements=(PropertyRegionSpec(
            property_name='surface_type', value_string=surface, x_min=-50.0, x_max=50.0),))
    world.vehicles.set_twist(0, 1.0, 0.0)
    for _ in range(20):
        world.step(10)
        wheels = world.vehicles.wheels
        assert np.isfinite(world.vehicles.pose).all()
        assert (np.hypot(wheels['force_long'], wheels['force_lat'])
                <= 1.1 * wheels['normal_load']).all()
    assert 0.1 < world.vehicles.twist_body[0, 0] < 1.3


def _states(world):
    v = world.vehicles
    return [array.tobytes() for array in (v.pose, v.twist_body, v.wheels)]


@in_its_modes
def test_continues_from_a_snapshot(law, mode):
    """To the last bit."""
    world = made(law, mode)
    world.vehicles.set_twist(0, 1.0, 0.5)
    world.step(150)
    state, noise = world.snapshot(), world._streams.snapshot()
    world.step(150)
    expected = _states(world)
    world.restore(state)
    world._streams.restore(noise)
    world.step(150)
    assert _states(world) == expected


def test_gives_the_same_numbers_without_numba():
    pytest.importorskip('numba')
    compiled, plain = (
        python('-c', RUN, *words, paths=sys.path).stdout.splitlines()
        for words in ((), ('plain',)))
    assert compiled == plain
    assert len({line.split()[-1] for line in plain}) == sum(len(law.modes) for law in LAWS)

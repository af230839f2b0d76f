# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Any vehicle, tyre and command in mode physical: what nature does not allow."""

from collections.abc import Callable
from typing import Any

from hypothesis import example
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
import numpy as np

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.relaxation import LENGTH
from mvsim_ros2.physics.relaxation import STIFFNESS
from mvsim_ros2.physics.relaxation import stored_energy
from mvsim_ros2.physics.vehicle_classes import torques_taken
from mvsim_ros2.world.spec.element import PropertyRegionSpec
from mvsim_ros2.world.spec.tyre import DefaultTyre
from mvsim_ros2.world.spec.tyre import WardIagnemmaTyre

Worlds = Callable[..., PhysicsWorld]
KINDS = ('diff2', 'diff_x03', 'diff3', 'diff4', 'ack', 'open_front', 'torsen_rear', 'torsen_4wd',
         'single', 'skid6', 'chain6', 'tracked', 'mecanum', 'omni3')
STEERED = ('ack', 'open_front', 'torsen_rear', 'torsen_4wd', 'single')
TYRES = (DefaultTyre(C_rr=0.02), WardIagnemmaTyre(), DefaultTyre(mu=0.0),
         WardIagnemmaTyre(mu=0.2, C_damping=0.0))
SPEEDS = st.sampled_from([0.001, 0.005, 0.01, 0.02])


def energy(world: PhysicsWorld) -> float:
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


@settings(deadline=None, max_examples=80)
@example(kind='diff2', tyre=TYRES[0], raw=False, dt=0.001, twist=(0.0, 0.0, 0.0), mu=5e-324,
         commands=[(0.0, 0.0)])
@given(kind=st.sampled_from(KINDS), tyre=st.sampled_from(TYRES), raw=st.booleans(), dt=SPEEDS,
       twist=st.tuples(*[st.floats(-5, 5)] * 3), mu=st.floats(0, 2),
       commands=st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-3, 3)),
                         min_size=1, max_size=4))
def test_numbers_stay_numbers_and_forces_within_friction(
        lone: Worlds, vehicle: Callable[..., Any], physics: Worlds, kind: str,
        tyre: DefaultTyre | WardIagnemmaTyre, raw: bool, dt: float,
        twist: tuple[float, float, float], mu: float,
        commands: list[tuple[float, float]]) -> None:
    """Finite state, no force beyond the circle, no load below 0."""
    controller = 'raw' if raw else 'twist_front' if kind in STEERED else 'pid'
    world = physics(
        vehicle(kind, controller, friction=tyre, init_twist=twist), simul_timestep=dt,
        elements=(PropertyRegionSpec(property_name='friction_mu', value_double=mu),),
        options={'mode': 'physical'})
    for torque, other in commands:
        if not raw:
            world.vehicles.set_twist(0, torque / 100, other, other)
        else:
            count = torques_taken(world.vehicles.specs[0].dynamics)
            world.vehicles.set_torques(
                0, (torque, -torque, torque, torque)[:count], other if kind in STEERED else 0.0)
        world.step(50)
        v = world.vehicles
        assert np.isfinite(v.pose).all() and np.isfinite(v.twist_body).all()
        wheels = v.wheels
        for name in wheels.dtype.names:
            assert np.isfinite(wheels[name]).all(), name
        assert (wheels['normal_load'] >= 0.0).all()
        force = np.hypot(wheels['force_long'], wheels['force_lat'])
        assert (force <= max(mu, tyre.mu) * wheels['normal_load'] * 1.000001).all()


@settings(deadline=None, max_examples=60)
@given(kind=st.sampled_from(KINDS), dt=SPEEDS, twist=st.tuples(
    st.floats(-8, 8), st.floats(-3, 3), st.floats(-3, 3)), mu=st.floats(0.05, 1.5),
    brake=st.sampled_from([0.0, 1.0, 30.0]))
def test_energy_is_never_gained(
        lone: Worlds, kind: str, dt: float, twist: tuple[float, float, float], mu: float,
        brake: float) -> None:
    """On level ground without torque: motion, spin and bent tyres together only lose."""
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


@settings(deadline=None, max_examples=40)
@given(kind=st.sampled_from(KINDS), dt=SPEEDS, v=st.floats(-3, 3), w=st.floats(-1.5, 1.5),
       ward=st.booleans())
def test_mirrored_commands_give_mirrored_paths(
        lone: Worlds, kind: str, dt: float, v: float, w: float, ward: bool) -> None:
    """
    The opposite yaw rate gives the path on the other side.

    A caster that backs up swings round to either side, as real ones do.
    """
    v = abs(v) if kind == 'diff3' else v
    controller = 'twist_front' if kind in STEERED else 'pid'
    paths = []
    for side in (1, -1):
        world = lone(kind, controller, dt,
                     friction=WardIagnemmaTyre() if ward else DefaultTyre(C_rr=0.01))
        world.vehicles.set_twist(0, v, side * w)
        world.step(round(1.0 / dt))
        paths.append(world.vehicles.pose[0] * (1, side, 1, side, 1, 1))
    assert np.allclose(*paths, atol=1e-4)

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
"""Any vehicle, tyre, surface and command: numbers stay numbers."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st
import numpy as np

from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.world.spec.element import PropertyRegionSpec
from mvsim_ros2.world.spec.tyre import DefaultTyre
from mvsim_ros2.world.spec.tyre import EllipseTyre
from mvsim_ros2.world.spec.tyre import WardIagnemmaTyre

KINDS = ('diff2', 'diff3', 'diff4', 'ack', 'open_front', 'torsen_rear', 'torsen_4wd')
TYRES = (DefaultTyre(C_rr=0.02), WardIagnemmaTyre(), EllipseTyre(),
         DefaultTyre(mu=0.0), EllipseTyre(C_alpha_s=1.0, C_s_alpha=1.0))


@settings(deadline=None, max_examples=60)
@given(kind=st.sampled_from(KINDS), tyre=st.sampled_from(TYRES), raw=st.booleans(),
       dt=st.sampled_from([0.001, 0.005, 0.02]), twist=st.tuples(*[st.floats(-5, 5)] * 3),
       mu=st.floats(0, 2),
       commands=st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-3, 3)),
                         min_size=1, max_size=4))
def test_never_a_number_that_is_none(
        vehicle: Callable, physics: Callable[..., PhysicsWorld], kind: str,
        tyre: DefaultTyre | WardIagnemmaTyre | EllipseTyre, raw: bool, dt: float,
        twist: tuple[float, float, float], mu: float,
        commands: list[tuple[float, float]]) -> None:
    """State stays finite and forces within what friction can do."""
    differential = kind.startswith('diff')
    controller = 'raw' if raw else 'pid' if differential else 'twist_front'
    world = physics(
        vehicle(kind, controller, friction=tyre, init_twist=twist), simul_timestep=dt,
        elements=(PropertyRegionSpec(property_name='friction_mu', value_double=mu),))
    for torque, other in commands:
        if not raw:
            world.vehicles.set_twist(0, torque / 100, other)
        elif kind[:4] in ('open', 'tors'):
            world.vehicles.set_torques(0, (torque,), other)
        else:
            world.vehicles.set_torques(0, (torque, -torque), 0.0 if differential else other)
        world.step(50)
        v = world.vehicles
        assert np.isfinite(v.pose).all() and np.isfinite(v.twist_body).all()
        wheels = v.wheels
        for name in wheels.dtype.names:
            assert np.isfinite(wheels[name]).all(), name
        largest = max(mu, 0.8501) * wheels['normal_load'] * 1.000001
        assert (np.abs(wheels['force_long']) <= largest).all()
        assert (np.abs(wheels['force_lat']) <= largest).all()

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
"""Worlds with nothing in them but one vehicle."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2 import Simulation

CAR = """
<vehicle:class name="car"><dynamics class="ackermann">
    <rl_wheel pos="0  0.7" mass="20" width="0.2" diameter="0.6"/>
    <rr_wheel pos="0 -0.7" mass="20" width="0.2" diameter="0.6"/>
    <fl_wheel mass="20" width="0.2" diameter="0.6"/>
    <fr_wheel mass="20" width="0.2" diameter="0.6"/>
    <f_wheels_x>1.6</f_wheels_x> <f_wheels_d>1.4</f_wheels_d>
    <max_steer_ang_deg>35</max_steer_ang_deg>
    <chassis mass="600" zmin="0.2" zmax="1.2">
        <shape> <pt>-0.5 -0.7</pt> <pt>2.1 -0.7</pt> <pt>2.1 0.7</pt> <pt>-0.5 0.7</pt> </shape>
    </chassis>
    <controller class="{controller}">
        <KP>900</KP> <KI>300</KI> <max_torque>700</max_torque>
    </controller>
</dynamics></vehicle:class>
"""
SHIPPED = '<include file="package://mvsim_ros2/worlds/vehicles/{name}.vehicle.xml"/>'
VEHICLES = {
    'car': CAR.format(controller='twist_front_steer_pid'),
    'steered_car': CAR.format(controller='front_steer_pid').replace('"car"', '"steered_car"'),
    'raw_robot': '<vehicle:class name="raw_robot"> <dynamics class="differential"/> '
                 '</vehicle:class>',
    **{name: SHIPPED.format(name=name) for name in ('small_robot', 'rover', 'tractor')},
}

MakeWorld = Callable[..., Simulation]


@pytest.fixture
def alone(tmp_path: Path) -> MakeWorld:
    """Return a maker of simulations of one vehicle, and of what else there shall be."""
    def make(vehicle: str = 'small_robot', things: str = '', mode: str = 'physical',
             seed: int = 0) -> Simulation:
        path = tmp_path / f'{vehicle}.world.xml'
        path.write_text(
            f'<mvsim_world version="1.0"><physics mode="{mode}"/>{VEHICLES[vehicle]}{things}'
            f'<vehicle name="it" class="{vehicle}"><init_pose>0 0 0</init_pose></vehicle>'
            '</mvsim_world>')
        return Simulation.from_file(path, seed=seed, sensors=False)

    return make

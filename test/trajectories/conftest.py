# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
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

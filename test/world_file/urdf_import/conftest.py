# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Robots that the tests of this folder share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mvsim_ros2 import load_world
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

Loader = Callable[..., VehicleSpec]

WHEEL = """
<link name="{side}_wheel">
  <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.001"/></inertial>
  <collision><origin rpy="1.5707963267948966 0 0"/>
    <geometry><cylinder radius="0.05" length="0.02"/></geometry></collision>
</link>
<joint name="{side}_joint" type="continuous">
  <parent link="base_link"/><child link="{side}_wheel"/>
  <origin xyz="0 {y} 0"/><axis xyz="0 1 0"/>
</joint>"""
WHEELS = WHEEL.format(side='left', y=0.15) + WHEEL.format(side='right', y=-0.15)
BASE = """
<link name="base_link">
  <inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
  <collision><origin xyz="0 0 0.1"/><geometry><box size="0.4 0.2 0.1"/></geometry></collision>
</link>"""


@pytest.fixture
def load_robot(tmp_path: Path) -> Loader:
    """Return what loads a world of one vehicle with a description, and returns its spec."""
    def load(parts: str = '', inside: str = '', arguments: str = '', strict: bool = True,
             robot: str = BASE + WHEELS) -> VehicleSpec:
        (tmp_path / 'robot.urdf').write_text(f'<robot name="robot">{robot}{parts}</robot>')
        path = tmp_path / 'one.world.xml'
        path.write_text(f"""<mvsim_world>
          <vehicle name="r1" urdf="robot.urdf" {arguments}>
            <init_pose>0 0 0</init_pose>{inside}
          </vehicle></mvsim_world>""")
        (vehicle,) = load_world(path, strict=strict).vehicles
        return vehicle
    return load


@pytest.fixture
def load_shipped(tmp_path: Path) -> Loader:
    """Return what loads one of the descriptions of the library."""
    def load(name: str, arguments: str = '', inside: str = '') -> VehicleSpec:
        path = tmp_path / 'shipped.world.xml'
        path.write_text(f"""<mvsim_world>
          <vehicle name="r1" urdf="package://mvsim_ros2/worlds/descriptions/{name}"
                   urdf_args="{arguments}"><init_pose>0 0 0</init_pose>{inside}</vehicle>
          </mvsim_world>""")
        (vehicle,) = load_world(path).vehicles
        return vehicle
    return load

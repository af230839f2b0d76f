# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors leave no memory behind; benchmarks/sensors.py does the same with 10 000 measurements."""

from pathlib import Path

from memory_growth import traced_leak
import pytest

from mvsim_ros2 import Simulation

CART = Path(__file__).resolve().parent / 'cart.vehicle.xml'
WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"/>
  <block name="box"><init_pose>3 1 0</init_pose><mass>5</mass>
    <geometry type="box" lx="1" ly="0.7" lz="2"/></block>
  <include file="{cart}"/>
  <vehicle name="cart" class="cart"><init_pose>0 0 0</init_pose>
    <sensor class="{kind}" name="eye">{content}</sensor></vehicle>
</mvsim_world>"""
SMALL = '<ncols>80</ncols><nrows>60</nrows><fx>60</fx><fy>60</fy><cx>40</cx><cy>30</cy>'


@pytest.mark.parametrize('kind, content', [
    pytest.param('imu', '', id='imu'),
    pytest.param('gnss', '', id='gnss'),
    pytest.param('laser', '<rolling>true</rolling>', id='laser'),
    pytest.param('laser', '<raytrace_3d>true</raytrace_3d>', id='laser_in_space'),
    pytest.param('lidar3d', '', id='lidar3d'),
    pytest.param('camera', f'{SMALL}<renderer>cpu</renderer>', id='camera'),
    pytest.param('camera', f'{SMALL}<renderer>cpu</renderer><exposure_time>0.02</exposure_time>'
                 '<exposure_samples>2</exposure_samples><readout_time>0.02</readout_time>'
                 '<readout_bands>3</readout_bands>', id='slow_shutter')])
def test_measurements_leave_no_memory_behind(tmp_path: Path, kind: str, content: str) -> None:
    """
    Measurements of IMU, GNSS, LiDARs and cameras leave no memory behind.

    :reference: bytes allocated over equal pieces of work
    """
    path = tmp_path / 'memory.world.xml'
    path.write_text(WORLD.format(cart=CART, kind=kind, content=content))
    simulation = Simulation.from_file(path)
    simulation.vehicles['cart'].set_twist(0.5, 0.3)
    sensor = simulation.sensors['cart/eye']

    def measure() -> None:
        for _ in range(60):
            simulation.step()
            sensor.measure()

    assert traced_leak(measure) < 20_000, 'bytes in 60 measurements'

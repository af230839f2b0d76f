# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What translucent blocks stand on is seen through them, by cameras and LiDARs."""

from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.opengl.context import gl_thread

WORLD = """<mvsim_world version="1.0">
  <element class="horizontal_plane"><color>#808080</color></element>
  <block name="glass"><static>true</static><init_pose>3 0 30</init_pose>
    <color>#2040ff{alpha}</color><zmin>0</zmin><zmax>0.8</zmax>{shape}<transmittance>1</transmittance></block>
  <sensor class="camera" name="c"><pose_3d>0 0 2 -90 0 -125</pose_3d>
    <renderer>{renderer}</renderer>
    <ncols>160</ncols><nrows>120</nrows><cx>80</cx><cy>60</cy><fx>150</fx><fy>150</fy></sensor>
  <sensor class="lidar3d" name="l"><pose_3d>0 0 2 0 35 0</pose_3d><vert_nrays>32</vert_nrays>
    <horz_nrays>400</horz_nrays><labels>true</labels><organised>true</organised>
    <range_std_noise>0</range_std_noise><rolling>false</rolling></sensor></mvsim_world>"""


@pytest.mark.parametrize('shape', [
    '', '<geometry type="cylinder" radius="0.6" length="0.8"/>',
    '<geometry type="box" lx="1" ly="1" lz="0.8"/>'])
def test_the_ground_is_seen_through_what_stands_on_it(shape: str, tmp_path: Path) -> None:
    try:
        gl_thread()
    except RenderContextError as error:
        pytest.skip(str(error))
    images, path = [], tmp_path / 'w.world.xml'
    for renderer in ('gl', 'cpu'):
        path.write_text(WORLD.format(shape=shape, renderer=renderer, alpha='40'), encoding='utf-8')
        simulation = Simulation.from_file(path)
        images.append(simulation.measure('c').pixels.astype(int))
    apart = np.abs(images[0] - images[1]).max(axis=2)
    blue = images[0][..., 2] - images[0][..., 0] > 20
    print(f'{blue.mean():.1%} glass, of which {(apart[blue] > 6).mean():.2%} differ')
    assert blue.mean() > 0.03 and (apart[blue] > 6).mean() < 0.03


def test_no_beam_ends_at_clear_glass(tmp_path: Path) -> None:
    path = tmp_path / 'w.world.xml'
    path.write_text(WORLD.format(shape='', renderer='cpu', alpha='05'), encoding='utf-8')
    simulation = Simulation.from_file(path)
    through = simulation.measure('l').points
    simulation.remove('glass')
    free = simulation.measure('l').points
    for axis in 'xyz':
        np.testing.assert_allclose(through[axis], free[axis], atol=1e-4)

# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things of worlds/things.xml can be put into any world, and are as large as they look."""

from pathlib import Path
import re

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.world.file.load import load_world_text

CLASSES = re.findall(r'block:class name="(\w+)"', (
    Path(__file__).resolve().parents[2] / 'worlds' / 'things.xml').read_text())


def world_with(kind: str, name: str, more: str = '') -> Simulation:
    """Return a world with a thing at the origin."""
    return Simulation(load_world_text(
        '<mvsim_world> <include file="package://mvsim_ros2/worlds/things.xml"/> '
        f'<block class="{kind}" name="{name}"> <init_pose>0 0 0</init_pose> </block> {more} '
        '</mvsim_world>', 'a string'))


@pytest.mark.parametrize('name', CLASSES)
def test_what_is_seen_of_a_thing_covers_what_is_touched(name: str) -> None:
    simulation = world_with(name, 'it')
    scene, footprint = simulation.scene(), simulation.blocks['it'].footprint
    row = int(np.flatnonzero(scene.thing == scene.thing_names.index('it'))[0])
    points = scene.meshes[scene.mesh[row]].vertices
    assert (0.7, 0.7, 0.7, 1.0) not in {  # a mesh whose colours are missing
        material.colour for material in scene.meshes[scene.mesh[row]].materials}
    outline = np.asarray(footprint.polygon)
    assert (points[:, :2].min(axis=0) < outline.min(axis=0) + 0.06).all()
    assert (points[:, :2].max(axis=0) > outline.max(axis=0) - 0.06).all()
    assert points[:, 2].max() == pytest.approx(footprint.zmax, abs=0.5)


@pytest.mark.parametrize('renderer', ['gl', 'cpu'])
def test_street_lamps_light_the_night(renderer: str) -> None:
    simulation = world_with('street_lamp', 'lamp', (
        '<lights> <light_elevation_deg>-12</light_elevation_deg> </lights> '
        '<element class="horizontal_plane"/> '
        '<sensor class="camera" name="eye"> <pose_3d>0.62 0 2.5 -90 0 180</pose_3d> '
        f'<renderer>{renderer}</renderer> </sensor>'))
    dark = simulation.measure('eye').pixels.mean()
    simulation.blocks['lamp'].set_light('lamp', True)
    assert simulation.measure('eye').pixels.mean() > dark + 60

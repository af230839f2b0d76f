# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things of worlds/things.xml can be put into any world, and are as large as they look."""

from pathlib import Path
import re

import numpy as np
import pytest

from mvsim_ros2 import Simulation

CLASSES = re.findall(r'block:class name="(\w+)"', (
    Path(__file__).resolve().parents[2] / 'worlds' / 'things.xml').read_text())


@pytest.mark.parametrize('name', CLASSES)
def test_what_is_seen_of_a_thing_covers_what_is_touched(name: str, tmp_path: Path) -> None:
    file = tmp_path / 'a.world.xml'
    file.write_text('<mvsim_world version="1.0"> '
                    '<include file="package://mvsim_ros2/worlds/things.xml"/> '
                    f'<block class="{name}" name="it"> <init_pose>0 0 0</init_pose> </block> '
                    '</mvsim_world>')
    simulation = Simulation.from_file(file)
    scene, footprint = simulation.scene(), simulation.blocks['it'].footprint
    row = int(np.flatnonzero(scene.thing == scene.thing_names.index('it'))[0])
    points = scene.meshes[scene.mesh[row]].vertices
    assert (0.7, 0.7, 0.7, 1.0) not in {  # a mesh whose colours are missing
        material.colour for material in scene.meshes[scene.mesh[row]].materials}
    outline = np.asarray(footprint.polygon)
    assert (points[:, :2].min(axis=0) < outline.min(axis=0) + 0.06).all()
    assert (points[:, :2].max(axis=0) > outline.max(axis=0) - 0.06).all()
    assert points[:, 2].max() == pytest.approx(footprint.zmax, abs=0.5)

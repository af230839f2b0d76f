# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mode physical gives the same bytes however it is carried out."""

import os
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.file.load import load_world

SCENE = Path(__file__).parent.with_name('run_scene.py')


def run_scene(project, *arguments):
    """Run the scene in a process of its own and return what it prints."""
    return subprocess.run(
        [sys.executable, str(SCENE), 'physical', 'rough', *arguments],
        capture_output=True, text=True, check=True, cwd=project,
        env={**os.environ, 'PYTHONPATH': str(project)},
        timeout=600).stdout


@pytest.fixture(scope='module')
def scene(project):
    """Return what the scene prints as usual."""
    return run_scene(project)


@pytest.mark.parametrize('arguments', [('plain',), ('chunks',)], ids=['without numba', 'chunks'])
def test_all_ways_give_the_same_bytes(scene, project, arguments):
    """Without numba, in other calls: one hash."""
    assert run_scene(project, *arguments) == scene


def test_restore_brings_back_slips_and_loads(vehicle, physics):
    """A braking car continues to the last bit."""
    world = physics(vehicle('ack', 'twist_front', init_twist=(8.0, 0.0, 0.0)),
                    options={'mode': 'physical'})
    world.vehicles.set_twist(0, 0.0, 0.5)
    world.step(123)
    state, noise = world.snapshot(), world._streams.snapshot()
    assert np.abs(world.vehicles.wheels['slip_y']).max() > 0.0
    world.step(300)
    expected = world.vehicles.wheels.tobytes(), world.vehicles.pose.tobytes()
    world.restore(state)
    world._streams.restore(noise)
    world.step(300)
    assert (world.vehicles.wheels.tobytes(), world.vehicles.pose.tobytes()) == expected


def test_slips_end_where_a_vehicle_is_moved_by_hand(vehicle, physics):
    """It stands still at its new place."""
    world = physics(vehicle('diff4', 'raw', init_twist=(0.0, 3.0, 0.0)),
                    options={'mode': 'physical'})
    world.step(20)
    world.set_pose('r1', Pose(5.0, 5.0))
    world.step(200)
    assert world.vehicles.pose[0, :2] == pytest.approx([5.0, 5.0], abs=1e-6)


def test_a_world_or_its_caller_chooses(tmp_path):
    """The mode is a tag of the world file; an argument overrides it; physical is the default."""
    path = tmp_path / 'w.world.xml'
    for tag, mode in (('', 'physical'), ('<physics mode="mvsim"/>', 'mvsim')):
        path.write_text(f'<mvsim_world version="1.0">{tag}</mvsim_world>')
        world = load_world(path)
        assert Simulation(world).mode == mode
        for chosen in ('mvsim', 'physical'):
            assert Simulation(world, physics=chosen).mode == chosen

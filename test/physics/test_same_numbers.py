# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The same run gives the same bytes, whatever carries it out.

:claim: A run is reproducible bit for bit in another process, without the compiler, and if steps
    are grouped differently
:reference: the usual run
"""

import os
from pathlib import Path
import subprocess
import sys

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec

SCENE = Path(__file__).with_name('run_scene.py')


def run_scene(project, *arguments, **environment):
    """Run the scene in a process of its own and return what it prints."""
    result = subprocess.run(
        [sys.executable, str(SCENE), *arguments], capture_output=True, text=True, check=True,
        cwd=project, env={**os.environ, 'PYTHONPATH': str(project), **environment}, timeout=600)
    return result.stdout


@pytest.fixture(scope='module')
def scene(project):
    """Return what the scene prints as usual."""
    return run_scene(project)


@pytest.fixture(scope='module')
def rough_scene(project):
    """Return what the rough scene prints as usual."""
    return run_scene(project, 'rough')


@pytest.mark.parametrize('arguments', [(), ('plain',), ('compiled',), ('chunks',)],
                         ids=['again', 'without numba', 'machine code', 'chunks'])
def test_all_ways_give_the_same_bytes(scene, project, arguments):
    """In another process, all or nothing compiled, in other calls: one hash."""
    assert run_scene(project, *arguments) == scene


@pytest.mark.parametrize('arguments', [('plain',), ('compiled',), ('chunks',)],
                         ids=['without numba', 'machine code', 'chunks'])
def test_rough_ground_gives_the_same_bytes(rough_scene, project, arguments):
    """Hills, a trailer, an animated block and an actor change nothing about that."""
    assert run_scene(project, 'rough', *arguments) == rough_scene


def test_runs_without_a_writable_home(scene, project, tmp_path):
    """A home that cannot be written keeps nothing from working."""
    nowhere = str(tmp_path / 'file')
    Path(nowhere).write_text('not a folder')
    assert run_scene(project, HOME=nowhere, XDG_CACHE_HOME=nowhere) == scene


def _states(world):
    v = world.vehicles
    return [v.pose.copy(), v.twist_body.copy(), v.wheels.copy(), v.arrays.odometers.copy(),
            world.blocks.pose.copy()]


def test_steps_can_be_grouped_at_will(vehicle, physics):
    """300 steps are 300 times one step, to the last bit."""
    at_once, one_by_one = physics(vehicle()), physics(vehicle())
    for world in (at_once, one_by_one):
        world.vehicles.set_twist(0, 1.0, 0.7)
    at_once.step(300)
    for _ in range(300):
        one_by_one.step()
    for a, b in zip(_states(at_once), _states(one_by_one), strict=True):
        assert a.tobytes() == b.tobytes()


def test_restore_continues_a_free_run(vehicle, physics):
    """To the last bit."""
    world = physics(vehicle(), vehicle('diff4', 'raw', 'r2', init_pose=Pose(0.0, 4.0)))
    world.vehicles.set_twist(0, 1.0, 0.7)
    world.vehicles.set_torques(1, (1.0, 2.0))
    world.step(333)
    state, noise = world.snapshot(), world._streams.snapshot()
    world.step(500)
    expected = _states(world)
    world.restore(state)
    assert world.steps == 333
    world._streams.restore(noise)
    world.step(500)
    for a, b in zip(expected, _states(world), strict=True):
        assert a.tobytes() == b.tobytes()


def test_restore_keeps_the_time_of_rest(vehicle, physics):
    """When a body falls asleep decides when it starts to move; that goes on as it was."""
    world = physics(vehicle())
    world.step(60)
    state, noise, runs = world.snapshot(), world._streams.snapshot(), []
    for _ in range(2):
        world.restore(state)
        world._streams.restore(noise)
        world.step(39)
        world.vehicles.set_twist(0, 1.0, 0.3)
        world.step(100)
        runs.append(_states(world))
    straight = physics(vehicle())
    straight.step(99)
    straight.vehicles.set_twist(0, 1.0, 0.3)
    straight.step(100)
    for states in runs:
        for a, b in zip(states, _states(straight), strict=True):
            assert a.tobytes() == b.tobytes()


def test_restore_in_contact_is_close_and_repeatable(vehicle, physics):
    """While a block is pushed: within 1 mm after 2 s, and the same bytes each time."""
    world = physics(vehicle(), blocks=(BlockSpec('box', init_pose=Pose(1.5, 0.1), mass=5.0),))
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(600)
    assert world.vehicles.collided[0]
    state, noise = world.snapshot(), world._streams.snapshot()
    world.step(400)
    expected = _states(world)[0]
    runs = []
    for _ in range(2):
        world.restore(state)
        world._streams.restore(noise)
        world.step(400)
        runs.append(_states(world))
    assert runs[0][0] == pytest.approx(expected, abs=1e-3)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*runs, strict=True))


def test_restore_brings_back_what_was_removed(vehicle, physics):
    """Objects that came or went since the snapshot are undone; reset starts anew."""
    world = physics(vehicle(), blocks=(BlockSpec('box', init_pose=Pose(5.0)),))
    world.step(10)
    state = world.snapshot()
    world.remove('box')
    world.add_vehicle(vehicle(name='late', init_pose=Pose(0.0, 5.0)))
    world.step(10)
    world.restore(state)
    assert (world.vehicles.names, world.blocks.names, world.steps) == (['r1'], ['box'], 10)
    world.reset()
    assert world.steps == 0


@settings(max_examples=examples(15))
@given(v=st.floats(-2, 2), w=st.floats(-2, 2))
def test_mirrored_commands_give_mirrored_paths(vehicle, physics, v, w):
    """The opposite yaw rate gives the path on the other side."""
    paths = []
    for side in (1, -1):
        world = physics(vehicle('diff4'))
        world.vehicles.set_twist(0, v, side * w)
        world.step(200)
        paths.append(world.vehicles.pose[0] * (1, side, 1, side, 1, 1))
    assert np.allclose(*paths, atol=1e-4)

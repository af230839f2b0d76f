# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The same run gives the same bytes, whatever carries it out.

:claim: A run is reproducible bit for bit in another process, without the compiler, and if steps
    are grouped differently
:reference: the usual run
"""

from functools import cache

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
from processes import python, ROOT
import pytest
from small_worlds import DYNAMICS, physical, physics, vehicle

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.world.spec import BlockSpec

WAYS = {'': 'again plain compiled chunks', 'rough': 'plain compiled chunks',
        'physical rough': 'plain chunks'}


@cache
def run_scene(arguments, **environment):
    """Run the scene in a process of its own and return what it prints."""
    return python('test/physics/run_scene.py', *arguments.split(), cwd=ROOT, **environment).stdout


@pytest.mark.parametrize(('scene', 'way'), [
    (scene, way) for scene, ways in WAYS.items() for way in ways.split()])
def test_all_ways_give_the_same_bytes(scene, way):
    """In another process, all or nothing compiled, in other calls, over hills: one hash."""
    assert run_scene(f'{scene} {way}') == run_scene(scene)


def test_runs_without_a_writable_home(tmp_path):
    """A home that cannot be written keeps nothing from working."""
    nowhere = tmp_path / 'file'
    nowhere.write_text('not a folder')
    assert run_scene('', HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere)) == run_scene('')


def state(world):
    """Return all numbers that a step changes."""
    v = world.vehicles
    return [array.tobytes() for array in (
        v.pose, v.twist_body, v.wheels, v.arrays.odometers, world.blocks.pose)]


def keep(world):
    """Return what brings a world back to where it is now, its noise included."""
    kept, noise = world.snapshot(), world._streams.snapshot()

    def back():
        world.restore(kept)
        world._streams.restore(noise)
    return back


def test_steps_can_be_grouped_at_will():
    """300 steps are 300 times one step, to the last bit."""
    at_once, one_by_one = physics(vehicle()), physics(vehicle())
    for world in (at_once, one_by_one):
        world.vehicles.set_twist(0, 1.0, 0.7)
    at_once.step(300)
    for _ in range(300):
        one_by_one.step()
    assert state(at_once) == state(one_by_one)


def test_restore_continues_a_free_run():
    """To the last bit."""
    world = physics(vehicle(), vehicle('diff4', 'raw', 'r2', init_pose=Pose(0.0, 4.0)))
    world.vehicles.set_twist(0, 1.0, 0.7)
    world.vehicles.set_torques(1, (1.0, 2.0))
    world.step(333)
    back = keep(world)
    world.step(500)
    expected = state(world)
    back()
    assert world.steps == 333
    world.step(500)
    assert state(world) == expected


def test_restore_brings_back_slips_and_loads():
    """A braking car continues to the last bit."""
    world = physical(vehicle('ack', 'twist_front', init_twist=(8.0, 0.0, 0.0)))
    world.vehicles.set_twist(0, 0.0, 0.5)
    world.step(123)
    back = keep(world)
    assert np.abs(world.vehicles.wheels['slip_y']).max() > 0.0
    world.step(300)
    expected = state(world)
    back()
    world.step(300)
    assert state(world) == expected


def test_restore_keeps_the_time_of_rest():
    """When a body falls asleep decides when it starts to move; that goes on as it was."""
    world, straight = physics(vehicle()), physics(vehicle())
    world.step(60)
    straight.step(60)
    back, ends = keep(world), []
    for each in (world, world, straight):
        if each is world:
            back()
        each.step(39)
        each.vehicles.set_twist(0, 1.0, 0.3)
        each.step(100)
        ends.append(state(each))
    assert ends[0] == ends[1] == ends[2]


def test_restore_in_contact_is_close_and_repeatable():
    """While a block is pushed: within 1 mm after 2 s, and the same bytes each time."""
    world = physics(vehicle(), blocks=(BlockSpec('box', init_pose=Pose(1.5, 0.1), mass=5.0),))
    world.vehicles.set_twist(0, 0.5, 0.0)
    world.step(600)
    assert world.vehicles.collided[0]
    back = keep(world)
    world.step(400)
    expected, ends = world.vehicles.pose.copy(), []
    for _ in range(2):
        back()
        world.step(400)
        ends.append(state(world))
    assert world.vehicles.pose == pytest.approx(expected, abs=1e-3)
    assert ends[0] == ends[1]


def test_restore_brings_back_what_was_removed():
    """Objects that came or went since the snapshot are undone; reset starts anew."""
    world = physics(vehicle(), blocks=(BlockSpec('box', init_pose=Pose(5.0)),))
    world.step(10)
    kept = world.snapshot()
    world.remove('box')
    world.add_vehicle(vehicle(name='late', init_pose=Pose(0.0, 5.0)))
    world.step(10)
    world.restore(kept)
    assert (world.vehicles.names, world.blocks.names, world.steps) == (['r1'], ['box'], 10)
    world.reset()
    assert world.steps == 0


def test_slips_end_where_a_vehicle_is_moved_by_hand():
    """It stands still at its new place."""
    world = physical(vehicle('diff4', 'raw', init_twist=(0.0, 3.0, 0.0)))
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
        for chosen in MODES:
            assert Simulation(world, physics=chosen).mode == chosen


@settings(max_examples=examples(4))
@given(v=st.floats(-2, 2), w=st.floats(-2, 2))
@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', DYNAMICS)
def test_mirrored_commands_give_mirrored_paths(kind, mode, v, w):
    """The opposite yaw rate gives the path on the other side."""
    steered = kind in ('ack', 'single') or 'Drivetrain' in type(DYNAMICS[kind]).__name__
    paths = []
    for side in (1, -1):
        world = physics(vehicle(kind, 'twist_front' if steered else 'pid'), mode=mode)
        world.vehicles.set_twist(0, v, side * w)
        world.step(200)
        paths.append(world.vehicles.pose[0] * (1, side, 1, side, 1, 1))
    assert np.allclose(*paths, atol=1e-4)
